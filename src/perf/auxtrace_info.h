/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * PERF_RECORD_AUXTRACE_INFO: the kind of AUX data in a recording, and the parameters of perf's
 * decoder of this kind. The kind is told by the name of the PMU; a table of auxtrace_info.c has a
 * row for each. The words are those of perf's tools/perf/util/{intel-pt,intel-bts,cs-etm,arm-spe,
 * hisi-ptt}.h (7.2).
 */
#ifndef BPFPERF_PERF_AUXTRACE_INFO_H
#define BPFPERF_PERF_AUXTRACE_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct evsel;
struct perf_event_mmap_page;

struct auxtrace_info {
	uint32_t type; /* enum auxtrace_type of perf's util/auxtrace.h */
	uint64_t *words;
	size_t cnt;
};

struct auxtrace_setup {
	const struct evsel *event; /* an event with an AUX area; its attr as the kernel took it */
	const struct perf_event_mmap_page *page; /* of a ring with an AUX area */
	bool snapshot; /* areas overwrite */
	bool whole_cpus; /* all tasks of some CPUs are recorded */
	/* the recording has records of switches between tasks */
	bool has_switches;
};

/*
 * Fills in *info, from sysfs and the page. Data of a PMU without a decoder is declared as that of
 * Intel BTS with a PMU that does not exist: perf stops reading at AUX data without a decoder, makes
 * no samples of such data, and prints its bytes for -D. 0, or -ENOMEM. The caller frees the words.
 */
int auxtrace_info__fill(struct auxtrace_info *info, const struct auxtrace_setup *setup);
void auxtrace_info__free(struct auxtrace_info *info);

/* How the times of perf's clock follow from the processor's (PERF_RECORD_TIME_CONV of 5.10). */
struct auxtrace_clock {
	uint64_t shift, mult, zero, cycles, mask;
	uint8_t has_zero, is_short, reserved[6]; /* is_short: cycles and mask count */
};

/* False: the kernel does not say. */
bool auxtrace_info__clock(struct auxtrace_clock *clock, const struct perf_event_mmap_page *page);

/* Returns whether decoders of the event's data need records of switches between tasks. */
bool auxtrace_info__needs_switches(const struct event *ev);
/* Returns whether decoders of the event's data need the times of perf's own clock. */
bool auxtrace_info__needs_perf_clock(const struct event *ev);

#endif
