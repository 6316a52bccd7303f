/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The request of find.h, as a reader answers it. */
#ifndef BPFPERF_PROBE_FIND_OP_H
#define BPFPERF_PROBE_FIND_OP_H

#include "reader/reader.h"

/* Fixed part of the request; provider, func, source and args follow as texts (reader/answer.h). */
struct find_request_head {
	uint64_t add;
	uint32_t line;
	uint8_t is_list;
	uint8_t has_debug, has_alt; /* which files come with the request, behind the first */
};

/*
 * The answer: enum find_status (u32), has_return (u8), struct arg_fault, `near` (text), and the
 * places (place.h).
 */
extern const struct reader_op find_op;

#endif
