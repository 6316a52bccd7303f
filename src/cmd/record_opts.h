/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of bpfperf record: those of perf record, with the same letters. */
#ifndef BPFPERF_CMD_RECORD_OPTS_H
#define BPFPERF_CMD_RECORD_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/common_opts.h"
#include "cmd/record_more.h"
#include "run/unwind_report.h"
#include "event/event.h"
#include "perf/sampling.h"
#include "run/recorder.h"

struct record_opts {
	struct common_opts common; /* targets, duration, output, ring_sz */
	struct event_list events;
	int first_term; /* first term of the last -e: --filter applies to its events */
	uint64_t freq_hz, period;
	bool freq_max;
	bool callchain, dwarf, lbr;
	enum unwind_mode unwind; /* mode of unwinding callchains */
	struct interp_modes
		interp; /* functions of interpreters in stacks that BPF programs unwind */
	bool has_unwind; /* set by --unwind or --call-graph fp */
	uint64_t user_stack_sz;
	bool per_thread, no_inherit;
	size_t aux_sz; /* 0: default */
	bool branch_any; /* -b */
	uint64_t branches; /* -j, and -b after the check */
	bool zstd;
	uint64_t zstd_level; /* 0: default */
	struct recorder_switch switch_output;
	bool overwrite;
	bool snapshot;
	size_t snapshot_sz; /* 0: the whole area */
	bool data, phys_data, weight, period_field, time, cpu_field;
	bool all_user, all_kernel;
	bool use_clockid;
	int clockid;
	bool quiet, no_build_id, namespaces, all_cgroups;
	uint64_t delay_ms;
	struct recorder_range
		ranges[RECORDER_RANGES_MAX]; /* -D FROM-TO,...; delay_ms: the first FROM */
	size_t range_cnt;
	bool is_paused; /* -D -1: until --control enables */
	uint64_t max_sz; /* limit of the output; 0: no limit */
	struct record_more more;
};
_Static_assert(offsetof(struct record_opts, common) == 0, "TARGET_OPTS have offsets from there");

/* The tables for struct command. */
extern const struct opt record_opts[];
extern const struct opt_rule record_rules[];

/*
 * Checks the options and sets those that were not given. 0, or -EINVAL or another -errno, logged.
 */
int record_opts__check(struct record_opts *o, bool has_cmd);
/* Returns whether CMD is recorded. */
bool record_opts__of_cmd(const struct record_opts *o, bool has_cmd);
/* All tasks on some CPUs are recorded. */
bool record_opts__whole_cpus(const struct record_opts *o, bool has_cmd);
struct sampling_how record_opts__how(const struct record_opts *o);

#endif
