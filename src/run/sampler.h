/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The sampler: stacks of events and of time off the CPU, taken by BPF programs, summed up by a
 * sink. `bpfperf stack` and `bpfperf record -g` run it, each with a config of its own.
 */
#ifndef BPFPERF_RUN_SAMPLER_H
#define BPFPERF_RUN_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "export/exporter.h"
#include "run/unwind_report.h"
#include "sink/perf_data.h"
#include "sink/profile_sink.h"

struct cmd_user;
struct sink_ops;
struct targets;

/* The caller sets the members and calls sampler__check(); texts and targets outlive the run. */
struct sampler_config {
	struct event_list events; /* owned by the caller; may be empty with off_cpu */
	uint64_t freq_hz, period; /* at most one of them; both 0: default_hz */
	uint64_t default_hz; /* 0: the session's default */
	uint64_t max_depth; /* maximum number of addresses in a stack; 0: the default */
	/* the same for user stacks that are unwound by tables; set by sampler__check() */
	uint64_t user_depth;
	enum unwind_mode unwind;
	struct interp_modes interp;
	bool user, kernel; /* neither: both */
	bool off_cpu, wakers;
	bool facts; /* with off_cpu: as in struct stack_config */
	bool latency; /* samples count wall-clock time: their share of what runs with them */
	uint64_t min_us, max_us; /* range of time off the CPU; 0: no limit */
	bool no_inline, no_demangle;
	const struct targets *targets;
	const struct cmd_user *cmd_user; /* the user that CMD runs as; NULL: the caller */
	bool cmd_is_timer; /* CMD is not sampled, but limits the duration */
	uint64_t duration_ns; /* 0: CMD, a signal or the targets end the run */
	size_t ring_sz; /* bytes per CPU; 0: default */
	bool top; /* the live view */
	const struct sink_ops *ops; /* one of stack_sinks */
	const char *output; /* NULL or "-": stdout */
	struct perf_data_config recording; /* for --format perf */
	struct export_config export; /* intervals and stores; zeroed: none */
	bool log_output; /* log the output's name at the start (-v) */
	bool quiet; /* no summary */
	struct profile_config profile;
};

struct sampler_result {
	bool has_recorded; /* sampling began, so the output is not empty */
	bool cmd_ended;
	int cmd_status; /* workload__exit_status() */
};

/*
 * Checks the config and chooses events and depths that were not given. 0, -EINVAL, logged, or
 * -ENOMEM.
 */
int sampler__check(struct sampler_config *cfg);
/*
 * Samples until CMD, a signal, the duration or the targets end the run, and prints. argv: CMD,
 * ended by NULL; argc 0: none. 0; -EINVAL if the command line is at fault, or another -errno
 * (logged).
 */
int sampler__run(struct sampler_config *cfg, int argc, char **argv, struct sampler_result *res);

#endif
