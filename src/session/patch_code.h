/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Generated code in the programs: one block for each patch point of a program
 * (bpf/patch_point.bpf.h), appended to its last instruction; the patch point jumps there and back.
 */
#ifndef BPFPERF_SESSION_PATCH_CODE_H
#define BPFPERF_SESSION_PATCH_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/filter.h"

struct bpf_program;

/* A kind of patch point; the value is the constant in its place. */
enum patch_at {
	PATCH_RECORD, /* patch_point(): each record; the end of a pair */
	PATCH_START, /* start_point(): the start of a pair */
};

/* Code for the records of one event. */
struct patch_event {
	enum patch_at at;
	bool never; /* no record passes; the members below are not used */
	uint16_t id; /* tracepoint id */
	/*
	 * Emits code before the filter that decides regardless of it: it jumps to `pass` or falls
	 * through. NULL: none.
	 */
	void (*first)(const void *arg, struct code *c, code_label pass);
	const void *first_arg;
	const struct filter *filter; /* NULL: all records pass */
	/*
	 * Emits code for records that have passed; it falls through or jumps to `reject`. NULL:
	 * none.
	 */
	void (*more)(const void *arg, struct code *c, code_label reject);
	const void *more_arg;
	/*
	 * Without the members above, `more` emits equal code for all events of equal `shift`: those
	 * with ids that follow each other get it once.
	 */
	bool is_shared;
	int32_t shift;
};

/* Code for points of another kind, which are recognised by their own constant. */
struct patch_extra {
	int32_t placeholder;
	/*
	 * Emits the code, behind the program's last instruction; it ends by a jump to instruction
	 * `back`. Returns 0 or -errno.
	 */
	int (*put)(const void *arg, struct code *c, size_t back);
	const void *arg;
};

struct patch_extras {
	const struct patch_extra *at;
	size_t cnt;
};

/*
 * The read-only maps that the code refers to. They must stay open until the last program with the
 * code is loaded.
 */
struct patch_tables {
	int *fds;
	size_t cnt;
};

/*
 * Puts code for these events into the patch points of a program that is opened, but not loaded.
 * Records of other events pass; starts of pairs have code only where an event has one. extras: of
 * other kinds of points; NULL: none. Returns 0 or -errno; -E2BIG: the code is longer than a
 * program's jumps can span.
 */
int patch_code__put(struct bpf_program *prog, const struct patch_event *events, size_t cnt,
		    const struct patch_extras *extras, struct patch_tables *tables);
/* Emits the jump with which the code of a point ends. */
void patch_code__jump_back(struct code *c, size_t back);
void patch_tables__free(struct patch_tables *tables);

#endif
