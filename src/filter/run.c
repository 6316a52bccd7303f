// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/run.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"

#define STACK_SZ 64
/* Loops step over texts of a record. */
#define STEPS_MAX (1u << 20)
#define REG_CNT 11

struct machine_state {
	const struct code *c;
	uint64_t regs[REG_CNT];
	const char *entry;
	char *env;
	char stack[STACK_SZ];
};

static bool is_within(uint64_t at, size_t sz, const void *from, size_t len)
{
	return at >= (uintptr_t)from && at - (uintptr_t)from <= len &&
	       len - (at - (uintptr_t)from) >= sz;
}

/* Memory that code may write; NULL: it is none. */
static char *writable(struct machine_state *m, uint64_t at, size_t sz)
{
	if (is_within(at, sz, m->env, sizeof(struct patch_env)) ||
	    is_within(at, sz, m->stack, sizeof(m->stack)))
		return (char *)(uintptr_t)at;
	return NULL;
}

static const char *readable(struct machine_state *m, uint64_t at, size_t sz)
{
	if (is_within(at, sz, m->entry, CODE_ENTRY_MAX) ||
	    is_within(at, sz, m->c->tables.buf, m->c->tables.len))
		return (const char *)(uintptr_t)at;
	return writable(m, at, sz);
}

static size_t size_of(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return 1;
	case BPF_H:
		return 2;
	case BPF_W:
		return 4;
	default:
		return 8;
	}
}

static uint64_t load(const char *from, size_t sz)
{
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	switch (sz) {
	case 1:
		return (uint8_t)*from;
	case 2:
		memcpy(&v16, from, sizeof(v16));
		return v16;
	case 4:
		memcpy(&v32, from, sizeof(v32));
		return v32;
	default:
		memcpy(&v64, from, sizeof(v64));
		return v64;
	}
}

static void store(char *to, uint64_t val, size_t sz)
{
	uint32_t v32 = (uint32_t)val;
	uint16_t v16 = (uint16_t)val;
	uint8_t v8 = (uint8_t)val;

	memcpy(to,
	       sz == 1   ? (const void *)&v8
	       : sz == 2 ? (const void *)&v16
	       : sz == 4 ? (const void *)&v32
			 : (const void *)&val,
	       sz);
}

/* False: the operation is unknown. */
static bool alu(uint8_t op, uint64_t *dst, uint64_t src)
{
	switch (op) {
	case BPF_ADD:
		*dst += src;
		return true;
	case BPF_SUB:
		*dst -= src;
		return true;
	case BPF_AND:
		*dst &= src;
		return true;
	case BPF_OR:
		*dst |= src;
		return true;
	case BPF_LSH:
		*dst <<= src & 63;
		return true;
	case BPF_RSH:
		*dst >>= src & 63;
		return true;
	case BPF_ARSH:
		*dst = (uint64_t)((int64_t)*dst >> (src & 63));
		return true;
	case BPF_MOV:
		*dst = src;
		return true;
	default:
		return false;
	}
}

/* 1: the jump is taken, 0: it is not; -1: it is unknown. */
static int is_taken(uint8_t op, uint64_t dst, uint64_t src)
{
	switch (op) {
	case BPF_JA:
		return true;
	case BPF_JEQ:
		return dst == src;
	case BPF_JNE:
		return dst != src;
	case BPF_JGT:
		return dst > src;
	case BPF_JGE:
		return dst >= src;
	case BPF_JLT:
		return dst < src;
	case BPF_JLE:
		return dst <= src;
	case BPF_JSET:
		return (dst & src) != 0;
	case BPF_JSGT:
		return (int64_t)dst > (int64_t)src;
	case BPF_JSGE:
		return (int64_t)dst >= (int64_t)src;
	case BPF_JSLT:
		return (int64_t)dst < (int64_t)src;
	case BPF_JSLE:
		return (int64_t)dst <= (int64_t)src;
	default:
		return -1;
	}
}

/* The helpers that copy a text, with its NUL: those of the kernel's memory and of a process's. */
static void copy_text(struct machine_state *m)
{
	size_t sz = m->regs[2] & 0xffff, len;
	char *to = writable(m, m->regs[1], sz);
	const char *from = readable(m, m->regs[3], 1);

	m->regs[0] = (uint64_t)-EFAULT;
	if (!to || !from || !sz)
		return;
	for (len = 0; len + 1 < sz && readable(m, m->regs[3] + len, 1) && from[len]; len++)
		to[len] = from[len];
	to[len] = 0;
	m->regs[0] = len + 1;
}

/* Does the instruction access memory as a plain load or store, and not atomically, or otherwise? */
static bool is_plain(const struct bpf_insn *in)
{
	return BPF_MODE(in->code) == BPF_MEM;
}

/* Runs a load or a store. False: it leaves the memory. */
static bool move(struct machine_state *m, const struct bpf_insn *in)
{
	size_t sz = size_of(in->code);
	uint8_t cls = BPF_CLASS(in->code);
	uint64_t base = m->regs[cls == BPF_LDX ? in->src_reg : in->dst_reg];
	uint64_t at = base + (uint64_t)(int64_t)in->off;
	const char *from = cls == BPF_LDX ? readable(m, at, sz) : NULL;
	char *to = cls == BPF_LDX ? NULL : writable(m, at, sz);

	if (!from && !to)
		return false;
	if (from)
		m->regs[in->dst_reg] = load(from, sz);
	else
		store(to, cls == BPF_ST ? (uint64_t)(int64_t)in->imm : m->regs[in->src_reg], sz);
	return true;
}

/* Two instructions: a constant, or an address in the tables. False: something else. */
static bool load_constant(struct machine_state *m, const struct bpf_insn *in)
{
	uint64_t *dst = &m->regs[in->dst_reg];

	if (in->code != (BPF_LD | BPF_IMM | BPF_DW))
		return false;
	if (in->src_reg == BPF_PSEUDO_MAP_VALUE)
		*dst = (uintptr_t)m->c->tables.buf + (uint32_t)in[1].imm;
	else if (!in->src_reg)
		*dst = (uint32_t)in->imm | (uint64_t)(uint32_t)in[1].imm << 32;
	else
		return false;
	return true;
}

#define ENDED 0
#define NO_CODE INT64_MIN

/* Runs a jump, a call or the end; returns as step() does. */
static int64_t jump(struct machine_state *m, const struct bpf_insn *in, uint64_t src)
{
	int taken;

	switch (in->code) {
	case BPF_JMP | BPF_EXIT:
		return ENDED;
	case BPF_JMP | BPF_CALL:
		if (in->src_reg || (in->imm != BPF_FUNC_probe_read_kernel_str &&
				    in->imm != BPF_FUNC_probe_read_user_str))
			return NO_CODE;
		copy_text(m);
		return 1;
	default:
		taken = is_taken(BPF_OP(in->code), m->regs[in->dst_reg], src);
		if (taken < 0)
			return NO_CODE;
		return taken ? 1 + (int64_t)in->off : 1;
	}
}

/* Runs the instruction; returns how many to go on by, ENDED, or NO_CODE: it is unknown. */
static int64_t step(struct machine_state *m, const struct bpf_insn *in)
{
	uint64_t src;

	if (in->dst_reg >= REG_CNT || in->src_reg >= REG_CNT)
		return NO_CODE;
	src = BPF_SRC(in->code) == BPF_X ? m->regs[in->src_reg] : (uint64_t)(int64_t)in->imm;
	switch (BPF_CLASS(in->code)) {
	case BPF_ALU64:
		/* An offset is of variants: with signs. */
		return !in->off && alu(BPF_OP(in->code), &m->regs[in->dst_reg], src) ? 1 : NO_CODE;
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		if (!is_plain(in))
			return NO_CODE;
		if (move(m, in))
			return 1;
		m->regs[0] = 0;
		return ENDED;
	case BPF_LD:
		return in + 1 < m->c->insns + m->c->cnt && load_constant(m, in) ? 2 : NO_CODE;
	case BPF_JMP:
		return jump(m, in, src);
	default:
		return NO_CODE;
	}
}

int code__run(const struct code *c, const void *entry, struct patch_env *env, uint64_t *r0)
{
	struct machine_state m = { .c = c, .entry = entry, .env = (char *)env };
	int64_t at = 0, by;
	uint32_t steps;

	*r0 = 0;
	m.regs[1] = (uintptr_t)entry;
	m.regs[3] = (uintptr_t)env;
	m.regs[10] = (uintptr_t)m.stack + sizeof(m.stack);
	for (steps = 0; steps < STEPS_MAX; steps++) {
		if (at < 0 || (size_t)at >= c->cnt)
			return -ENOEXEC;
		by = step(&m, &c->insns[at]);
		if (by == NO_CODE)
			return -ENOEXEC;
		if (by == ENDED) {
			*r0 = m.regs[0];
			return 0;
		}
		at += by;
	}
	return 0;
}
