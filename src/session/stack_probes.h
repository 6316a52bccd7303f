/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The probes of a stack session: one program takes the stacks of all. */
#ifndef BPFPERF_SESSION_STACK_PROBES_H
#define BPFPERF_SESSION_STACK_PROBES_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"
#include "session/patch_code.h"
#include "session/probe_links.h"
#include "session/probe_weights.h"

struct stack_bpf;

struct stack_probes {
	bool any; /* there are probes among the events */
	size_t first; /* index of the first one */
	struct probe_weights weights;
	struct patch_tables tables;
	struct probe_links links;
};

/* Before load. 0 or -errno (logged). */
int stack_probes__configure(struct stack_probes *sp, const struct event_list *events,
			    struct stack_bpf *skel);
/* The programs' fds. */
struct probe_programs stack_probes__programs(const struct stack_bpf *skel);
/* Attaches those that links serve. 0 or -errno (logged). */
int stack_probes__attach(struct stack_probes *sp, const struct event_list *events,
			 struct stack_bpf *skel);
/* Returns how often the kernel skipped the programs of probes. */
uint64_t stack_probes__missed(const struct stack_bpf *skel);
/* Detaches. A zeroed struct is accepted. */
void stack_probes__free(struct stack_probes *sp);

#endif
