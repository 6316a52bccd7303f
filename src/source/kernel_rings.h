/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The rings of perf events that the kernel itself writes to: one ring per CPU, or without CPUs one
 * per thread, shared by all events there (PERF_EVENT_IOC_SET_OUTPUT), and separate rings for
 * process records, so that a burst of samples cannot displace them. If the limit of locked memory
 * is too low for both, they share one ring. As a source (source/source.h) they hand on batches and
 * pieces of AUX areas.
 */
#ifndef BPFPERF_SOURCE_KERNEL_RINGS_H
#define BPFPERF_SOURCE_KERNEL_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/aux_ring.h"
#include "source/perf_ring.h"
#include "source/source.h"

/* An open event on one CPU, or on one thread. */
struct kernel_ring_event {
	int fd; /* not owned */
	int cpu; /* -1: event of a thread */
	pid_t tid;
	bool track; /* reports process records */
	bool has_aux; /* writes into an AUX area */
	bool leads; /* group leader, or not in a group */
	const char *name;
};

struct kernel_ring {
	struct perf_ring ring;
	struct aux_ring aux;
	uint32_t idx; /* index among all rings, as in AUXTRACE records */
	int fd; /* fd of the event that it was mapped with */
	int cpu; /* -1: ring of a thread */
	pid_t tid; /* -1: ring of a CPU */
	bool track; /* process records only */
	bool has_track; /* contains process records */
};

struct kernel_rings_config {
	const struct kernel_ring_event *events; /* owned copy */
	size_t event_cnt;
	size_t ring_sz, track_ring_sz, aux_sz;
	bool overwrite, snapshot;
	bool no_build_ids; /* the events that report process records have attr.build_id 0 */
	/*
	 * Returns when every record begun before the call is complete: called after the rings are
	 * paused and before they are read.
	 */
	void (*settle)(void);
};

struct kernel_rings {
	struct source base; /* `all` in drain and dump means that the events are disabled */
	struct kernel_ring_event *events;
	size_t event_cnt;
	struct kernel_ring *rings;
	size_t cnt, cap;
	int epoll_fd; /* readable when a ring is a quarter full, or a watched task has ended */
	size_t alive_cnt; /* events with a live task; events on CPUs always count */
	struct backward_copy copy;
	void (*settle)(void);
};

/* 0, or -errno after one sentence. */
int kernel_rings__open(struct kernel_rings *rr, const struct kernel_rings_config *cfg);
/* Unmaps all rings; the events stay open. A zeroed struct is accepted. */
void kernel_rings__free(struct kernel_rings *rr);

/* Waits up to timeout_ms for the rings, and notes tasks that have ended. 0 or -errno. */
int kernel_rings__wait(struct kernel_rings *rr, int timeout_ms);

/*
 * Hands on the newest `max` bytes (0: all) of each AUX area; the events are stopped during the
 * call, and restarted if `running` is set.
 */
int kernel_rings__snapshot(struct kernel_rings *rr, record_fn fn, void *ctx, size_t max,
			   bool running);

/* Sums over all rings of samples or of process records. */
struct perf_ring_counts kernel_rings__counts(const struct kernel_rings *rr, bool track);
uint64_t kernel_rings__aux_bytes(const struct kernel_rings *rr);
/* Index of the AUX area of this CPU, or without one of this thread; 0: there is none. */
uint32_t kernel_rings__aux_idx(const struct kernel_rings *rr, int cpu, pid_t tid);
/* The control page of any ring with an AUX area; NULL if no ring has one. */
const struct perf_event_mmap_page *kernel_rings__aux_page(const struct kernel_rings *rr);

#endif
