/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Puts maps into maps of maps without waiting. What is put is of use to programs at once, but the
 * kernel (maybe_wait_bpf_programs(), 5.0) lets whoever put it wait for an RCU grace period, 20 to 80 ms:
 * so that is done in threads of their own, which wait side by side.
 */
#ifndef BPFPERF_SESSION_MAP_PUTTER_H
#define BPFPERF_SESSION_MAP_PUTTER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* At once; of more, the caller waits. */
#define MAP_PUTTER_MAX 32

struct map_putter {
	pthread_mutex_t lock;
	pthread_cond_t done;
	unsigned int cnt; /* that wait */
	uint64_t failed;
};

void map_putter__init(struct map_putter *p);
/* Waits for all; before the maps go. */
void map_putter__wait(struct map_putter *p);
/*
 * Puts the map behind inner_fd (the caller's; -1: nothing) in place of element idx. *busy, if not NULL, is
 * true until the element may be put again; it must live as long.
 */
void map_putter__put(struct map_putter *p, int outer_fd, uint32_t idx, int inner_fd, bool *busy);
/* The next one would have to wait. */
bool map_putter__is_full(struct map_putter *p);

#endif
