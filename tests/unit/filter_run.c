// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Compiled filters on records: what passes is what is written down here, and,
 * for random filters of every format of the corpus on random records, what
 * the oracle says. FUZZ_SEED and FUZZ_ROUNDS repeat a run or lengthen it;
 * DIR=/sys/kernel/tracing/events takes this machine's formats.
 */
#include "filter/filter.h"

#include <errno.h>
#include <glob.h>

#include "filter/run.h"
#include "tap.h"

#include "filter_prog.h"
#include "filter_words.h"
#include "util/fs.h"

static struct filter_room room;

/* The record of the rows: texts are "kworker/3:1", s8 -2, u8 254, s16 -300, u32 4000000000, … */
static void fill_rows_record(void)
{
	static const char text[] = "kworker/3:1";
	uint32_t loc = 100 | sizeof(text) << 16, rel = (100 - 32) | sizeof(text) << 16;
	uint32_t mask_loc = 128 | 8 << 16, u32 = 4000000000u;
	uint64_t u64 = 0xfedcba9876543210ull, mask = 1 << 1 | 1 << 3;
	int64_t s64 = -5000000000ll;
	int16_t s16 = -300;
	int32_t s32 = 3, pid = 4242;

	memset(&room, 0, sizeof(room));
	memcpy(room.entry + 4, &pid, 4);
	strcpy(room.entry + 8, text);
	memcpy(room.entry + 8 + 12, "xrub", 4);
	memcpy(room.entry + 24, &loc, 4);
	memcpy(room.entry + 28, &rel, 4);
	room.entry[40] = -2;
	room.entry[41] = (char)254;
	memcpy(room.entry + 42, &s16, 2);
	memcpy(room.entry + 44, &u32, 4);
	memcpy(room.entry + 48, &s64, 8);
	memcpy(room.entry + 56, &u64, 8);
	memcpy(room.entry + 64, &mask_loc, 4);
	memcpy(room.entry + 68, &s32, 4);
	memcpy(room.entry + 100, text, sizeof(text));
	memcpy(room.entry + 128, &mask, 8);
	strcpy(room.env.comm, text);
	memcpy(room.env.comm + 12, "rub", 4);
	room.env.cpu = 2;
	room.kernel_text = text;
	room.user_text = text;
}

static const struct {
	const char *expr;
	int pass;
} rows[] = {
	/* numbers: sign and size are the field's */
	{ "s8 == -2", 1 },
	{ "s8 == 254", 1 },
	{ "s8 < 0", 1 },
	{ "s8 > 253", 1 }, /* 253 in 8 bits is -3 */
	{ "u8 > 253", 1 },
	{ "u8 == 0x1fe", 1 },
	{ "u8 < 0", 0 },
	{ "s16 <= -300 && s16 >= -300", 1 },
	{ "s16 < -0x12b", 1 },
	{ "u32 > 3999999999", 1 },
	{ "u32 == 4000000000", 1 },
	{ "u32 != 4000000000", 0 },
	{ "u32 & 0x80000000", 1 },
	{ "u32 & 1", 0 },
	{ "s64 < -4999999999", 1 },
	{ "s64 == -5000000000", 1 },
	{ "s64 > 0", 0 },
	{ "u64 > 0xfedcba987654320f", 1 },
	{ "u64 & 0x8000000000000000", 1 },
	{ "u64 == 0xfedcba9876543210", 1 },
	{ "u64 < 1", 0 },
	{ "common_pid == 4242 && common_type == 0", 1 },
	{ "CPU == 2 && cpu > 1 && common_cpu <= 2", 1 },
	{ "CPU & 2", 0 },
	{ "s32 == 03 && s32 == 0x3", 1 },
	{ "u8 != 'a' && u8 > '~' && s32 != '\\n' && s32 != '\\''", 1 },
	/* texts: array, dynamic, relative, pointers */
	{ "arr == \"kworker/3:1\"", 1 },
	{ "arr == \"kworker/3:\"", 0 },
	{ "arr == \"kworker/3:10\"", 0 },
	{ "arr != 'kworker/3:1'", 0 },
	{ "dyn == \"kworker/3:1\" && rel == 'kworker/3:1'", 1 },
	{ "dyn == \"kworker\"", 0 },
	{ "ptr == \"kworker/3:1\" && ptr.ustring != \"k\"", 1 },
	{ "COMM == \"kworker/3:1\" && comm ~ \"kw*\"", 1 },
	{ "arr ~ \"kworker/*\" && dyn ~ \"kworker/*\" && rel ~ \"k*\"", 1 },
	{ "arr ~ \"*3:1\" && arr ~ \"*kworker/3:1\" && !(arr ~ \"*3:\")", 1 },
	{ "COMM ~ \"*3:1\" && COMM ~ \"*\" && !(COMM ~ \"*x3:1\")", 1 },
	/* bytes that an older text left behind the end (fill_rows_record()) */
	{ "arr ~ \"*ru*\" || arr ~ \"*rub\" || arr ~ \"*b*\"", 0 },
	{ "COMM ~ \"*ru*\" || COMM ~ \"*rub\" || COMM ~ \"*b*\"", 0 },
	{ "arr ~ \"*[3]:1\"", 1 },
	{ "dyn ~ \"*3:1\" && ptr ~ \"*3:1\" && rel ~ \"*/3:1\"", 1 },
	{ "dyn ~ \"*work*\" && arr ~ \"*work*\" && ptr ~ \"*/*\"", 1 },
	{ "dyn ~ \"*walk*\" || arr ~ \"*kw:*\"", 0 },
	{ "dyn ~ \"k?o*[0-9]\" && arr ~ \"?worker?3:?\"", 1 },
	{ "dyn ~ \"k?o*[!0-9]\"", 0 },
	{ "dyn ~ \"!k*\"", 0 },
	{ "dyn ~ \"!b*\" && !(dyn ~ \"b*\")", 1 },
	{ "dyn ~ \"*\" && arr ~ \"*\" && dyn ~ \"**\"", 1 },
	{ "dyn ~ \"\"", 0 },
	/* sets of CPUs */
	{ "mask == CPUS{1,3}", 1 },
	{ "mask == CPUS{1}", 0 },
	{ "mask & CPUS{0,3-5} && mask != CPUS{0-3}", 1 },
	{ "mask & CPUS{0,2}", 0 },
	{ "s32 & CPUS{2-5}", 1 },
	{ "s32 == CPUS{2-5}", 0 },
	{ "s32 != CPUS{2-5}", 1 },
	{ "s32 & CPUS{3} && s32 == CPUS{3}", 1 },
	{ "u32 != CPUS{2-5}", 0 }, /* 4000000000 is no CPU */
	{ "CPU & CPUS{1-2} && cpu != CPUS{1}", 1 },
	{ "s32 & CPUS{0-7:1/4}", 0 },
	{ "s32 & CPUS{0-7:1/3}", 1 },
	/* the expression */
	{ "!s8 == 5", 1 },
	{ "!!(s8 == 5)", 0 },
	{ "s8 == 5 || s8 == -2 && u8 == 1", 0 },
	{ "(s8 == 5 || s8 == -2) && u8 == 254", 1 },
	{ "s8 == -2 && u8 == 1 || CPU == 2", 1 },
	{ "!(s8 == -2 && u8 == 254)", 0 },
	{ "!(s8 == -2 && !(u8 == 254)) && !(CPU == 1)", 1 },
	{ "ptr.function == 16 || u64.function == f || u64.function != f", 1 },
	{ "u64.function == f", 1 },
	{ "u64.function == g", 0 },
	{ "u64.function == 0xfedcba9876543000 && !(u64.function != f)", 1 },
};

static int find_function(void *ctx, const char *name, uint64_t addr, uint64_t *start, uint64_t *end)
{
	*start = 0xfedcba9876543000ull;
	if (name ? strcmp(name, "f") != 0 : addr - *start >= 0x1000) {
		*start = 0x1000;
		if (!name ? addr >= 0x1000 : strcmp(name, "g") != 0)
			return -ENOENT;
	}
	*end = *start + 0x1000;
	return 0;
}

static const struct filter_env world = { .cpu_cnt = 64, .function = find_function };

static struct filter *parse(const char *expr, const struct tp_format *fmt,
			    const struct filter_env *w)
{
	struct filter_fault fault = FILTER_FAULT_INIT;
	struct filter *f;

	if (filter__parse(&f, expr, fmt, w, &fault))
		diag("%s: at %zu: %s", expr, fault.off, strbuf__cstr(&fault.text));
	filter_fault__free(&fault);
	return f;
}

/* The interpreter of recordings on the record in the room. */
static int run_recorded(const struct code *c)
{
	static char entry[CODE_ENTRY_MAX];
	struct patch_env env = room.env;
	uint64_t r0;

	memcpy(entry, room.entry, sizeof(room.entry));
	return code__run(c, entry, &env, &r0) ? -1 : (int)r0;
}

static void try_rows(bool only_aligned)
{
	struct tp_format *fmt = tp_format__parse("x", "t", words_format, strlen(words_format));
	const char *fault = NULL;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct filter *f = parse(rows[i].expr, fmt, &world);
		struct code c = { .only_aligned = only_aligned };
		int got = -2;

		fill_rows_record();
		if (f && !filter_prog__make(&c, f))
			got = filter_prog__run(&c, &room, &fault);
		if (!ok(got == rows[i].pass, "%s%s", rows[i].expr,
			only_aligned ? " (aligned)" : ""))
			diag("got %d, expected %d%s%s", got, rows[i].pass, fault ? ": " : "",
			     fault ? fault : "");
		code__free(&c);
		filter__free(f);
	}
	room.kernel_text = NULL;
	tp_format__free(fmt);
}

/* A pointer that cannot be read passes neither == nor !=. */
static void try_unreadable(void)
{
	static const char *const exprs[] = { "ptr == \"x\"", "ptr != \"x\"", "ptr ~ \"*a*\"",
					     "ptr.ustring ~ \"*\"" };
	struct tp_format *fmt = tp_format__parse("x", "t", words_format, strlen(words_format));
	const char *fault = NULL;
	size_t i;

	for (i = 0; i < sizeof(exprs) / sizeof(exprs[0]); i++) {
		struct filter *f = parse(exprs[i], fmt, &world);
		struct code c = {};

		fill_rows_record();
		room.kernel_text = room.user_text = NULL;
		ok(f && !filter_prog__make(&c, f) && !filter_prog__run(&c, &room, &fault),
		   "%s of memory that cannot be read", exprs[i]);
		code__free(&c);
		filter__free(f);
	}
	tp_format__free(fmt);
}

/* Random records for one filter; the number of differences. */
static unsigned int compare(const char *expr, const struct filter *f, const struct code *c,
			    const struct tp_format *fmt, unsigned int *passed)
{
	unsigned int i, bad = 0;

	for (i = 0; i < 12; i++) {
		const char *fault = NULL;
		int got, want;

		filter_prog__fill(&room, fmt);
		got = filter_prog__run(c, &room, &fault);
		want = filter_prog__want(f, &room);
		/* Recordings have no memory behind pointers. */
		if (!room.kernel_text && !room.user_text && got == want)
			got = run_recorded(c);
		*passed += got == 1;
		if (got == want)
			continue;
		bad++;
		diag("%s:%s %s: got %d, expected %d %s", fmt->sys, fmt->name, expr, got, want,
		     fault ? fault : "");
	}
	return bad;
}

static void try_format(const char *path, const char *sys, const char *name, unsigned int rounds)
{
	static const unsigned int cpu_cnts[] = { 1, 2, 4, 64, 70, 128 };
	size_t len;
	char *text = fs__read_file(path, &len);
	struct tp_format *fmt = text ? tp_format__parse(sys, name, text, len) : NULL;
	unsigned int i, bad = 0, passed = 0, made = 0;

	for (i = 0; fmt && i < rounds && bad < 5; i++) {
		struct filter_env w = { .cpu_cnt = WORDS_PICK(cpu_cnts) };
		struct strbuf expr = STRBUF_INIT;
		struct code c = { .only_aligned = rnd(4) == 0 };
		struct filter *f;

		words__put_filter(&expr, fmt, 5);
		f = parse(strbuf__cstr(&expr), fmt, &w);
		if (f && !filter_prog__make(&c, f)) {
			made++;
			bad += compare(strbuf__cstr(&expr), f, &c, fmt, &passed);
		}
		code__free(&c);
		filter__free(f);
		strbuf__free(&expr);
	}
	if (!ok(fmt && !bad && made == rounds && passed, "%s:%s: %u filters", sys, name, rounds))
		diag("%s: %u made, %u records passed, %u differ", path, made, passed, bad);
	tp_format__free(fmt);
	free(text);
}

static void try_corpus(unsigned int rounds)
{
	const char *live = getenv("DIR");
	char sys[128], name[128], pattern[4096];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s%s",
		 live            ? live
		 : getenv("TOP") ? getenv("TOP")
				 : ".",
		 live ? "/*/*/format" : "/tests/unit/data/formats/*.format");
	if (glob(pattern, 0, NULL, &found)) {
		ok(false, "formats in %s", pattern);
		return;
	}
	for (i = 0; i < found.gl_pathc; i++) {
		const char *base = strrchr(found.gl_pathv[i], '/') + 1;

		if (live) {
			snprintf(sys, sizeof(sys), "live");
			snprintf(name, sizeof(name), "%zu", i);
		} else if (sscanf(base, "%127[^.].%127[^.]", sys, name) != 2) {
			continue;
		}
		try_format(found.gl_pathv[i], sys, name, rounds);
	}
	globfree(&found);
}

/* Instructions that no generator here writes are none, and do not run as others. */
static void try_unknown(void)
{
	static const struct {
		const char *what;
		struct bpf_insn insn;
	} unknown[] = {
		{ "mul", { .code = BPF_ALU64 | BPF_MUL, .imm = 3 } },
		{ "xor", { .code = BPF_ALU64 | BPF_XOR, .imm = 3 } },
		{ "end", { .code = BPF_ALU64 | BPF_END, .imm = 16 } },
		{ "mov with a sign", { .code = BPF_ALU64 | BPF_MOV | BPF_X, .off = 8 } },
		{ "mov32", { .code = BPF_ALU | BPF_MOV, .imm = 1 } },
		{ "jump32", { .code = BPF_JMP32 | BPF_JEQ } },
		{ "jump f0", { .code = BPF_JMP | 0xf0 } },
		{ "exit32", { .code = BPF_JMP32 | BPF_EXIT } },
		{ "atomic", { .code = BPF_STX | 0xc0 | BPF_DW, .dst_reg = 10, .off = -8 } },
		{ "load with a sign",
		  { .code = BPF_LDX | 0x80 | BPF_W, .src_reg = 10, .off = -8 } },
		{ "load of a packet", { .code = BPF_LD | BPF_ABS | BPF_W } },
		{ "map", { .code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = BPF_PSEUDO_MAP_FD } },
		{ "helper", { .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns } },
		{ "function", { .code = BPF_JMP | BPF_CALL, .src_reg = 1, .imm = 1 } },
		{ "r11", { .code = BPF_ALU64 | BPF_MOV, .dst_reg = 11 } },
	};
	size_t i;

	fill_rows_record();
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		const struct bpf_insn *in = &unknown[i].insn;
		struct code c = {};

		code__mov64(&c, CODE_R0, 1);
		code__insn(&c, in->code, in->dst_reg, in->src_reg, in->off, in->imm);
		code__insn(&c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
		ok(!code__finish(&c) && run_recorded(&c) == -1, "no code: %s", unknown[i].what);
		code__free(&c);
	}
}

int main(void)
{
	const char *seed = getenv("FUZZ_SEED"), *rounds = getenv("FUZZ_ROUNDS");

	if (seed)
		rnd_state = strtoull(seed, NULL, 0);
	try_rows(false);
	try_rows(true);
	try_unreadable();
	try_unknown();
	try_corpus(rounds ? (unsigned int)strtoul(rounds, NULL, 0) : 60);
	return done_testing();
}
