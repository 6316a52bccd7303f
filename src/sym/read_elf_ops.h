/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The readers' side of sym/read_elf.h. */
#ifndef BPFPERF_SYM_READ_ELF_OPS_H
#define BPFPERF_SYM_READ_ELF_OPS_H

#include "sym/read_elf.h"

/* struct elf_heads of the file. */
extern const struct reader_op read_elf_heads;
/* The request is a struct elf_heads; the answer is the error alone. */
extern const struct reader_op read_elf_match;
/* The texts of read_elf__needs(). */
extern const struct reader_op read_elf_needs;
/* The request is enum elf_syms_flag; files: the file, its debug file. See put_syms(). */
extern const struct reader_op read_elf_syms;
/* The table's entries. */
extern const struct reader_op read_elf_fdes;
/* The request is a uint64_t, the size. */
extern const struct reader_op read_elf_jit;
/* The request are names, each with its NUL; the answer is a text for each, NULL: it has none. */
extern const struct reader_op read_elf_demangle;

/* The head of an answer with functions; entries, segments and names in memory follow as arrays. */
struct elf_syms_head {
	struct {
		uint64_t off, sz;
	} names[NAMES_CNT];
	uint8_t cut;
};

#endif
