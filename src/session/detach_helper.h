/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Classic tracepoint attachments, held by a separate child process.
 *
 * Closing an attachment costs the kernel an RCU grace period, one after the other (26 take 2 s,
 * 1600 take minutes). So bpfperf itself never holds one: the detach helper attaches them, and
 * detaches them after bpfperf has ended, in whatever way (kill -9 included), while the user already
 * has the shell back. If bpfperf has not switched emission off, the helper does so first. It prints
 * nothing, holds no file of the user's, and ends when the last attachment is closed.
 */
#ifndef BPFPERF_SESSION_DETACH_HELPER_H
#define BPFPERF_SESSION_DETACH_HELPER_H

#include <stddef.h>
#include <stdint.h>

struct detach_helper {
	int fd; /* open while the attachments are needed; -1: none */
};

#define WARDEN_INIT                                                                                \
	{                                                                                          \
		-1                                                                                 \
	}

struct detach_attachment {
	uint32_t tp_id; /* tracepoint id; 0: it is a probe */
	/* A probe: the members of its struct perf_event_attr, which may be addresses. */
	uint32_t type;
	uint64_t config, config1, config2;
	int prog_fd; /* the program of this event */
	uint64_t cookie; /* cookie of the program, if use_cookies */
	int err; /* out: 0 or -errno */
};

/*
 * Attaches all; each err is the result of one attachment. `active` is the programs' switch, in
 * memory shared with the kernel. Returns 0, or -errno if the detach helper cannot be started
 * (logged).
 */
int detach_helper__start(struct detach_helper *w, struct detach_attachment *atts, size_t cnt,
			 int use_cookies, int *active);
/*
 * Becomes readable if the detach helper ends early; -1: nothing is attached, or this is not to be
 * watched (BPFPERF_WITHOUT=detach_watch).
 */
int detach_helper__fd(const struct detach_helper *w);
/* Releases the attachments and returns at once; the detach helper detaches them in its own time. */
void detach_helper__release(struct detach_helper *w);

#endif
