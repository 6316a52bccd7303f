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

struct machine_state {
	const struct code *c;
	uint64_t regs[11];
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

static uint64_t alu(uint8_t op, uint64_t dst, uint64_t src)
{
	switch (op) {
	case BPF_ADD:
		return dst + src;
	case BPF_SUB:
		return dst - src;
	case BPF_AND:
		return dst & src;
	case BPF_OR:
		return dst | src;
	case BPF_LSH:
		return dst << (src & 63);
	case BPF_RSH:
		return dst >> (src & 63);
	case BPF_ARSH:
		return (uint64_t)((int64_t)dst >> (src & 63));
	default:
		return src; /* BPF_MOV */
	}
}

static bool is_taken(uint8_t op, uint64_t dst, uint64_t src)
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
		return dst & src;
	case BPF_JSGT:
		return (int64_t)dst > (int64_t)src;
	case BPF_JSGE:
		return (int64_t)dst >= (int64_t)src;
	case BPF_JSLT:
		return (int64_t)dst < (int64_t)src;
	default:
		return (int64_t)dst <= (int64_t)src; /* BPF_JSLE */
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

/* Runs a load or a store. False: it leaves the memory. */
static bool move(struct machine_state *m, const struct bpf_insn *in)
{
	size_t sz = size_of(in->code);
	uint8_t cls = BPF_CLASS(in->code);
	uint64_t base = m->regs[cls == BPF_LDX ? in->src_reg % 11 : in->dst_reg % 11];
	uint64_t at = base + (uint64_t)(int64_t)in->off;
	const char *from = cls == BPF_LDX ? readable(m, at, sz) : NULL;
	char *to = cls == BPF_LDX ? NULL : writable(m, at, sz);

	if (!from && !to)
		return false;
	if (from)
		m->regs[in->dst_reg % 11] = load(from, sz);
	else
		store(to, cls == BPF_ST ? (uint64_t)(int64_t)in->imm : m->regs[in->src_reg % 11],
		      sz);
	return true;
}

/* Two instructions: a constant, or an address in the tables. */
static void load_constant(struct machine_state *m, const struct bpf_insn *in)
{
	uint64_t *dst = &m->regs[in->dst_reg % 11];

	if (in->src_reg)
		*dst = (uintptr_t)m->c->tables.buf + (uint32_t)in[1].imm;
	else
		*dst = (uint32_t)in->imm | (uint64_t)(uint32_t)in[1].imm << 32;
}

/* Runs the instruction; returns how many to go on by, or 0: the code has ended. */
static int64_t step(struct machine_state *m, const struct bpf_insn *in)
{
	uint64_t *dst = &m->regs[in->dst_reg % 11];
	uint64_t src =
		BPF_SRC(in->code) == BPF_X ? m->regs[in->src_reg % 11] : (uint64_t)(int64_t)in->imm;

	switch (BPF_CLASS(in->code)) {
	case BPF_ALU64:
		*dst = alu(BPF_OP(in->code), *dst, src);
		return 1;
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		if (move(m, in))
			return 1;
		m->regs[0] = 0;
		return 0;
	case BPF_LD:
		load_constant(m, in);
		return 2;
	default:
		break;
	}
	if (BPF_OP(in->code) == BPF_EXIT)
		return 0;
	if (BPF_OP(in->code) == BPF_CALL)
		copy_text(m);
	else if (is_taken(BPF_OP(in->code), *dst, src))
		return 1 + (int64_t)in->off;
	return 1;
}

uint64_t code__run(const struct code *c, const void *entry, struct patch_env *env)
{
	struct machine_state m = { .c = c, .entry = entry, .env = (char *)env };
	int64_t at = 0, by = 1;
	uint32_t steps;

	m.regs[1] = (uintptr_t)entry;
	m.regs[3] = (uintptr_t)env;
	m.regs[10] = (uintptr_t)m.stack + sizeof(m.stack);
	for (steps = 0; steps < STEPS_MAX; steps++) {
		if (at < 0 || (size_t)at >= c->cnt)
			return 0;
		by = step(&m, &c->insns[at]);
		if (!by)
			return m.regs[0];
		at += by;
	}
	return 0;
}
