/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The probes of a trace session: their programs, the code in these, and their attachments. Internal
 * to trace_session.c and trace_attach.c.
 */
#ifndef BPFPERF_SESSION_TRACE_PROBES_H
#define BPFPERF_SESSION_TRACE_PROBES_H

#include <stdbool.h>

#include "event/event.h"
#include "session/probe_code.h"
#include "session/probe_links.h"

struct trace_bpf;

struct trace_probes {
	bool any; /* there are probes among the events */
	bool only_hits; /* set before configure: agg_config.only_hits */
	struct probe_code code;
	struct probe_links links;
};

/*
 * Before load, once ext_sz is known: chooses the programs and the sizes of maps. 0 or -errno
 * (logged).
 */
int trace_probes__configure(struct trace_probes *tp, const struct event_list *events,
			    struct trace_bpf *skel);
/* After load: describes the places to the programs. 0 or -errno. */
int trace_probes__prepare(struct trace_probes *tp, const struct event_list *events,
			  struct trace_bpf *skel);
/* The programs' fds. */
struct probe_programs trace_probes__programs(const struct trace_probes *tp,
					     const struct trace_bpf *skel);
/* Attaches those that links serve. 0 or -errno (logged). */
int trace_probes__attach(struct trace_probes *tp, const struct event_list *events,
			 struct trace_bpf *skel);
/* Detaches. A zeroed struct is accepted. */
void trace_probes__free(struct trace_probes *tp);

#endif
