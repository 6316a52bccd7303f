/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The control group of each process, read from /proc at its first sample; a process that has ended
 * by then has that of its parent.
 */
#ifndef BPFPERF_EXPORT_OWNERS_H
#define BPFPERF_EXPORT_OWNERS_H

#include "profile/profile.h"
#include "util/texts.h"
#include "util/u64map.h"

struct proc_event;

struct owners {
	struct u64map by_pid; /* process → its owner */
	struct u64map parents; /* process that has no owner yet → its parent */
	struct texts paths; /* owners are indexes; 0 is "" */
};

/* Fills *ops, which refers to `o` from then on; neither may move. */
void owners__init(struct owners *o, struct profile_owners *ops);
void owners__free(struct owners *o);
/* Follows processes: an event in time order with the samples. */
void owners__task(struct owners *o, const struct proc_event *ev);

#endif
