/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The memory that the processes of a recording had mapped last, for `report --mmaps`. */
#ifndef BPFPERF_MACHINE_RECORDED_MAPS_H
#define BPFPERF_MACHINE_RECORDED_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "util/texts.h"
#include "util/u64map.h"

struct maps;
struct perf_event_header;
struct proc_event;
struct recorded_map_event;
struct strbuf;

/* Zeroed: empty. */
struct recorded_maps {
	struct recorded_map_event *events; /* those that change what is mapped */
	size_t cnt, cap;
	struct texts texts; /* paths */
	struct u64map by_pid; /* → index in maps */
	struct maps **maps;
	size_t maps_cnt, maps_cap;
};

void recorded_maps__free(struct recorded_maps *m);
/* Takes a record, which need not be in order of time. 0 or -ENOMEM. */
int recorded_maps__take(struct recorded_maps *m, const struct perf_event_header *hdr,
			const struct proc_event *ev, uint64_t time_ns);
/* Makes the mappings of all that was taken. 0 or -ENOMEM. */
int recorded_maps__build(struct recorded_maps *m);
/* Puts the mappings of a process, a line each, like perf report. */
void recorded_maps__put(const struct recorded_maps *m, int32_t pid, size_t indent,
			struct strbuf *out);

#endif
