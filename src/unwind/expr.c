// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/expr.h"

#include <string.h>

#include <dwarf.h>

static bool take_breg(struct cfi_reader *r, uint8_t *reg, int64_t *off)
{
	uint8_t op = (uint8_t)cfi_reader__uint(r, 1);

	if (op < DW_OP_breg0 || op > DW_OP_breg31)
		return false;
	*reg = op - DW_OP_breg0;
	*off = cfi_reader__sleb(r);
	return !r->bad;
}

/* Linkers write this expression for .plt: … breg16 0, lit15, and, litN, ge, lit3, shl, plus. */
static bool is_plt(struct cfi_reader r, const struct unwind_arch *arch, uint8_t *from)
{
	static const uint8_t tail[] = { DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
	int64_t off;
	uint8_t reg, lit;

	if (!take_breg(&r, &reg, &off) || reg != arch->ra || off ||
	    cfi_reader__uint(&r, 1) != DW_OP_lit15 || cfi_reader__uint(&r, 1) != DW_OP_and)
		return false;
	lit = (uint8_t)cfi_reader__uint(&r, 1);
	if (lit < DW_OP_lit0 || lit > DW_OP_lit15)
		return false;
	*from = lit - DW_OP_lit0;
	return cfi_reader__left(&r) == sizeof(tail) && !memcmp(r.at, tail, sizeof(tail));
}

struct expr expr__parse(struct cfi_reader r, const struct unwind_arch *arch)
{
	struct expr e = { EXPR_OTHER, 0, 0, 0 };
	int64_t off;
	uint8_t op;

	if (!take_breg(&r, &e.reg, &off) || off != (int32_t)off)
		return e;
	e.off = (int32_t)off;
	if (!cfi_reader__left(&r)) {
		e.kind = EXPR_REG;
		return e;
	}
	if (e.reg == arch->sp && is_plt(r, arch, &e.from)) {
		e.kind = EXPR_PLT;
		return e;
	}
	op = (uint8_t)cfi_reader__uint(&r, 1);
	if (op == DW_OP_deref && !cfi_reader__left(&r))
		e.kind = EXPR_DEREF;
	return e;
}
