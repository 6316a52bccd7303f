/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The pid namespace that bpfperf runs in: that of the host, or a container's own. */
#ifndef BPFPERF_HOST_PID_NS_H
#define BPFPERF_HOST_PID_NS_H

#include <stdbool.h>
#include <stdint.h>

/* Inode number of bpfperf's pid namespace; 0 in the initial namespace, and if /proc lacks it. */
uint32_t pid_ns__inum(void);
/* True if /proc has the ids of bpfperf's pid namespace, or is not mounted. */
bool pid_ns__has_proc(void);

#endif
