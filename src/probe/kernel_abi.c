// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/kernel_abi.h"

#include <elf.h>
#include <string.h>

#include <bpf/btf.h>

#define WORD 8

/* A parameter as the calling convention sees it. */
struct param {
	int64_t size;
	int align;
	bool is_composite;
	bool is_packed; /* a member is not aligned */
};

/* The next free register, and the next word on the stack, in bytes from its first argument. */
struct cursor {
	uint32_t reg;
	int64_t stack;
};

static bool read_param(const struct btf *btf, uint32_t id, struct param *p)
{
	int resolved = btf__resolve_type(btf, id);
	const struct btf_type *t = btf__type_by_id(btf, resolved < 0 ? 0 : (uint32_t)resolved);
	uint32_t i;

	memset(p, 0, sizeof(*p));
	/* Type 0 is that of further arguments (...). */
	if (!id || resolved <= 0 || !t)
		return false;
	p->size = btf__resolve_size(btf, id);
	p->is_composite = btf_is_composite(t);
	/* Numbers are aligned to their size: libbpf has 8 for those of 128 bits. */
	p->align = p->is_composite ? btf__align_of(btf, id) : (int)p->size;
	for (i = 0; p->is_composite && i < btf_vlen(t); i++) {
		int align = btf__align_of(btf, btf_members(t)[i].type);

		if (!btf_member_bitfield_size(t, i) && align > 0)
			p->is_packed |= btf_member_bit_offset(t, i) / 8 % (uint32_t)align != 0;
	}
	return p->size >= 0;
}

/* Gives the parameter words of the stack. Returns where it begins there. */
static int64_t take_stack(struct cursor *c, const struct param *p)
{
	int64_t at;

	if (p->align > WORD)
		c->stack = (c->stack + p->align - 1) / p->align * p->align;
	at = c->stack;
	c->stack += (p->size + WORD - 1) / WORD * WORD;
	return at;
}

/* Puts the value on the stack into *v: its address. */
static void put_stack(const struct probe_regs *regs, int64_t at, struct btf_value *v)
{
	steps__add(&v->steps, FETCH_REG, WORD, false, probe_regs__off(regs, regs->sp_reg));
	steps__add(&v->steps, FETCH_ADD, WORD, false, regs->cfa_off + at);
	v->is_addr = true;
}

static void put_reg(const struct probe_regs *regs, uint32_t nr, struct steps *steps)
{
	steps__add(steps, FETCH_REG, WORD, false, probe_regs__off(regs, regs->arg_regs[nr]));
}

/* Takes the place of one parameter, and puts its value into *v. */
static void take(const struct probe_regs *regs, struct cursor *c, const struct param *p,
		 struct btf_value *v)
{
	const bool is_arm64 = regs->machine == EM_AARCH64;
	const bool is_large = p->is_composite && p->size > 2 * WORD;
	/* A large one: arm64 passes the address of a copy, x86-64 the copy on the stack. */
	const uint32_t words = is_large ? 1 : (uint32_t)((p->size + WORD - 1) / WORD);

	memset(v, 0, sizeof(*v));
	v->is_by_value = p->is_composite;
	/* Nothing is passed of an empty structure. */
	if (!p->size)
		return;
	if (is_arm64 && words == 2 && p->align > WORD)
		c->reg += c->reg % 2;
	if ((is_large || p->is_packed) && !is_arm64) {
		put_stack(regs, take_stack(c, p), v);
	} else if (c->reg + words <= regs->arg_reg_cnt) {
		put_reg(regs, c->reg, &v->steps);
		if (words == 2)
			put_reg(regs, c->reg + 1, &v->high);
		v->is_addr = is_large;
		c->reg += words;
	} else {
		/* On arm64 no later one is in a register then. */
		if (is_arm64)
			c->reg = regs->arg_reg_cnt;
		put_stack(regs, take_stack(c, is_large ? &(struct param){ .size = WORD } : p), v);
		if (is_large)
			steps__add(&v->steps, FETCH_READ, WORD, false, 0);
	}
}

bool kernel_abi__param(const struct btf *btf, const struct btf_type *proto, uint32_t nth,
		       const struct probe_regs *regs, struct btf_value *v)
{
	struct cursor c = { 0, 0 };
	struct param p;
	uint32_t i;

	for (i = 0; i <= nth; i++) {
		if (!read_param(btf, btf_params(proto)[i].type, &p))
			return false;
		take(regs, &c, &p, v);
	}
	v->type = btf_params(proto)[nth].type;
	return true;
}

void kernel_abi__number(const struct probe_regs *regs, uint32_t number, struct btf_value *v)
{
	memset(v, 0, sizeof(*v));
	put_reg(regs, number, &v->steps);
}
