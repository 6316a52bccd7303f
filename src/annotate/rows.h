/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The rows of a function: its instructions, and the source lines between them. */
#ifndef BPFPERF_ANNOTATE_ROWS_H
#define BPFPERF_ANNOTATE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "annotate/counts.h"
#include "annotate/source_text.h"

struct sym;

enum code_row_kind {
	CODE_ROW_FUNC, /* the rows that follow are of this function, maybe an inlined one */
	CODE_ROW_LINE,
	CODE_ROW_INSN,
};

struct code_row {
	enum code_row_kind kind;
	uint64_t addr; /* of the instruction that it is, or comes before */
	const char *name; /* the function's, or the path of the source; else NULL */
	uint32_t line; /* its number */
	/* of the line, NULL: its file cannot be read; or of the instruction; not escaped */
	const char *text;
	size_t len;
};

struct code_rows {
	struct sym *sym; /* with options.inlines and options.lines */
	struct source_texts *sources;
	const struct annotated *f;
	void (*put)(void *ctx, const struct code_row *row);
	void *ctx;
};

/*
 * Calls put() for each row, by address. 0; -ENOTSUP: libcapstone is missing, or does not know the
 * machine; -ENOENT, -ENOEXEC: no file has the code, or not this code; or another error of
 * disasm__read(): there was no row.
 */
int code_rows__each(const struct code_rows *rows);
/* Warns that the instructions of a function are not shown; err: as above. */
void code_rows__log_missing(const struct annotated *f, int err);

#endif
