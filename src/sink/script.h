/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Samples of a recording as text, in the columns of `perf script`: script_sink and its
 * configuration.
 */
#ifndef BPFPERF_SINK_SCRIPT_H
#define BPFPERF_SINK_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "sink/sink.h"

enum script_field {
	SCRIPT_COMM = 1 << 0,
	SCRIPT_PID = 1 << 1,
	SCRIPT_TID = 1 << 2,
	SCRIPT_CPU = 1 << 3,
	SCRIPT_TIME = 1 << 4,
	SCRIPT_PERIOD = 1 << 5,
	SCRIPT_EVENT = 1 << 6,
	SCRIPT_TRACE = 1 << 7,
	SCRIPT_ADDR = 1 << 8,
	SCRIPT_IP = 1 << 9, /* the callchain if there is one */
	SCRIPT_SYM = 1 << 10,
	SCRIPT_SYMOFF = 1 << 11,
	SCRIPT_DSO = 1 << 12,
	SCRIPT_IREGS = 1 << 13, /* registers at the time of the sample */
	SCRIPT_UREGS = 1 << 14, /* user registers */
	SCRIPT_MISC = 1 << 15, /* the level of privilege: K, U, H, G, g */
	SCRIPT_DATA_SRC = 1 << 16,
	SCRIPT_WEIGHT = 1 << 17,
	SCRIPT_INS_LAT = 1 << 18, /* latency of the instruction, behind the weight */
	SCRIPT_PHYS_ADDR = 1 << 19,
	SCRIPT_DATA_PAGE_SZ = 1 << 20,
	SCRIPT_CODE_PAGE_SZ = 1 << 21,
	SCRIPT_INSN = 1 << 22, /* bytes of the instruction */
	SCRIPT_INSN_LEN = 1 << 23,
	SCRIPT_FLAGS = 1 << 24, /* kind of branch */
	SCRIPT_BRSTACK = 1 << 25, /* the branches before the sample */
};

/* Name of script_sink's part in sink_config.extras; it must be complete when the sink begins. */
#define SCRIPT_EXTRA "script"

struct script_config {
	struct sink_extra extra;
	uint32_t
		/*
		 * enum script_field; 0: the default fields of perf script for each type of event …
		 */
		fields;
	uint32_t more, less; /* … plus `more` and minus `less` */
	bool nanoseconds; /* times have nine decimals, not six */
	bool is_relative, is_delta; /* times since the first sample; since the one before */
	bool no_callchain; /* stacks are omitted */
	bool is_arm64; /* the registers are arm64's, else x86's */
};

extern const struct sink_ops script_sink;

/*
 * Prints a record that is no sample (sink/script_events.h); s has its thread, CPU and time, and in
 * s->perf the event that it was recorded with. 0 or -errno.
 */
int script__record(struct sink *sink, const struct sample *s, const struct perf_event_header *hdr);

#endif
