// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <linux/perf_event.h>

#include "cmd/record_opts.h"
#include "event/branch_kinds.h"
#include "event/event.h"
#include "perf/sampling.h"
#include "util/log.h"

/* A day. */
#define DELAY_MAX_MS 86400000u

/* Parses a number, without trailing text. 0 or -EINVAL. */
static int parse_u64(const char *s, uint64_t *val)
{
	char *end;

	if (*s < '0' || *s > '9')
		return -EINVAL;
	errno = 0;
	*val = strtoull(s, &end, 10);
	return errno || *end ? -EINVAL : 0;
}

/* Parses "10M" as bytes. 0 or -EINVAL. */
static int parse_size(const char *s, uint64_t *sz)
{
	static const char units[] = "BKMGT";
	const char *unit;
	char *end;

	if (*s < '0' || *s > '9')
		return -EINVAL;
	errno = 0;
	*sz = strtoull(s, &end, 10);
	unit = *end ? strchr(units, *end >= 'a' ? *end - 32 : *end) : NULL;
	if (errno || !*sz || !unit || end[1] || *sz > UINT64_MAX >> (10 * (unit - units)))
		return -EINVAL;
	*sz <<= 10 * (unit - units);
	return 0;
}

int record_parse__freq(void *opts, const char *arg)
{
	struct record_opts *o = opts;

	o->freq_max = strcmp(arg, "max") == 0;
	if (o->freq_max || (!parse_u64(arg, &o->freq_hz) && o->freq_hz))
		return 0;
	log_error("-F %s: give samples per second, such as 999, or max", arg);
	return -EINVAL;
}

int record_parse__call_graph(void *opts, const char *arg)
{
	struct record_opts *o = opts;
	const char *comma = strchr(arg, ',');
	size_t len = comma ? (size_t)(comma - arg) : strlen(arg);

	o->callchain = true;
	o->dwarf = o->lbr = false;
	if (len == 2 && !comma && !strncmp(arg, "fp", 2)) {
		o->has_unwind = true;
		o->unwind = UNWIND_KERNEL;
		return 0;
	}
	if (len == 3 && !comma && !strncmp(arg, "lbr", 3)) {
		o->lbr = true;
		return 0;
	}
	if (len != 5 || strncmp(arg, "dwarf", 5)) {
		log_error("--call-graph %s: choose from fp, dwarf[,BYTES] and lbr", arg);
		return -EINVAL;
	}
	o->dwarf = true;
	o->user_stack_sz = SAMPLING_STACK_SZ;
	if (comma && (parse_u64(comma + 1, &o->user_stack_sz) || !o->user_stack_sz ||
		      o->user_stack_sz > EVENT_STACK_MAX_SZ)) {
		log_error("--call-graph %s: give the bytes of stack to copy, 8 to %d", arg,
			  EVENT_STACK_MAX_SZ);
		return -EINVAL;
	}
	o->user_stack_sz = (o->user_stack_sz + 7) & ~7ull;
	return 0;
}

int record_parse__mmap(void *opts, const char *arg)
{
	struct record_opts *o = opts;
	const char *comma = strchr(arg, ',');
	char first[32];
	size_t sz;
	int err = 0;

	if (!comma)
		return common_opts__ring_sz(opts, arg);
	if (comma[1]) {
		sz = o->common.ring_sz;
		err = common_opts__ring_sz(opts, comma + 1);
		o->aux_sz = o->common.ring_sz;
		o->common.ring_sz = sz;
	}
	snprintf(first, sizeof(first), "%.*s", (int)(comma - arg), arg);
	return err || !*first ? err : common_opts__ring_sz(opts, first);
}

int record_parse__zstd(void *opts, const char *arg)
{
	struct record_opts *o = opts;

	o->zstd = true;
	o->zstd_level = 1;
	if (!arg || (!parse_u64(arg, &o->zstd_level) && o->zstd_level >= 1 && o->zstd_level <= 22))
		return 0;
	log_error("-z %s: give a level from 1 to 22", arg);
	return -EINVAL;
}

int record_parse__max_size(void *opts, const char *arg)
{
	struct record_opts *o = opts;

	if (!parse_size(arg, &o->max_sz))
		return 0;
	log_error("--max-size %s: give a size with B, K, M, G or T, such as 100M", arg);
	return -EINVAL;
}

/* Parses "10-20,30-40": ascending, and not empty. 0 or -EINVAL. */
static int parse_ranges(struct record_opts *o, const char *arg)
{
	uint64_t last = 0;
	int len;

	for (o->range_cnt = 0; o->range_cnt < RECORDER_RANGES_MAX; arg += len + 1) {
		struct recorder_range *r = &o->ranges[o->range_cnt++];
		unsigned int from, to;

		if (*arg < '0' || *arg > '9' || sscanf(arg, "%9u-%9u%n", &from, &to, &len) != 2)
			return -EINVAL;
		if (from <= last || to <= from || to > DELAY_MAX_MS)
			return -EINVAL;
		*r = (struct recorder_range){ from, to };
		last = to;
		if (!arg[len])
			return 0;
		if (arg[len] != ',')
			return -EINVAL;
	}
	return -EINVAL;
}

int record_parse__delay(void *opts, const char *arg)
{
	struct record_opts *o = opts;

	o->is_paused = !strcmp(arg, "-1");
	o->delay_ms = o->range_cnt = 0;
	if (o->is_paused ||
	    (!parse_u64(arg, &o->delay_ms) && o->delay_ms && o->delay_ms <= DELAY_MAX_MS))
		return 0;
	if (*arg != '-' && strchr(arg, '-') && !parse_ranges(o, arg)) {
		o->delay_ms = o->ranges[0].from_ms;
		return 0;
	}
	log_error("-D %s: give milliseconds from 1 to %u, or up to %d ranges of them in order, "
		  "such as 10-20,30-40, or -1 to begin when --control says enable",
		  arg, DELAY_MAX_MS, RECORDER_RANGES_MAX);
	return -EINVAL;
}

/* Parses "30s" as nanoseconds. 0 or -EINVAL. */
static int parse_time(const char *s, uint64_t *ns)
{
	static const struct {
		char unit;
		uint64_t ns;
	} units[] = { { 's', 1000000000 },
		      { 'm', 60000000000 },
		      { 'h', 3600000000000 },
		      { 'd', 86400000000000 } };
	uint64_t cnt;
	char *end;
	size_t i;

	if (*s < '0' || *s > '9')
		return -EINVAL;
	errno = 0;
	cnt = strtoull(s, &end, 10);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (errno || !cnt || *end != units[i].unit || end[1] ||
		    cnt > UINT64_MAX / units[i].ns)
			continue;
		*ns = cnt * units[i].ns;
		return 0;
	}
	return -EINVAL;
}

int record_parse__switch(void *opts, const char *arg)
{
	struct record_opts *o = opts;

	o->switch_output.on = true;
	if (!arg || strcmp(arg, "signal") == 0 || !parse_time(arg, &o->switch_output.ns) ||
	    !parse_size(arg, &o->switch_output.sz))
		return 0;
	log_error("--switch-output=%s: give signal, a size such as 10M, or a time such as 30s",
		  arg);
	return -EINVAL;
}

int record_parse__snapshot(void *opts, const char *arg)
{
	struct record_opts *o = opts;
	uint64_t sz = 0;
	char *end = NULL;

	o->snapshot = true;
	if (!arg)
		return 0;
	errno = 0;
	if (*arg >= '0' && *arg <= '9') {
		sz = strtoull(arg, &end, 0);
		arg = end;
	}
	/* e: a snapshot at the end, which is always made. */
	if (*arg == 'e')
		arg++;
	o->snapshot_sz = (size_t)sz;
	if (!errno && !*arg && (!end || (sz && sz <= 1u << 30 && sz % 8 == 0)))
		return 0;
	log_error("-S: give the bytes of a snapshot, a multiple of 8 and at most 1 GiB, or nothing "
		  "for the whole area");
	return -EINVAL;
}

int record_parse__branches(void *opts, const char *arg)
{
	struct record_opts *o = opts;
	const char *fault = branch_kinds__parse(arg, &o->branches);

	if (fault) {
		log_error("-j %s: there is no kind of branch %.*s; choose from " BRANCH_KINDS, arg,
			  (int)strcspn(fault, ","), fault);
		return -EINVAL;
	}
	if (branch_kinds__are_sides(o->branches)) {
		log_warn(
			"-j %s names no kind of branches: all are recorded where the event counts, "
			"as perf does; write any,%s for those of one side",
			arg, arg);
		o->branches = PERF_SAMPLE_BRANCH_ANY;
	}
	return 0;
}

int record_parse__clock(void *opts, const char *arg)
{
	static const struct {
		const char *name, *alias;
		int id;
	} clocks[] = {
		{ "monotonic", "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", "mono_raw", CLOCK_MONOTONIC_RAW },
		{ "monotonic_raw", "raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", "real", CLOCK_REALTIME },
		{ "boottime", "boot", CLOCK_BOOTTIME },
		{ "tai", "tai", CLOCK_TAI },
	};
	const char *name = strncasecmp(arg, "CLOCK_", 6) ? arg : arg + 6;
	struct record_opts *o = opts;
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (strcasecmp(name, clocks[i].name) && strcasecmp(name, clocks[i].alias))
			continue;
		o->use_clockid = true;
		o->clockid = clocks[i].id;
		return 0;
	}
	log_error("-k %s: choose from mono, mono_raw, real, boot and tai", arg);
	return -EINVAL;
}
