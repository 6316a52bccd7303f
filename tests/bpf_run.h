/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Runs generated BPF instructions, for the tests: every access must lie in
 * one of the regions, every register must be written before it is read, and
 * there is a limit to the steps.
 */
#ifndef BPFPERF_TESTS_BPF_RUN_H
#define BPFPERF_TESTS_BPF_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <linux/bpf.h>

struct bpf_region {
	char *mem;
	size_t sz;
	bool read_only;
};

struct bpf_run {
	const struct bpf_insn *insns;
	size_t cnt;
	const struct bpf_region *regions;
	size_t region_cnt;
	const char *tables; /* what BPF_PSEUDO_MAP_VALUE means */
	/* bpf_probe_read_*_str(): the return value. NULL: no call is allowed. */
	int64_t (*read_str)(void *ctx, bool user, char *dst, uint32_t sz, uint64_t from);
	void *ctx;
	uint64_t reg[11];
	uint32_t written; /* bit by register */
	const char *fault; /* what the program did wrong */
	size_t at;
};

static bool bpf_run__mem(struct bpf_run *r, uint64_t addr, size_t sz, bool write)
{
	size_t i;

	for (i = 0; i < r->region_cnt; i++) {
		const struct bpf_region *m = &r->regions[i];

		if (addr >= (uint64_t)(uintptr_t)m->mem &&
		    addr + sz <= (uint64_t)(uintptr_t)m->mem + m->sz)
			return !(write && m->read_only);
	}
	return false;
}

static uint64_t bpf_run__alu(uint8_t op, uint64_t a, uint64_t b)
{
	switch (op) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_AND:
		return a & b;
	case BPF_OR:
		return a | b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		return a << (b & 63);
	case BPF_RSH:
		return a >> (b & 63);
	case BPF_ARSH:
		return (uint64_t)((int64_t)a >> (b & 63));
	default:
		return b; /* BPF_MOV */
	}
}

static bool bpf_run__jumps(uint8_t op, uint64_t a, uint64_t b)
{
	switch (op) {
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JLT:
		return a < b;
	case BPF_JLE:
		return a <= b;
	case BPF_JSET:
		return a & b;
	case BPF_JSGT:
		return (int64_t)a > (int64_t)b;
	case BPF_JSGE:
		return (int64_t)a >= (int64_t)b;
	case BPF_JSLT:
		return (int64_t)a < (int64_t)b;
	case BPF_JSLE:
		return (int64_t)a <= (int64_t)b;
	default:
		return true; /* BPF_JA */
	}
}

static void bpf_run__access(struct bpf_run *r, const struct bpf_insn *in)
{
	static const uint8_t sizes[] = { 4, 2, 1, 8 };
	bool store = BPF_CLASS(in->code) == BPF_STX;
	uint8_t sz = sizes[BPF_SIZE(in->code) >> 3];
	uint64_t addr = r->reg[store ? in->dst_reg : in->src_reg] + (uint64_t)(int64_t)in->off;
	void *mem = (void *)(uintptr_t)addr;
	uint64_t val = 0;
	uint32_t v32;
	uint16_t v16;

	if (!bpf_run__mem(r, addr, sz, store)) {
		r->fault = store ? "store outside" : "load outside";
		return;
	}
	if (store) {
		if (sz == 8)
			memcpy(mem, &r->reg[in->src_reg], 8);
		else
			r->fault = "store of an odd size";
		return;
	}
	if (sz == 8) {
		memcpy(&val, mem, 8);
	} else if (sz == 4) {
		memcpy(&v32, mem, 4);
		val = v32;
	} else if (sz == 2) {
		memcpy(&v16, mem, 2);
		val = v16;
	} else {
		val = *(unsigned char *)mem;
	}
	r->reg[in->dst_reg] = val;
}

static void bpf_run__call(struct bpf_run *r, const struct bpf_insn *in)
{
	if (!r->read_str || (in->imm != 114 && in->imm != 115) || (r->written & 0xe) != 0xe) {
		r->fault = "call that is not allowed";
		return;
	}
	if (!bpf_run__mem(r, r->reg[1], (uint32_t)r->reg[2], true)) {
		r->fault = "call that writes outside";
		return;
	}
	r->reg[0] = (uint64_t)r->read_str(r->ctx, in->imm == 114, (char *)(uintptr_t)r->reg[1],
					  (uint32_t)r->reg[2], r->reg[3]);
	r->written = (r->written & ~0x3eu) | 1;
}

/* Which registers an instruction reads. */
static uint32_t bpf_run__reads(const struct bpf_insn *in)
{
	uint8_t cls = BPF_CLASS(in->code), op = BPF_OP(in->code);
	uint32_t dst = 1u << in->dst_reg, src = 1u << in->src_reg;

	switch (cls) {
	case BPF_ALU64:
		return (op == BPF_MOV ? 0 : dst) | (BPF_SRC(in->code) == BPF_X ? src : 0);
	case BPF_JMP:
		if (op == BPF_JA || op == BPF_CALL)
			return 0;
		return op == BPF_EXIT ? 1 : dst | (BPF_SRC(in->code) == BPF_X ? src : 0);
	case BPF_LDX:
		return src;
	case BPF_STX:
		return src | dst;
	default:
		return 0;
	}
}

static void bpf_run__step(struct bpf_run *r)
{
	const struct bpf_insn *in = &r->insns[r->at];
	uint64_t src =
		BPF_SRC(in->code) == BPF_X ? r->reg[in->src_reg] : (uint64_t)(int64_t)in->imm;
	uint8_t cls = BPF_CLASS(in->code);

	if ((bpf_run__reads(in) & r->written) != bpf_run__reads(in)) {
		r->fault = "a register is read that was not written";
		return;
	}
	if (cls == BPF_ALU64) {
		r->reg[in->dst_reg] = bpf_run__alu(BPF_OP(in->code), r->reg[in->dst_reg], src);
	} else if (cls == BPF_LDX || cls == BPF_STX) {
		bpf_run__access(r, in);
	} else if (in->code == (BPF_LD | BPF_DW | BPF_IMM)) {
		r->reg[in->dst_reg] = (uint32_t)in->imm | (uint64_t)(uint32_t)in[1].imm << 32;
		if (in->src_reg)
			r->reg[in->dst_reg] = (uint64_t)(uintptr_t)r->tables + (uint32_t)in[1].imm;
		r->at++;
	} else if (cls == BPF_JMP && BPF_OP(in->code) == BPF_CALL) {
		bpf_run__call(r, in);
	} else if (cls == BPF_JMP) {
		if (bpf_run__jumps(BPF_OP(in->code), r->reg[in->dst_reg], src))
			r->at += (size_t)(int64_t)in->off;
	} else {
		r->fault = "unknown instruction";
	}
	if ((cls == BPF_ALU64 || cls == BPF_LDX || cls == BPF_LD))
		r->written |= 1u << in->dst_reg;
	r->at++;
}

/* Until an exit: its r0. r->fault is set where the program misbehaves. */
__attribute__((unused)) static uint64_t bpf_run__go(struct bpf_run *r)
{
	size_t steps = 0;

	for (r->at = 0; !r->fault;) {
		if (r->at >= r->cnt || steps++ > 1000000) {
			r->fault = r->at >= r->cnt ? "jump outside" : "endless";
			break;
		}
		if (r->insns[r->at].code == (BPF_JMP | BPF_EXIT)) {
			if (!(r->written & 1))
				r->fault = "exit without a value";
			break;
		}
		bpf_run__step(r);
	}
	return r->reg[0];
}

#endif
