/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Stacks of trace records (-g): the option, and stacks by their definitions. */
#ifndef BPFPERF_RUN_CALLSTACKS_H
#define BPFPERF_RUN_CALLSTACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/unwind_report.h"
#include "decode/stacks.h"
#include "source/live.h"

struct cpus;
struct machine;
struct sym;

/* -g[=user|kernel|both] */
struct callstack_opts {
	bool kernel, user; /* neither: no stacks */
	bool fp; /* -g=fp: by frame pointers, unless --unwind says otherwise */
	enum unwind_mode unwind;
	struct interp_modes interp;
};
/*
 * Sets a struct callstack_opts from the option's argument (NULL: both). 0, or -EINVAL, logged.
 */
int callstack_opts__set(void *opts, const char *arg);

struct callstacks {
	struct stacks stacks;
	const struct machine *machine; /* not owned */
	struct sym *sym; /* the machine's */
	uint64_t truncated; /* number of records with a cut stack */
};

/*
 * Initializes c. max_depth: requested addresses of each side; a stack that reaches it was cut. The
 * machine outlives c.
 */
void callstacks__init(struct callstacks *c, const struct machine *machine, uint32_t max_depth);
void callstacks__free(struct callstacks *c);
/*
 * Returns how many innermost kernel frames of a stack belong to tracing itself, not to the event's
 * place.
 */
uint16_t callstacks__tracing_frames(struct sym *sym, const struct callchain *chain);
/* For live_config.define: a definition has arrived; ctx is a struct callstacks. 0 or -ENOMEM. */
int callstacks__define(void *ctx, const struct wire_rec *rec);
/* Completes a decoded sample: sets the version of the mappings for its user addresses. */
void callstacks__complete(struct callstacks *c, struct sample *s);
/* Prints the summary's lines on cut and missing stacks. */
void callstacks__summary(const struct callstacks *c, const struct cpus *cpus);

#endif
