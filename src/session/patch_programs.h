/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which of trace's programs serves which events, and the generated code of each. */
#ifndef BPFPERF_SESSION_PATCH_PROGRAMS_H
#define BPFPERF_SESSION_PATCH_PROGRAMS_H

#include <stdbool.h>

#include "event/event.h"
#include "session/patch_code.h"

struct bpf_program;
struct trace_bpf;

/*
 * Does the program serve the event? By its name: raw_NAME and classic_NAME serve NAME, named_* all
 * of syscalls:*, classic_tp those of the classic path. False for programs that send no records.
 */
bool patch_programs__serves(const char *prog_name, const struct event *ev, bool is_classic);

/*
 * Puts the code into the programs that will be loaded. `patches` is as long as `events`; is_classic
 * says of each event whether it takes the classic path. 0 or -errno (said).
 */
int patch_programs__put(struct trace_bpf *skel, const struct event_list *events,
			const bool *is_classic, const struct patch_event *patches,
			struct patch_tables *tables);

#endif
