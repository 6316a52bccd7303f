// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The fields of format files. */
#include "event/tp_format.h"

#include <errno.h>

#include "tap.h"

#define HEAD                                                                                       \
	"name: x\nID: 77\nformat:\n"                                                               \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static struct tp_format *parse(const char *text)
{
	return tp_format__parse("sys", "x", text, strlen(text));
}

static void check(const struct tp_format *fmt, const char *name, const char *type, unsigned int off,
		  unsigned int size, unsigned int elem_size, unsigned int flags)
{
	const struct tp_field *f = tp_format__field(fmt, name);

	if (!ok(f, "field %s is there", name))
		return;
	is_str(f->type, type, "%s: type", name);
	is_u64(f->off, off, "%s: offset", name);
	is_u64(f->size, size, "%s: size", name);
	is_u64(f->elem_size, elem_size, "%s: element size", name);
	is_u64(f->flags, flags, "%s: flags", name);
}

static void test_fields(void)
{
	struct tp_format *fmt =
		parse(HEAD "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			   "\tfield:long state;\toffset:24;\tsize:8;\tsigned:1;\n"
			   "\tfield:const char * ptr;\toffset:32;\tsize:8;\tsigned:0;\n"
			   "\tfield:__data_loc char[] str;\toffset:40;\tsize:4;\tsigned:0;\n"
			   "\tfield:__rel_loc u32[] nums;\toffset:44;\tsize:4;\tsigned:0;\n"
			   "\tfield:unsigned long args[6];\toffset:48;\tsize:48;\tsigned:0;\n"
			   "\tfield:u16 grid[2][3];\toffset:96;\tsize:12;\tsigned:0;\n"
			   "\tfield:s16 macro[TASK_COMM_LEN];\toffset:108;\tsize:32;\tsigned:1;\n"
			   "\tfield:__data_loc cpumask_t cpus;\toffset:140;\tsize:4;\tsigned:0;\n"
			   "\tfield:unsigned char mac[6];\toffset:144;\tsize:6;\tsigned:0;\n"
			   "\tfield:bool ok;\toffset:150;\tsize:1;\tsigned:0;\n"
			   "\tfield:enum zone_type zone;\toffset:152;\tsize:4;\tsigned:0;\n"
			   "\tfield:char buf[];\toffset:156;\tsize:0;\tsigned:0;\n"
			   "\nprint fmt: \"%d\", REC->ok\n");

	if (!ok(fmt, "a format with all kinds of fields"))
		return;
	is_u64(fmt->id, 77, "the format: id");
	is_str(fmt->sys, "sys", "the format: system");
	is_str(fmt->name, "x", "the format: name");
	is_u64(fmt->field_cnt, 15, "the format: number of fields");
	is_u64(fmt->fixed_sz, 156, "the format: end of the fixed fields");
	is_str(fmt->fields[fmt->last_dyn].name, "cpus", "the format: last dynamic field");
	ok(strstr(fmt->text, "print fmt:"), "the format: the text is kept");
	check(fmt, "common_type", "unsigned short", 0, 2, 2, TP_FIELD_COMMON);
	check(fmt, "common_pid", "int", 4, 4, 4, TP_FIELD_COMMON | TP_FIELD_SIGNED);
	check(fmt, "comm", "char[16]", 8, 16, 1, TP_FIELD_ARRAY | TP_FIELD_STRING);
	check(fmt, "state", "long", 24, 8, 8, TP_FIELD_SIGNED);
	check(fmt, "ptr", "const char *", 32, 8, 8, TP_FIELD_POINTER);
	check(fmt, "str", "__data_loc char[]", 40, 4, 1, TP_FIELD_DYNAMIC | TP_FIELD_STRING);
	check(fmt, "nums", "__rel_loc u32[]", 44, 4, 4, TP_FIELD_DYNAMIC | TP_FIELD_REL);
	check(fmt, "args", "unsigned long[6]", 48, 48, 8, TP_FIELD_ARRAY);
	check(fmt, "grid", "u16[2][3]", 96, 12, 2, TP_FIELD_ARRAY);
	check(fmt, "macro", "s16[TASK_COMM_LEN]", 108, 32, 2, TP_FIELD_ARRAY | TP_FIELD_SIGNED);
	check(fmt, "cpus", "__data_loc cpumask_t", 140, 4, 8, TP_FIELD_DYNAMIC);
	check(fmt, "mac", "unsigned char[6]", 144, 6, 1, TP_FIELD_ARRAY);
	check(fmt, "ok", "bool", 150, 1, 1, 0);
	check(fmt, "zone", "enum zone_type", 152, 4, 4, 0);
	check(fmt, "buf", "char[]", 156, 0, 1, TP_FIELD_ARRAY | TP_FIELD_STRING);
	ok(!tp_format__field(fmt, "nowhere"), "no field of that name");
	tp_format__free(fmt);
}

static void test_bad(void)
{
	static const char *const bad[] = {
		"",
		"hello",
		"name: x\nID: 5\n",
		"name: x\nformat:\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n",
		"name: x\nID: 99999\nformat:\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n",
		HEAD "\tfield:int;\toffset:8;\tsize:4;\tsigned:1;\n",
		HEAD "\tfield:int a;\toffset:8;\n",
		HEAD "\tfield:int a;\toffset:x;\tsize:4;\tsigned:1;\n",
		HEAD "\tfield:int a;\toffset:65000;\tsize:1000;\tsigned:1;\n",
		HEAD "\tfield:int a]];\toffset:8;\tsize:4;\tsigned:1;\n",
		HEAD "\tfield:;\n",
		HEAD "\tfield:",
	};
	struct tp_format *fmt;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		errno = 0;
		fmt = parse(bad[i]);
		ok(!fmt && errno == EINVAL, "no format file: %zu", i);
		tp_format__free(fmt);
	}
	/* Every prefix of a good one: taken or refused, nothing read outside. */
	for (i = 0; i <= strlen(HEAD); i++) {
		char *copy = malloc(i + 1);

		memcpy(copy, HEAD, i);
		tp_format__free(tp_format__parse("s", "n", copy, i));
		free(copy);
	}
	ok(true, "cut at every byte");
}

int main(void)
{
	test_fields();
	test_bad();
	return done_testing();
}
