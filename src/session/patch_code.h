/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Generated code in the programs: behind each program's last instruction, one
 * block for each of its patches (bpf/patch_point.bpf.h), which jumps there and back.
 */
#ifndef BPFPERF_SESSION_PATCH_CODE_H
#define BPFPERF_SESSION_PATCH_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "filter/filter.h"

struct bpf_program;

/* Code for the records of one event. */
struct patch_event {
	uint16_t id; /* tracepoint id */
	/* Code before the filter, for what passes whatever that says: to `pass`, or on behind itself. NULL: none. */
	void (*first)(const void *arg, struct code *c, code_label pass);
	const void *first_arg;
	const struct filter *filter; /* NULL: all pass */
	/* More code for what has passed; it goes on behind itself, or to `reject`. NULL: none. */
	void (*more)(const void *arg, struct code *c, code_label reject);
	const void *more_arg;
};

/* The read-only maps that code refers to; they live as long as programs are loaded from it. */
struct patch_tables {
	int *fds;
	size_t cnt;
};

/*
 * Puts code for these events into the patches of a program that is opened, but not loaded. Records
 * of events that are not among them pass. 0 or -errno: -E2BIG where it is more than a program's
 * jumps can span.
 */
int patch_code__put(struct bpf_program *prog, const struct patch_event *events, size_t cnt,
		    struct patch_tables *tables);
void patch_tables__free(struct patch_tables *tables);

#endif
