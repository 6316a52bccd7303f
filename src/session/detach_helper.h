/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Classic tracepoint attachments, held by a child process of their own.
 *
 * Closing one costs the kernel an RCU grace period, one after the other (26
 * take 2 s, 1600 minutes). So bpfperf itself never holds one: the detach helper
 * attaches them, and lets go of them when bpfperf is gone, however it went
 * (kill -9 included), while the user has the shell back. Before that it
 * switches emission off, should bpfperf not have come to it. The detach helper is silent, holds no file of the user's, and ends
 * when the last attachment is closed.
 */
#ifndef BPFPERF_SESSION_DETACH_HELPER_H
#define BPFPERF_SESSION_DETACH_HELPER_H

#include <stddef.h>
#include <stdint.h>

struct detach_helper {
	int fd; /* held open while the attachments are wanted; -1: none */
};

#define WARDEN_INIT                                                                                \
	{                                                                                          \
		-1                                                                                 \
	}

struct detach_attachment {
	uint32_t tp_id; /* tracepoint id */
	int prog_fd; /* the program of this event */
	uint64_t cookie; /* given to the program, where use_cookies */
	int err; /* out: 0 or -errno */
};

/*
 * Attaches all; each one's outcome is in its err. `active` is the programs' switch, in memory
 * shared with the kernel. 0, or -errno where there is no detach helper (said).
 */
int detach_helper__start(struct detach_helper *w, struct detach_attachment *atts, size_t cnt,
			 int use_cookies, int *active);
/* Lets go, at once; the detach helper detaches on its own time. */
void detach_helper__release(struct detach_helper *w);

#endif
