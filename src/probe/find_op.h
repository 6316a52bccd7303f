/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The request of find.h, as a reader answers it. */
#ifndef BPFPERF_PROBE_FIND_OP_H
#define BPFPERF_PROBE_FIND_OP_H

#include "probe/code_file.h"
#include "reader/reader.h"

/* Fixed part of the request; provider, func, source and args follow as texts (reader/answer.h). */
struct find_request_head {
	uint64_t add;
	uint32_t line;
	uint8_t is_list;
	struct code_file_set has;
};

/*
 * The answer: enum find_status (u32), has_return (u8), is_split (u8), struct arg_fault, `near` and
 * `missing` (texts), what split_units__put_wants() appends, and the places (place.h).
 */
extern const struct reader_op find_op;

#endif
