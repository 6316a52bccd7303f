/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The functions of places (sym/sym.h), each named once: naming takes most of a line's time. */
#ifndef BPFPERF_DECODE_PLACE_NAMES_H
#define BPFPERF_DECODE_PLACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "decode/named.h"
#include "util/u64map.h"

struct sym;

enum place_kind {
	PLACE_KERNEL, /* the function alone */
	PLACE_USER, /* the function alone */
	PLACE_USER_FRAMES, /* a user place with the functions that are inlined there */
	PLACE_KINDS,
};

struct place_names {
	struct sym *sym; /* not owned */
	bool with_lines; /* the source line of each place, too */
	struct u64map idx_of[PLACE_KINDS]; /* place → index */
	struct named_place **at;
	uint32_t cnt;
	size_t cap;
	size_t frame_cnt; /* functions of all places */
	uint32_t epoch;
};

void place_names__init(struct place_names *pn, struct sym *sym);
void place_names__free(struct place_names *pn);
/* Called between samples: drops all places if they are too many. */
void place_names__limit(struct place_names *pn);
/* Returns the functions at a place, valid until place_names__limit(). NULL: no memory. */
const struct named_place *place_names__get(struct place_names *pn, enum place_kind kind,
					   uint64_t place);

#endif
