/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Tells the service manager that the run has begun, and that it goes on (sd_notify(3)); nothing
 * happens where there is none.
 */
#ifndef BPFPERF_EXPORT_NOTIFY_H
#define BPFPERF_EXPORT_NOTIFY_H

#include <stdint.h>

struct notify {
	int fd; /* a datagram socket to the manager; -1: none */
	uint64_t every_ns; /* of the watchdog; 0: it does not ask */
	uint64_t next_ns; /* CLOCK_MONOTONIC */
};

/* Opens the socket, if $NOTIFY_SOCKET has one, and says READY=1. */
void notify__ready(struct notify *n);
/* Says WATCHDOG=1, twice as often as the manager asks for; called every round. */
void notify__alive(struct notify *n, uint64_t now_ns);
/* Says STOPPING=1, and closes. */
void notify__stopping(struct notify *n);

#endif
