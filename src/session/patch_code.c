// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Appends generated code to programs, and replaces their patch points by jumps to it. */
#include "session/patch_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"

/* The lowest offset of a program's stack. */
#define STACK_END (-512)

/*
 * Returns the stack offset from which on generated code may use the stack, below the part that the
 * program uses.
 */
static int spill_off(const struct bpf_insn *insns, size_t cnt)
{
	int lowest = 0;
	size_t i;

	for (i = 0; i < cnt; i++) {
		const struct bpf_insn *in = &insns[i];
		uint8_t cls = BPF_CLASS(in->code);

		/*
		 * Stack addresses are computed by adding a negative constant to r10 or a copy of
		 * it.
		 */
		if (in->code == (BPF_ALU64 | BPF_ADD | BPF_K) && in->imm < lowest &&
		    in->imm >= STACK_END)
			lowest = in->imm;
		if ((cls == BPF_LDX || cls == BPF_ST || cls == BPF_STX) && in->off < lowest)
			lowest = in->off;
	}
	return (lowest & ~7) - 16;
}

static int compare_ids(const void *a, const void *b)
{
	const struct patch_event *x = a, *y = b;

	return x->at != y->at ? (int)x->at - (int)y->at : x->id - y->id;
}

/* Events with ids from first to last, of which the code is that of `event`. */
struct run {
	const struct patch_event *event;
	uint16_t last;
	code_label label;
};

/* Does the event, with the id behind `last`, have the code of the one before it? */
static bool is_same_code(const struct patch_event *a, uint16_t last, const struct patch_event *b)
{
	return a->is_shared && b->is_shared && a->shift == b->shift && b->id == last + 1;
}

/* Joins sorted events to runs. Returns their number. */
static size_t find_runs(struct code *c, const struct patch_event *events, size_t cnt,
			struct run *runs)
{
	size_t i, run_cnt = 0;

	for (i = 0; i < cnt; i++) {
		struct run *last = run_cnt ? &runs[run_cnt - 1] : NULL;

		if (last && is_same_code(last->event, last->last, &events[i]))
			last->last = events[i].id;
		else
			runs[run_cnt++] = (struct run){ &events[i], events[i].id, code__label(c) };
	}
	return run_cnt;
}

/* Emits the jump to the run's code if r2 is one of its ids. */
static void put_jump(struct code *c, const struct run *run)
{
	code_label other;

	if (run->event->id == run->last) {
		code__if(c, BPF_JEQ, CODE_R2, run->last, CODE_R0, run->label);
		return;
	}
	other = code__label(c);
	code__if(c, BPF_JGT, CODE_R2, run->last, CODE_R0, other);
	code__if(c, BPF_JGE, CODE_R2, run->event->id, CODE_R0, run->label);
	code__bind(c, other);
}

/* Emits a binary search for r2 among the runs; each jumps to its label, all others to `pass`. */
static void put_dispatch(struct code *c, const struct run *runs, size_t from, size_t to,
			 code_label pass)
{
	size_t mid = (from + to) / 2;
	code_label above;

	if (to - from <= 2) {
		for (; from < to; from++)
			put_jump(c, &runs[from]);
		code__goto(c, pass);
		return;
	}
	above = code__label(c);
	code__if(c, BPF_JGE, CODE_R2, runs[mid].event->id, CODE_R0, above);
	put_dispatch(c, runs, from, mid, pass);
	code__bind(c, above);
	put_dispatch(c, runs, mid, to, pass);
}

static void put_event(struct code *c, const struct patch_event *ev, code_label pass,
		      code_label reject)
{
	code_label passed;

	if (ev->never) {
		code__goto(c, reject);
		return;
	}
	passed = code__label(c);
	if (ev->first)
		ev->first(ev->first_arg, c, pass);
	if (ev->filter)
		filter__compile(ev->filter, c, passed, reject);
	code__bind(c, passed);
	if (ev->more)
		ev->more(ev->more_arg, c, reject);
	code__goto(c, pass);
}

void patch_code__jump_back(struct code *c, size_t back)
{
	code__insn(c, BPF_JMP | BPF_JA, 0, 0, (int16_t)((int64_t)back - (int64_t)c->cnt - 1), 0);
}

/* Emits the code of one patch point; it ends at two labels, with r0 set. */
static int put_patch(struct code *c, const struct patch_event *events, size_t cnt, size_t back)
{
	code_label pass = code__label(c), reject = code__label(c);
	struct run *runs = calloc(cnt + 1, sizeof(*runs));
	size_t i;

	if (!runs)
		return -ENOMEM;
	cnt = find_runs(c, events, cnt, runs);
	put_dispatch(c, runs, 0, cnt, pass);
	for (i = 0; i < cnt; i++) {
		code__bind(c, runs[i].label);
		put_event(c, runs[i].event, pass, reject);
	}
	free(runs);
	code__bind(c, pass);
	code__alu(c, BPF_MOV, CODE_R0, 1);
	patch_code__jump_back(c, back);
	code__bind(c, reject);
	/* Verifiers reject unreachable code. */
	if (code__is_used(c, reject)) {
		code__alu(c, BPF_MOV, CODE_R0, 0);
		patch_code__jump_back(c, back);
	}
	return c->cnt - back > INT16_MAX ? -E2BIG : c->err;
}

/* Is the instruction a patch point? */
static bool is_point(const struct bpf_insn *insn, enum patch_at *at)
{
	if (insn->code != (BPF_ALU64 | BPF_MOV | BPF_K))
		return false;
	*at = insn->imm == WIRE_START_PLACEHOLDER ? PATCH_START : PATCH_RECORD;
	return insn->imm == WIRE_PATCH_PLACEHOLDER || insn->imm == WIRE_START_PLACEHOLDER;
}

/* Makes the instruction a jump to the code that comes next. */
static int jump_to_next(struct code *c, size_t at)
{
	if (c->cnt - at > INT16_MAX)
		return -E2BIG;
	c->insns[at] =
		(struct bpf_insn){ .code = BPF_JMP | BPF_JA, .off = (int16_t)(c->cnt - at - 1) };
	return 0;
}

static const struct patch_extra *extra_of(const struct patch_extras *extras,
					  const struct bpf_insn *insn)
{
	size_t i;

	if (!extras || insn->code != (BPF_ALU64 | BPF_MOV | BPF_K))
		return NULL;
	for (i = 0; i < extras->cnt; i++)
		if (extras->at[i].placeholder == insn->imm)
			return &extras->at[i];
	return NULL;
}

static int put_extras(struct code *c, const struct bpf_insn *insns, size_t cnt,
		      const struct patch_extras *extras)
{
	const struct patch_extra *extra;
	int err = 0;
	size_t i;

	for (i = 0; i < cnt && !err && !c->err; i++) {
		extra = extra_of(extras, &insns[i]);
		if (!extra)
			continue;
		err = jump_to_next(c, i);
		if (!err)
			err = extra->put(extra->arg, c, i + 1);
		if (!err && c->cnt - i > INT16_MAX)
			err = -E2BIG;
	}
	return err;
}

/*
 * Emits the program and behind it a block for each patch point that has code. events: sorted by
 * point; those of records come first.
 */
static int put_patches(struct code *c, const struct bpf_program *prog,
		       const struct patch_event *events, size_t cnt,
		       const struct patch_extras *extras)
{
	const struct bpf_insn *insns = bpf_program__insns(prog);
	size_t insn_cnt = bpf_program__insn_cnt(prog), i, record_cnt = 0;
	enum patch_at at;
	int err = 0;

	while (record_cnt < cnt && events[record_cnt].at == PATCH_RECORD)
		record_cnt++;

	for (i = 0; i < insn_cnt; i++)
		code__insn(c, insns[i].code, insns[i].dst_reg, insns[i].src_reg, insns[i].off,
			   insns[i].imm);
	for (i = 0; i < insn_cnt && !err && !c->err; i++) {
		if (!is_point(&insns[i], &at) || (at == PATCH_START && record_cnt == cnt))
			continue;
		err = jump_to_next(c, i);
		if (err)
			break;
		err = at == PATCH_START ? put_patch(c, events + record_cnt, cnt - record_cnt, i + 1)
					: put_patch(c, events, record_cnt, i + 1);
	}
	if (!err)
		err = put_extras(c, insns, insn_cnt, extras);
	return err ? err : code__finish(c);
}

/* Creates the map of the code's tables and writes its fd into the instructions that refer to it. */
static int put_tables(struct code *c, size_t from, struct patch_tables *tables)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_RDONLY_PROG);
	int *fds = reallocarray(tables->fds, tables->cnt + 1, sizeof(*fds)), fd;
	uint32_t zero = 0;
	size_t i;

	if (!fds)
		return -ENOMEM;
	tables->fds = fds;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "patch_tables", sizeof(zero),
			    (uint32_t)c->tables.len, 1, &opts);
	if (fd < 0)
		return fd;
	fds[tables->cnt++] = fd;
	if (bpf_map_update_elem(fd, &zero, c->tables.buf, 0))
		return -errno;
	for (i = from; i < c->cnt; i++)
		if (c->insns[i].code == (BPF_LD | BPF_DW | BPF_IMM) &&
		    c->insns[i].src_reg == BPF_PSEUDO_MAP_VALUE)
			c->insns[i].imm = fd;
	return 0;
}

int patch_code__put(struct bpf_program *prog, const struct patch_event *events, size_t cnt,
		    const struct patch_extras *extras, struct patch_tables *tables)
{
	size_t own_cnt = bpf_program__insn_cnt(prog);
	struct patch_event *sorted = calloc(cnt + 1, sizeof(*sorted));
	struct code c = {};
	int err = -ENOMEM;

	if (!sorted)
		goto cleanup;
	if (cnt)
		memcpy(sorted, events, cnt * sizeof(*sorted));
	qsort(sorted, cnt, sizeof(*sorted), compare_ids);
	c.spill_off = (int16_t)spill_off(bpf_program__insns(prog), own_cnt);
#ifdef __riscv
	c.only_aligned = true;
#endif
	err = c.spill_off < STACK_END ? -E2BIG : put_patches(&c, prog, sorted, cnt, extras);
	if (!err && c.tables.len)
		err = put_tables(&c, own_cnt, tables);
	if (!err)
		err = bpf_program__set_insns(prog, c.insns, c.cnt);
cleanup:
	code__free(&c);
	free(sorted);
	return err;
}

void patch_tables__free(struct patch_tables *tables)
{
	size_t i;

	for (i = 0; i < tables->cnt; i++)
		close(tables->fds[i]);
	free(tables->fds);
	tables->fds = NULL;
	tables->cnt = 0;
}
