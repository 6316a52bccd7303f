/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Private to decode/print: parses a format file with libtraceevent. */
#ifndef BPFPERF_DECODE_PRINT_PARSE_H
#define BPFPERF_DECODE_PRINT_PARSE_H

struct print_plan;
struct tep_event;

/*
 * Returns libtraceevent's view of plan->fmt, which lives as long as plan->tep, set here; NULL if it
 * cannot be parsed.
 */
struct tep_event *print_parse(struct print_plan *plan);

#endif
