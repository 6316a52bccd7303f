/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Numbers as text of variable length, for JSON with many small ones: digits of base 32 as letters
 * of base64, the least digit first; a letter with bit 5 is followed by another. Numbers below 32
 * are one letter, below 1024 two. (The form of source maps, without their sign bit.)
 */
#ifndef BPFPERF_UTIL_VLQ_H
#define BPFPERF_UTIL_VLQ_H

#include <stdbool.h>
#include <stdint.h>

#include "util/strbuf.h"

/* Maximum number of letters of a number. */
#define VLQ_MAX 13

void vlq__put(struct strbuf *sb, uint64_t v);
/*
 * Reads the number at *at, which ends before `end`, and moves *at behind it. False: it is none, or
 * beyond 64 bits.
 */
bool vlq__read(const char **at, const char *end, uint64_t *v);

#endif
