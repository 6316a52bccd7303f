/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Branch stacks in the form of `perf script -F brstack,brstacksym,brstackoff`. */
#ifndef BPFPERF_SINK_SCRIPT_BRANCHES_H
#define BPFPERF_SINK_SCRIPT_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

struct named_lines;
struct perf_sample;

/* Do these fields need SAMPLE_NEEDS_BRANCHES? */
bool script_branches__are_named(uint64_t fields);
/*
 * Puts the branches before the sample, the newest first, by the first of SCRIPT_BRSTACK,
 * SCRIPT_BRSTACKSYM, SCRIPT_BRSTACKOFF in `fields`, with SCRIPT_DSO their files. named: both sides
 * of each, if they are needed.
 */
void script_branches__put(struct strbuf *out, const struct perf_sample *s,
			  const struct named_lines *named, uint64_t fields);

#endif
