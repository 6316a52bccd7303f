/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Terms that name probes: "u:PATH:FUNC", "f:FUNC", "usdt:PATH:PROVIDER:NAME". The room that reads
 * files of code lies above this one and registers itself here.
 */
#ifndef BPFPERF_EVENT_PROBE_SOURCE_H
#define BPFPERF_EVENT_PROBE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event_term.h"

/*
 * Resolves a term that begins with a probe's prefix, and passes its events to event_term__push().
 * 0; -ENOENT: no function has this name (the nearest names were printed); -EINVAL (printed, with a
 * caret); -ENOMEM.
 */
typedef int (*probe_source_fn)(struct event_term *term);

/* Sets the function that resolves probes. */
void probe_source__set(probe_source_fn fn);
/* Does the text begin a term that names a probe? */
bool probe_source__is_term(const char *text, size_t len);
/* Finds the end of a probe's term in text up to `end`: the next comma outside of (). */
const char *probe_source__end(const char *text, const char *end);
/*
 * Returns the colon behind a probe's arguments, with which a filter begins; NULL: there is none.
 * The colons of a probe without () are its own.
 */
const char *probe_source__filter(const char *text);
/* Resolves the term. -EINVAL (printed) if no function was set. */
int probe_source__resolve(struct event_term *term);

#endif
