/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_CMD_SYM_FEED_H
#define BPFPERF_CMD_SYM_FEED_H

#include <stdbool.h>

#include "source/live.h"

struct sym;
struct targets;

/*
 * What is mapped before the recording: of all processes, or of those of -p and -t alone. Call it
 * when the rings are open, so that nothing is missed between.
 */
void sym_feed__start(struct sym *sym, const struct targets *targets, bool by_task);
/* Tells sym of a record of the process rings; others are ignored. */
void sym_feed__record(struct sym *sym, const struct record *rec);

#endif
