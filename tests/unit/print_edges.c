// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Cases that a comparison with libtraceevent cannot show: print.h lists the differences. */
#include "decode/field.h"
#include "decode/print.h"
#include "tap.h"

#define HEAD                                                                                       \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned short pad;\toffset:2;\tsize:2;\tsigned:0;\n"                             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                               \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                                 \
	"\tfield:int i;\toffset:24;\tsize:4;\tsigned:1;\n"                                         \
	"\tfield:__rel_loc char[] str;\toffset:28;\tsize:4;\tsigned:0;\n"                          \
	"\tfield:u64 q;\toffset:32;\tsize:8;\tsigned:0;\n"                                         \
	"\tfield:void * p;\toffset:40;\tsize:8;\tsigned:0;\n"                                      \
	"\tfield:bool ok;\toffset:48;\tsize:1;\tsigned:0;\n"                                       \
	"\tfield:s8 b;\toffset:49;\tsize:1;\tsigned:1;\n"                                          \
	"\tfield:u16 w[3];\toffset:50;\tsize:6;\tsigned:0;\n"                                      \
	"\tfield:struct thing t;\toffset:56;\tsize:3;\tsigned:0;\n"                                \
	"\tfield:__data_loc cpumask_t cpus;\toffset:60;\tsize:4;\tsigned:0;\n"                     \
	"\tfield:__data_loc u32[] nums;\toffset:64;\tsize:4;\tsigned:0;\n"                         \
	"\tfield:const char * k;\toffset:72;\tsize:8;\tsigned:0;\n"                                \
	"\tfield:unsigned long m[1];\toffset:80;\tsize:8;\tsigned:0;\n\nprint fmt: "

/* Dynamic data from byte 88 on: "dyn\1\0", a CPU set, three u32. */
struct record {
	uint16_t type;
	uint16_t pad;
	int32_t pid;
	char comm[16];
	int32_t i;
	uint32_t str;
	uint64_t q, p;
	uint8_t ok;
	int8_t b;
	uint16_t w[3];
	uint8_t t[4];
	uint32_t cpus, nums;
	uint64_t k, m;
	char dyn[8];
	uint64_t cpu_bits;
	uint32_t num[4];
};

static struct record sample(void)
{
	struct record rec = {
		.type = 1,
		.pid = 7,
		.comm = "a\tb\nc\x1b\x7f\"",
		.i = -5,
		.str = (88 - 32) | 5 << 16,
		.q = UINT64_MAX,
		.p = 0xffff888000000001,
		.ok = 1,
		.b = -1,
		.w = { 1, 2, 65535 },
		.t = { 0xde, 0xad, 0x01 },
		.cpus = 96 | 8 << 16,
		.nums = 104 | 12 << 16,
		.k = 0xffffffff81000000,
		.m = 0x8f,
		.dyn = "dyn\1",
		.cpu_bits = 0x8000000000000007,
		.num = { 10, 20, UINT32_MAX },
	};

	return rec;
}

static uint16_t next_id = 1;

static struct tp_format *format(const char *print_fmt)
{
	struct strbuf text = STRBUF_INIT;
	struct tp_format *fmt;

	strbuf__printf(&text, "name: x\nID: %u\n%s%s\n", next_id++, HEAD, print_fmt);
	fmt = tp_format__parse("sys", "x", strbuf__cstr(&text), text.len);
	strbuf__free(&text);
	return fmt;
}

static void prints_sz(struct printer *pr, const char *print_fmt, uint32_t size, const char *want)
{
	struct tp_format *fmt = format(print_fmt);
	struct record rec = sample();
	struct strbuf out = STRBUF_INIT;
	void *copy = malloc(size ? size : 1);

	/* An allocation of its own: reads behind the end are seen. */
	memcpy(copy, &rec, size);
	printer__print(pr, fmt, copy, size, &out);
	is_str(strbuf__cstr(&out), want, "%u bytes: %s", size, print_fmt);
	ok(printer__is_compiled(pr, fmt), "the format is compiled for printing");
	strbuf__free(&out);
	free(copy);
	/* The printer may still know the format by its id: ids are not used again. */
	tp_format__free(fmt);
}

static void prints(struct printer *pr, const char *print_fmt, const char *want)
{
	prints_sz(pr, print_fmt, sizeof(struct record), want);
}

static const char *resolve(void *ctx, uint64_t addr, uint64_t *off)
{
	(*(unsigned int *)ctx)++;
	*off = 0x1f;
	return addr == 0xffff888000000001 ? "do_it" : NULL;
}

static void test_text(void)
{
	struct printer *pr = printer__new();
	unsigned int asked = 0;

	printer__set_resolver(pr, resolve, &asked);
	prints(pr, "\"%s|\", REC->comm", "a\\tb\\nc\\x1b\\x7f\"|");
	prints(pr, "\"%10s|%-12.3s|\", __get_rel_str(str), REC->comm",
	       "      dyn\\x01|a\\tb         |");
	prints(pr, "\"one\\ntwo %d\\n\\n\", REC->i", "one\\ntwo -5");
	prints(pr, "\"\\n\"", "");
	prints(pr, "\"%c%c%+d%+d\", 65, REC->i + 71, REC->i, -REC->i", "AB-5+5");
	prints(pr, "\"%*pbl %*pb\", 64, REC->m, 8, REC->m", "0-3,7 8f");
	prints(pr, "\"%d\", __get_rel_dynamic_array_len(str)", "5");
	prints(pr, "\"%x\", REC->i ^ 0xff", "ffffff04");
	prints(pr, "\"%d %d\", REC->q / REC->pad, REC->q % REC->pad", "0 0");
	prints(pr,
	       "\"%d\t%zu\tend %s %d\", REC->i, 16 / sizeof(u64), \"tail\", sizeof(unsigned int)",
	       "-5\t2\tend tail 4");
	prints(pr, "\"%d\", sizeof(struct page)", "64");
	is_u64(asked, 0, "no symbol asked for so far");
	prints(pr, "\"%pS %ps %ps\", REC->p, REC->p, REC->k",
	       "do_it+0x1f do_it 0xffffffff81000000");
	is_u64(asked, 3, "symbols asked for when printed");
	prints(pr, "\"%s\", REC->k", "ffffffff81000000");
	printer__add_strings(pr, "0xffffffff80ffffff : \"before\"\n0xffffffff81000000 : \"the "
				 "text\\n\"\n0xffffffff81000001 : \"behind\"\nbroken\n");
	prints(pr, "\"%s\", REC->k", "the text");
	printer__set_strings_file(pr, "/nowhere/printk_formats");
	prints(pr, "\"%s\", REC->k", "the text");
	printer__free(pr);
}

static void test_short(void)
{
	static const char fmt[] = "\"%s %d %llx %s [%s] %d\", REC->comm, REC->i, REC->q, "
				  "__get_rel_str(str), __print_array(__get_dynamic_array(nums), 3, "
				  "4), REC->common_pid";
	struct printer *pr = printer__new();

	prints_sz(pr, fmt, 120,
		  "a\\tb\\nc\\x1b\\x7f\" -5 ffffffffffffffff dyn\\x01 [10 20 4294967295] 7");
	prints_sz(pr, fmt, 88, "a\\tb\\nc\\x1b\\x7f\" -5 ffffffffffffffff  [1 7 174197089] 7");
	prints_sz(pr, fmt, 26, "a\\tb\\nc\\x1b\\x7f\" 65531 0  [1 7 174197089] 7");
	prints_sz(pr, fmt, 9, "a 0 0  [1 7] 7");
	prints_sz(pr, fmt, 0, " 0 0  [] 0");
	printer__free(pr);
}

static void json_is(const struct tp_format *fmt, const char *name, uint32_t size, const char *want)
{
	struct record rec = sample();
	struct strbuf out = STRBUF_INIT;
	void *copy = malloc(size ? size : 1);

	memcpy(copy, &rec, size);
	field__to_json(fmt, tp_format__field(fmt, name), copy, size, &out);
	is_str(strbuf__cstr(&out), want, "JSON of %s, %u bytes", name, size);
	strbuf__free(&out);
	free(copy);
}

static void test_json(void)
{
	struct tp_format *fmt = format("\"%d\", REC->i");
	struct record rec = sample();
	uint64_t v = 0;

	json_is(fmt, "comm", sizeof(rec), "\"a\\u0009b\\u000ac\\u001b\\u007f\\\"\"");
	json_is(fmt, "i", sizeof(rec), "-5");
	json_is(fmt, "q", sizeof(rec), "18446744073709551615");
	json_is(fmt, "p", sizeof(rec), "18446612682070032385");
	json_is(fmt, "ok", sizeof(rec), "true");
	json_is(fmt, "b", sizeof(rec), "-1");
	json_is(fmt, "w", sizeof(rec), "[1,2,65535]");
	json_is(fmt, "t", sizeof(rec), "\"dead01\"");
	json_is(fmt, "str", sizeof(rec), "\"dyn\\u0001\"");
	json_is(fmt, "cpus", sizeof(rec), "\"0-2,63\"");
	json_is(fmt, "nums", sizeof(rec), "[10,20,4294967295]");
	json_is(fmt, "i", 27, "null");
	json_is(fmt, "comm", 20, "null");
	json_is(fmt, "str", 90, "null");
	json_is(fmt, "nums", 66, "null");
	is_s64(field__get_u64(tp_format__field(fmt, "i"), &rec, sizeof(rec), &v), 0,
	       "a number of a record is read");
	is_s64((int64_t)v, -5, "a number of a record keeps its sign");
	is_s64(field__get_u64(tp_format__field(fmt, "w"), &rec, sizeof(rec), &v), -22,
	       "an array is no number");
	is_s64(field__get_u64(tp_format__field(fmt, "q"), &rec, 39, &v), -34,
	       "a field beyond the record is refused");
	tp_format__free(fmt);
}

int main(void)
{
	test_text();
	test_short();
	test_json();
	return done_testing();
}
