/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* script -F srccode: reads the source files that debug information names. */
#ifndef BPFPERF_RUN_SCRIPT_SOURCES_H
#define BPFPERF_RUN_SCRIPT_SOURCES_H

struct script_texts;

/*
 * Creates a reader; sources are looked for below symfs first (NULL: none), which outlives it. NULL:
 * no memory (logged).
 */
struct script_texts *script_sources__new(const char *symfs);
/* NULL is accepted. */
void script_sources__free(struct script_texts *texts);

#endif
