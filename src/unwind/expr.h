/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The DWARF expressions that occur in call frame information of compilers, linkers and C libraries.
 */
#ifndef BPFPERF_UNWIND_EXPR_H
#define BPFPERF_UNWIND_EXPR_H

#include "unwind/arch.h"
#include "unwind/reader.h"

enum expr_kind {
	EXPR_OTHER,
	EXPR_REG, /* register + off */
	EXPR_DEREF, /* *(register + off) */
	EXPR_PLT, /* register + off + ((pc & 15) >= from) * 8 */
};

struct expr {
	enum expr_kind kind;
	uint8_t reg, from;
	int32_t off;
};

/* Classifies the expression that fills a block. */
struct expr expr__parse(struct cfi_reader block, const struct unwind_arch *arch);

#endif
