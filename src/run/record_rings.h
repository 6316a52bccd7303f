/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The rings of a capture: one for each CPU, or without CPUs for each thread, which all events there write
 * to (PERF_EVENT_IOC_SET_OUTPUT), and others of that kind for what is told of processes, so that no storm of
 * samples takes their room. Where the memory that may be locked is too little for both, they share one.
 */
#ifndef BPFPERF_RUN_RECORD_RINGS_H
#define BPFPERF_RUN_RECORD_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/aux_ring.h"
#include "source/perf_ring.h"

struct sampling_events;

struct record_ring {
	struct perf_ring ring;
	struct aux_ring aux;
	uint32_t idx; /* its number among all rings, as AUXTRACE has it */
	int fd; /* of the event it was mapped with */
	int cpu; /* -1: of a thread */
	pid_t tid; /* -1: of a CPU */
	bool track; /* of what is told of processes */
	bool has_told; /* so is this, or it is of samples and of these: where there was no memory for two */
};

/* What is done with what is read: 0 or an error, which ends the round. */
struct record_taker {
	int (*recs)(void *ctx, struct record_ring *ring, const void *recs, size_t sz);
	int (*aux)(void *ctx, struct record_ring *ring, const struct aux_data *data);
	void *ctx;
};

struct record_rings_config {
	size_t ring_sz, track_ring_sz, aux_sz;
	bool overwrite, snapshot;
};

struct record_rings {
	struct sampling_events *sampling;
	struct record_ring *rings;
	size_t cnt, cap;
	int epoll_fd; /* readable when a ring is a quarter full, or somebody watched has ended */
	size_t alive_cnt; /* cells whose task has not ended; of CPUs: always some */
	struct backward_copy copy;
};

/* 0, or -errno after one sentence. */
int record_rings__open(struct record_rings *rr, struct sampling_events *c,
		       const struct record_rings_config *cfg);
void record_rings__free(struct record_rings *rr);

/* Waits up to timeout_ms for other fds that were added to epoll_fd, and for the rings. 0 or -errno. */
int record_rings__wait(struct record_rings *rr, int timeout_ms);
/* Also waits for this one. 0 or -errno. */
int record_rings__watch(struct record_rings *rr, int fd);

/*
 * One round: takes what is in all rings, but not in those that overwrite, and in their AUX areas. AUX events
 * that the kernel stopped for want of room go on, while `running`: also those whose record that tells of it found
 * no room.
 */
int record_rings__drain(struct record_rings *rr, const struct record_taker *t, bool running);
/*
 * What the overwriting rings hold and no dump before had. While they are `running`, the output of all is
 * paused before the first is read.
 */
int record_rings__dump(struct record_rings *rr, const struct record_taker *t, bool running);
/* The newest of each AUX area, `max` bytes of it (0: all); their events are stopped meanwhile. */
int record_rings__snapshot(struct record_rings *rr, const struct record_taker *t, size_t max,
			   bool running);

/* Summed over all rings, of samples or of processes. */
struct perf_ring_counts record_rings__counts(const struct record_rings *rr, bool track);
uint64_t record_rings__aux_bytes(const struct record_rings *rr);
/* Of any ring with an AUX area; NULL: there is none. */
const struct perf_event_mmap_page *record_rings__aux_page(const struct record_rings *rr);

#endif
