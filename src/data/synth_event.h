/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Events that no kernel has: a decoder makes them of a processor's trace, with perf's numbers. */
#ifndef BPFPERF_DATA_SYNTH_EVENT_H
#define BPFPERF_DATA_SYNTH_EVENT_H

#include <stdint.h>

#include <linux/perf_event.h>

/* perf_event_attr.type (tools/perf/util/event.h) … */
#define PERF_TYPE_SYNTH (PERF_TYPE_MAX + 1)

/* … and .config, PERF_SYNTH_INTEL_* there. */
enum perf_synth {
	PERF_SYNTH_PTWRITE,
	PERF_SYNTH_MWAIT,
	PERF_SYNTH_PWRE,
	PERF_SYNTH_EXSTOP,
	PERF_SYNTH_PWRX,
	PERF_SYNTH_CBR,
	PERF_SYNTH_PSB,
};

/* The processor's frequency by its core:bus ratio. */
struct cbr_unit {
	uint32_t khz; /* of 1; 0: unknown */
	uint32_t max_nonturbo; /* the ratio that is 100 %; 0: unknown */
};

#endif
