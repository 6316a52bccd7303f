/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reads the encodings of DWARF call frame information from untrusted bytes. */
#ifndef BPFPERF_UNWIND_READER_H
#define BPFPERF_UNWIND_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads past the end return 0 and set `bad` for good. Little-endian. */
struct reader {
	const uint8_t *at, *end;
	bool bad;
};

/* The bases that encoded pointers are relative to. */
struct reader_bases {
	const uint8_t *start; /* the section's bytes */
	uint64_t addr; /* load address of the section */
	uint64_t data; /* DW_EH_PE_datarel; 0 if there is none */
	uint64_t func; /* DW_EH_PE_funcrel */
};

/* Reads an unsigned number of sz (1…8) bytes. */
uint64_t reader__uint(struct reader *r, unsigned int sz);
/* Reads a number of sz bytes and extends its sign. */
int64_t reader__sint(struct reader *r, unsigned int sz);
uint64_t reader__uleb(struct reader *r);
int64_t reader__sleb(struct reader *r);
/* Reads a text up to its NUL, inclusive; "" and bad if there is no NUL. */
const char *reader__str(struct reader *r);
void reader__skip(struct reader *r, uint64_t sz);
size_t reader__left(const struct reader *r);
/* Makes a sub-reader of the next sz bytes, which are skipped. */
struct reader reader__sub(struct reader *r, uint64_t sz);
/*
 * Reads a pointer in one of the encodings DW_EH_PE_… (Linux Standard Base, 10.5.1). Indirect ones
 * set bad: they are relocated at run time.
 */
uint64_t reader__pointer(struct reader *r, uint8_t enc, const struct reader_bases *bases);

#endif
