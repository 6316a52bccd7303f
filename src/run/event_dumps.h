/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * script --per-event-dump: the files of the events. Their names are known when a recording is read,
 * by a process that can create no file (run/confine.h): one that was forked before opens them.
 */
#ifndef BPFPERF_RUN_EVENT_DUMPS_H
#define BPFPERF_RUN_EVENT_DUMPS_H

struct event_list;
struct event_outs;

/* Row for a command's table: the offset of a bool. */
/* clang-format off */
#define EVENT_DUMPS_OPT(at)                                                                        \
	{ .long_name = "per-event-dump", .type = OPT_FLAG, .off = at,                              \
	  .help = "write each event's samples to a file of its own, RECORDING.EVENT.dump" }
/* clang-format on */

/*
 * Forks the process. Files are named by `input`, the recording: NULL is perf.data, "-" stdin. To be
 * called before privileges are given up. NULL (logged).
 */
struct event_outs *event_dumps__new(const char *input);
/* Opens the files of all events, with or without samples. 0, or -EIO (logged). NULL is accepted. */
int event_dumps__open(struct event_outs *outs, const struct event_list *events);
/* Writes what is not written yet. 0, or the first error. NULL is accepted. */
int event_dumps__flush(struct event_outs *outs);
/*
 * Closes the files, logs how many samples each has, and frees all. 0, or the first error of a file.
 * NULL is accepted.
 */
int event_dumps__close(struct event_outs *outs);

#endif
