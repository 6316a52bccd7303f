/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Private to decode/print: what only records of probes have. Their formats are made up (probe/
 * format.h): a field may be a floating-point number, whatever its conversion, and a bit of the
 * field __absent says that a value was not in memory.
 */
#ifndef BPFPERF_DECODE_PRINT_PROBE_H
#define BPFPERF_DECODE_PRINT_PROBE_H

#include "decode/print_builder.h"

struct tep_print_arg;

#define PRINT_PROBE_UNGUARDED UINT32_MAX

/* Is the argument a field of type double or float? */
bool print_probe__is_float(const struct tep_print_arg *arg);
/*
 * Appends ops that print "<not in memory>" in place of what comes next, if the bit of the
 * argument's field is set. Returns what print_probe__end_guard() needs; PRINT_PROBE_UNGUARDED:
 * nothing was appended.
 */
uint32_t print_probe__guard(struct print_builder *bld, struct tep_print_arg *arg);
/* Here ends what the guard stands for. */
void print_probe__end_guard(struct print_builder *bld, uint32_t guard);
/*
 * Marks the ops from number `first` on that print a probe's text, if `behind`, the format that
 * follows, begins with a quote: quotes within the text are then escaped.
 */
void print_probe__mark_quoted(struct print_builder *bld, uint32_t first, const char *behind);

#endif
