/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* script --show-*-events: hands records that are no samples to the text's sink. */
#ifndef BPFPERF_RUN_SCRIPT_RECORDS_H
#define BPFPERF_RUN_SCRIPT_RECORDS_H

struct record;
struct replay;
struct script_config;
struct script_events;
struct sink;

/*
 * Prints a record of perf_event_open(2), if `show` has its type, with the fields of a sample that
 * tell where it was made. Completes cfg before the first one. 0, or -errno (logged if -EINVAL).
 */
int script_records__print(struct replay *r, const struct script_events *show,
			  struct script_config *cfg, struct sink *sink, const struct record *rec);

#endif
