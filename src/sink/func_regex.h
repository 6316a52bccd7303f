/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Which functions of a hist have names that match a regular expression; each is matched once. */
#ifndef BPFPERF_SINK_FUNC_REGEX_H
#define BPFPERF_SINK_FUNC_REGEX_H

#include <stddef.h>
#include <stdint.h>

struct func_regex;
struct hist;

/* Checks an extended regular expression for an option. 0 or -EINVAL (logged). */
int func_regex__check(const char *option, const char *text);
/* Compiles one that was checked; hist outlives it. NULL: no memory. */
struct func_regex *func_regex__new(const struct hist *hist, const char *text);
/* 1: the function matches; 0: not, or it was inlined or has no name; -ENOMEM. */
int func_regex__is(struct func_regex *r, uint32_t func);
/* NULL is accepted. */
void func_regex__free(struct func_regex *r);

#endif
