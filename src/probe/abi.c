// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The System V ABI for x86-64 (section 3.2.3) and the procedure call standard for arm64 (section
 * 6.8), as far as they concern C and C++.
 */
#include "probe/abi.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "probe/passed.h"
#include "probe/type.h"

/* Arguments in registers of vectors, on each machine. */
#define VECTORS_MAX 8
/* Bytes of arguments on the stack, and what they are aligned to: damaged files may say more. */
#define STACK_MAX (1ull << 31)
#define ALIGN_MAX 4096

/* The function keeps the address of an argument that was passed by reference. */
static bool is_kept_by_reference(const struct probe_regs *regs, Dwarf_Die *param)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t cnt;

	return dwarf_attr_integrate(param, DW_AT_location, &attr) &&
	       !dwarf_getlocation(&attr, &ops, &cnt) &&
	       (loc__is_pointee(regs, ops, cnt) || (cnt > 1 && ops[cnt - 1].atom == DW_OP_deref));
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

/* The next place on the stack that is aligned. */
static void set_stack(const struct probe_regs *regs, struct position *pos, uint64_t size,
		      uint64_t align, struct loc *loc)
{
	struct piece *piece = &loc->pieces[0];
	const uint64_t word = regs->addr_sz;

	loc->cnt = 1;
	pos->stack = (pos->stack + align - 1) / align * align;
	/* A damaged file may have any size. */
	if (pos->stack > STACK_MAX || size > STACK_MAX - pos->stack) {
		pos->lost = true;
		return;
	}
	piece->kind = PIECE_MEMORY;
	steps__add(&piece->steps, FETCH_REG, 8, false, probe_regs__off(regs, regs->sp_reg));
	steps__add(&piece->steps, FETCH_ADD, 8, false, (int64_t)(regs->cfa_off + pos->stack));
	pos->stack += (size + word - 1) / word * word;
}

static void take_address(const struct probe_regs *regs, struct position *pos, struct loc *loc)
{
	struct piece *piece = &loc->pieces[0];

	if (pos->ints < regs->arg_reg_cnt) {
		set_register(piece, regs, regs->arg_regs[pos->ints++]);
	} else {
		set_stack(regs, pos, regs->addr_sz, regs->addr_sz, loc);
		if (pos->lost)
			return;
		steps__add(&piece->steps, FETCH_READ, regs->addr_sz, false, 0);
	}
	piece->kind = PIECE_MEMORY;
}

static void take_stack(const struct probe_regs *regs, struct position *pos, const struct passed *p,
		       struct loc *loc)
{
	const uint64_t align = passed__align(regs, p);

	if (!align || align > ALIGN_MAX) {
		pos->lost = true;
		return;
	}
	/* arm64 gives no later argument a register of the kind that there were too few of. */
	if (regs->machine == EM_AARCH64 && passed__cnt(p, PART_VECTOR))
		pos->vectors = VECTORS_MAX;
	else if (regs->machine == EM_AARCH64)
		pos->ints = regs->arg_reg_cnt;
	set_stack(regs, pos, p->size, align, loc);
}

/* Sets the pieces of a value in registers: the next ones of each kind. */
static void set_parts(const struct probe_regs *regs, const struct passed *p, const uint8_t *ints,
		      struct loc *loc)
{
	size_t i;

	loc->cnt = p->part_cnt ? p->part_cnt : 1;
	for (i = 0; i < p->part_cnt; i++) {
		if (p->part_cnt > 1)
			loc->pieces[i].size = p->part_size;
		if (p->parts[i] == PART_VECTOR)
			loc->pieces[i].kind = PIECE_VECTOR;
		else if (p->parts[i] == PART_INT)
			set_register(&loc->pieces[i], regs, *ints++);
	}
}

/* Takes one argument, and fills in where it is. */
static void take(const struct probe_regs *regs, struct position *pos, const struct passed *p,
		 struct loc *loc)
{
	const size_t ints = passed__cnt(p, PART_INT), vectors = passed__cnt(p, PART_VECTOR);

	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
	if (p->way == BY_UNKNOWN || pos->lost) {
		pos->lost = true;
		return;
	}
	if (p->way == BY_ADDRESS) {
		take_address(regs, pos, loc);
		return;
	}
	/* A pair for an aligned value of arm64 begins at an even register. */
	if (regs->machine == EM_AARCH64 && ints == 2 && passed__align(regs, p) != 8)
		pos->ints += pos->ints % 2;
	if (p->way == BY_STACK || pos->ints + ints > regs->arg_reg_cnt ||
	    pos->vectors + vectors > VECTORS_MAX) {
		take_stack(regs, pos, p, loc);
		return;
	}
	set_parts(regs, p, regs->arg_regs + pos->ints, loc);
	pos->ints += ints;
	pos->vectors += vectors;
}

/* Is it known that the piece is elsewhere? Without a place of its own nothing is known. */
static bool is_other(const struct piece *own, const struct piece *piece)
{
	if (own->kind != piece->kind)
		return true;
	return own->kind == PIECE_VALUE && own->steps.at[0].imm != piece->steps.at[0].imm;
}

static bool has_place(const struct piece *own)
{
	return own->kind != PIECE_NONE &&
	       (own->kind != PIECE_VALUE || own->steps.at[0].op == FETCH_REG);
}

/*
 * Optimized code may lack arguments, or have them in other registers, if all its callers are known:
 * does DWARF have the parameter elsewhere at the entry than the convention?
 */
static bool is_elsewhere(const struct scope *sc, Dwarf_Die *param, const struct loc *loc)
{
	uint64_t off = 0;
	uint32_t found = 0; /* pieces of loc, as bits */
	bool is_local;
	struct loc own;
	size_t i, k;

	loc__of(sc, param, &own, &is_local);
	if (is_local || own.pieces[0].kind == PIECE_MEMORY || loc->pieces[0].kind == PIECE_NONE)
		return false;
	/* A register's value may be in several pieces, as the members of a structure. */
	for (i = 0; i < own.cnt; off += own.pieces[i++].size) {
		k = loc->cnt > 1 ? off / loc->pieces[0].size : 0;
		if (!has_place(&own.pieces[i]))
			continue;
		if (k >= loc->cnt || is_other(&own.pieces[i], &loc->pieces[k]))
			return true;
		found |= 1u << k;
	}
	return !sc->is_global && found != (1u << loc->cnt) - 1;
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
		p = passed__of(sc->regs, &type);
		/* The caller says where a large result goes; arm64 has a register for it. */
		if (p.way == BY_ADDRESS || (p.way == BY_STACK && !p.is_x87)) {
			pos.ints = sc->regs->machine == EM_X86_64;
			pos.stack = sc->regs->machine == EM_386 ? sc->regs->addr_sz : 0;
		}
		/* The caller may have to say it for this one. */
		pos.lost = p.way == BY_UNKNOWN;
	}
	if (dwarf_child(func, &child))
		return;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (!type__of(&child, &type))
			return;
		p = passed__of(sc->regs, &type);
		/* If the two disagree, nothing that follows is certain. */
		if (is_kept_by_reference(sc->regs, &child) != (p.way == BY_ADDRESS))
			p.way = BY_UNKNOWN;
		take(sc->regs, &pos, &p, loc);
		pos.lost |= is_elsewhere(sc, &child, loc);
		if (i++ == nth)
			return;
	} while (!dwarf_siblingof(&child, &child));
	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
}

void abi__result(const struct probe_regs *regs, Dwarf_Die *type, struct loc *loc)
{
	const struct passed p = passed__of(regs, type);
	const uint8_t results[] = { regs->ret_reg, regs->ret_reg2 };

	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
	if (p.way == BY_REGISTERS) {
		set_parts(regs, &p, results, loc);
	} else if (p.way == BY_STACK && p.is_x87) {
		loc->pieces[0].kind = PIECE_VECTOR;
	} else if (p.way != BY_UNKNOWN && regs->machine != EM_AARCH64) {
		/* The function returns the address of the result. */
		set_register(&loc->pieces[0], regs, regs->ret_reg);
		loc->pieces[0].kind = PIECE_MEMORY;
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
		set_stack(regs, &pos, regs->addr_sz, regs->addr_sz, loc);
	}
}
