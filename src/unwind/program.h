/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Runs the instructions of call frame information (DWARF 5, 6.4.2) for the registers that tables
 * need.
 */
#ifndef BPFPERF_UNWIND_PROGRAM_H
#define BPFPERF_UNWIND_PROGRAM_H

#include <stdint.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "unwind/arch.h"
#include "unwind/reader.h"

struct cfi_col {
	uint8_t loc; /* enum unwind_loc */
	int64_t off;
};

/* One row of the table that DWARF describes. */
struct cfi_state {
	uint8_t cfa; /* enum unwind_cfa; the register's own kind is chosen at the end */
	uint8_t cfa_reg, plt_from;
	int64_t cfa_off;
	struct cfi_col ra, fp, base;
};

struct cfi_cie {
	struct cfi_reader insns;
	uint64_t code_align;
	int64_t data_align;
	uint8_t fde_enc, ra_reg;
	bool has_aug_data, is_signal;
	bool bad; /* its functions cannot be unwound */
	struct cfi_state init; /* state after its own instructions */
};

/*
 * Called for each range of addresses with one state; a non-zero result ends the run and is
 * returned.
 */
typedef int (*cfi_row_fn)(void *priv, uint64_t start, const struct cfi_state *state);

/* Runs a CIE's instructions and fills its init. false: they are invalid. */
bool cfi_cie__run(struct cfi_cie *cie, const struct unwind_arch *arch);
/*
 * Runs the instructions of a function at start..end and passes its rows in ascending order. 0, the
 * value that fn returned, or -EINVAL: invalid instructions; rows passed until then are valid.
 */
int cfi_program__run(struct cfi_reader insns, const struct cfi_cie *cie,
		     const struct unwind_arch *arch, const struct cfi_bases *bases, uint64_t start,
		     uint64_t end, cfi_row_fn fn, void *priv);
/* Converts a state to a rule of a table. Equal rules are equal byte by byte. */
struct unwind_rule cfi_state__rule(const struct cfi_state *state, const struct cfi_cie *cie,
				   const struct unwind_arch *arch);

#endif
