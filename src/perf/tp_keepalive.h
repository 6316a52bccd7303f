/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Holds a non-counting event of each tracepoint open while other events of it are opened and
 * closed: the last close of a tracepoint costs the kernel an RCU grace period (detach.h), and with
 * the held event no other close is the last.
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

/* Opens an event for each tracepoint in the list. Returns false, with none open, if any fails. */
bool tp_keepalive__open(struct tp_keepalive *a, const struct event *const *events, size_t cnt);
/* A zeroed struct is accepted. */
void tp_keepalive__free(struct tp_keepalive *a);

#endif
