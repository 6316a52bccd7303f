/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* An ELF file's DWARF, opened so that neither its size nor its owner can hurt us. */
#ifndef BPFPERF_SYM_DWARF_FILE_H
#define BPFPERF_SYM_DWARF_FILE_H

#include <stddef.h>

#include <elfutils/libdw.h>

/* The bytes behind the last NUL of a section with texts: a text that begins there has no end. */
struct dwarf_tail {
	const char *from, *to;
};
#define DWARF_TAILS_MAX 4

struct dwarf_file {
	Elf *elf;
	Dwarf *dwarf;
	size_t mem_sz; /* bytes of sections in memory; 0: mapped */
	struct dwarf_tail tails[DWARF_TAILS_MAX];
	size_t tail_cnt;
};

/*
 * Reads the debug sections, or maps them (see INLINES_READ_MAX); fd may be closed after.
 * 0; -ENOEXEC where there is no DWARF; -EFBIG where it is too large to be read and may not be
 * mapped. Close it in any case but an error.
 */
int dwarf_file__open(struct dwarf_file *file, int fd);
/* Releases the mapped pages; the next access reads them again. */
void dwarf_file__idle(const struct dwarf_file *file);
/* A text that libdw gave of a DIE; NULL where it is none, or has no end. */
const char *dwarf_file__text(const struct dwarf_file *file, const char *text);
void dwarf_file__close(struct dwarf_file *file);

#endif
