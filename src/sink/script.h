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

#include "data/synth_event.h"
#include "sink/sink.h"

/* The fields of a line, as bits. */
#define SCRIPT_COMM (1ull << 0)
#define SCRIPT_PID (1ull << 1)
#define SCRIPT_TID (1ull << 2)
#define SCRIPT_CPU (1ull << 3)
#define SCRIPT_TIME (1ull << 4)
#define SCRIPT_PERIOD (1ull << 5)
#define SCRIPT_EVENT (1ull << 6)
#define SCRIPT_TRACE (1ull << 7)
#define SCRIPT_ADDR (1ull << 8)
#define SCRIPT_IP (1ull << 9) /* the callchain if there is one */
#define SCRIPT_SYM (1ull << 10)
#define SCRIPT_SYMOFF (1ull << 11)
#define SCRIPT_DSO (1ull << 12)
#define SCRIPT_IREGS (1ull << 13) /* registers at the time of the sample */
#define SCRIPT_UREGS (1ull << 14) /* user registers */
#define SCRIPT_MISC (1ull << 15) /* the level of privilege: K, U, H, G, g */
#define SCRIPT_DATA_SRC (1ull << 16)
#define SCRIPT_WEIGHT (1ull << 17)
#define SCRIPT_INS_LAT (1ull << 18) /* latency of the instruction, behind the weight */
#define SCRIPT_PHYS_ADDR (1ull << 19)
#define SCRIPT_DATA_PAGE_SZ (1ull << 20)
#define SCRIPT_CODE_PAGE_SZ (1ull << 21)
#define SCRIPT_INSN (1ull << 22) /* bytes of the instruction */
#define SCRIPT_INSN_LEN (1ull << 23)
#define SCRIPT_FLAGS (1ull << 24) /* kind of branch */
#define SCRIPT_BRSTACK (1ull << 25) /* the branches before the sample */
#define SCRIPT_TOD (1ull << 26) /* date and time of the day, local */
#define SCRIPT_SRCLINE (1ull << 27) /* below each address its file and line of the source */
#define SCRIPT_BRSTACKSYM (1ull << 28) /* the branches by function and offset */
#define SCRIPT_BRSTACKOFF (1ull << 29) /* … by offset in the file */
#define SCRIPT_BPF_OUTPUT (1ull << 30) /* what a BPF program wrote, in hex */
#define SCRIPT_BRSTACKINSN (1ull << 31) /* the instructions between the branches */
#define SCRIPT_BRSTACKINSN_LEN (1ull << 32) /* … and their lengths */
#define SCRIPT_CALLINDENT (1ull << 33) /* the function of a call or return, by its depth */
#define SCRIPT_FULL_PATH (1ull << 34) /* of SCRIPT_SRCLINE; no field of its own */
#define SCRIPT_SRCCODE (1ull << 35) /* below the sample the text of its line of the source */
#define SCRIPT_SYNTH (1ull << 36) /* what an event of PERF_TYPE_SYNTH says */
#define SCRIPT_CODE (SCRIPT_BRSTACKINSN | SCRIPT_BRSTACKINSN_LEN)
#define SCRIPT_LINES (SCRIPT_SRCLINE | SCRIPT_SRCCODE)
#define SCRIPT_BRANCHES (SCRIPT_BRSTACK | SCRIPT_BRSTACKSYM | SCRIPT_BRSTACKOFF)

struct script_texts; /* sink/script_source.h */
struct event_outs; /* sink/event_outs.h */

struct script_part {
	uint64_t fields; /* 0: the default fields of perf script for each type of event … */
	uint64_t more, less; /* … plus `more` and minus `less` */
};

/*
 * Types of events that may have fields of their own: those before it are PERF_TYPE_*, but for
 * PERF_TYPE_MAX.
 */
#define SCRIPT_TYPES (PERF_TYPE_SYNTH + 1)

/* The fields that are printed. */
struct script_choice {
	struct script_part all;
	/* Single types; a part without a field and a change: their samples are not printed. */
	bool has_type[SCRIPT_TYPES];
	struct script_part types[SCRIPT_TYPES];
};

/* Returns the part for the events of a type. */
static inline const struct script_part *script_choice__of(const struct script_choice *c,
							  uint32_t type)
{
	return type < SCRIPT_TYPES && c->has_type[type] ? &c->types[type] : &c->all;
}

static inline bool script_part__is_set(const struct script_part *p)
{
	return p->fields || p->more || p->less;
}

static inline bool script_choice__is_set(const struct script_choice *c)
{
	bool is_set = script_part__is_set(&c->all);
	size_t i;

	for (i = 0; i < SCRIPT_TYPES; i++)
		is_set |= c->has_type[i];
	return is_set;
}

/* The fields that were asked for, of any type of event, without the default ones. */
static inline uint64_t script_choice__asked(const struct script_choice *c)
{
	uint64_t asked = 0;
	uint32_t i;

	for (i = 0; i <= SCRIPT_TYPES; i++) {
		const struct script_part *p = script_choice__of(c, i);

		asked |= (p->fields | p->more) & ~p->less;
	}
	return asked;
}

/* Name of script_sink's part in sink_config.extras; it must be complete when the sink begins. */
#define SCRIPT_EXTRA "script"

struct script_config {
	struct sink_extra extra;
	struct script_choice choice;
	bool nanoseconds; /* times have nine decimals, not six */
	bool is_relative, is_delta; /* times since the first sample; since the one before */
	bool no_callchain; /* stacks are omitted */
	/* Calls of these functions, separated by commas, and their callees alone; NULL: all */
	const char *graph_functions;
	const char *stop_bt; /* functions at which stacks end, separated by commas; NULL: none */
	bool full_paths; /* SCRIPT_SRCLINE: with directories */
	size_t file_width; /* SCRIPT_CALLINDENT: of the names of files; 0: no width */
	uint64_t real_off_ns; /* SCRIPT_TOD: CLOCK_REALTIME minus the recording's clock */
	struct script_texts *texts; /* SCRIPT_SRCCODE; not owned */
	struct event_outs *outs; /* of samples; NULL: all are printed to the sink's. Not owned */
	bool is_arm64; /* the registers are arm64's, else x86's */
};

extern const struct sink_ops script_sink;

/*
 * Prints a record that is no sample (sink/script_events.h); s has its thread, CPU and time, and in
 * s->perf the event that it was recorded with; s->text: the name of an address that it has. 0 or
 * -errno.
 */
int script__record(struct sink *sink, const struct sample *s, const struct perf_event_header *hdr);

#endif
