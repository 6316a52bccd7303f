/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The stack of a DWARF expression (loc.c). Its values are steps that fetch them. */
#ifndef BPFPERF_PROBE_LOC_OPS_H
#define BPFPERF_PROBE_LOC_OPS_H

#include "probe/loc.h"

#define LOC_STACK_MAX 16

/* A value on the stack of a DWARF expression: steps, then a constant that is added. */
struct loc_entry {
	bool is_const; /* there are no steps: it is `add` alone */
	int64_t add;
	struct steps steps;
};

struct loc_machine {
	const struct scope *sc;
	Dwarf_Attribute *attr; /* has the expression; NULL: none */
	struct loc_entry stack[LOC_STACK_MAX];
	size_t cnt;
	bool failed; /* something that cannot be told */
	bool is_local;
	bool is_whole; /* the expression holds for all of the function */
	bool is_late; /* by a register that the function sets, and that is no part of its frame */
};

/* The top of the stack. An empty one has failed, and gets a value. */
struct loc_entry *loc_ops__top(struct loc_machine *m);
/* Applies the constant that is to be added. */
void loc_ops__settle(struct loc_entry *e);
/* Runs an operation that pushes or changes a value. false: it is another kind of operation. */
bool loc_ops__run(struct loc_machine *m, const Dwarf_Op *op);
/* The one expression for an attribute at pc. false: there is none. */
bool loc_ops__find(Dwarf_Attribute *attr, uint64_t pc, Dwarf_Op **ops, size_t *cnt);

#endif
