// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The System V ABI for x86-64 (section 3.2.3) and the procedure call standard for arm64 (section
 * 6.8), as far as they concern C and C++.
 */
#include "probe/abi.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "probe/type.h"

#ifndef DW_CC_pass_by_reference
#define DW_CC_pass_by_reference 0x04
#define DW_CC_pass_by_value 0x05
#endif

#define EIGHTBYTES_MAX 2
#define DEPTH_MAX 16

/* How a value is passed. */
enum way {
	BY_REGISTERS, /* of integers and vectors, one for each eightbyte */
	BY_STACK,
	BY_ADDRESS, /* a register has the address of a copy */
	BY_UNKNOWN,
};

struct passed {
	enum way way;
	uint64_t size;
	size_t cnt; /* of eightbytes */
	bool is_vector[EIGHTBYTES_MAX];
};

struct fill {
	bool has_int[EIGHTBYTES_MAX], has_float[EIGHTBYTES_MAX];
	uint64_t base;
	int depth;
	bool failed;
};

static void fill_type(struct fill *fill, const Dwarf_Die *type, uint64_t off);

static bool fill_member(void *ctx, const char *name, const struct type_member *m)
{
	struct fill *fill = ctx;
	uint64_t base = fill->base;

	fill_type(fill, &m->type, base + m->off);
	fill->base = base;
	return false;
}

/* Marks the eightbytes that a value at `off` uses, by the kind of number that it is made of. */
static void fill_type(struct fill *fill, const Dwarf_Die *type, uint64_t off)
{
	Dwarf_Die t = *type, elem;
	uint64_t sz, at, elem_sz;
	bool is_float;

	if (fill->depth >= DEPTH_MAX || !type__strip(&t)) {
		fill->failed = true;
		return;
	}
	sz = type__size(&t);
	if (off + sz > 8ull * EIGHTBYTES_MAX) {
		fill->failed = true;
		return;
	}
	fill->depth++;
	if (type__is_struct(&t)) {
		fill->base = off;
		type__each_member(&t, fill_member, fill);
	} else if (dwarf_tag(&t) == DW_TAG_array_type && type__of(&t, &elem)) {
		elem_sz = type__size(&elem);
		for (at = 0; elem_sz && at + elem_sz <= sz; at += elem_sz)
			fill_type(fill, &elem, off + at);
	} else {
		is_float = type__encoding(&t) == DW_ATE_float;
		for (at = off / 8; at <= (off + (sz ? sz - 1 : 0)) / 8; at++) {
			fill->has_float[at] |= is_float;
			fill->has_int[at] |= !is_float;
		}
	}
	fill->depth--;
}

static bool is_by_reference(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word cc;

	if (dwarf_attr(type, DW_AT_calling_convention, &attr) && !dwarf_formudata(&attr, &cc) &&
	    (cc == DW_CC_pass_by_reference || cc == DW_CC_pass_by_value))
		return cc == DW_CC_pass_by_reference;
	return type__is_nontrivial(type);
}

/* The function keeps the address of an argument that was passed by reference. */
static bool is_kept_by_reference(Dwarf_Die *param)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t cnt;

	return dwarf_attr_integrate(param, DW_AT_location, &attr) &&
	       !dwarf_getlocation(&attr, &ops, &cnt) && cnt > 1 && ops[cnt - 1].atom == DW_OP_deref;
}

static struct passed classify(const struct probe_regs *regs, const Dwarf_Die *type)
{
	struct passed p = { .way = BY_REGISTERS, .cnt = 1, .size = regs->addr_sz };
	struct fill fill = { .depth = 0 };
	Dwarf_Die t = *type;
	size_t i;

	if (!type__strip(&t)) {
		p.way = BY_UNKNOWN;
		return p;
	}
	if (!type__is_struct(&t)) {
		p.size = type__size(&t);
		p.is_vector[0] = type__encoding(&t) == DW_ATE_float;
		if (p.size > 8 && p.is_vector[0])
			p.way = regs->machine == EM_X86_64 ? BY_STACK : BY_REGISTERS;
		else if (p.size > 8)
			p.cnt = 2;
		return p;
	}
	p.size = type__size(&t);
	if (is_by_reference(&t)) {
		p.way = BY_ADDRESS;
		return p;
	}
	if (p.size > 8ull * EIGHTBYTES_MAX) {
		p.way = regs->machine == EM_X86_64 ? BY_STACK : BY_ADDRESS;
		return p;
	}
	p.cnt = (size_t)(p.size + 7) / 8;
	fill_type(&fill, &t, 0);
	for (i = 0; i < p.cnt; i++)
		p.is_vector[i] = fill.has_float[i] && !fill.has_int[i];
	if (fill.failed)
		p.way = BY_UNKNOWN;
	return p;
}

/* The place of the next argument. */
struct position {
	size_t ints, vectors;
	uint64_t stack; /* bytes above the frame's beginning */
	bool lost; /* an argument before was of an unknown kind */
};

static void set_register(struct piece *piece, const struct probe_regs *regs, uint8_t reg)
{
	steps__add(&piece->steps, FETCH_REG, 8, false, probe_regs__off(regs, reg));
	piece->kind = PIECE_VALUE;
}

static void set_stack(const struct probe_regs *regs, struct position *pos, uint64_t size,
		      struct loc *loc)
{
	struct piece *piece = &loc->pieces[0];

	loc->cnt = 1;
	piece->kind = PIECE_MEMORY;
	steps__add(&piece->steps, FETCH_REG, 8, false, probe_regs__off(regs, regs->sp_reg));
	steps__add(&piece->steps, FETCH_ADD, 8, false, (int64_t)(regs->cfa_off + pos->stack));
	pos->stack += (size + regs->addr_sz - 1) / regs->addr_sz * regs->addr_sz;
}

/* Takes one argument, and fills in where it is. */
static void take(const struct probe_regs *regs, struct position *pos, const struct passed *p,
		 struct loc *loc)
{
	size_t ints = 0, vectors = 0, i;

	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
	for (i = 0; i < p->cnt; i++)
		*(p->is_vector[i] ? &vectors : &ints) += 1;
	if (p->way == BY_UNKNOWN || pos->lost) {
		pos->lost = true;
	} else if (p->way == BY_STACK || pos->ints + ints > regs->arg_reg_cnt ||
		   pos->vectors + vectors > 8) {
		set_stack(regs, pos, p->size, loc);
	} else if (p->way == BY_ADDRESS) {
		set_register(&loc->pieces[0], regs, regs->arg_regs[pos->ints++]);
		loc->pieces[0].kind = PIECE_MEMORY;
	} else {
		loc->cnt = p->cnt ? p->cnt : 1;
		for (i = 0; i < p->cnt; i++) {
			if (p->cnt > 1)
				loc->pieces[i].size = 8;
			if (p->is_vector[i]) {
				loc->pieces[i].kind = PIECE_VECTOR;
				pos->vectors++;
			} else {
				set_register(&loc->pieces[i], regs, regs->arg_regs[pos->ints++]);
			}
		}
	}
}

void abi__param(const struct scope *sc, Dwarf_Die *func, size_t nth, struct loc *loc)
{
	struct position pos = { .ints = 0 };
	struct passed p;
	Dwarf_Die child, type;
	size_t i = 0;

	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
	if (type__of(func, &type)) {
		p = classify(sc->regs, &type);
		/* The caller says where a large result is to be put. */
		if (sc->regs->machine == EM_X86_64 &&
		    (p.way == BY_ADDRESS || (p.way == BY_STACK && p.size > 16)))
			pos.ints = 1;
	}
	if (dwarf_child(func, &child))
		return;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (!type__of(&child, &type))
			return;
		p = classify(sc->regs, &type);
		/* If the two disagree, nothing that follows is certain. */
		if (is_kept_by_reference(&child) != (p.way == BY_ADDRESS))
			p.way = BY_UNKNOWN;
		take(sc->regs, &pos, &p, loc);
		if (i++ == nth)
			return;
	} while (!dwarf_siblingof(&child, &child));
	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
}

void abi__result(const struct probe_regs *regs, Dwarf_Die *type, struct loc *loc)
{
	struct passed p = classify(regs, type);
	const uint8_t results[] = { regs->ret_reg, regs->ret_reg2 };
	size_t ints = 0, i;

	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
	if (p.way == BY_STACK || p.way == BY_ADDRESS) {
		/* On x86-64 the function returns the address of the result. */
		if (regs->machine != EM_X86_64)
			return;
		set_register(&loc->pieces[0], regs, regs->ret_reg);
		loc->pieces[0].kind = PIECE_MEMORY;
		return;
	}
	if (p.way == BY_UNKNOWN)
		return;
	loc->cnt = p.cnt ? p.cnt : 1;
	for (i = 0; i < p.cnt; i++) {
		if (p.cnt > 1)
			loc->pieces[i].size = 8;
		if (p.is_vector[i])
			loc->pieces[i].kind = PIECE_VECTOR;
		else
			set_register(&loc->pieces[i], regs, results[ints++]);
	}
}

void abi__number(const struct probe_regs *regs, size_t nth, bool is_go, struct loc *loc)
{
	const uint8_t *arg_regs = regs->arg_regs;
	uint8_t cnt = regs->arg_reg_cnt;
	struct position pos = { .ints = 0 };

	if (is_go)
		arg_regs = probe_regs__go(regs, &cnt);
	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
	if (nth < cnt) {
		set_register(&loc->pieces[0], regs, arg_regs[nth]);
	} else if (!is_go) {
		pos.stack = (nth - cnt) * (uint64_t)regs->addr_sz;
		set_stack(regs, &pos, regs->addr_sz, loc);
	}
}
