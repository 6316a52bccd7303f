/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The options that live commands share: the targets, the duration, the size of rings. */
#ifndef BPFPERF_CMD_COMMON_OPTS_H
#define BPFPERF_CMD_COMMON_OPTS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/opt_rules.h"
#include "target/targets.h"

struct cmd_user;

/* Must be the first member of a command's options struct. */
struct common_opts {
	struct targets targets;
	struct opt_given given; /* for opt_given__has() and the rules */
	uint64_t duration_ns;
	size_t ring_sz; /* bytes per CPU; 0: default */
	const char *output;
	const char *format;
	int zstd_level; /* for recordings; 0: not compressed */
	struct cmd_user *cmd_user; /* the user that CMD runs as; NULL: the caller */
};

struct event_list;
struct sink_ops;

/* Parses --btf FILE, which precedes the command. 0, or -EINVAL, logged. */
int common_opts__btf(const char *path);
/* Events may name probes from now on. */
void common_opts__probes(void);

/*
 * Adds an event given as a word without -e; if the word is a program instead, logs how to run it.
 * Returns like event_list__add().
 */
int common_opts__event(struct event_list *events, const char *arg);
int common_opts__cpus(void *opts, const char *arg);
int common_opts__pids(void *opts, const char *arg);
int common_opts__tids(void *opts, const char *arg);
int common_opts__uid(void *opts, const char *arg);
int common_opts__as_user(void *opts, const char *arg);
int common_opts__ring_sz(void *opts, const char *arg);
int common_opts__zstd(void *opts, const char *arg);

/* Frees the parts that are owned. */
void common_opts__free(struct common_opts *o);
/*
 * Checks that -z is used with recordings, and that binary formats are not written to a terminal. 0,
 * or -EINVAL, logged.
 */
int common_opts__check_output(const struct common_opts *o, const struct sink_ops *ops);
/* Returns whether stdout is used for a format that CMD's own output would damage. */
bool common_opts__is_binary_stdout(const struct common_opts *o, const struct sink_ops *ops);

/*
 * Rows for a command's table: a member of struct common_opts, or a function that parses the text.
 */
#define COMMON_VALUE(letter, name, arg, help, type, member)                                        \
	{                                                                                          \
		letter, name, arg, help, type, offsetof(struct common_opts, member), 0, 0, NULL,   \
			NULL                                                                       \
	}
#define COMMON_CALL(letter, name, arg, help, fn)                                                   \
	{                                                                                          \
		letter, name, arg, help, OPT_CALL, 0, 0, 0, fn, NULL                               \
	}

/* clang-format off */
#define TARGET_OPTS                                                                                \
	COMMON_VALUE('a', "all-cpus", NULL, "all CPUs, also with CMD", OPT_FLAG,                   \
		     targets.all_cpus),                                                            \
	COMMON_CALL('C', "cpu", "LIST", "only these CPUs: 0-3,7", common_opts__cpus),              \
	COMMON_CALL('p', "pid", "PID,...", "only these processes and the children they create",    \
		    common_opts__pids),                                                            \
	COMMON_CALL('t', "tid", "TID,...", "only these threads", common_opts__tids),               \
	COMMON_VALUE(0, "include-self", NULL, "bpfperf itself too", OPT_FLAG,                      \
		     targets.include_self),                                                        \
	COMMON_VALUE(0, "duration", "SEC", "stop after this time (also 200ms, 5m)", OPT_SECONDS,   \
		     duration_ns)

#define ZSTD_OPT                                                                                   \
	{ 'z', "compression-level", "N", "compress a recording with zstd, level 1 (default) "      \
	  "to 22", OPT_OPTCALL, 0, 0, 0, common_opts__zstd, NULL }

/* Further rows, for BPF programs that look at the task of each event. */
#define TASK_FILTER_OPTS                                                                           \
	COMMON_VALUE('G', "cgroup", "PATH",                                                        \
		     "only tasks of this control group and of the groups below it", OPT_STR,       \
		     targets.cgroup),                                                              \
	COMMON_CALL('u', "uid", "USER", "only tasks of this user", common_opts__uid),              \
	COMMON_VALUE(0, "comm", "GLOB", "only threads while their name matches", OPT_STR,          \
		     targets.comm)

#define CMD_OPT                                                                                   \
	{ 0, "as-user", "NAME", "run CMD as the caller of sudo, or as NAME", OPT_OPTCALL,    \
	  0, 0, 0, common_opts__as_user, NULL }

/* A row for a command's rules. */
#define CMD_RULE                                                                                  \
	{ "as-user", "CMD", "--as-user chooses the user that CMD runs as; give CMD after --" }

#define OUTPUT_OPTS                                                                                \
	COMMON_VALUE('o', "output", "FILE", "write to FILE; - is stdout", OPT_STR, output),        \
	COMMON_CALL('m', "mmap-pages", "SIZE", "ring size per CPU: pages, or with K, M, G",        \
		    common_opts__ring_sz)
/* clang-format on */

#endif
