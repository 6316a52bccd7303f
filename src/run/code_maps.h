/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Interpreted functions in recordings. Stacks are addresses there: each function gets a mapping of
 * its own, "py::NAME:FILE" as CPython's own perf support has it, in which the offset is the line.
 */
#ifndef BPFPERF_RUN_CODE_MAPS_H
#define BPFPERF_RUN_CODE_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "decode/sample.h"
#include "util/u64map.h"

struct sink;
struct sym;

struct code_maps {
	struct u64map sent; /* process and function → 1: the mapping is in the recording */
	struct u64map execs; /* process → number of programs that it has begun */
	uint64_t *user; /* user addresses of the sample */
	size_t cap;
};

/* A zeroed struct is empty. */
void code_maps__free(struct code_maps *cm);
/* A process runs another program, without its mappings: they are put again when needed. */
void code_maps__forget(struct code_maps *cm, int32_t pid);
/*
 * sink__sample(), where a sink that takes addresses alone gets addresses, and before them the
 * mappings they are in. 0 or -errno.
 */
int code_maps__sample(struct code_maps *cm, struct sink *sink, struct sym *sym,
		      const struct sample *s);

#endif
