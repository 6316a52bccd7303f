/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Each process's control group, read from /proc at its first sample, and the attributes that it
 * publishes (export/process_ctx.h). A process that has ended by then has its parent's group.
 */
#ifndef BPFPERF_EXPORT_OWNERS_H
#define BPFPERF_EXPORT_OWNERS_H

#include "export/process_ctx.h"
#include "profile/profile.h"
#include "util/blobs.h"
#include "util/recent_map.h"

struct proc_event;

struct owners {
	/* Processes that were not sampled for long are read again, and have nothing to inherit. */
	struct recent_map by_pid; /* process → its owner */
	struct recent_map looks; /* process → s << 2 | step: when it is read again */
	struct recent_map parents; /* process that has no owner yet → its parent */
	/* By owner: control group, then keys and values, each with its NUL. 0 has none. */
	struct blobs blobs;
	struct strbuf blob; /* reused */
	const char *attrs[2 * PROCESS_CTX_ATTRS_MAX + 1]; /* of the owner last asked for */
};

/* Fills *ops, which refers to `o` from then on; neither may move. */
void owners__init(struct owners *o, struct profile_owners *ops);
void owners__free(struct owners *o);
/* Follows processes: an event in time order with the samples. */
void owners__task(struct owners *o, const struct proc_event *ev);

#endif
