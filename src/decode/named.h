/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Addresses with their names, as parts of a sample (decode/sample.h). */
#ifndef BPFPERF_DECODE_NAMED_H
#define BPFPERF_DECODE_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/named.h"

struct named_addr {
	uint64_t addr;
	struct sym_result res;
	bool is_guessed; /* found by frame pointer, since no unwind rule was known */
};

/* named_chain.idx of a chain that is not kept. */
#define NAMED_ONCE UINT32_MAX

struct named_chain {
	/* Chains with equal epoch and idx are equal: a sink may keep their text. */
	uint32_t idx, epoch;
	uint32_t cnt;
	struct named_addr addrs[]; /* innermost first, kernel addresses before user addresses */
};

/* The functions at one place, innermost first; the last one is the function itself. */
struct named_place {
	/* Places with equal epoch and idx are equal: a sink may keep their text. */
	uint32_t idx, epoch;
	uint32_t cnt;
	bool has_inlined; /* each function is a line of its own */
	struct sym_frame frames[];
};

/* An address as perf script prints it. */
struct named_line {
	uint64_t addr;
	const struct named_place *place; /* NULL: unknown */
};

struct named_lines {
	struct named_line *at; /* innermost first */
	size_t cnt;
};

enum insn_row_kind {
	INSN_ROW_FUNCTION, /* the next rows are of another function */
	INSN_ROW_INSN,
	INSN_ROW_BRANCH, /* an instruction that is a branch of the sample */
	INSN_ROW_MISMATCH, /* the branches are not those of the file */
	INSN_ROW_STOPPED, /* a branch that the sample does not have leads elsewhere */
};

/* A row of the instructions that ran before a sample. */
struct insn_row {
	enum insn_row_kind kind;
	uint64_t addr; /* of the first three kinds */
	/* INSN_ROW_FUNCTION; of instructions with branch_code.with_places. NULL: unknown */
	const struct named_place *place;
	/* INSN_ROW_INSN, INSN_ROW_BRANCH: len 0, it is no instruction */
	uint8_t len, bytes[15];
	/* INSN_ROW_BRANCH: the number of instructions since the branch before it; 0: unknown */
	uint32_t insn_cnt;
	uint64_t flags; /* data/branch_flags.h */
};

struct insn_rows {
	struct insn_row *at; /* in the order of time */
	size_t cnt;
};

#endif
