/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Updates maps of maps without waiting. Programs see a new inner map at once, but the kernel
 * (maybe_wait_bpf_programs(), 5.0) makes the updating thread wait for an RCU grace period, 20 to 80
 * ms: so each update has its own thread, and they wait in parallel.
 */
#ifndef BPFPERF_SESSION_MAP_PUTTER_H
#define BPFPERF_SESSION_MAP_PUTTER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Maximum number of parallel updates; beyond it, the caller waits. */
#define MAP_PUTTER_MAX 32

struct map_putter_job;

struct map_putter {
	pthread_mutex_t lock;
	pthread_cond_t done;
	struct map_putter_job *jobs; /* updates that have not returned, linked */
	unsigned int cnt;
};

void map_putter__init(struct map_putter *p);
/* Waits until programs see all that was put so far; the updates need not have returned. */
void map_putter__show(struct map_putter *p);
/* Waits for all updates, and frees; call it before the maps are closed. */
void map_putter__wait(struct map_putter *p);
/*
 * Puts the map behind inner_fd (it stays the caller's; -1: deletes the element) into element idx.
 * *busy, unless NULL, is true until the element may be updated again; it must live as long, and is
 * read by map_putter__is_busy() alone.
 */
void map_putter__put(struct map_putter *p, int outer_fd, uint32_t idx, int inner_fd, bool *busy);
/* Is the update that sets *busy still waiting? For any thread. */
bool map_putter__is_busy(const bool *busy);
/* Would the next update have to wait? */
bool map_putter__is_full(struct map_putter *p);

#endif
