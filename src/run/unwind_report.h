/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How user stacks are taken: what --unwind says, what process records tell the unwinder, what came of it. */
#ifndef BPFPERF_RUN_UNWIND_REPORT_H
#define BPFPERF_RUN_UNWIND_REPORT_H

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "source/live.h"

struct unwinder;

/* Parses the argument of --unwind. 0, or -EINVAL after one sentence. */
int unwind_report__set(enum unwind_mode *mode, const char *arg);
/* Tells of a record of the process rings, once it is read; others are ignored, and NULL is fine. */
void unwind_report__record(struct unwinder *u, const struct record *rec);
/* The summary on stderr: tables there are, walks that are not complete, by cause. */
void unwind_report__summary(struct unwinder *u);

#endif
