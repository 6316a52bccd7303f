/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The instructions that ran between the branches before a sample, of x86: the code from the target
 * of each branch to the next branch, and from the newest target to the sample.
 */
#ifndef BPFPERF_DECODE_BRANCH_CODE_H
#define BPFPERF_DECODE_BRANCH_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/named.h"
#include "util/x86_insn.h"

struct line_names;
struct sample;

/* A longer piece of code is omitted, as in perf: the branches do not fit it. */
#define BRANCH_CODE_SZ (16384 - X86_INSN_MAX_SZ)
/* Files that are held open. */
#define BRANCH_CODE_FILES 64

struct branch_code {
	struct line_names *names; /* not owned */
	uint64_t max_blocks; /* of a sample; 0: all */
	bool with_places; /* each instruction's, too, but for that at which the code ends early */
	struct branch_code_file {
		uint32_t idx; /* sym__file_idx(); 0: the slot is free */
		bool is_64;
		int fd; /* -1: image has it, or it cannot be read */
		char *image;
		size_t image_sz;
	} files[BRANCH_CODE_FILES];
	/* Code of the piece that is decoded. */
	uint8_t bytes[BRANCH_CODE_SZ + X86_INSN_MAX_SZ];
	uint64_t start;
	size_t len;
	bool is_64;
	struct insn_rows rows; /* of the current sample */
	size_t cap;
	struct insn_row spare; /* takes the place of rows beyond the maximum */
	/* The function of the last row that has named one, and its first address. */
	const char *function;
	uint64_t function_addr;
};

/* names: gives functions to addresses, and outlives bc. NULL: no memory. */
struct branch_code *branch_code__new(struct line_names *names);
/* NULL is accepted. */
void branch_code__free(struct branch_code *bc);
/* Returns the rows of a sample with branches; valid until the next call. NULL: no memory. */
const struct insn_rows *branch_code__get(struct branch_code *bc, const struct sample *s);

#endif
