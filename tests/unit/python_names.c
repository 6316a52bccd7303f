// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The offsets that builds of Python publish, tables of lines, and the names of code objects. */
#include <errno.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/interp_wire.h"
#include "lang/codes.h"
#include "lang/python_lines.h"
#include "lang/python_offsets.h"
#include "tap.h"

#define WORDS 120

/* The words of _Py_DebugOffsets of Debian's 3.13.5 that are used, by their index. */
static void make_3_13(uint64_t *head)
{
	static const uint16_t words[][2] = {
		{ 3, 40000 }, { 5, 632 },  { 6, 40000 }, { 8, 7264 }, { 9, 7344 }, { 19, 768 },
		{ 21, 8 },    { 23, 72 },  { 24, 152 },  { 25, 160 }, { 28, 88 },  { 29, 8 },
		{ 30, 0 },    { 31, 56 },  { 33, 70 },   { 34, 216 }, { 35, 112 }, { 36, 120 },
		{ 37, 128 },  { 38, 136 }, { 39, 68 },   { 43, 200 }, { 64, 40 },  { 65, 16 },
		{ 66, 32 },   { 67, 64 },  { 68, 32 },   { 69, 16 },  { 70, 40 },
	};
	size_t i;

	memset(head, 0, WORDS * sizeof(*head));
	memcpy(head, "xdebugpy", 8);
	head[1] = 0x030d05f0;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		head[words[i][0]] = words[i][1];
}

/* The offsets of 3.13 with another word are refused, and the field is named. */
static void refused(size_t at, uint64_t word, const char *field, const char *is_refused,
		    const char *is_named)
{
	struct python_file f;
	const char *missing;
	uint64_t head[WORDS];

	make_3_13(head);
	head[at] = word;
	is_s64(python_offsets__read(&f, head, sizeof(head), 0, &missing), -ENOTSUP, "%s",
	       is_refused);
	is_str(missing, field, "%s", is_named);
}

static void test_offsets(void)
{
	struct python_file f;
	const char *missing;
	uint64_t head[WORDS];

	make_3_13(head);
	ok(!python_offsets__read(&f, head, sizeof(head), 0, &missing), "3.13: offsets are read");
	ok(f.thread_frame == 72 && f.frame_owner == 70 && f.code_lines == 136 && !f.has_cframe,
	   "3.13: offsets are those published");
	ok(f.owner_interpreter == 3 && f.text_wide == 56 && f.kind_shift == 2,
	   "3.13: facts that no offset says");
	refused(38, 1 << 20, "code_object.linetable", "an offset beyond its struct is refused",
		"the offset that is refused is named");
	refused(19, 0, "thread_state.next", "a struct without a size is refused",
		"the first offset in it is named");
	refused(38, 0, "code_object.linetable", "an offset that is 0 is missing",
		"the offset that is 0 is named");
	refused(38, 80, "code_object.linetable",
		"a table of lines too early in its struct is refused",
		"the table of lines is named");
	refused(33, 84, "interpreter_frame.owner",
		"an offset beyond what is read of a frame is refused",
		"the offset beyond it is named");
	make_3_13(head);
	head[1] = 0x02070000;
	is_s64(python_offsets__read(&f, head, sizeof(head), 0, &missing), -ENOTSUP,
	       "a version that cannot have offsets is refused");
	make_3_13(head);
	is_s64(python_offsets__read(&f, head, 80, 0, &missing), -ENOTSUP,
	       "offsets that are cut are refused");
}

static void test_tables(void)
{
	uint64_t none[WORDS] = { 0 };
	struct python_file f;
	const char *missing;

	ok(!python_offsets__read(&f, none, sizeof(none), 0x030b02f0, &missing) && f.has_entry,
	   "3.11: by its table");
	ok(!python_offsets__read(&f, none, sizeof(none), 0x030c01f0, &missing) && f.has_cframe &&
		   !f.has_entry,
	   "3.12: by its table");
	is_s64(python_offsets__read(&f, none, sizeof(none), 0x030a0df0, &missing), -ENOTSUP,
	       "3.10 is refused");
}

static void test_lines(void)
{
	/* Two instructions of line 10, three without one, one of line 13, one of line 5. */
	static const uint8_t table[] = {
		0x80 | 0 << 3 | 1,  0, /* short form, the same line */
		0x80 | 15 << 3 | 2, /* none */
		0x80 | 14 << 3 | 0, 6,  0, 1, 1, /* long form, 3 lines further */
		0x80 | 13 << 3 | 0, 17, /* 8 lines back */
	};

	is_s64(python_lines__find(table, sizeof(table), 10, 0), 10, "the first instruction's line");
	is_s64(python_lines__find(table, sizeof(table), 10, 1), 10, "an entry has several");
	is_s64(python_lines__find(table, sizeof(table), 10, 4), 0, "instructions without a line");
	is_s64(python_lines__find(table, sizeof(table), 10, 5), 13, "a line further on");
	is_s64(python_lines__find(table, sizeof(table), 10, 6), 5, "a line before");
	is_s64(python_lines__find(table, sizeof(table), 10, 7), 0, "behind the table");
	is_s64(python_lines__find(table, 4, 10, 5), 10, "an entry that is cut has its first byte");
	is_s64(python_lines__find(NULL, 0, 10, 0), 0, "no line without a table");
}

static int define(struct codes *c, uint64_t id, const char *name, uint8_t width, size_t cnt)
{
	struct interp_def d = { .id = id, .first_line = 3, .language = INTERP_PYTHON };
	size_t sz = cnt * width;

	d.name = (struct interp_text){ .cnt = (uint32_t)cnt, .sz = (uint16_t)sz, .width = width };
	d.path = (struct interp_text){ .cnt = 4, .sz = 4, .width = 1 };
	memcpy(d.data, name, sz);
	memcpy(d.data + sz, "a.py", 4);
	return codes__define(c, &d, offsetof(struct interp_def, data) + sz + 4);
}

static struct code_name name_of(struct codes *c, uint64_t id)
{
	struct code_name name;

	codes__name(c, codes__place(c, INTERP_FRAME | id << INTERP_INSTR_BITS), &name);
	return name;
}

static void test_names(void)
{
	struct codes c = { .func_cnt = 0 };
	struct interp_def cut = { .id = 9, .lines_sz = 100, .language = INTERP_PYTHON };

	ok(!define(&c, 101, "main", 1, 4), "a code object is taken");
	is_str(name_of(&c, 101).name, "main", "a code object has its name");
	is_str(name_of(&c, 101).file, "a.py", "a code object has its file");
	define(&c, 102, "\xe9t\xe9", 1, 3);
	is_str(name_of(&c, 102).name, "\xc3\xa9t\xc3\xa9", "characters of one byte are Latin-1");
	define(&c, 103, "\x0d\x54\x4d\x52\x00\xd8", 2, 3);
	is_str(name_of(&c, 103).name, "\xe5\x90\x8d\xe5\x89\x8d\xef\xbf\xbd",
	       "characters of two bytes, of which a surrogate is none");
	define(&c, 104, "\xbb\xf4\x01\x00", 4, 1);
	is_str(name_of(&c, 104).name, "\xf0\x9f\x92\xbb", "characters of four bytes");
	define(&c, 105, "main", 1, 4);
	ok(codes__place(&c, INTERP_FRAME | 101ull << INTERP_INSTR_BITS) ==
		   codes__place(&c, INTERP_FRAME | 105ull << INTERP_INSTR_BITS),
	   "equal functions are one place");
	ok(!name_of(&c, 77).name && !name_of(&c, 0).name, "an id that is not known has no name");
	is_s64(codes__define(&c, &cut, offsetof(struct interp_def, data) + 10), -EINVAL,
	       "a definition that is shorter than it says is refused");
	is_s64(codes__define(&c, &cut, 8), -EINVAL, "a definition without its head is refused");
	codes__free(&c);
}

static void test_recorded(void)
{
	struct codes c = { .func_cnt = 0 };
	struct code_name name;

	codes__name(&c, codes__recorded(&c, "py::A.b:/srv/c:d.py") | 12, &name);
	is_str(name.name, "A.b", "a recorded mapping has the name");
	is_str(name.file, "/srv/c:d.py", "a recorded mapping has the file");
	is_s64((int)name.line, 12, "a recorded offset is the line");
	is_s64((int)codes__recorded(&c, "py::nothing"), 0, "a mapping without a file is none");
	codes__free(&c);
}

int main(void)
{
	test_offsets();
	test_tables();
	test_lines();
	test_names();
	test_recorded();
	return done_testing();
}
