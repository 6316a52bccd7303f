/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reads the encodings of DWARF call frame information from untrusted bytes. */
#ifndef BPFPERF_UNWIND_READER_H
#define BPFPERF_UNWIND_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads past the end return 0 and set `bad` for good. */
struct cfi_reader {
	const uint8_t *at, *end;
	bool bad;
	bool is_big, is_32; /* big-endian; addresses have 4 bytes, not 8 */
};

/* The bases that encoded pointers are relative to. */
struct cfi_bases {
	const uint8_t *start; /* the section's bytes */
	uint64_t addr; /* load address of the section */
	uint64_t data; /* DW_EH_PE_datarel; 0: known at run time alone */
	uint64_t func; /* DW_EH_PE_funcrel; 0: none */
};

/* Reads an unsigned number of sz (1…8) bytes. */
uint64_t cfi_reader__uint(struct cfi_reader *r, unsigned int sz);
/* Reads a number of sz bytes and extends its sign. */
int64_t cfi_reader__sint(struct cfi_reader *r, unsigned int sz);
uint64_t cfi_reader__uleb(struct cfi_reader *r);
int64_t cfi_reader__sleb(struct cfi_reader *r);
/* Reads a text up to its NUL, inclusive; "" and bad if there is no NUL. */
const char *cfi_reader__str(struct cfi_reader *r);
void cfi_reader__skip(struct cfi_reader *r, uint64_t sz);
size_t cfi_reader__left(const struct cfi_reader *r);
/* Makes a sub-reader of the next sz bytes, which are skipped. */
struct cfi_reader cfi_reader__sub(struct cfi_reader *r, uint64_t sz);
/*
 * Reads a pointer in one of the encodings DW_EH_PE_… (Linux Standard Base, 10.5.1). Indirect ones,
 * which are relocated at run time, and those whose base is 0 set bad.
 */
uint64_t cfi_reader__pointer(struct cfi_reader *r, uint8_t enc, const struct cfi_bases *bases);

#endif
