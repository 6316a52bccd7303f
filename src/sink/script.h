/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Samples of a recording as text, in the columns of `perf script`. */
#ifndef BPFPERF_SINK_SCRIPT_H
#define BPFPERF_SINK_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/perf_sample.h"
#include "sink/out.h"
#include "sink/script_addr.h"

struct printer;
struct sym;

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

struct script_config {
	struct out *out;
	struct sym *sym;
	struct printer *printer;
	uint32_t fields; /* enum script_field; 0: those perf script has for each event's type ... */
	uint32_t more, less; /* ... and these, but not these */
	bool nanoseconds; /* times with nine decimals, not six */
	bool no_callchain; /* stacks are left out */
	bool is_arm64; /* whose registers they are; else x86's */
	uint32_t max_stack; /* addresses of a callchain that are printed */
	bool inlined; /* functions that were inlined are named in all callchains */
	unsigned int name_width; /* of the longest event's name */
};

/* Threads and events whose texts are kept: those of the lines before, mostly. */
#define SCRIPT_WHOS 256
#define SCRIPT_EVENTS 64

/* The front of a thread's line: comm and ids. */
struct script_who {
	uint32_t pid, tid, fields;
	bool is_padded;
	uint8_t comm_len, len; /* 0: of none */
	char comm[16], text[48];
};

/* What all samples of an event have. */
struct script_event {
	uint32_t idx; /* index + 1; 0: of none */
	uint32_t fields;
	struct strbuf text;
};

struct script_printer {
	struct script_config cfg;
	struct script_addrs addrs;
	struct strbuf raw; /* a record brought into this machine's byte order */
	struct script_who whos[SCRIPT_WHOS]; /* by thread id */
	struct script_event events[SCRIPT_EVENTS]; /* by index */
	uint64_t sec; /* of sec_text; UINT64_MAX: of none */
	struct strbuf sec_text;
};

/* cfg is copied; what it points to outlives the printer. */
void script_printer__init(struct script_printer *p, const struct script_config *cfg);
void script_printer__free(struct script_printer *p);
/* Whether this sample's callchain is printed: who has its user stack unwound is to do so before. */
bool script_printer__wants_chain(const struct script_printer *p, const struct perf_sample *s);

/* What is known of a sample besides its fields. */
struct script_sample {
	const struct perf_sample *s;
	const char *comm; /* its thread's name */
	uint16_t cpumode; /* PERF_RECORD_MISC_CPUMODE_MASK of its record */
	const uint64_t
		*unwound; /* its user stack, where that was recorded as memory: innermost first */
	size_t unwound_cnt;
};

/* 0 or -errno. */
int script_printer__sample(struct script_printer *p, const struct script_sample *sample);

#endif
