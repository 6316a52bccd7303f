// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "filter/code.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>

void code__free(struct code *c)
{
	free(c->insns);
	free(c->labels);
	free(c->jumps);
	strbuf__free(&c->tables);
}

/* Makes room for one more element; false and c->err if there is no memory. */
static bool grow(struct code *c, void **arr, size_t cnt, size_t *cap, size_t elem_sz)
{
	size_t more = *cap ? *cap * 2 : 64;
	void *moved;

	if (c->err)
		return false;
	if (cnt < *cap)
		return true;
	moved = reallocarray(*arr, more, elem_sz);
	if (!moved) {
		c->err = -ENOMEM;
		return false;
	}
	*arr = moved;
	*cap = more;
	return true;
}

void code__insn(struct code *c, uint8_t op, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
	struct bpf_insn *insn;

	if (!grow(c, (void **)&c->insns, c->cnt, &c->cap, sizeof(*c->insns)))
		return;
	insn = &c->insns[c->cnt++];
	insn->code = op;
	insn->dst_reg = dst & 15;
	insn->src_reg = src & 15;
	insn->off = off;
	insn->imm = imm;
}

static bool fits_imm(uint64_t val)
{
	return (int64_t)val == (int32_t)val;
}

static void load_imm64(struct code *c, uint8_t dst, uint8_t src, uint32_t low, uint32_t high)
{
	code__insn(c, BPF_LD | BPF_DW | BPF_IMM, dst, src, 0, (int32_t)low);
	code__insn(c, 0, 0, 0, 0, (int32_t)high);
}

void code__mov64(struct code *c, uint8_t dst, uint64_t val)
{
	if (fits_imm(val))
		code__alu(c, BPF_MOV, dst, (int32_t)val);
	else
		load_imm64(c, dst, 0, (uint32_t)val, (uint32_t)(val >> 32));
}

void code__table(struct code *c, uint8_t dst, size_t off)
{
	load_imm64(c, dst, BPF_PSEUDO_MAP_VALUE, 0, (uint32_t)off);
}

size_t code__add_table(struct code *c, const void *data, size_t sz)
{
	static const char zeros[8];
	size_t off = c->tables.len;

	strbuf__add(&c->tables, data, sz);
	strbuf__add(&c->tables, zeros, (8 - sz % 8) % 8);
	if (c->tables.len < off + sz)
		c->err = c->err ? c->err : -ENOMEM;
	return off;
}

code_label code__label(struct code *c)
{
	if (!grow(c, (void **)&c->labels, c->label_cnt, &c->label_cap, sizeof(*c->labels)))
		return 0;
	c->labels[c->label_cnt].at = -1;
	return (code_label)c->label_cnt++;
}

static void add_jump(struct code *c, uint8_t op, uint8_t dst, uint8_t src, int32_t imm,
		     code_label label)
{
	if (!grow(c, (void **)&c->jumps, c->jump_cnt, &c->jump_cap, sizeof(*c->jumps)))
		return;
	c->jumps[c->jump_cnt++] = (struct code_jump){ (uint32_t)c->cnt, label };
	code__insn(c, op, dst, src, 0, imm);
}

/* Removes a goto to the very next instruction, unless another jump targets the instruction. */
static void drop_idle_goto(struct code *c, code_label label)
{
	struct code_jump *last = c->jump_cnt ? &c->jumps[c->jump_cnt - 1] : NULL;

	if (!last || last->insn + 1 != c->cnt || last->to != label ||
	    c->insns[last->insn].code != (BPF_JMP | BPF_JA) || c->last_bound == c->cnt)
		return;
	c->jump_cnt--;
	c->cnt--;
}

void code__bind(struct code *c, code_label label)
{
	if (c->err)
		return;
	drop_idle_goto(c, label);
	c->labels[label].at = (int32_t)c->cnt;
	c->last_bound = c->cnt;
}

bool code__is_used(const struct code *c, code_label label)
{
	size_t i;

	for (i = 0; i < c->jump_cnt; i++)
		if (c->jumps[i].to == label)
			return true;
	return false;
}

void code__goto(struct code *c, code_label label)
{
	add_jump(c, BPF_JMP | BPF_JA, 0, 0, 0, label);
}

void code__if_reg(struct code *c, uint8_t op, uint8_t dst, uint8_t src, code_label label)
{
	add_jump(c, BPF_JMP | op | BPF_X, dst, src, 0, label);
}

void code__if(struct code *c, uint8_t op, uint8_t dst, uint64_t val, uint8_t tmp, code_label label)
{
	if (fits_imm(val)) {
		add_jump(c, BPF_JMP | op | BPF_K, dst, 0, (int32_t)val, label);
		return;
	}
	code__mov64(c, tmp, val);
	code__if_reg(c, op, dst, tmp, label);
}

static uint8_t size_bits(uint8_t sz)
{
	return sz == 8 ? BPF_DW : sz == 4 ? BPF_W : sz == 2 ? BPF_H : BPF_B;
}

void code__load(struct code *c, uint8_t sz, uint8_t dst, uint8_t base, int16_t off)
{
	code__insn(c, BPF_LDX | BPF_MEM | size_bits(sz), dst, base, off, 0);
}

void code__load_odd(struct code *c, uint8_t sz, uint8_t dst, uint8_t base, int16_t off, uint8_t tmp)
{
	uint8_t i;

	if (!c->only_aligned) {
		code__load(c, sz, dst, base, off);
		return;
	}
	/* Most significant byte first. */
	for (i = 0; i < sz; i++) {
		int16_t at = (int16_t)(BYTE_ORDER == LITTLE_ENDIAN ? off + sz - 1 - i : off + i);

		if (i)
			code__alu(c, BPF_LSH, dst, 8);
		code__load(c, 1, i ? tmp : dst, base, at);
		if (i)
			code__alu_reg(c, BPF_OR, dst, tmp);
	}
}

int code__finish(struct code *c)
{
	size_t i;

	for (i = 0; i < c->jump_cnt && !c->err; i++) {
		const struct code_jump *j = &c->jumps[i];
		int64_t dist = c->labels[j->to].at - (int64_t)j->insn - 1;

		if (dist > INT16_MAX || dist < INT16_MIN)
			c->err = -E2BIG;
		c->insns[j->insn].off = (int16_t)dist;
	}
	return c->err;
}
