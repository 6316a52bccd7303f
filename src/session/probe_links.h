/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Attachments of programs to the probes among a session's events. */
#ifndef BPFPERF_SESSION_PROBE_LINKS_H
#define BPFPERF_SESSION_PROBE_LINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"

struct bpf_program;

struct probe_links {
	int *fds; /* one or two for each file; they are closed together */
	size_t cnt;
};

/* fds of programs. */
struct probe_programs {
	int hit; /* of probes that are no pairs */
	int begin, end; /* of pairs; begin -1: their returns alone */
};

/* Are there probes among the events? */
bool probe_links__are_needed(const struct event_list *events);
/*
 * Before load: makes a program one of uprobes that are attached by one link. -EOPNOTSUPP (logged):
 * this kernel has no such links.
 */
int probe_links__choose(struct bpf_program *prog);
/* Attaches all; a program's cookie is the index of the event. 0 or -errno (logged). */
int probe_links__attach(struct probe_links *links, const struct event_list *events,
			const struct probe_programs *progs);
/* Detaches. A zeroed struct is accepted. */
void probe_links__free(struct probe_links *links);

#endif
