/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Sums of all absences by thread, state and place, kept while they are recorded: at the end there
 * are few of them, and no absence is looked at again.
 */
#ifndef BPFPERF_WHY_WAITS_H
#define BPFPERF_WHY_WAITS_H

#include <stddef.h>
#include <stdint.h>

#include "util/u64map.h"

struct why_absence;

/* The time of absences, or of one part of them, that are alike. */
struct why_wait {
	uint64_t ns, cnt;
	uint32_t thread, stack;
	uint32_t file; /* blocked; else TEXTS_NONE */
	uint32_t instead; /* runnable; else WHY_NONE */
	uint32_t kind; /* enum why_kind */
};

struct why_waits {
	struct why_wait *at;
	size_t cnt, cap;
	struct u64map by_key;
};

/*
 * Beyond so many, it is no longer told apart which thread had the CPU (WHY_SOME_THREAD); and an
 * absence that is like none of so many is not summed up.
 */
#define WHY_WAITS_TOLD (1u << 14)
#define WHY_WAITS_MAX (1u << 16)

/* Adds both parts of an absence, if there is memory and room. */
void why_waits__add(struct why_waits *w, const struct why_absence *a);
/* The absence was added with ns too many of time that it was ready to run. */
void why_waits__shorten(struct why_waits *w, const struct why_absence *a, uint64_t ns);
void why_waits__free(struct why_waits *w);

#endif
