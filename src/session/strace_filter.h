/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * --filter of strace: an expression about the numbers of a call's record, which the programs
 * evaluate before memory is copied. Its grammar is that of events (filter/filter.h).
 */
#ifndef BPFPERF_SESSION_STRACE_FILTER_H
#define BPFPERF_SESSION_STRACE_FILTER_H

#include "session/patch_code.h"

struct strace_filter;

/* Parses the expression. NULL after one sentence. */
struct strace_filter *strace_filter__new(const char *expr);
/* NULL is accepted. Call it after the programs have been loaded. */
void strace_filter__free(struct strace_filter *f);
/* The members of struct patch_env that the filter reads: enum wire_patch_need. */
uint32_t strace_filter__needs(const struct strace_filter *f);
/* Puts the filter into a program that is opened, but not loaded. Returns 0 or -errno (logged). */
int strace_filter__put(struct strace_filter *f, struct bpf_program *prog);

#endif
