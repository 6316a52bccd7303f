// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Fields by plan against fields one by one, for every format of the corpus: records of random
 * bytes, whole and cut off anywhere, give the same JSON; nothing outside of them is read (ASan).
 */
#include <glob.h>
#include <sys/syscall.h>

#include "decode/field.h"
#include "decode/sample.h"
#include "sink/field_plan.h"
#include "tap.h"
#include "util/fs.h"

static uint64_t state = 5;

/* Gives equal numbers on every run: splitmix64. */
static uint64_t rnd(void)
{
	uint64_t z = (state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static void json_one_by_one(const struct tp_format *fmt, const void *raw, uint32_t sz,
			    struct strbuf *out)
{
	const char *sep = "";
	size_t i;

	strbuf__putc(out, '{');
	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];

		if (f->flags & TP_FIELD_COMMON)
			continue;
		strbuf__puts(out, sep);
		strbuf__put_json(out, f->name, strlen(f->name));
		strbuf__putc(out, ':');
		field__to_json(fmt, f, raw, sz, out);
		sep = ",";
	}
	strbuf__putc(out, '}');
}

/* No cell has a line's end, and quotes stand at both ends or nowhere unpaired. */
static bool is_cell(const struct strbuf *cell)
{
	size_t i, quotes = 0;
	bool quoted = cell->len && cell->buf[0] == '"';

	for (i = 0; i < cell->len; i++) {
		quotes += cell->buf[i] == '"';
		if (cell->buf[i] == '\n' || (cell->buf[i] == ',' && !quoted))
			return false;
	}
	return quotes % 2 == 0 && (!quotes || (quoted && cell->buf[cell->len - 1] == '"'));
}

static void check(const struct tp_format *fmt)
{
	struct strbuf got = STRBUF_INIT, want = STRBUF_INIT, cell = STRBUF_INIT;
	struct field_plans plans = { 0 };
	const struct field_plan *plan = field_plans__get(&plans, fmt);
	unsigned int round, bad = 0, bad_cells = 0;
	uint32_t max = fmt->fixed_sz + 40u, sz, i;

	for (round = 0; round < 300; round++) {
		uint8_t *raw;

		sz = round % 3 ? max : (uint32_t)(rnd() % (max + 1));
		raw = malloc(sz ? sz : 1);
		for (i = 0; i < sz; i++)
			raw[i] = rnd() & 1 ? 0 : (uint8_t)rnd();
		strbuf__reset(&got);
		strbuf__reset(&want);
		field_plan__json(plan, raw, sz, &got);
		json_one_by_one(fmt, raw, sz, &want);
		if (got.len != want.len || memcmp(got.buf, want.buf, got.len)) {
			if (!bad++)
				diag("%s\n# %s", strbuf__cstr(&got), strbuf__cstr(&want));
		}
		for (i = 0; i < plan->step_cnt; i++) {
			strbuf__reset(&cell);
			field_step__csv(plan, &plan->steps[i], raw, sz, &cell);
			if (!is_cell(&cell) && !bad_cells++)
				diag("%s: %s", plan->steps[i].field->name, strbuf__cstr(&cell));
		}
		field_plan__syscall_name(plan, &(struct sample){ .raw = raw, .raw_sz = sz });
		field_plan__syscall_error(plan, raw, sz);
		free(raw);
	}
	ok(!bad && !bad_cells, "%s:%s", fmt->sys, fmt->name);
	field_plans__free(&plans);
	strbuf__free(&got);
	strbuf__free(&want);
	strbuf__free(&cell);
}

/* ".../SYS.NAME.format" */
static void run_case(const char *path)
{
	const char *base = strrchr(path, '/') + 1, *dot = strchr(base, '.');
	char sys[64], name[128], *text;
	struct tp_format *fmt;
	size_t len;

	snprintf(sys, sizeof(sys), "%.*s", (int)(dot - base), base);
	snprintf(name, sizeof(name), "%.*s", (int)(strlen(dot + 1) - strlen(".format")), dot + 1);
	text = fs__read_file(path, &len);
	fmt = text ? tp_format__parse(sys, name, text, len) : NULL;
	if (ok(fmt != NULL, "%s.%s is a format", sys, name))
		check(fmt);
	tp_format__free(fmt);
	free(text);
}

static void test_syscalls(void)
{
	static const char text[] =
		"name: sys_exit_openat\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\n"
		"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n"
		"\nprint fmt: \"\"\n";
	struct tp_format *fmt = tp_format__parse("syscalls", "sys_exit_openat", text, strlen(text));
	struct field_plans plans = { 0 };
	const struct field_plan *plan = field_plans__get(&plans, fmt);
	uint64_t rec[3] = { 0, SYS_openat, (uint64_t)-2 };
	struct sample s = { .raw = rec, .raw_sz = sizeof(rec) };

	is_u64(plan->syscall, SYSCALL_EXIT, "a plan of a system call's exit");
	is_str(field_plan__syscall_name(plan, &s), "openat",
	       "a plan of a system call's exit: the name");
#ifdef __x86_64__
	rec[1] = 64; /* semget, and getppid in the 32-bit interface */
	s.is_compat = true;
	is_str(field_plan__syscall_name(plan, &s), "getppid",
	       "a plan of a system call's exit: the name in the 32-bit interface");
#endif
	is_str(field_plan__syscall_error(plan, rec, sizeof(rec)), "ENOENT",
	       "a plan of a system call's exit: the error's name");
	is_str(field_plan__syscall_error(plan, rec, 16), NULL,
	       "a plan of a system call's exit: a short record has no error");
	rec[2] = (uint64_t)-512;
	is_str(field_plan__syscall_error(plan, rec, sizeof(rec)), NULL,
	       "a plan of a system call's exit: errors internal to the kernel have no name");
	rec[2] = 3;
	is_str(field_plan__syscall_error(plan, rec, sizeof(rec)), NULL,
	       "a plan of a system call's exit: a success has no error");
	field_plans__free(&plans);
	tp_format__free(fmt);
}

int main(void)
{
	/* TOP: set by tests/run; else from the top of the tree. */
	const char *top = getenv("TOP");
	char pattern[512];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/tests/unit/data/formats/*.format", top ? top : ".");
	if (glob(pattern, 0, NULL, &found))
		skip_all("no format files");
	for (i = 0; i < found.gl_pathc; i++)
		run_case(found.gl_pathv[i]);
	globfree(&found);
	test_syscalls();
	return done_testing();
}
