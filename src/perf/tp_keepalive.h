/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * An event of each tracepoint that counts nothing, open while others of it come and go: the last close of a
 * tracepoint costs the kernel an RCU grace period (detach.h), and so none of theirs is the last.
 */
#ifndef BPFPERF_PERF_TP_KEEPALIVE_H
#define BPFPERF_PERF_TP_KEEPALIVE_H

#include <stdbool.h>
#include <stddef.h>

struct event;

struct tp_keepalive {
	int *fds;
	size_t cnt;
};

/* For each tracepoint among the events. False: not all can be had, and there are none. */
bool tp_keepalive__open(struct tp_keepalive *a, const struct event *const *events, size_t cnt);
/* A zeroed struct is accepted. */
void tp_keepalive__free(struct tp_keepalive *a);

#endif
