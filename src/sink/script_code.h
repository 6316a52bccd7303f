/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The code between branches in the form of `perf script -F brstackinsn,brstackinsnlen`. */
#ifndef BPFPERF_SINK_SCRIPT_CODE_H
#define BPFPERF_SINK_SCRIPT_CODE_H

#include <stdint.h>

#include "util/strbuf.h"

struct sample;
struct script_source;

/*
 * Puts a line for each row, behind a newline. fields: with SCRIPT_BRSTACKINSN_LEN the lengths of
 * the instructions, with SCRIPT_SRCLINE the lines where functions begin, with
 * SCRIPT_SRCCODE the texts of the lines, by `source`.
 */
void script_code__put(struct strbuf *out, const struct sample *s, uint64_t fields,
		      struct script_source *source);

#endif
