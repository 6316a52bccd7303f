/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The shapes of a unit's entries that name functions, from its abbreviations: where such an entry
 * has its name, so that it is found among the unit's bytes. Runs in readers.
 */
#ifndef BPFPERF_PROBE_COPIES_ABBREVS_H
#define BPFPERF_PROBE_COPIES_ABBREVS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COPIES_SHAPES_MAX 16

/* Entries begin with these bytes, and have their name so many bytes behind the first of them. */
struct copies_shape {
	uint8_t code[2];
	uint8_t code_sz;
	bool is_text; /* the name itself; else its offset in .debug_str */
	uint16_t name_at;
};

struct copies_abbrevs {
	struct copies_shape at[COPIES_SHAPES_MAX];
	size_t cnt;
	bool has_copies; /* entries of inlined copies */
	bool is_unclear; /* names stand elsewhere, too */
};

/* Sizes in the entries of a unit. */
struct copies_sizes {
	uint8_t offset, address;
	bool is_big; /* big-endian */
};

/*
 * Reads the abbreviations from `at` on, which end before `end`, and takes the bytes that it looks
 * at from *work. all: of all functions; else of those that are inlined somewhere.
 */
void copies_abbrevs__read(struct copies_abbrevs *abbrevs, const uint8_t *at, const uint8_t *end,
			  const struct copies_sizes *sizes, bool all, uint64_t *work);

#endif
