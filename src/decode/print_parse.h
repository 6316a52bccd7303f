/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Private to decode/print: parses a format file with libtraceevent. */
#ifndef BPFPERF_DECODE_PRINT_PARSE_H
#define BPFPERF_DECODE_PRINT_PARSE_H

struct tep_event;
struct tep_handle;
struct tp_format;

/* Returns libtraceevent's view of a format, which is valid as long as tep; NULL if it has none. */
struct tep_event *print_parse(const struct tp_format *fmt, struct tep_handle *tep);

#endif
