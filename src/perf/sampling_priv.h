/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files of capture share. */
#ifndef BPFPERF_PERF_SAMPLING_PRIV_H
#define BPFPERF_PERF_SAMPLING_PRIV_H

#include "perf/sampling.h"

/*
 * The attr of an event, with everything that this kernel may or may not have asked for. is_member: it
 * is led by another one; sampled_by_leader: of a group with S, and not its leader.
 */
void sampling_attr__fill(struct perf_event_attr *attr, const struct event *ev,
			 const struct sampling_config *cfg, bool is_member, bool sampled_by_leader);
void sampling_attr__fill_aux(struct perf_event_attr *attr, const struct event *ev,
			     const struct sampling_config *cfg, bool is_member);
/*
 * first: of the first event, which has the same trailer; text_poke: changes of kernel code are told, which
 * decoders of instruction traces need.
 */
void sampling_attr__fill_dummy(struct perf_event_attr *attr, const struct sampling_config *cfg,
			       const struct perf_event_attr *first, bool text_poke);
/*
 * Takes out what an older kernel, or one without the right, may have refused with EINVAL: each
 * time something else. False: there is nothing left to take out.
 */
bool sampling_attr__relax(struct perf_event_attr *attr);

/* Does the PMU of the event write into an AUX area? Asked by mapping one. */
bool sampling_aux__probe(const struct event *ev);

/* One sentence for what opening an event gave. */
void sampling_events__explain(const struct event *ev, const struct sampling_config *cfg, int cpu,
			      int err);

#endif
