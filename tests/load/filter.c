// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Compiled filters through the verifier of the running kernel, and run there
 * (BPF_PROG_TEST_RUN) on random records: what passes is what the tests'
 * oracle says. Also how much the verifier has to walk for the worst of them.
 * The record lies as a patch point's does: somewhere in a large map value.
 *
 * FUZZ_SEED and FUZZ_ROUNDS (40) repeat a run or lengthen it.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <unistd.h>

#include "tap.h"

#include <linux/types.h>

#include "bpf/wire.h"
#include "filter_oracle.h"
#include "filter_words.h"
#include "kernel/bpf_error.h"

#define SPREAD 8192 /* the record begins at a multiple of 8 below it */

/* Value of the one map: what the program works on. */
struct patch_room {
	uint32_t at, result;
	struct patch_env env;
	char batch[SPREAD + FILTER_ENTRY_MAX + 1024];
	char text[64]; /* where kernel pointers lead; not used by the program */
};

static char verifier_log[1 << 20];
static struct patch_room *patch_room;
static int room_fd;

static int make_tables(const struct code *c)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_RDONLY_PROG);
	__u32 zero = 0;
	int fd;

	if (!c->tables.len)
		return -1;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "tables", 4, (__u32)c->tables.len, 1, &opts);
	if (fd >= 0 && bpf_map_update_elem(fd, &zero, c->tables.buf, 0))
		return -1;
	return fd;
}

/* r1 = entry, r3 = env: as at a patch_point. Keeps the value's address in r6. */
static void put_prologue(struct code *c)
{
	code__insn(c, BPF_LD | BPF_DW | BPF_IMM, CODE_R1, BPF_PSEUDO_MAP_FD, 0, room_fd);
	code__insn(c, 0, 0, 0, 0, 0);
	code__insn(c, BPF_ST | BPF_MEM | BPF_W, CODE_R10, 0, -4, 0);
	code__mov(c, CODE_R2, CODE_R10);
	code__alu(c, BPF_ADD, CODE_R2, -4);
	code__insn(c, BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem);
	code__insn(c, BPF_JMP | BPF_JNE | BPF_K, CODE_R0, 0, 2, 0);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	code__insn(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	code__mov(c, 6, CODE_R0);
	code__load(c, 4, CODE_R1, 6, offsetof(struct patch_room, at));
	code__alu(c, BPF_AND, CODE_R1, SPREAD - 8);
	code__alu_reg(c, BPF_ADD, CODE_R1, 6);
	code__alu(c, BPF_ADD, CODE_R1, offsetof(struct patch_room, batch));
	code__mov(c, CODE_R3, 6);
	code__alu(c, BPF_ADD, CODE_R3, offsetof(struct patch_room, env));
	code__alu(c, BPF_MOV, CODE_R2, 7);
}

static void put_result(struct code *c, int result)
{
	code__insn(c, BPF_ST | BPF_MEM | BPF_W, 6, 0, offsetof(struct patch_room, result), result);
	code__alu(c, BPF_MOV, CODE_R0, 0);
	code__insn(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void put_program(struct code *c, const struct filter *f)
{
	code_label pass = code__label(c), reject = code__label(c);

	c->spill_off = -24;
	put_prologue(c);
	filter__compile(f, c, pass, reject);
	code__bind(c, pass);
	put_result(c, 1);
	code__bind(c, reject);
	put_result(c, 0);
}

/* The program's fd, or -errno with the verifier's words in verifier_log. */
static int load(const struct filter *f)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = verifier_log,
		    .log_size = sizeof(verifier_log), .log_level = 4);
	struct code c = {};
	int tables_fd, fd;
	size_t i;

	put_program(&c, f);
	if (code__finish(&c))
		return c.err;
	tables_fd = make_tables(&c);
	for (i = 0; i < c.cnt; i++)
		if (c.insns[i].code == (BPF_LD | BPF_DW | BPF_IMM) &&
		    c.insns[i].src_reg == BPF_PSEUDO_MAP_VALUE)
			c.insns[i].imm = tables_fd;
	fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "filter", "Dual BSD/GPL", c.insns, c.cnt,
			   &opts);
	if (fd < 0) {
		opts.log_level = 1;
		fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "filter", "Dual BSD/GPL", c.insns,
				   c.cnt, &opts);
	}
	if (tables_fd >= 0)
		close(tables_fd);
	code__free(&c);
	return fd;
}

static struct filter *parse(const char *expr, const struct tp_format *fmt, unsigned int cpu_cnt)
{
	const struct filter_env world = { .cpu_cnt = cpu_cnt };
	struct filter_fault fault = FILTER_FAULT_INIT;
	struct filter *f;

	if (filter__parse(&f, expr, fmt, &world, &fault))
		diag("%s: at %zu: %s", expr, fault.off, strbuf__cstr(&fault.text));
	filter_fault__free(&fault);
	return f;
}

static void tell_log(const char *expr, int err)
{
	size_t len = strlen(verifier_log);

	diag("%s: %s: …%s", expr, strerror(-err), verifier_log + (len > 1500 ? len - 1500 : 0));
}

/* One random record by the kernel and by the oracle. 0: both say the same. */
static int compare(int prog_fd, const struct filter *f, const struct tp_format *fmt)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	struct oracle o = { .f = f, .comm = patch_room->env.comm };
	uint64_t from = rnd(8) ? (uint64_t)(uintptr_t)patch_room->text : 0;
	__u32 zero = 0;
	char *entry;

	memset(patch_room, 0x5a, sizeof(*patch_room));
	patch_room->at = (uint32_t)rnd(SPREAD) & ~7u;
	patch_room->env.cpu = (uint32_t)rnd(4);
	words__comm(patch_room->env.comm);
	words__copy(patch_room->text, WORDS_PICK(words_texts), sizeof(patch_room->text));
	entry = patch_room->batch + patch_room->at;
	words__record(fmt, entry);
	memcpy(entry + 32, &from, sizeof(from));
	if (bpf_map_update_elem(room_fd, &zero, patch_room, 0) ||
	    bpf_prog_test_run_opts(prog_fd, &opts))
		return -errno;
	o.entry = entry;
	o.cpu = (int)patch_room->env.cpu;
	/* A text in the test's own memory is a user's text. */
	o.user_text = from ? patch_room->text : NULL;
	{
		bool want = oracle__passes(&o);

		if (bpf_map_lookup_elem(room_fd, &zero, patch_room))
			return -errno;
		return patch_room->result != want;
	}
}

static void try_random(const struct tp_format *fmt, unsigned int rounds)
{
	unsigned int i, k, differ = 0, refused = 0, ran = 0;

	for (i = 0; i < rounds && differ + refused < 5; i++) {
		struct strbuf expr = STRBUF_INIT;
		struct filter *f;
		int fd;

		words__put_filter(&expr, fmt, 4);
		f = parse(strbuf__cstr(&expr), fmt, rnd(2) ? 4 : 100);
		fd = f ? load(f) : -EINVAL;
		if (fd < 0) {
			refused++;
			tell_log(strbuf__cstr(&expr), fd);
		}
		for (k = 0; fd >= 0 && k < 20; k++) {
			int res = compare(fd, f, fmt);

			ran += res >= 0;
			if (res) {
				differ++;
				diag("%s: %d", strbuf__cstr(&expr), res);
			}
		}
		if (fd >= 0)
			close(fd);
		filter__free(f);
		strbuf__free(&expr);
	}
	is_u64(refused, 0, "the verifier takes each of %u filters", rounds);
	is_u64(differ, 0, "each lets the records pass that it should");
	is_u64(ran, rounds * 20, "20 records each");
}

/* "processed N insns" of the verifier's closing words. */
static unsigned long processed(void)
{
	const char *p = strstr(verifier_log, "processed ");

	return p ? strtoul(p + 10, NULL, 10) : 0;
}

/* Loads the filter that costs the verifier most: it gives up at 1,000,000 instructions. */
static void try_worst(const struct tp_format *fmt)
{
	static const char *const exprs[] = {
		"dyn ~ \"*a*\"",
		"dyn ~ \"a?b*c[d-f]*g\"",
		"ptr ~ \"*abc*\" && dyn ~ \"*abc*\"",
		"(dyn ~ \"*a*\" || rel ~ \"*b*\") && (arr ~ \"*c*\" || ptr.ustring ~ \"*d*e\") && "
		"!(dyn ~ \"*f*\" && rel ~ \"*g*\") || COMM ~ \"h*i\" && comm ~ \"*j*\"",
		"dyn ~ \"*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa*\"",
		"dyn ~ \"a?????????b*c????????d*\" || dyn ~ \"*[a-z][a-z][a-z][a-z]*[0-9][0-9]*\"",
		"ptr == \"a\" || ptr == \"b\" || ptr == \"c\" || ptr ~ \"*d*\"",
		"mask == CPUS{0-3} || mask & CPUS{60-70} || s32 & CPUS{1,3} || CPU & CPUS{2-3}",
	};
	unsigned long most = 0;
	size_t i;

	for (i = 0; i < sizeof(exprs) / sizeof(exprs[0]); i++) {
		struct filter *f = parse(exprs[i], fmt, 100);
		int fd = f ? load(f) : -EINVAL;

		if (!ok(fd >= 0, "%s", exprs[i]))
			tell_log(exprs[i], fd);
		if (processed() > most)
			most = processed();
		diag("%lu instructions: %s", processed(), exprs[i]);
		if (fd >= 0)
			close(fd);
		filter__free(f);
	}
	ok(most && most < 500000, "far from the verifier's limit: %lu instructions at most", most);
}

/* FILTER_PRED_MAX numbers, in every way connected. */
static void try_many(const struct tp_format *fmt)
{
	struct strbuf expr = STRBUF_INIT;
	struct filter *f;
	int fd, i;

	for (i = 0; i < FILTER_PRED_MAX; i++)
		strbuf__printf(&expr, "%ss32 %s %d",
			       !i      ? ""
			       : i % 3 ? " || "
				       : " && ",
			       i % 2 ? "==" : ">", i);
	f = parse(strbuf__cstr(&expr), fmt, 4);
	fd = f ? load(f) : -EINVAL;
	if (!ok(fd >= 0, "%d comparisons", FILTER_PRED_MAX))
		tell_log("", fd);
	diag("%lu instructions", processed());
	if (fd >= 0)
		close(fd);
	filter__free(f);
	strbuf__free(&expr);
}

int main(void)
{
	const char *seed = getenv("FUZZ_SEED"), *rounds = getenv("FUZZ_ROUNDS");
	struct tp_format *fmt = tp_format__parse("x", "t", words_format, strlen(words_format));

	if (geteuid() != 0)
		skip_all("needs root");
	if (seed)
		rnd_state = strtoull(seed, NULL, 0);
	bpf_error__init();
	patch_room = calloc(1, sizeof(*patch_room));
	room_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "room", 4, sizeof(*patch_room), 1, NULL);
	if (!ok(fmt && patch_room && room_fd >= 0, "a room for records"))
		return done_testing();
	try_worst(fmt);
	try_many(fmt);
	try_random(fmt, rounds ? (unsigned int)strtoul(rounds, NULL, 0) : 40);
	tp_format__free(fmt);
	free(patch_room);
	return done_testing();
}
