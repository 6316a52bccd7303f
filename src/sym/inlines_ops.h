/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The readers' side of sym/inlines.h. */
#ifndef BPFPERF_SYM_INLINES_OPS_H
#define BPFPERF_SYM_INLINES_OPS_H

#include "reader/reader.h"

/* Files with DWARF that one reader has open. */
#define INLINES_OPEN_MAX 512

/*
 * The request is a struct inlines_request; files: the file, its alternative. Answer: struct
 * inlines_opened.
 */
extern const struct reader_op inlines_open_op;
/*
 * The request is a uint32_t, the file's number, and addresses. Answer: the memory that the file
 * takes now, in bytes (u64), which of its split DWARF is missing (a text, by
 * split_units__put_missing()), then inlines_head, frames, …
 */
extern const struct reader_op inlines_find_op;
/*
 * The request is the file's number. Answer: the files of split DWARF that addresses of the last
 * request wait for (split_units__put_wants()).
 */
extern const struct reader_op inlines_wants_op;
/* The request is the file's number and an array of struct split_given; files: of these. */
extern const struct reader_op inlines_give_op;
/* The request is the file's number. */
extern const struct reader_op inlines_close_op;

struct inlines_request {
	uint8_t lines, has_alt;
};

struct inlines_opened {
	uint64_t mem_sz;
	uint32_t nr;
};

/* Begins the frames of an address; cnt struct inlines_frame with their texts follow. */
struct inlines_head {
	uint64_t vaddr;
	uint64_t innermost, own, own_start; /* struct inline_entries */
	uint32_t cnt;
	uint8_t is_linkers;
	uint8_t is_waiting; /* for a file of split DWARF: this is no answer */
};

#endif
