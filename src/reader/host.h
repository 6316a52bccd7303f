/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The host of readers: a process that is forked at the start, reads nothing, and forks a reader for
 * each order. It has one thread, so that its forks hold no lock of a thread that they do not have;
 * and no reader sees what bpfperf has learned since.
 */
#ifndef BPFPERF_READER_HOST_H
#define BPFPERF_READER_HOST_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Forks the host. It ends, and its readers with it, when the socket that is returned is closed, in
 * whatever way bpfperf ends. Returns the socket, or
 * -errno; *pid is set to its id.
 */
int host__fork(pid_t *pid);
/*
 * Orders a reader; mem_max and map_max are the limits of its memory and its address space in bytes.
 * *pid is set to its id; the socket that is returned is the caller's. -errno: there is no reader;
 * -ECHILD: there is no host any more. The reader waits for host__begin().
 */
int host__order(int host, uint64_t mem_max, uint64_t map_max, pid_t *pid);
/*
 * Has the host kill a reader of its own, in whatever state that is: bpfperf itself may be forbidden
 * to send signals. Without a host there is no reader either.
 */
void host__kill(int host, pid_t pid);
/* Lets a reader begin. 0 or -errno. */
int host__begin(int sock);

#endif
