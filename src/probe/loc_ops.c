// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/loc_ops.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "probe/code_file.h"
#include "probe/type.h"

static struct loc_entry *push(struct loc_machine *m)
{
	if (m->cnt == LOC_STACK_MAX) {
		m->failed = true;
		m->cnt--;
	}
	memset(&m->stack[m->cnt], 0, sizeof(m->stack[0]));
	return &m->stack[m->cnt++];
}

static void push_const(struct loc_machine *m, int64_t val)
{
	struct loc_entry *e = push(m);

	e->is_const = true;
	e->add = val;
}

static void push_reg(struct loc_machine *m, uint64_t reg, int64_t add)
{
	int off = probe_regs__off(m->sc->regs, reg);
	struct loc_entry *e = push(m);

	if (off < 0)
		m->failed = true;
	else
		steps__add(&e->steps, FETCH_REG, 8, false, off);
	e->add = add;
}

void loc_ops__settle(struct loc_entry *e)
{
	if (e->is_const)
		steps__add(&e->steps, FETCH_CONST, 8, false, e->add);
	else if (e->add)
		steps__add(&e->steps, FETCH_ADD, 8, false, e->add);
	e->is_const = false;
	e->add = 0;
}

struct loc_entry *loc_ops__top(struct loc_machine *m)
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

static void push_cfa(struct loc_machine *m)
{
	uint64_t reg;
	int64_t add;

	m->is_local = true;
	if (loc__frame(m->sc, &reg, &add))
		push_reg(m, reg, add);
	else
		m->failed = true;
}

bool loc_ops__find(Dwarf_Attribute *attr, uint64_t pc, Dwarf_Op **ops, size_t *cnt)
{
	code_file__need_locs(attr, false);
	if (dwarf_getlocation_addr(attr, pc, ops, cnt, 1) == 1)
		return true;
	/* The bytes that would have it may not be inflated yet. */
	return code_file__need_locs(attr, true) &&
	       dwarf_getlocation_addr(attr, pc, ops, cnt, 1) == 1;
}

/* The operation that yields the base of the function's variables; NULL: it is not a single one. */
static const Dwarf_Op *frame_base(const struct scope *sc)
{
	Dwarf_Die func = sc->func;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t cnt;

	if (!dwarf_attr_integrate(&func, DW_AT_frame_base, &attr) ||
	    !loc_ops__find(&attr, sc->pc, &ops, &cnt) || cnt != 1)
		return NULL;
	return ops;
}

static void push_frame_base(struct loc_machine *m, int64_t add)
{
	const Dwarf_Op *op = frame_base(m->sc);

	if (!op) {
		m->failed = true;
		return;
	}
	if (op->atom == DW_OP_call_frame_cfa) {
		push_cfa(m);
		/* The caller has put there what lies above the frame. */
		m->is_local = add < 0;
	} else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		push_reg(m, op->atom - DW_OP_reg0, 0);
		m->is_local = true;
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		push_reg(m, op->atom - DW_OP_breg0, (int64_t)op->number);
		m->is_local = true;
	} else {
		m->failed = true;
	}
	if (m->cnt)
		loc_ops__top(m)->add = sum(loc_ops__top(m)->add, (uint64_t)add);
}

/* An address of the file: where it is mapped is told by the program counter. */
static void push_addr(struct loc_machine *m, uint64_t addr)
{
	struct loc_entry *e = push(m);

	steps__add(&e->steps, FETCH_REG, 8, false, m->sc->regs->pc_off);
	e->add = (int64_t)(addr - m->sc->pc);
}

/* An address in a table of the file, by its number. */
static void push_indexed(struct loc_machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute in_table;
	Dwarf_Addr addr = 0;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &in_table) ||
	    dwarf_formaddr(&in_table, &addr))
		m->failed = true;
	push_addr(m, addr);
}

static void add_entries(struct loc_machine *m, int sign)
{
	struct loc_entry *b = loc_ops__top(m), *a;

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
static void push_base(struct loc_machine *m, uint64_t reg, int64_t add)
{
	push_reg(m, reg, add);
	m->is_local |= m->is_whole;
	m->is_late |= m->is_whole && reg != m->sc->regs->sp_reg && reg != m->sc->regs->fp_reg;
}

/* Does the frame pointer point to the frame? Code without one has other values in its register. */
static bool has_frame_pointer(const struct scope *sc)
{
	const Dwarf_Op *op = frame_base(sc);

	return op && (op->atom == DW_OP_reg0 + sc->regs->fp_reg ||
		      op->atom == DW_OP_breg0 + sc->regs->fp_reg);
}

/*
 * Is the value an address in the frame? Parts of it are no values of variables: LLVM describes so
 * what it has spilled to that address.
 */
static bool is_frame_address(const struct scope *sc, const struct steps *steps)
{
	const struct fetch_step *first = steps->at;
	size_t i;

	if (!steps->cnt || first->op != FETCH_REG ||
	    (first->imm != probe_regs__off(sc->regs, sc->regs->sp_reg) &&
	     (first->imm != probe_regs__off(sc->regs, sc->regs->fp_reg) || !has_frame_pointer(sc))))
		return false;
	for (i = 1; i < steps->cnt; i++)
		if (steps->at[i].op == FETCH_READ)
			return false;
	return true;
}

/* Leaves the lowest bits of the stack's top, which may be a number with a sign. */
static void cut(struct loc_machine *m, uint64_t bits, bool is_signed)
{
	struct loc_entry *e = loc_ops__top(m);

	if (!bits || (bits < 64 && is_frame_address(m->sc, &e->steps)))
		m->failed = true;
	if (!bits || bits >= 64)
		return;
	loc_ops__settle(e);
	steps__add(&e->steps, FETCH_SHIFT_LEFT, 8, false, 64 - (int64_t)bits);
	steps__add(&e->steps, FETCH_SHIFT_RIGHT, 8, is_signed, 64 - (int64_t)bits);
}

/* Takes the constant off the stack that an operation on the value below has as its second one. */
static uint64_t pop_const(struct loc_machine *m)
{
	const struct loc_entry *e = loc_ops__top(m);

	if (m->cnt < 2 || !e->is_const) {
		m->failed = true;
		return 0;
	}
	m->cnt--;
	return (uint64_t)e->add;
}

static void shift(struct loc_machine *m, enum fetch_op op, bool is_signed)
{
	uint64_t by = pop_const(m);
	struct loc_entry *e = loc_ops__top(m);

	if (by >= 64 || is_frame_address(m->sc, &e->steps))
		m->failed = true;
	loc_ops__settle(e);
	steps__add(&e->steps, op, 8, is_signed, (int64_t)(by & 63));
}

/* A mask of the lowest bits: nothing else is needed of it. */
static void mask(struct loc_machine *m)
{
	uint64_t bits = pop_const(m);

	if (bits & (bits + 1))
		m->failed = true;
	cut(m, (uint64_t)__builtin_popcountll(bits), false);
}

/*
 * The bits of a base type. LLVM makes types of any number of them, whose names have it: some of its
 * versions round their bytes down.
 */
static uint64_t bits_of(Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);
	unsigned int bits;

	if (name && sscanf(name, "DW_ATE_%*[a-z]_%u", &bits) == 1)
		return bits;
	return 8 * type__size(type);
}

/* To a base type; of none (0) are addresses, and all that is not converted. */
static void convert(struct loc_machine *m, const Dwarf_Op *op)
{
	Dwarf_Die type;

	if (!op->number)
		return;
	if (!m->attr || dwarf_getlocation_die(m->attr, op, &type)) {
		m->failed = true;
		return;
	}
	switch (type__encoding(&type)) {
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		cut(m, bits_of(&type), true);
		break;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_boolean:
		cut(m, bits_of(&type), false);
		break;
	default:
		m->failed = true;
	}
}

/* The value that a register had at entry: it is known there alone. */
static void push_entry_value(struct loc_machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute block;
	Dwarf_Op *inner;
	size_t cnt;

	if (!m->sc->at_entry || !m->attr || dwarf_getlocation_attr(m->attr, op, &block) ||
	    dwarf_getlocation(&block, &inner, &cnt) || cnt != 1 || inner[0].atom < DW_OP_reg0 ||
	    inner[0].atom > DW_OP_reg31)
		m->failed = true;
	else
		push_reg(m, inner[0].atom - DW_OP_reg0, 0);
}

bool loc_ops__run(struct loc_machine *m, const Dwarf_Op *op)
{
	struct loc_entry *e;

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
		e = loc_ops__top(m);
		e->add = sum(e->add, op->number);
		return true;
	case DW_OP_plus:
		add_entries(m, 1);
		return true;
	case DW_OP_minus:
		add_entries(m, -1);
		return true;
	case DW_OP_deref:
		e = loc_ops__top(m);
		loc_ops__settle(e);
		steps__add(&e->steps, FETCH_READ, m->sc->regs->addr_sz, false, 0);
		return true;
	case DW_OP_and:
		mask(m);
		return true;
	case DW_OP_shl:
		shift(m, FETCH_SHIFT_LEFT, false);
		return true;
	case DW_OP_shr:
		shift(m, FETCH_SHIFT_RIGHT, false);
		return true;
	case DW_OP_shra:
		shift(m, FETCH_SHIFT_RIGHT, true);
		return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		push_entry_value(m, op);
		return true;
	case DW_OP_convert:
	case DW_OP_GNU_convert:
		convert(m, op);
		return true;
	default:
		return false;
	}
}
