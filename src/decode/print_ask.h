/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_DECODE_PRINT_ASK_H
#define BPFPERF_DECODE_PRINT_ASK_H

#include <stddef.h>

#include "util/strbuf.h"

struct print_plan;
struct tp_format;

/*
 * Has a reader (reader/reader.h) compile a format: libtraceevent crashes on some that are
 * malformed, and where memory ends. Returns the plan, which is as hostile as the format, but sound
 * (print_plan__is_sound()); NULL if the format cannot be compiled, or there is no reader.
 */
struct print_plan *print_ask(const struct tp_format *fmt);

/* Appends the answer for a plan. */
void print_ask__put(const struct print_plan *plan, struct strbuf *answer);
/* Makes a plan of an answer of sz bytes; NULL if it is none, or not sound. */
struct print_plan *print_ask__take(const void *answer, size_t sz);

#endif
