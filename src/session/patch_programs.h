/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The generated code of events, in the programs of trace that serve them. */
#ifndef BPFPERF_SESSION_PATCH_PROGRAMS_H
#define BPFPERF_SESSION_PATCH_PROGRAMS_H

#include <stdbool.h>

#include "event/event.h"
#include "session/patch_code.h"

struct trace_bpf;

/*
 * Puts the code into the programs that will be loaded. `patches`, `starts` (code of starts of
 * pairs; NULL: none) and is_classic (the event takes the classic path) have an entry per event of
 * `events`. Returns 0 or -errno (logged).
 */
int patch_programs__put(struct trace_bpf *skel, const struct event_list *events,
			const bool *is_classic, const struct patch_event *patches,
			const struct patch_event *starts, struct patch_tables *tables);

#endif
