/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kernel's event-filter grammar (Documentation/trace/events.rst, section 5), typed by one
 * tracepoint's format, and compiled to BPF. It accepts the filters that
 * kernel/trace/trace_events_filter.c of Linux 6.x accepts, with its sizes, signs and string rules.
 * Pure: needs no kernel and no privileges.
 */
#ifndef BPFPERF_FILTER_FILTER_H
#define BPFPERF_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/tp_format.h"
#include "filter/code.h"
#include "util/strbuf.h"

/* A filter of one event. */
struct filter;

/* Facts about the machine that filters depend on. */
struct filter_env {
	unsigned int cpu_cnt; /* number of possible CPUs: the highest possible number + 1 */
	/*
	 * Finds the kernel function of that name, or (name NULL) the one that contains addr: from
	 * *start up to *end. 0 or -ENOENT. NULL: `.function` cannot be used.
	 */
	int (*function)(void *ctx, const char *name, uint64_t addr, uint64_t *start, uint64_t *end);
	void *ctx;
};

/* An error in a filter. */
struct filter_fault {
	/* -ENOENT: the event has no such field; -EINVAL: any other error; -ENOMEM. */
	int err;
	size_t off; /* position of the caret: bytes from the filter's start */
	struct strbuf text; /* one sentence with the remedy */
};

#define FILTER_FAULT_INIT                                                                          \
	{                                                                                          \
		0, 0, STRBUF_INIT                                                                  \
	}

/*
 * Parses `expr` for events of format `fmt`, to which the filter keeps no reference. 0; or -errno
 * with `fault` filled in (free it with filter_fault__free()) and *out NULL.
 */
int filter__parse(struct filter **out, const char *expr, const struct tp_format *fmt,
		  const struct filter_env *env, struct filter_fault *fault);
void filter__free(struct filter *f);
void filter_fault__free(struct filter_fault *fault);
/* Prints the fault with the filter and a caret under its position. Returns fault->err. */
int filter_fault__log(struct filter_fault *fault, const char *expr);

/* The members of struct patch_env that the filter's code reads: enum wire_patch_need. */
uint32_t filter__needs(const struct filter *f);
/*
 * A sentence about a predicate that the kernel interprets differently than it reads, or NULL. Owned
 * by the filter.
 */
const char *filter__hint(const struct filter *f);

/*
 * Writes the code, which jumps to `pass` or to `reject`. It may use r0, r2, r4, r5 and the 16 bytes
 * of c->spill_off; keeps r1 (the entry) and r3 (the environment).
 */
void filter__compile(const struct filter *f, struct code *c, code_label pass, code_label reject);

/*
 * Combines the two --filter of one event, both of which must pass: "(a) && (b)". NULL: no memory.
 * Caller frees.
 */
char *filter__join(const char *a, const char *b);

#endif
