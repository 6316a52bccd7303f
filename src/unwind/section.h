/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads the entries of one .eh_frame or .eh_frame_hdr (Linux Standard Base, 10.6), or .debug_frame
 * (DWARF 5, 6.4.1).
 */
#ifndef BPFPERF_UNWIND_SECTION_H
#define BPFPERF_UNWIND_SECTION_H

#include "unwind/program.h"

struct cfi_section {
	const uint8_t *data; /* not owned */
	size_t sz;
	uint64_t addr; /* load address; unused for .debug_frame */
	bool is_debug; /* .debug_frame */
	bool is_open_ended; /* sz is an upper limit; a terminator ends the section */
	bool is_big, is_32; /* byte order and class of the file */
};

struct cfi_fde {
	uint64_t start, end; /* virtual addresses of the file */
	const struct cfi_cie *cie; /* may be bad: then start..end cannot be unwound */
	struct cfi_reader insns;
	struct cfi_bases bases;
};

typedef int (*cfi_fde_fn)(void *priv, const struct cfi_fde *fde);

/*
 * Passes every function in the order of the section; invalid ones are skipped and counted in
 * *bad_cnt. Without an arch (NULL) the instructions of CIEs are not run, and cie->init is empty.
 * Returns 0, -ENOMEM, or the value that fn returned if it was not 0.
 */
int cfi_section__each(const struct cfi_section *sec, const struct unwind_arch *arch, cfi_fde_fn fn,
		      void *priv, uint64_t *bad_cnt);

struct cfi_header {
	uint64_t frame; /* address of .eh_frame; 0: none */
	uint64_t cnt; /* functions of the table that were not yet read */
	struct cfi_reader table;
	uint8_t table_enc; /* DW_EH_PE_… */
	struct cfi_bases bases;
};

/* Reads the head of an .eh_frame_hdr. False: damaged. A table that is damaged has no functions. */
bool cfi_header__read(struct cfi_header *hdr, const struct cfi_section *sec);
/* Reads the start of the next function of the table. False: the end. */
bool cfi_header__next(struct cfi_header *hdr, uint64_t *start);

#endif
