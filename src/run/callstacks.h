/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Stacks with the records of trace (-g): what the option says, what comes of definitions and process events. */
#ifndef BPFPERF_RUN_CALLSTACKS_H
#define BPFPERF_RUN_CALLSTACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/unwind_report.h"
#include "decode/stacks.h"
#include "source/live.h"

struct cpus;
struct sym;

/* -g[=user|kernel|both] */
struct callstack_opts {
	bool kernel, user; /* neither: not asked for */
	bool has_unwind; /* --unwind was given */
	enum unwind_mode unwind;
};
/* Parses the option's argument (NULL: both). 0, or -EINVAL after one sentence. */
int callstack_opts__set(struct callstack_opts *o, const char *arg);
/* The same of --unwind. */
int callstack_opts__set_unwind(struct callstack_opts *o, const char *arg);

struct callstacks {
	struct stacks stacks;
	struct sym *sym; /* not owned */
	struct u64map versions; /* process → how often its mappings have changed */
	uint64_t truncated; /* records whose stack was cut */
};

/* max_depth: addresses asked for of each side, to tell what was cut. */
void callstacks__init(struct callstacks *c, struct sym *sym, uint32_t max_depth);
void callstacks__free(struct callstacks *c);
/* How many of a stack's innermost kernel frames are those of tracing itself, not of where the event happened. */
uint16_t callstacks__tracing_frames(struct sym *sym, const struct callchain *chain);
/* For live_config.define: a definition has come; ctx is a struct callstacks. 0 or -ENOMEM. */
int callstacks__define(void *ctx, const struct wire_rec *rec);
/* A process event: keeps sym and the versions. */
void callstacks__task(struct callstacks *c, const struct record *rec);
/* The last touch to a decoded sample: whose mappings its user addresses are of. */
void callstacks__complete(struct callstacks *c, struct sample *s);
/* What the summary says of stacks that were cut or are missing. */
void callstacks__summary(const struct callstacks *c, const struct cpus *cpus);

#endif
