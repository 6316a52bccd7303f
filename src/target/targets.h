/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The targets of a command: CPUs, processes, threads. All commands share them. */
#ifndef BPFPERF_TARGET_TARGETS_H
#define BPFPERF_TARGET_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct targets {
	bool all_cpus; /* -a: with CMD, all tasks while CMD runs */
	int *cpus; /* -C: sorted, unique; NULL: all online */
	size_t cpu_cnt;
	pid_t *pids; /* -p */
	size_t pid_cnt;
	pid_t *tids; /* -t */
	size_t tid_cnt;
	bool include_self;
	const char *comm; /* --comm: a glob; NULL: any */
	bool has_uid; /* -u */
	uid_t uid;
	const char *cgroup; /* -G: a path; NULL: any */
	/* The last -C, -p and -t as given, for headings; not owned. */
	const char *cpu_list, *pid_list, *tid_list;
};

/* Parsers of -C "0-3,7", -p and -t "1,2,3". They return 0, or -EINVAL after one sentence. */
int targets__set_cpus(struct targets *t, const char *list);
int targets__add_pids(struct targets *t, const char *list);
int targets__add_tids(struct targets *t, const char *list);
int targets__set_uid(struct targets *t, const char *user); /* user: a name or a number */
void targets__free(struct targets *t);

/* Are events wanted of certain tasks only: -p, -t, or CMD without -a? */
bool targets__by_task(const struct targets *t, bool has_cmd);
/* Are any tasks excluded, by whatever option? */
bool targets__is_filtered(const struct targets *t, bool has_cmd);
/* How a command chooses its tasks: flags for targets__check(). */
enum target_rules {
	/* Perf events choose the tasks, so only one of -a, -p and -t, -u, and -G can be given. */
	TARGETS_ONE_KIND = 1 << 0,
	/* --per-thread was given. */
	TARGETS_PER_THREAD = 1 << 1,
	/* The command opens the directory of -G itself: BPF programs need not know the group. */
	TARGETS_CGROUP_DIR = 1 << 2,
};

/*
 * Can the targets be combined, and do all CPUs and tasks exist? rules: enum target_rules. Returns
 * 0, or -ESRCH or -EINVAL after one sentence.
 */
int targets__check(const struct targets *t, unsigned int rules);
/*
 * Returns in *cpus the CPUs to open rings and counters on: those of -C, else all online ones. The
 * caller frees the list. 0 or -errno.
 */
int targets__resolve_cpus(const struct targets *t, int **cpus, size_t *cnt);
/* Returns true once every process of -p and thread of -t has ended (false without any). */
bool targets__all_gone(const struct targets *t);

#endif
