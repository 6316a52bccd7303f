/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by sampling.c and sampling_*.c. */
#ifndef BPFPERF_PERF_SAMPLING_PRIV_H
#define BPFPERF_PERF_SAMPLING_PRIV_H

#include "perf/sampling.h"

/* How an event is sampled: as its terms say, and else as the options do. */
struct sampling_how sampling_attr__how(const struct event *ev, const struct sampling_how *options);
/*
 * Fills in the attr of an event, with fields that this kernel may lack: evset.h retries without
 * them. is_member: another event leads it; sampled_by_leader: it is a member of a group with S.
 */
void sampling_attr__fill(struct perf_event_attr *attr, const struct event *ev,
			 const struct sampling_config *cfg, bool is_member, bool sampled_by_leader);
void sampling_attr__fill_aux(struct perf_event_attr *attr, const struct event *ev,
			     const struct sampling_config *cfg, bool is_member);
/*
 * Lets samples of a member of an AUX event's group have the newest bytes of its area: the number of
 * the event's own term aux-sample-size, or that of --aux-sample.
 */
void sampling_attr__sample_aux(struct perf_event_attr *attr, const struct event *ev,
			       const struct sampling_how *how);
/*
 * Fills in the attr of the dummy. first: the attr of the first event, which determines the dummy's
 * trailer; trace: the event with an AUX area, or NULL. Decoders of instruction traces need changes
 * of kernel code, and switches between tasks.
 */
void sampling_attr__fill_dummy(struct perf_event_attr *attr, const struct sampling_config *cfg,
			       const struct perf_event_attr *first, const struct event *trace);
/*
 * Checks the events with AUX areas against each other, since a recording has one decoder, and
 * against the config. 0, or -EINVAL after one sentence.
 */
int sampling_aux__check(const struct evset *set, const struct sampling_config *cfg);
/* Does the PMU of the event write into an AUX area? Tested by mapping one. */
bool sampling_aux__probe(const struct event *ev);

/* Logs one sentence on why an event could not be opened on a CPU: err is the -errno. */
void sampling_events__explain(const struct event *ev, const struct sampling_config *cfg, int cpu,
			      int err);

#endif
