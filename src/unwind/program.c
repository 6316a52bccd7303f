// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/program.h"

#include <errno.h>
#include <string.h>

#include <dwarf.h>

#include "unwind/expr.h"

/* Maximum nesting of remember_state; compilers use two. */
#define STATES_MAX 16

#ifndef DW_CFA_AARCH64_negate_ra_state_with_pc
#define DW_CFA_AARCH64_negate_ra_state_with_pc 0x2c
#endif

struct machine {
	const struct unwind_arch *arch;
	const struct cfi_cie *cie;
	const struct cfi_bases *bases;
	struct cfi_reader r;
	uint64_t loc; /* current address */
	struct cfi_state now, stack[STATES_MAX];
	unsigned int depth;
	bool bad;
};

static struct cfi_col *column(struct machine *m, struct cfi_state *s, uint64_t reg)
{
	if (reg == m->cie->ra_reg)
		return &s->ra;
	if (reg == m->arch->fp)
		return &s->fp;
	return reg == m->arch->base ? &s->base : NULL;
}

static void set(struct machine *m, uint64_t reg, enum unwind_loc loc, int64_t off)
{
	struct cfi_col *col = column(m, &m->now, reg);

	if (col)
		*col = (struct cfi_col){ loc, off };
}

static void set_cfa(struct machine *m, uint64_t reg, int64_t off)
{
	m->now.cfa = UNWIND_CFA_REG;
	m->now.cfa_reg = (uint8_t)reg;
	m->now.cfa_off = off;
	if (reg > UINT8_MAX)
		m->now.cfa = UNWIND_CFA_UNKNOWN;
}

/* An instruction that changes only the offset or only the register needs a CFA by register. */
static bool has_reg_cfa(struct machine *m)
{
	return m->now.cfa == UNWIND_CFA_REG;
}

static void cfa_offset(struct machine *m, int64_t off)
{
	if (has_reg_cfa(m))
		m->now.cfa_off = off;
	else
		m->now.cfa = UNWIND_CFA_UNKNOWN;
}

static void cfa_register(struct machine *m, uint64_t reg)
{
	if (has_reg_cfa(m))
		set_cfa(m, reg, m->now.cfa_off);
	else
		m->now.cfa = UNWIND_CFA_UNKNOWN;
}

static void cfa_expression(struct machine *m)
{
	struct expr e = expr__parse(cfi_reader__sub(&m->r, cfi_reader__uleb(&m->r)), m->arch);

	m->now.cfa = UNWIND_CFA_UNKNOWN;
	m->now.cfa_reg = e.reg;
	m->now.cfa_off = e.off;
	m->now.plt_from = e.from;
	if (e.kind == EXPR_REG)
		m->now.cfa = UNWIND_CFA_REG;
	else if (e.kind == EXPR_PLT)
		m->now.cfa = UNWIND_CFA_PLT;
	else if (e.kind == EXPR_DEREF && e.reg == m->arch->sp)
		m->now.cfa = UNWIND_CFA_SP_DEREF;
	else if (e.kind == EXPR_DEREF && e.reg == m->arch->fp)
		m->now.cfa = UNWIND_CFA_FP_DEREF;
}

static void expression(struct machine *m)
{
	uint64_t reg = cfi_reader__uleb(&m->r);
	struct expr e = expr__parse(cfi_reader__sub(&m->r, cfi_reader__uleb(&m->r)), m->arch);

	if (e.kind == EXPR_REG && e.reg == m->arch->sp)
		set(m, reg, UNWIND_LOC_SP, e.off);
	else if (e.kind == EXPR_REG && e.reg == m->arch->fp)
		set(m, reg, UNWIND_LOC_FP, e.off);
	else
		set(m, reg, UNWIND_LOC_UNKNOWN, 0);
}

static void val_expression(struct machine *m)
{
	uint64_t reg = cfi_reader__uleb(&m->r);

	cfi_reader__skip(&m->r, cfi_reader__uleb(&m->r));
	set(m, reg, UNWIND_LOC_UNKNOWN, 0);
}

static void restore(struct machine *m, uint64_t reg)
{
	struct cfi_state init = m->cie->init;
	struct cfi_col *from = column(m, &init, reg), *to = column(m, &m->now, reg);

	if (to)
		*to = *from;
}

static void remember(struct machine *m)
{
	if (m->depth == STATES_MAX)
		m->bad = true;
	else
		m->stack[m->depth++] = m->now;
}

static void recall(struct machine *m)
{
	if (!m->depth)
		m->bad = true;
	else
		m->now = m->stack[--m->depth];
}

static int64_t scaled(const struct machine *m, uint64_t factor)
{
	return (int64_t)(factor * (uint64_t)m->cie->data_align);
}

/* Runs an instruction about the CFA. false: it is another one. */
static bool step_cfa(struct machine *m, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cfi_reader__uleb(&m->r);
		set_cfa(m, reg, (int64_t)cfi_reader__uleb(&m->r));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cfi_reader__uleb(&m->r);
		set_cfa(m, reg, scaled(m, (uint64_t)cfi_reader__sleb(&m->r)));
		return true;
	case DW_CFA_def_cfa_register:
		cfa_register(m, cfi_reader__uleb(&m->r));
		return true;
	case DW_CFA_def_cfa_offset:
		cfa_offset(m, (int64_t)cfi_reader__uleb(&m->r));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		cfa_offset(m, scaled(m, (uint64_t)cfi_reader__sleb(&m->r)));
		return true;
	case DW_CFA_def_cfa_expression:
		cfa_expression(m);
		return true;
	default:
		return false;
	}
}

/* Runs an instruction about the location of one register. false: it is another one. */
static bool step_register(struct machine *m, uint8_t op)
{
	uint64_t reg;

	switch (op) {
	case DW_CFA_offset_extended:
		reg = cfi_reader__uleb(&m->r);
		set(m, reg, UNWIND_LOC_CFA, scaled(m, cfi_reader__uleb(&m->r)));
		return true;
	case DW_CFA_offset_extended_sf:
		reg = cfi_reader__uleb(&m->r);
		set(m, reg, UNWIND_LOC_CFA, scaled(m, (uint64_t)cfi_reader__sleb(&m->r)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		reg = cfi_reader__uleb(&m->r);
		set(m, reg, UNWIND_LOC_CFA, scaled(m, -cfi_reader__uleb(&m->r)));
		return true;
	case DW_CFA_restore_extended:
		restore(m, cfi_reader__uleb(&m->r));
		return true;
	case DW_CFA_undefined:
		set(m, cfi_reader__uleb(&m->r), UNWIND_LOC_NONE, 0);
		return true;
	case DW_CFA_same_value:
		set(m, cfi_reader__uleb(&m->r), UNWIND_LOC_SAME, 0);
		return true;
	case DW_CFA_register:
		reg = cfi_reader__uleb(&m->r);
		set(m, reg, UNWIND_LOC_REG, (int64_t)cfi_reader__uleb(&m->r));
		return true;
	case DW_CFA_val_offset:
		set(m, cfi_reader__uleb(&m->r), UNWIND_LOC_UNKNOWN, 0);
		cfi_reader__uleb(&m->r);
		return true;
	case DW_CFA_val_offset_sf:
		set(m, cfi_reader__uleb(&m->r), UNWIND_LOC_UNKNOWN, 0);
		cfi_reader__sleb(&m->r);
		return true;
	case DW_CFA_expression:
		expression(m);
		return true;
	case DW_CFA_val_expression:
		val_expression(m);
		return true;
	default:
		return false;
	}
}

static void step_other(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop:
	/* On arm64 these toggle the signing of return addresses, which tables do not need. */
	case DW_CFA_GNU_window_save:
	case DW_CFA_AARCH64_negate_ra_state_with_pc:
		break;
	case DW_CFA_remember_state:
		remember(m);
		break;
	case DW_CFA_restore_state:
		recall(m);
		break;
	case DW_CFA_GNU_args_size:
		cfi_reader__uleb(&m->r);
		break;
	default:
		m->bad = true;
	}
}

/*
 * Runs one instruction. true: it advanced the address to *next; the state up to there is still in
 * m->now.
 */
static bool step(struct machine *m, uint64_t *next)
{
	uint8_t op = (uint8_t)cfi_reader__uint(&m->r, 1), low = op & 0x3f;
	uint64_t delta;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		*next = m->loc + low * m->cie->code_align;
		return true;
	case DW_CFA_offset:
		set(m, low, UNWIND_LOC_CFA, scaled(m, cfi_reader__uleb(&m->r)));
		return false;
	case DW_CFA_restore:
		restore(m, low);
		return false;
	}
	switch (op) {
	case DW_CFA_set_loc:
		*next = cfi_reader__pointer(&m->r, m->cie->fde_enc, m->bases);
		return true;
	case DW_CFA_advance_loc1:
	case DW_CFA_advance_loc2:
	case DW_CFA_advance_loc4:
		delta = cfi_reader__uint(&m->r, 1u << (op - DW_CFA_advance_loc1));
		*next = m->loc + delta * m->cie->code_align;
		return true;
	case DW_CFA_MIPS_advance_loc8:
		*next = m->loc + cfi_reader__uint(&m->r, 8) * m->cie->code_align;
		return true;
	}
	if (!step_cfa(m, op) && !step_register(m, op))
		step_other(m, op);
	return false;
}

bool cfi_cie__run(struct cfi_cie *cie, const struct unwind_arch *arch)
{
	static const struct cfi_bases none;
	struct machine m = { .arch = arch, .cie = cie, .bases = &none, .r = cie->insns };
	uint64_t next;

	m.now.cfa = UNWIND_CFA_UNKNOWN;
	m.now.ra.loc = (uint8_t)arch->ra_default;
	cie->init = m.now;
	while (cfi_reader__left(&m.r) && !m.bad)
		if (step(&m, &next))
			m.bad = true;
	cie->init = m.now;
	return !m.bad && !m.r.bad;
}

int cfi_program__run(struct cfi_reader insns, const struct cfi_cie *cie,
		     const struct unwind_arch *arch, const struct cfi_bases *bases, uint64_t start,
		     uint64_t end, cfi_row_fn fn, void *priv)
{
	struct machine m = { .arch = arch, .cie = cie, .bases = bases, .r = insns, .loc = start };
	uint64_t next = start;
	int err;

	m.now = cie->init;
	while (cfi_reader__left(&m.r)) {
		bool moved = step(&m, &next);

		if (m.bad || m.r.bad || (moved && next < m.loc))
			return -EINVAL;
		if (!moved || next == m.loc)
			continue;
		if (next >= end)
			break;
		err = fn(priv, m.loc, &m.now);
		if (err)
			return err;
		m.loc = next;
	}
	return fn(priv, m.loc, &m.now);
}

static bool fits(int64_t off)
{
	return off == (int32_t)off;
}

/* false: a rule cannot express the state. */
static bool put_col(const struct cfi_col *col, __u8 *loc, __s32 *off)
{
	*loc = col->loc;
	*off = (__s32)col->off;
	if (fits(col->off))
		return true;
	*loc = UNWIND_LOC_UNKNOWN;
	*off = 0;
	return false;
}

struct unwind_rule cfi_state__rule(const struct cfi_state *s, const struct cfi_cie *cie,
				   const struct unwind_arch *arch)
{
	static const struct unwind_rule unknown;
	struct unwind_rule rule;

	memset(&rule, 0, sizeof(rule));
	rule.cfa = s->cfa;
	rule.cfa_off = (__s32)s->cfa_off;
	if (cie->is_signal)
		rule.flags |= UNWIND_SIGNAL;
	put_col(&s->fp, &rule.fp, &rule.fp_off);
	put_col(&s->base, &rule.base, &rule.base_off);
	put_col(&s->ra, &rule.ra, &rule.ra_off);
	/* An outermost frame needs no CFA. */
	if (rule.ra == UNWIND_LOC_NONE && s->cfa == UNWIND_CFA_UNKNOWN) {
		rule.cfa = UNWIND_CFA_SP;
		rule.cfa_off = 0;
		return rule;
	}
	if (s->cfa == UNWIND_CFA_UNKNOWN || !fits(s->cfa_off) || rule.ra == UNWIND_LOC_UNKNOWN)
		return unknown;
	if (s->cfa == UNWIND_CFA_PLT)
		rule.cfa_reg = s->plt_from;
	if (s->cfa != UNWIND_CFA_REG)
		return rule;
	if (s->cfa_reg == arch->sp)
		rule.cfa = UNWIND_CFA_SP;
	else if (s->cfa_reg == arch->fp)
		rule.cfa = UNWIND_CFA_FP;
	else if (s->cfa_reg == arch->base)
		rule.cfa = UNWIND_CFA_BASE;
	else
		rule.cfa_reg = s->cfa_reg;
	return rule;
}
