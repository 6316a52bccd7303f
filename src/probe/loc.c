// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/loc.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "probe/code_file.h"

#define STACK_MAX 16

/* A value on the stack of a DWARF expression: steps, then a constant that is added. */
struct entry {
	bool is_const; /* there are no steps: it is `add` alone */
	int64_t add;
	struct steps steps;
};

struct machine {
	const struct scope *sc;
	Dwarf_Attribute *attr; /* has the expression; NULL: none */
	struct entry stack[STACK_MAX];
	size_t cnt;
	bool failed; /* something that cannot be told */
	bool is_local;
	bool is_whole; /* the expression holds for all of the function */
	bool is_late; /* by a register that the function sets, and that is no part of its frame */
};

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

static struct entry *push(struct machine *m)
{
	if (m->cnt == STACK_MAX) {
		m->failed = true;
		m->cnt--;
	}
	memset(&m->stack[m->cnt], 0, sizeof(m->stack[0]));
	return &m->stack[m->cnt++];
}

static void push_const(struct machine *m, int64_t val)
{
	struct entry *e = push(m);

	e->is_const = true;
	e->add = val;
}

static void push_reg(struct machine *m, uint64_t reg, int64_t add)
{
	int off = probe_regs__off(m->sc->regs, reg);
	struct entry *e = push(m);

	if (off < 0)
		m->failed = true;
	else
		steps__add(&e->steps, FETCH_REG, 8, false, off);
	e->add = add;
}

/* Applies the constant that is to be added. */
static void settle(struct entry *e)
{
	if (e->is_const)
		steps__add(&e->steps, FETCH_CONST, 8, false, e->add);
	else if (e->add)
		steps__add(&e->steps, FETCH_ADD, 8, false, e->add);
	e->is_const = false;
	e->add = 0;
}

static struct entry *top(struct machine *m)
{
	if (!m->cnt) {
		m->failed = true;
		push_const(m, 0);
	}
	return &m->stack[m->cnt - 1];
}

/* Sums are those of addresses, which wrap: any constant may be in a file. */
static int64_t sum(int64_t a, uint64_t b)
{
	return (int64_t)((uint64_t)a + b);
}

static void push_cfa(struct machine *m)
{
	const struct probe_regs *regs = m->sc->regs;
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops = NULL;
	size_t cnt = 0;

	m->is_local = true;
	if (m->sc->at_entry) {
		push_reg(m, regs->sp_reg, regs->cfa_off);
		return;
	}
	if (m->sc->cfi && !dwarf_cfi_addrframe(m->sc->cfi, m->sc->pc, &frame) &&
	    !dwarf_frame_cfa(frame, &ops, &cnt) && cnt == 1 && ops[0].atom >= DW_OP_breg0 &&
	    ops[0].atom <= DW_OP_breg31)
		push_reg(m, ops[0].atom - DW_OP_breg0, (int64_t)ops[0].number);
	else if (cnt == 1 && ops[0].atom == DW_OP_bregx)
		push_reg(m, ops[0].number, (int64_t)ops[0].number2);
	else
		m->failed = true;
	free(frame);
}

/* The one expression for an attribute at pc. false: there is none. */
static bool location_at(Dwarf_Attribute *attr, uint64_t pc, Dwarf_Op **ops, size_t *cnt)
{
	code_file__need_locs(attr, false);
	if (dwarf_getlocation_addr(attr, pc, ops, cnt, 1) == 1)
		return true;
	/* The bytes that would have it may not be inflated yet. */
	return code_file__need_locs(attr, true) &&
	       dwarf_getlocation_addr(attr, pc, ops, cnt, 1) == 1;
}

/* The base of the function's variables. */
static void push_frame_base(struct machine *m, int64_t add)
{
	Dwarf_Die func = m->sc->func;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t cnt;

	if (!dwarf_attr_integrate(&func, DW_AT_frame_base, &attr) ||
	    !location_at(&attr, m->sc->pc, &ops, &cnt) || cnt != 1) {
		m->failed = true;
		return;
	}
	if (ops[0].atom == DW_OP_call_frame_cfa) {
		push_cfa(m);
		/* The caller has put there what lies above the frame. */
		m->is_local = add < 0;
	} else if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) {
		push_reg(m, ops[0].atom - DW_OP_reg0, 0);
		m->is_local = true;
	} else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		push_reg(m, ops[0].atom - DW_OP_breg0, (int64_t)ops[0].number);
		m->is_local = true;
	} else {
		m->failed = true;
	}
	if (m->cnt)
		top(m)->add = sum(top(m)->add, (uint64_t)add);
}

/* An address of the file: where it is mapped is told by the program counter. */
static void push_addr(struct machine *m, uint64_t addr)
{
	struct entry *e = push(m);

	steps__add(&e->steps, FETCH_REG, 8, false, m->sc->regs->pc_off);
	e->add = (int64_t)(addr - m->sc->pc);
}

/* An address in a table of the file, by its number. */
static void push_indexed(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute in_table;
	Dwarf_Addr addr = 0;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &in_table) ||
	    dwarf_formaddr(&in_table, &addr))
		m->failed = true;
	push_addr(m, addr);
}

static void add_entries(struct machine *m, int sign)
{
	struct entry *b = top(m), *a;

	if (m->cnt < 2) {
		m->failed = true;
		return;
	}
	a = b - 1;
	if (b->is_const) {
		a->add = sum(a->add, (uint64_t)b->add * (uint64_t)sign);
	} else if (a->is_const && sign > 0) {
		b->add = sum(b->add, (uint64_t)a->add);
		*a = *b;
	} else {
		m->failed = true;
	}
	m->cnt--;
}

/* An address by a register, which the function's first instructions may have yet to set. */
static void push_base(struct machine *m, uint64_t reg, int64_t add)
{
	push_reg(m, reg, add);
	m->is_local |= m->is_whole;
	m->is_late |= m->is_whole && reg != m->sc->regs->sp_reg && reg != m->sc->regs->fp_reg;
}

/* Operations that push or change a value. false: it is another kind of operation. */
static bool run_value_op(struct machine *m, const Dwarf_Op *op)
{
	struct entry *e;

	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		push_base(m, op->atom - DW_OP_breg0, (int64_t)op->number);
		return true;
	}
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		push_const(m, op->atom - DW_OP_lit0);
		return true;
	}
	switch (op->atom) {
	case DW_OP_bregx:
		push_base(m, op->number, (int64_t)op->number2);
		return true;
	case DW_OP_fbreg:
		push_frame_base(m, (int64_t)op->number);
		return true;
	case DW_OP_call_frame_cfa:
		push_cfa(m);
		return true;
	case DW_OP_addr:
		push_addr(m, op->number);
		return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		push_indexed(m, op);
		return true;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		push_const(m, (int64_t)op->number);
		return true;
	case DW_OP_plus_uconst:
		e = top(m);
		e->add = sum(e->add, op->number);
		return true;
	case DW_OP_plus:
		add_entries(m, 1);
		return true;
	case DW_OP_minus:
		add_entries(m, -1);
		return true;
	case DW_OP_deref:
		e = top(m);
		settle(e);
		steps__add(&e->steps, FETCH_READ, m->sc->regs->addr_sz, false, 0);
		return true;
	default:
		return false;
	}
}

static struct piece *add_piece(struct loc *loc)
{
	struct piece *p = &loc->pieces[loc->cnt < PIECES_MAX ? loc->cnt++ : PIECES_MAX - 1];

	memset(p, 0, sizeof(*p));
	return p;
}

/* The value that a register had at entry: it is known there alone. */
static bool push_entry_value(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Attribute block;
	Dwarf_Op *inner;
	size_t cnt;

	if (!m->sc->at_entry || !attr || dwarf_getlocation_attr(attr, op, &block) ||
	    dwarf_getlocation(&block, &inner, &cnt) || cnt != 1 || inner[0].atom < DW_OP_reg0 ||
	    inner[0].atom > DW_OP_reg31)
		return false;
	push_reg(m, inner[0].atom - DW_OP_reg0, 0);
	return true;
}

static void set_register(const struct machine *m, struct piece *p, uint64_t reg)
{
	int off = probe_regs__off(m->sc->regs, reg);

	/* Registers of floating point and vectors are behind those of integers. */
	p->kind = off < 0 ? PIECE_VECTOR : PIECE_VALUE;
	if (off >= 0)
		steps__add(&p->steps, FETCH_REG, 8, false, off);
}

/* Turns the stack's top into a piece. */
static void set_from_stack(struct machine *m, struct piece *p, bool is_value)
{
	if (!m->cnt || m->failed) {
		p->kind = PIECE_NONE;
	} else {
		settle(top(m));
		p->kind = is_value ? PIECE_VALUE : PIECE_MEMORY;
		p->steps = top(m)->steps;
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

/* An argument by reference is what a register points to. No frame begins with a variable. */
static bool is_pointee(const struct probe_regs *regs, const Dwarf_Op *ops, size_t cnt)
{
	uint64_t reg;

	if (cnt != 1 || ops[0].atom < DW_OP_breg0 || ops[0].atom > DW_OP_breg31 || ops[0].number)
		return false;
	reg = ops[0].atom - DW_OP_breg0;
	return reg != regs->sp_reg && reg != regs->fp_reg;
}

static void eval(const struct scope *sc, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t cnt,
		 struct loc *loc, bool *is_local)
{
	struct machine m = { .sc = sc,
			     .attr = attr,
			     .is_whole = is_whole(attr) && !is_pointee(sc->regs, ops, cnt) };
	struct piece *open = NULL; /* of which the size is not known yet */
	size_t i;

	memset(loc, 0, sizeof(*loc));
	for (i = 0; i < cnt; i++) {
		const Dwarf_Op *op = &ops[i];

		if (run_value_op(&m, op))
			continue;
		if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
			open = add_piece(loc);
			set_register(&m, open, op->atom - DW_OP_reg0);
		} else if (op->atom == DW_OP_regx) {
			open = add_piece(loc);
			set_register(&m, open, op->number);
		} else if (op->atom == DW_OP_stack_value) {
			open = add_piece(loc);
			set_from_stack(&m, open, true);
		} else if (op->atom == DW_OP_piece) {
			if (!open)
				open = add_piece(loc);
			if (open->kind == PIECE_NONE && m.cnt)
				set_from_stack(&m, open, false);
			open->size = (uint32_t)op->number;
			open = NULL;
		} else if (op->atom == DW_OP_entry_value || op->atom == DW_OP_GNU_entry_value) {
			if (!push_entry_value(&m, attr, op))
				m.failed = true;
		} else if (op->atom != DW_OP_nop) {
			m.failed = true;
		}
	}
	/* An address, or something that is not known. */
	if (!loc->cnt)
		set_from_stack(&m, add_piece(loc), false);
	*is_local = m.is_local;
	loc->is_late = m.is_late;
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
	    !location_at(&attr, sc->pc, &ops, &cnt))
		return;
	eval(sc, &attr, ops, cnt, loc, is_local);
}
