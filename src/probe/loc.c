// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/loc.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "probe/loc_ops.h"

void steps__add(struct steps *s, enum fetch_op op, uint8_t size, bool is_signed, int64_t imm)
{
	if (s->cnt == STEPS_MAX) {
		s->overflow = true;
		return;
	}
	s->at[s->cnt++] = (struct fetch_step){
		.op = (uint8_t)op, .size = size, .is_signed = is_signed, .imm = imm
	};
}

bool loc__frame(const struct scope *sc, uint64_t *reg, int64_t *add)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops = NULL;
	size_t cnt = 0;
	bool found;

	if (sc->at_entry) {
		*reg = sc->regs->sp_reg;
		*add = sc->regs->cfa_off;
		return true;
	}
	found = sc->cfi && !dwarf_cfi_addrframe(sc->cfi, sc->pc, &frame) &&
		!dwarf_frame_cfa(frame, &ops, &cnt) && cnt == 1;
	if (found && ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		*reg = ops[0].atom - DW_OP_breg0;
		*add = (int64_t)ops[0].number;
	} else if (found && ops[0].atom == DW_OP_bregx) {
		*reg = ops[0].number;
		*add = (int64_t)ops[0].number2;
	} else {
		found = false;
	}
	free(frame);
	return found;
}

static void set_register(const struct loc_machine *m, struct piece *p, uint64_t reg)
{
	int off = probe_regs__off(m->sc->regs, reg);

	/* Registers of floating point and vectors are behind those of integers. */
	p->kind = off < 0 ? PIECE_VECTOR : PIECE_VALUE;
	if (off >= 0)
		steps__add(&p->steps, FETCH_REG, 8, false, off);
}

/* Turns the stack's top into a piece. */
static void set_from_stack(struct loc_machine *m, struct piece *p, bool is_value)
{
	if (!m->cnt || m->failed) {
		p->kind = PIECE_NONE;
	} else {
		loc_ops__settle(loc_ops__top(m));
		p->kind = is_value ? PIECE_VALUE : PIECE_MEMORY;
		p->steps = loc_ops__top(m)->steps;
		if (p->steps.overflow)
			p->kind = PIECE_NONE;
	}
	m->cnt = 0;
	m->failed = false;
}

/* Is it one expression, and no list of them by the place in the code? */
static bool is_whole(Dwarf_Attribute *attr)
{
	Dwarf_Block block;

	return attr && !dwarf_formblock(attr, &block);
}

bool loc__is_pointee(const struct probe_regs *regs, const Dwarf_Op *ops, size_t cnt)
{
	uint64_t reg;

	if (cnt != 1 || ops[0].atom < DW_OP_breg0 || ops[0].atom > DW_OP_breg31 || ops[0].number)
		return false;
	reg = ops[0].atom - DW_OP_breg0;
	/* No frame begins with a variable. */
	return reg != regs->sp_reg && reg != regs->fp_reg;
}

/* The pieces of a location, while its operations are run. */
struct builder {
	struct loc *loc;
	struct piece rest; /* what there is no room for */
	struct piece *open; /* its size is not known yet */
	struct piece *part; /* begins at a byte, and does not end at one yet */
	uint64_t bits; /* of part */
};

static struct piece *add_piece(struct builder *b)
{
	struct loc *loc = b->loc;
	struct piece *p = loc->cnt < PIECES_MAX ? &loc->pieces[loc->cnt++] : &b->rest;

	memset(p, 0, sizeof(*p));
	return p;
}

/*
 * Ends a piece of so many bits of its place. Pieces that do not begin and end at bytes are one
 * piece: the place of the first one counts, if the others have none.
 */
static void close_piece(struct builder *b, uint64_t bits, uint64_t bit_off)
{
	if (!b->part) {
		b->part = b->open ?: add_piece(b);
		if (bit_off)
			b->part->kind = PIECE_NONE;
		b->part->bits = bits % 8 ? (uint32_t)bits : 0;
	} else if (b->open) {
		b->part->kind = PIECE_NONE;
		if (b->open == &b->loc->pieces[b->loc->cnt - 1])
			b->loc->cnt--;
	}
	b->open = NULL;
	b->bits += bits;
	if (b->bits % 8)
		return;
	b->part->size = (uint32_t)(b->bits / 8);
	b->part = NULL;
	b->bits = 0;
}

/* Runs an operation that makes a piece, or ends one. false: it is another kind of operation. */
static bool run_piece_op(struct loc_machine *m, struct builder *b, const Dwarf_Op *op)
{
	if ((op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) || op->atom == DW_OP_regx) {
		b->open = add_piece(b);
		set_register(m, b->open,
			     op->atom == DW_OP_regx ? op->number : (uint64_t)op->atom - DW_OP_reg0);
		return true;
	}
	switch (op->atom) {
	case DW_OP_stack_value:
		b->open = add_piece(b);
		set_from_stack(m, b->open, true);
		return true;
	case DW_OP_piece:
	case DW_OP_bit_piece:
		if (!b->open && m->cnt) {
			b->open = add_piece(b);
			set_from_stack(m, b->open, false);
		}
		m->failed = false;
		if (op->atom == DW_OP_piece)
			close_piece(b, op->number <= UINT32_MAX ? 8 * op->number : 0, 0);
		else
			close_piece(b, op->number, op->number2);
		return true;
	default:
		return op->atom == DW_OP_nop;
	}
}

static void eval(const struct scope *sc, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t cnt,
		 struct loc *loc, bool *is_local)
{
	const bool is_pointee = is_whole(attr) && loc__is_pointee(sc->regs, ops, cnt);
	struct loc_machine m = { .sc = sc,
				 .attr = attr,
				 .is_whole = is_whole(attr) && !is_pointee };
	struct builder b = { .loc = loc };
	size_t i;

	memset(loc, 0, sizeof(*loc));
	for (i = 0; i < cnt; i++)
		if (!loc_ops__run(&m, &ops[i]) && !run_piece_op(&m, &b, &ops[i]))
			m.failed = true;
	/* Some bits of a byte are missing. */
	if (b.part)
		b.part->kind = PIECE_NONE;
	/* An address, or something that is not known. */
	if (!loc->cnt)
		set_from_stack(&m, add_piece(&b), false);
	*is_local = m.is_local;
	loc->is_late = m.is_late;
	loc->is_pointee = is_pointee;
}

void loc__eval(const struct scope *sc, const Dwarf_Op *ops, size_t cnt, struct loc *loc,
	       bool *is_local)
{
	eval(sc, NULL, ops, cnt, loc, is_local);
}

void loc__of(const struct scope *sc, Dwarf_Die *var, struct loc *loc, bool *is_local)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t cnt;

	memset(loc, 0, sizeof(*loc));
	loc->cnt = 1;
	*is_local = false;
	if (dwarf_attr_integrate(var, DW_AT_const_value, &attr)) {
		Dwarf_Sword val;

		if (!dwarf_formsdata(&attr, &val)) {
			loc->pieces[0].kind = PIECE_VALUE;
			steps__add(&loc->pieces[0].steps, FETCH_CONST, 8, true, val);
		}
		return;
	}
	if (!dwarf_attr_integrate(var, DW_AT_location, &attr) ||
	    !loc_ops__find(&attr, sc->pc, &ops, &cnt))
		return;
	eval(sc, &attr, ops, cnt, loc, is_local);
}

uint64_t loc__end(const struct scope *sc, Dwarf_Die *var)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t next = 0;
	Dwarf_Op *ops;
	size_t cnt;

	if (!dwarf_attr_integrate(var, DW_AT_location, &attr))
		return 0;
	while ((next = dwarf_getlocations(&attr, next, &base, &start, &end, &ops, &cnt)) > 0)
		if (sc->pc >= start && sc->pc < end)
			return end;
	return 0;
}
