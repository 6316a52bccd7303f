/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The generated code of events, in the programs of trace that serve them. */
#ifndef BPFPERF_SESSION_PATCH_PROGRAMS_H
#define BPFPERF_SESSION_PATCH_PROGRAMS_H

#include <stdbool.h>

#include "event/event.h"
#include "session/patch_code.h"

struct trace_bpf;

/* All generated code of a session. */
struct patch_set {
	const struct event_list *events;
	const bool *is_classic; /* by event: it takes the classic path */
	const struct patch_event *patches; /* by event; NULL: none */
	const struct patch_event *starts; /* by event, of starts of pairs; NULL: none */
	const struct patch_extras *uprobes, *kprobes; /* for programs of probes; NULL: none */
};

/* Puts the code into the programs that will be loaded. Returns 0 or -errno (logged). */
int patch_programs__put(struct trace_bpf *skel, const struct patch_set *set,
			struct patch_tables *tables);

#endif
