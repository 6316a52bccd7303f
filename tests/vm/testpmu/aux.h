/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by aux.c, which owns the AUX area, and pt.c, which plays a file into it. */
#ifndef TESTPMU_AUX_H
#define TESTPMU_AUX_H

#include <linux/hrtimer.h>
#include <linux/perf_event.h>

/* The AUX area of an event, as long as it is mapped. */
struct aux_area {
	u64 sz;
	bool overwrite;
	void *pages[];
};

struct aux_event {
	struct perf_event *event;
	struct hrtimer timer;
	struct perf_output_handle handle;
	struct aux_area *area; /* while handle is open */
	u64 head; /* bytes since the beginning; the place is that modulo the size */
	u64 written; /* bytes since handle was opened */
	u64 word; /* the next */
	u64 since_ns; /* words up to then have been written */
	u32 rate;
	u32 ticks; /* of the player: since the event was created */
};

/* Appends to the area, which has room. */
void aux_event__put(struct aux_event *ae, const void *data, u64 sz);

/* The files of "intel_pt" in sysfs. */
extern const struct attribute_group *pt_groups[];

/* 0 or -errno. */
int pt__init(void);
void pt__exit(void);
/* Writes what is due of the file, at most room bytes. Called each millisecond of the event. */
void pt__play(struct aux_event *ae, u64 room);
/* Copies a part of the area into a sample. Bytes, or 0. */
long pt__copy_aux(struct perf_output_handle *aux, struct perf_output_handle *to, unsigned long from,
		  unsigned long until);

#endif
