/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Selects samples of a recording: by time, CPU, process, thread, name, file and function. */
#ifndef BPFPERF_RUN_REPLAY_FILTER_H
#define BPFPERF_RUN_REPLAY_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/cpu_list.h"

struct hist_only;
struct recording;
struct sample;

#define REPLAY_FILTER_IDS 256
#define REPLAY_FILTER_SPANS 16

struct replay_ids {
	uint32_t ids[REPLAY_FILTER_IDS];
	size_t cnt; /* 0: all samples are wanted */
};

/* Both ends are included; in percent: of the time from the first sample to the last. */
struct replay_span {
	uint64_t from_ns, to_ns; /* to_ns 0: no end */
	double from_percent, to_percent;
};

/* Zeroed: all samples are wanted. */
struct replay_filter {
	const char *time; /* as it was given; NULL: not given */
	struct replay_span spans[REPLAY_FILTER_SPANS];
	size_t span_cnt;
	bool is_percent; /* until replay_filter__begin() */
	bool has_cpus, cpus[CPU_LIST_MAX];
	struct replay_ids pids, tids;
	/* Samples behind one of an event, until one of another; NULL: all before, or behind. */
	const char *switch_on, *switch_off;
	bool shows_switches; /* … and those of the two events */
	bool is_off; /* from replay_filter__begin() on */
	/* Names, separated by commas; NULL: all. Not owned. */
	const char *comms, *dsos, *symbols;
	/* `symbols` may have addresses, too, "0x4007a0", which begin ranges of addr_range bytes. */
	bool takes_addrs;
	uint64_t addr_range; /* 0: not given */
	uint64_t addrs[REPLAY_FILTER_IDS]; /* from replay_filter__begin() on */
	size_t addr_cnt;
};

enum replay_verdict {
	REPLAY_WANTED,
	REPLAY_OUTSIDE, /* as if it were not in the recording: another time, another CPU */
	REPLAY_PASSED_OVER, /* another thread, file or function */
};

/*
 * For struct opt.set. 0, or -EINVAL, logged. Times are "FROM,TO" in seconds, either may be empty,
 * or percentages: "10%-20%", "10%/2" (the second tenth), lists of either.
 */
int replay_filter__set_time(void *filter, const char *arg);
int replay_filter__set_cpus(void *filter, const char *arg);
int replay_filter__set_pids(void *filter, const char *arg);
int replay_filter__set_tids(void *filter, const char *arg);

/*
 * Call before the first sample, when the events are known. 0, or -EINVAL, logged: the recording
 * lacks what the samples are to be selected by.
 */
int replay_filter__begin(struct replay_filter *f, const struct recording *rec);
/* Judges a sample, each in its turn, by all but its code. */
enum replay_verdict replay_filter__check(struct replay_filter *f, const struct sample *s);
/* True if samples are also selected by their own address: call replay_filter__check_code(). */
bool replay_filter__has_code(const struct replay_filter *f);
/* Judges a sample with SAMPLE_NEEDS_IP by its own address. */
enum replay_verdict replay_filter__check_code(const struct replay_filter *f,
					      const struct sample *s);

/* Sets the names that lines of a report are selected by; others of `only` are kept. */
void replay_filter__name(const struct replay_filter *f, struct hist_only *only);

/* Rows for a command's table: the offset of the struct replay_filter, the letter of --dsos. */
/* clang-format off */
#define REPLAY_FILTER_OPTS(at, dso)                                                                \
	{ .long_name = "time", .arg = "FROM,TO", .type = OPT_CALL, .off = at,                      \
	  .help = "only samples between these seconds of the recording's clock; either may be "    \
		  "omitted; or 10%-20%, 10%/2",                                                    \
	  .set = replay_filter__set_time },                                                        \
	{ 'C', "cpu", "LIST", "only samples of these CPUs: 0-3,7", OPT_CALL, at, 0, 0,             \
	  replay_filter__set_cpus, NULL },                                                         \
	{ 0, "switch-on", "EVENT", "only samples behind the first one of this event", OPT_STR,    \
	  (at) + offsetof(struct replay_filter, switch_on), 0, 0, NULL, NULL },                    \
	{ 0, "switch-off", "EVENT",                                                                \
	  "only samples before the first one of this event, or again behind --switch-on",         \
	  OPT_STR, (at) + offsetof(struct replay_filter, switch_off), 0, 0, NULL, NULL },          \
	{ 0, "show-on-off-events", NULL, "the samples of --switch-on and --switch-off, too",       \
	  OPT_FLAG, (at) + offsetof(struct replay_filter, shows_switches), 0, 0, NULL, NULL },     \
	{ 0, "pid", "PID,...", "only samples of these processes", OPT_CALL, at, 0, 0,              \
	  replay_filter__set_pids, NULL },                                                         \
	{ 0, "tid", "TID,...", "only samples of these threads", OPT_CALL, at, 0, 0,                \
	  replay_filter__set_tids, NULL },                                                         \
	{ 'c', "comms", "NAME,...", "only samples of threads with these names", OPT_STR,           \
	  (at) + offsetof(struct replay_filter, comms), 0, 0, NULL, NULL },                        \
	{ .short_name = dso, .long_name = "dsos", .arg = "FILE,...", .type = OPT_STR,              \
	  .help = "only samples in these files: libc.so.6, [kernel.kallsyms]",                     \
	  .off = (at) + offsetof(struct replay_filter, dsos) },                                    \
	{ 'S', "symbols", "FUNC,...", "only samples in these functions", OPT_STR,                  \
	  (at) + offsetof(struct replay_filter, symbols), 0, 0, NULL, NULL }
/* clang-format on */

#endif
