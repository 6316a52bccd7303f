/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The rarer options of perf record, and those that bpfperf does not have, each with its reason. */
#ifndef BPFPERF_CMD_RECORD_MORE_H
#define BPFPERF_CMD_RECORD_MORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "perf/sampling.h"
#include "run/recorder_control.h"

/* A member of struct record_opts. */
struct record_more {
	struct sampling_how how; /* fields that no other option sets */
	uint64_t realtime; /* priority of SCHED_FIFO; 0: not given */
	bool strict_freq, dry_run, is_verbose;
	bool no_synthesis, timed_name;
	uint64_t max_files; /* 0: all */
	uint64_t max_events; /* samples until the end; 0: no limit */
	struct recorder_control control;
	bool no_effect; /* asks for what is done anyway */
	bool group; /* all events are one group */
	struct event_list triggers; /* events at which another file is begun */
};

/* For struct opt.set: 0, or -EINVAL, logged. */
int record_more__user_regs(void *more, const char *arg);
int record_more__synth(void *more, const char *arg);
int record_more__intr_regs(void *more, const char *arg);
int record_more__aux_sample(void *more, const char *arg);
int record_more__trigger(void *more, const char *arg);
/* Makes one group of all events, if --group asks for it and there are no groups. 0 or -EINVAL. */
int record_more__group(const struct record_more *more, struct event_list *events);
/* Asks for nothing that changes what is recorded: 0. */
int record_more__ignore(void *more, const char *arg);

/* Gives the recorder SCHED_FIFO. 0 or -EPERM (logged). */
int record_more__set_realtime(const struct record_more *more);

/* For struct command.explain: options of perf record that are not there. */
bool record_more__explain(const char *name, size_t len);

/* Rows for the table; `at` is the offset of the struct record_more. */
/* clang-format off */
#define MORE_FLAG(letter, name, help, at, member)                                                  \
	{ letter, name, NULL, help, OPT_FLAG, (at) + offsetof(struct record_more, member), 0, 0,   \
	  NULL, NULL }
#define MORE_IGNORED(letter, name, arg, help)                                                      \
	{ letter, name, arg, help, OPT_CALL, 0, 0, 0, record_more__ignore, NULL }
#define RECORD_MORE_OPTS(at)                                                                       \
	{ 'I', "intr-regs", "REG,...", "record these registers, or all, as they were interrupted", \
	  OPT_OPTCALL, at, 0, 0, record_more__intr_regs, NULL },                                   \
	{ 0, "user-regs", "REG,...", "record these registers of user code, or all", OPT_OPTCALL,   \
	  at, 0, 0, record_more__user_regs, NULL },                                                \
	MORE_FLAG('R', "raw-samples", "record the raw data of all events", at, how.raw),           \
	MORE_FLAG('s', "stat", "record the counts of each thread at its end", at,                  \
		  how.thread_counts),                                                              \
	MORE_FLAG('n', "no-samples", "take no samples: with -s the counts alone", at,              \
		  how.no_samples),                                                                 \
	MORE_FLAG(0, "transaction", "record flags of transactions", at, how.transaction),          \
	MORE_FLAG(0, "data-page-size", "record the page size of data addresses", at,               \
		  how.data_page_sz),                                                               \
	MORE_FLAG(0, "code-page-size", "record the page size of code addresses", at,               \
		  how.code_page_sz),                                                               \
	MORE_FLAG(0, "running-time", "record how long groups (:S) counted", at, how.running_time), \
	MORE_FLAG(0, "user-callchains", "callchains of user code alone", at,                       \
		  how.user_callchains),                                                            \
	MORE_FLAG(0, "kernel-callchains", "callchains of the kernel alone", at,                    \
		  how.kernel_callchains),                                                          \
	MORE_FLAG(0, "switch-events", "record the switches between tasks", at, how.switches),      \
	MORE_FLAG(0, "no-bpf-event", "do not record BPF programs that are loaded", at,             \
		  how.no_bpf),                                                                     \
	MORE_FLAG(0, "no-buffering", "write each record when it comes", at, how.no_buffering),     \
	MORE_FLAG(0, "strict-freq", "fail if this kernel allows no such -F", at, strict_freq),     \
	MORE_FLAG(0, "dry-run", "check the options, and record nothing", at, dry_run),             \
	{ 'r', "realtime", "PRIORITY", "record with this priority of SCHED_FIFO", OPT_U64,         \
	  (at) + offsetof(struct record_more, realtime), 1, 99, NULL, NULL },                      \
	{ 0, "control", "HOW", "take commands by fd:CTL[,ACK] or fifo:CTL[,ACK]", OPT_CALL,        \
	  (at) + offsetof(struct record_more, control), 0, 0, recorder_control__set, NULL },       \
	{ 0, "switch-max-files", "N", "keep the newest files of --switch-output", OPT_U64,         \
	  (at) + offsetof(struct record_more, max_files), 1, 10000, NULL, NULL },                  \
	{ 0, "max-events", "N", "stop after N samples", OPT_U64,                                   \
	  (at) + offsetof(struct record_more, max_events), 1, INT64_MAX, NULL, NULL },             \
	{ 0, "synth", "WHAT", "tasks that run already: all (default), or no", OPT_CALL, at, 0, 0,  \
	  record_more__synth, NULL },                                                              \
	MORE_FLAG(0, "timestamp-filename", "name the file FILE.TIME", at, timed_name),             \
	MORE_FLAG('v', "verbose", "say more", at, is_verbose),                                     \
	MORE_FLAG(0, "tail-synthesize", "keep tasks when rings are overwritten (always on)", at,   \
		  no_effect),                                                                      \
	MORE_FLAG('N', "no-buildid-cache", "keep no copies of files (never done)", at, no_effect), \
	MORE_FLAG(0, "sample-identifier", "record ids of events (always on)", at, no_effect),      \
	MORE_FLAG(0, "exclude-perf", "do not record bpfperf (always on)", at, no_effect),          \
	MORE_FLAG(0, "buildid-all", "record all build ids (always on)", at, no_effect),            \
	MORE_FLAG(0, "buildid-mmap", "record build ids of mappings (always on)", at, no_effect),   \
	MORE_FLAG(0, "timestamp-boundary", "record the first and last time (always on)", at,       \
		  no_effect),                                                                      \
	MORE_FLAG(0, "group", "all events are one group, as {a,b}", at, group),                    \
	{ 0, "aux-sample", "BYTES", "newest bytes of the AUX area in samples of its group",        \
	  OPT_OPTCALL, at, 0, 0, record_more__aux_sample, NULL },                                  \
	{ 0, "switch-output-event", "EVENT,...", "begin another file at each of these events",     \
	  OPT_CALL, at, 0, 0, record_more__trigger, NULL },                                        \
	{ 0, "debuginfod", "URLS", "no debug files are read while recording; no effect",           \
	  OPT_OPTCALL, 0, 0, 0, record_more__ignore, NULL },                                       \
	MORE_IGNORED(0, "vmlinux", "FILE", "no symbols are read while recording; no effect"),      \
	{ 0, "threads", "SPEC", "write in a thread (always on)", OPT_OPTCALL, 0, 0, 0,             \
	  record_more__ignore, NULL },                                                             \
	{ 0, "aio", "N", "write while recording (always on)", OPT_OPTCALL, 0, 0, 0,                \
	  record_more__ignore, NULL },                                                             \
	MORE_IGNORED(0, "affinity", "HOW", "placement of perf's threads; no effect"),              \
	MORE_IGNORED(0, "mmap-flush", "SIZE", "least size of a write; no effect"),                 \
	MORE_IGNORED(0, "num-thread-synthesize", "N", "threads that read /proc; no effect"),       \
	MORE_IGNORED(0, "proc-map-timeout", "MS", "time for a process in /proc; no effect")
/* clang-format on */

#endif
