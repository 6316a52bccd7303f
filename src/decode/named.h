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

#endif
