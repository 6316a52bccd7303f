/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Samples of a recording as text, in the columns of `perf script`: script_sink and its configuration. */
#ifndef BPFPERF_SINK_SCRIPT_H
#define BPFPERF_SINK_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "sink/sink.h"

struct recorded_event;

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
	SCRIPT_IP = 1 << 9, /* the callchain where there is one */
	SCRIPT_SYM = 1 << 10,
	SCRIPT_SYMOFF = 1 << 11,
	SCRIPT_DSO = 1 << 12,
	SCRIPT_IREGS = 1 << 13, /* registers when it was taken */
	SCRIPT_UREGS = 1 << 14, /* the user's */
};

/* For sink_config.extras of script_sink; complete when the sink begins. */
#define SCRIPT_EXTRA "script"

struct script_config {
	struct sink_extra extra;
	const char
		*printk_formats; /* the recorded kernel's constant strings; NULL: none are known */
	uint32_t
		fields; /* enum script_field; 0: the fields of perf script for each type of event … */
	uint32_t more, less; /* … with these, but not with these */
	bool nanoseconds; /* times with nine decimals, not six */
	bool no_callchain; /* stacks are omitted */
	bool is_arm64; /* the registers are of arm64, else of x86 */
	uint32_t max_stack; /* addresses of a callchain that are printed */
	bool inlined; /* inlined functions are named in all callchains */
};

/* Whether the stack of an event's samples is printed, so that it must be unwound. */
bool script_config__wants_stack(const struct script_config *cfg, const struct recorded_event *ev);

extern const struct sink_ops script_sink;

#endif
