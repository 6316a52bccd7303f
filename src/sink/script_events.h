/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Records other than samples, as `perf script --show-*-events` prints them among the samples. */
#ifndef BPFPERF_SINK_SCRIPT_EVENTS_H
#define BPFPERF_SINK_SCRIPT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

struct strbuf;

/* The records that are printed. */
struct script_events {
	bool mmaps, tasks, switches, namespaces, cgroups, lost, code;
	bool pokes; /* changes of code, and of which code there is */
};

/* Does any option ask for records? */
bool script_events__any(const struct script_events *show);
/* Are records of this type (PERF_RECORD_…) printed? */
bool script_events__has(const struct script_events *show, uint32_t type);
/* The thread that the record is about; `tid`, its writer, where it names none. */
int32_t script_events__tid(const struct perf_event_header *hdr, int32_t tid);
/*
 * Puts the level of privilege, and of a record (NULL: a sample) what its misc says besides: of data
 * (M), of an exec (E), a switch away (S) by preemption (p).
 */
void script_events__put_misc(struct strbuf *out, uint16_t cpumode,
			     const struct perf_event_header *hdr);
/*
 * Puts the record's name and fields, and a newline; what a damaged one lacks is 0 or left out.
 * place: of an address of the kernel, or "".
 */
void script_events__put(struct strbuf *out, const struct perf_event_header *hdr, const char *place);

#endif
