/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * An event of each tracepoint that counts nothing, open while others of it come and go: the last close of a
 * tracepoint costs the kernel an RCU grace period (detach.h), and so none of theirs is the last.
 */
#ifndef BPFPERF_SESSION_ANCHORS_H
#define BPFPERF_SESSION_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>

struct event;

struct anchors {
	int *fds;
	size_t cnt;
};

/* For each tracepoint among the events. False: not all can be had, and there are none. */
bool anchors__open(struct anchors *a, const struct event *const *events, size_t cnt);
/* Those of none, too. */
void anchors__free(struct anchors *a);

#endif
