/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Live records → the timeline of `why`. */
#ifndef BPFPERF_RUN_WHY_FEED_H
#define BPFPERF_RUN_WHY_FEED_H

#include "decode/offcpu_record.h"
#include "machine/machine.h"
#include "why/timeline.h"

struct off_cpu;

struct why_feed {
	struct why_timeline *tl; /* the three pointers are not owned */
	struct machine *machine;
	struct off_cpu *off_cpu; /* stacks by id, and those of threads off the CPU since before */
	bool all_tasks; /* every new thread is a target, not only those of targets */
	int32_t cmd_pid; /* CMD's process, explained from its exec on; 0: none */
	bool cmd_began;
	struct machine_subscriber subscriber;
};

/* Subscribes to the machine's process events; f must not move. */
void why_feed__subscribe(struct why_feed *f);
/* A thread came back to a CPU, or was away up to off->end_ns. */
void why_feed__add_absence(struct why_feed *f, struct offcpu *off);
/*
 * After the last record, with the time of it: threads that the kernel has not counted as running
 * for as long as they seem to be on a CPU. Some kernels trace no switch of some tasks.
 */
void why_feed__check_running(struct why_feed *f, uint64_t end_ns);
/* A sample of a thread on a CPU. */
void why_feed__add_sample(struct why_feed *f, const struct sample *s);
/* A request begins, or ends, on the thread of the sample. */
void why_feed__begin_request(struct why_feed *f, const struct sample *s);
void why_feed__end_request(struct why_feed *f, const struct sample *s);

#endif
