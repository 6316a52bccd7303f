/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The names that threads are summed up by. Names that differ in the number at the end are of the
 * same work: "worker-3" is one of "worker-*", if there are several of them.
 */
#ifndef BPFPERF_WHY_NAMES_H
#define BPFPERF_WHY_NAMES_H

#include "why/timeline.h"

/* The name of WHY_SOME_THREAD. */
#define WHY_SOME_NAME "other tasks"

/* Called once all threads have their names. 0 or -ENOMEM. */
int why_names__find(struct why_timeline *tl);
/* The name of a thread, escaped; "" for WHY_NONE. Equal names have one address. */
const char *why_names__get(struct why_timeline *tl, uint32_t thread);
/* The text with its one address. */
const char *why_names__intern(struct why_timeline *tl, const char *text);

#endif
