/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The place of a variable at one instruction: a DWARF location, as steps that fetch it. Runs in
 * readers.
 */
#ifndef BPFPERF_PROBE_LOC_H
#define BPFPERF_PROBE_LOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "event/probe.h"
#include "probe/regs.h"

#define STEPS_MAX 32
#define PIECES_MAX 16

/* Steps of one value, without memory of their own. */
struct steps {
	struct fetch_step at[STEPS_MAX];
	size_t cnt;
	bool overflow; /* there were more: the value cannot be fetched */
};

enum piece_kind {
	PIECE_NONE, /* optimized out */
	PIECE_VECTOR, /* in a register that the kernel does not give to programs */
	PIECE_VALUE, /* the steps yield the value itself */
	PIECE_MEMORY, /* the steps yield its address */
};

/* A part of a variable. */
struct piece {
	enum piece_kind kind;
	uint32_t size; /* bytes; 0: all of the variable */
	uint32_t bits; /* the lowest ones, of which the value is known; 0: all */
	struct steps steps;
};

struct loc {
	struct piece pieces[PIECES_MAX];
	size_t cnt;
	/* In a frame that the function makes itself, when it has run for a while (of ASan). */
	bool is_late;
	/* It is where a register points in all of the function, which may load that first. */
	bool is_pointee;
};

/* The place at which variables are looked at. */
struct scope {
	const struct probe_regs *regs;
	Dwarf_CFI *cfi; /* of the file; may be NULL */
	Dwarf_Die func; /* the function that has the frame: not an inlined copy */
	uint64_t pc; /* in the file's own addresses */
	bool at_entry; /* pc is the function's first instruction */
	bool is_global; /* other files may call it, so that it keeps the calling convention */
};

/*
 * Finds the beginning of the function's frame (CFA) at the scope's pc: *reg plus *add, or false.
 */
bool loc__frame(const struct scope *sc, uint64_t *reg, int64_t *add);

/* Is it the address that a register has, as of arguments by reference? */
bool loc__is_pointee(const struct probe_regs *regs, const Dwarf_Op *ops, size_t cnt);

void steps__add(struct steps *s, enum fetch_op op, uint8_t size, bool is_signed, int64_t imm);

/*
 * Evaluates a location's operations. What cannot be told becomes PIECE_NONE. *is_local is set if it
 * lies in the function's own frame, which the first instructions have yet to fill.
 */
void loc__eval(const struct scope *sc, const Dwarf_Op *ops, size_t cnt, struct loc *loc,
	       bool *is_local);
/* The location of a variable: its attribute at the scope's pc, by loc__eval(). */
void loc__of(const struct scope *sc, Dwarf_Die *var, struct loc *loc, bool *is_local);
/* The address at which the location at the scope's pc ends; 0: there is none. */
uint64_t loc__end(const struct scope *sc, Dwarf_Die *var);

#endif
