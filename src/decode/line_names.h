/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The callchain of a recorded sample with names, in the lines and order of perf script. */
#ifndef BPFPERF_DECODE_LINE_NAMES_H
#define BPFPERF_DECODE_LINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/place_names.h"

struct sample;

/* A line that was made before, by its address: branches go to the same places again and again. */
#define LINE_SLOTS 8192
struct line_slot {
	uint64_t addr, line_addr, change_cnt;
	const struct named_place *place; /* NULL: the slot is free */
	uint32_t epoch;
	int32_t pid;
	uint8_t kind;
	bool with_off;
};

struct line_names {
	struct place_names places;
	uint32_t max_stack; /* maximum number of addresses of a recorded callchain */
	bool inlined; /* name inlined functions in all callchains, not only in unwound ones */
	bool no_inlined; /* not in those either */
	bool branch_offs; /* branches in files that cannot be read have their offset there */
	struct named_lines lines; /* of the current sample */
	struct named_lines branches; /* likewise */
	struct line_slot *slots; /* of user lines */
	size_t cap, branch_cap;
};

void line_names__init(struct line_names *ln, struct sym *sym);
void line_names__free(struct line_names *ln);
/* Begins a sample: what was returned before is no longer valid. */
void line_names__begin(struct line_names *ln);
/*
 * Returns the recorded callchain and the unwound stack of a sample, or only its own address, with
 * that of a branch's target behind it where a processor's trace has it; valid until the next
 * sample. NULL: no memory.
 */
const struct named_lines *line_names__chain(struct line_names *ln, const struct sample *s);
const struct named_lines *line_names__ip(struct line_names *ln, const struct sample *s);
/* Returns where each branch before the sample came from and went to, one behind the other. */
const struct named_lines *line_names__branches(struct line_names *ln, const struct sample *s);
/* Names line->addr, of the kernel or of the sample's process. 0 or -ENOMEM. */
int line_names__at(struct line_names *ln, const struct sample *s, struct named_line *line);

#endif
