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

/* fds of programs, for functions of files and of the kernel. */
struct probe_programs {
	struct probe_program {
		int hit; /* of probes that are no pairs */
		int begin, end; /* of pairs; begin -1: their returns alone */
		int session; /* of pairs, in place of these two; negative: none */
		bool hits_only; /* `hit` is of pairs, too: only the beginnings of calls matter */
	} user, kernel;
};

/* Are there probes of this kind among the events? */
bool probe_links__are_needed(const struct event_list *events, bool in_kernel);
/*
 * Before load: makes a program one that is attached to many functions by one link, or where the
 * kernel has no such links (before 6.6, for its own functions before 5.18 or without
 * CONFIG_FPROBE) to a perf event for each. -EOPNOTSUPP (logged): neither is possible.
 */
int probe_links__choose(struct bpf_program *prog, const struct event_list *events, bool in_kernel);
/* Does one link serve both ends of calls here, by the program of sessions? */
bool probe_links__have_sessions(const struct event_list *events, bool in_kernel);
/* Variant of probe_links__choose() for that program. */
void probe_links__choose_session(struct bpf_program *prog, bool in_kernel);
/*
 * Fills in the attachments by perf events, for the detach helper: at most two for each probe.
 * Returns their number.
 */
struct detach_attachment;
size_t probe_links__events(const struct event_list *events, const struct probe_programs *progs,
			   struct detach_attachment *atts);
/* Returns the error of the first attachment that failed (logged); 0: none. */
int probe_links__check(const struct event_list *events, const struct detach_attachment *atts,
		       size_t cnt);
/* Attaches the others by links; cookies are indexes of the events. 0 or -errno (logged). */
int probe_links__attach(struct probe_links *links, const struct event_list *events,
			const struct probe_programs *progs);
/* Detaches. A zeroed struct is accepted. */
void probe_links__free(struct probe_links *links);

#endif
