/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options of bpfperf stat. */
#ifndef BPFPERF_CMD_STAT_OPTS_H
#define BPFPERF_CMD_STAT_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cmd/common_opts.h"
#include "event/event.h"
#include "export/exporter.h"
#include "run/recorder_control.h"
#include "run/stat_cgroups.h"
#include "stat/metric_set.h"
#include "stat/stat.h"
#include "util/strbuf.h"

struct stat_opts {
	struct common_opts common; /* targets, duration, output */
	struct event_list events;
	int first_term; /* event->term of the first event of the last -e */
	bool null_run; /* -n */
	unsigned int detail; /* number of -d */
	bool per_thread, no_aggr, no_inherit;
	bool per_socket, per_die, per_core, per_node, per_cluster, per_cache;
	unsigned int cache_level; /* of per_cache; 0: the highest */
	bool metric_only;
	struct strbuf metrics; /* -M, joined by commas */
	bool topdown;
	uint64_t td_level; /* 0: all that the PMU has */
	const char *metric_file;
	bool all_user, all_kernel, table;
	bool is_paused; /* -D -1: until --control enables */
	bool forever; /* -r 0 */
	const char *pre, *post;
	const char *each_cgroup; /* --for-each-cgroup */
	struct stat_cgroups cgroups;
	struct recorder_control control;
	struct metric_set metric_set;
	uint64_t interval_ms, interval_cnt, delay_ms, timeout_ms;
	uint64_t run_cnt;
	const char *sep; /* -x */
	bool json, no_scale, big_num, no_big_num, append;
	bool summary, no_csv_summary, no_merge, group;
	uint64_t log_fd; /* 0: none */
	bool user_read, fit;
	struct export_config export; /* --to */
};
_Static_assert(offsetof(struct stat_opts, common) == 0, "TARGET_OPTS have offsets from there");

/* The tables for struct command. */
extern const struct opt stat_opts[];
extern const struct opt_rule stat_rules[];

/* Do the options go together? Sets those that were not given. 0, or -EINVAL after one sentence. */
int stat_opts__check(struct stat_opts *o, bool has_cmd);
/*
 * Adds perf stat's default events if there is no -e, and those of -d. 0 or like event_list__add().
 */
int stat_opts__add_defaults(struct stat_opts *o, bool has_cmd);
/* Adds the events of -M and --topdown. 0 or like metric_set__choose(). */
int stat_opts__add_metrics(struct stat_opts *o, bool has_cmd);
/* Spreads the events over the control groups of a list. 0 or like stat_cgroups__spread(). */
int stat_opts__spread(struct stat_opts *o);
/* Applies --all-user and --all-kernel to all events. */
void stat_opts__set_modes(struct stat_opts *o);
/* Returns whether CMD is counted; otherwise it only limits the duration. */
bool stat_opts__of_cmd(const struct stat_opts *o, bool has_cmd);
/* Returns the unit of aggregation. */
enum aggr_mode stat_opts__apart(const struct stat_opts *o);
/* Returns whether whole CPUs are counted, not tasks. */
bool stat_opts__by_cpu(const struct stat_opts *o, bool has_cmd);

#endif
