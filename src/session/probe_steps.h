/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Steps of a value as instructions (event/probe.h). Calls of helpers keep no register that
 * generated code may use, so that all values are on the stack; a value is in r0 from one step to
 * the next.
 */
#ifndef BPFPERF_SESSION_PROBE_STEPS_H
#define BPFPERF_SESSION_PROBE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/probe.h"
#include "filter/code.h"

/* Values on the stack, from the lowest offset up. */
enum fetch_slot {
	SLOT_ENTRY, /* address of the record's entry */
	SLOT_CONTEXT, /* the program's context */
	SLOT_END, /* of the entry so far: where the next text begins */
	SLOT_MEMORY, /* what a helper has read */
	SLOT_SAVED, /* FETCH_SAVE */
	SLOT_ABSENT, /* bits of the fields that are not in memory */
	SLOT_CNT,
};

/* Code that is being made. */
struct fetcher {
	struct code *c;
	uint32_t entry_off; /* bytes of a record before its entry */
	bool in_kernel; /* addresses are those of a function of the kernel */
};

/* Helpers that read memory: of the kernel, or of the program. */
struct fetch_reader {
	int kernel, user;
};
extern const struct fetch_reader fetch_reader_bytes, fetch_reader_text;

/* Is there room for the slots below the stack that the program uses? */
bool fetcher__has_room(const struct fetcher *f);
void fetcher__load(struct fetcher *f, uint8_t reg, enum fetch_slot s);
void fetcher__store(struct fetcher *f, enum fetch_slot s, uint8_t reg);
/* Stores `size` bytes of src at base + off. */
void fetcher__store_at(struct fetcher *f, uint8_t size, uint8_t base, int16_t off, uint8_t src);
/* Calls a helper: r1 = destination, r2 = bytes, r3 = the address that it reads. */
void fetcher__call(struct fetcher *f, const struct fetch_reader *reader);
/* r0 = the value after the step; jumps to `absent` if it is not in memory. */
void fetcher__step(struct fetcher *f, const struct fetch_step *step, code_label absent);

#endif
