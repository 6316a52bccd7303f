/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A value that generated code reads from an event and stores in the environment: for keys, sums
 * and histograms. Internal to filter/.
 */
#ifndef BPFPERF_FILTER_SOURCE_H
#define BPFPERF_FILTER_SOURCE_H

#include "filter/field.h"
#include "filter/gen.h"

/* Maximum text in a key: 63 characters. */
#define SOURCE_TEXT_WORDS 8

/* Members of struct patch_env that are separate numbers. */
enum value_from {
	FROM_ENTRY,
	FROM_TGID,
	FROM_TID,
	FROM_ONE, /* no member: the number 1 */
	FROM_STACK, /* the programs store it themselves */
	FROM_THREAD,
};

struct value_source {
	struct filter_field field;
	enum value_from from;
};

/*
 * Looks a name up: the event's own fields take precedence, followed by comm, pid (process), tid and
 * cpu, of the task and the CPU on which the event occurs. Returns 0, or -EINVAL after a sentence
 * that begins with `option`.
 */
int value_source__find(const struct tp_format *fmt, const struct filter_env *env,
		       const char *option, const char *name, size_t len, struct value_source *src);
/*
 * Returns the words that the value takes in a key; task names have at most 15 characters. A number
 * that may be missing has a second word: 1 if it is not in memory.
 */
uint8_t value_source__words(const struct value_source *src);
/* enum wire_patch_need */
uint32_t value_source__needs(const struct value_source *src);
/* Emits: r4 = the number, with its sign, in 64 bits. */
void value_source__load(struct gen *g, const struct value_source *src);
/* Emits: r4 = 1 if the number is not in memory, else 0. */
void value_source__load_absent(struct gen *g, const struct value_source *src);
/* Emits code that stores the value at env + `to`, which has room for `words`. */
void value_source__store(struct gen *g, const struct value_source *src, int16_t to, uint8_t words);

#endif
