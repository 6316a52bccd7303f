/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_MACHINE_SYM_FEED_H
#define BPFPERF_MACHINE_SYM_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "source/live.h"

struct proc_event;
struct sym;
struct sym_build_id;
struct targets;

/*
 * What is mapped before the recording: of all processes, or of those of -p and -t alone. Call it
 * when the rings are open, so that nothing is missed between.
 */
void sym_feed__start(struct sym *sym, const struct targets *targets, bool by_task);
/* Tells sym of a record of the process rings; others are ignored. */
void sym_feed__record(struct sym *sym, const struct record *rec);

/* Tells sym of a mapping, at a time (ns; 0: now); id: where the event has none of its own, or NULL. */
void sym_feed__map(struct sym *sym, const struct proc_event *ev, uint64_t time_ns,
		   const struct sym_build_id *id);
/* Tells sym of a PROC_KSYMBOL. */
void sym_feed__ksymbol(struct sym *sym, const struct proc_event *ev);

#endif
