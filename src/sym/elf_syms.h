/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The functions of one ELF file, by its own virtual addresses. */
#ifndef BPFPERF_SYM_ELF_SYMS_H
#define BPFPERF_SYM_ELF_SYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/symtab.h"

struct elf_segment {
	uint64_t off, filesz, vaddr; /* PT_LOAD: bytes off.. of the file are at vaddr.. */
};

struct elf_syms {
	struct symtab tab;
	struct elf_segment *segments;
	size_t segment_cnt;
	/* Where the file's string tables begin and how long they are: of .symtab, of .dynsym. */
	struct {
		uint64_t off, sz;
	} strtab[2];
	char **names; /* names that were asked for, copied */
	size_t name_cnt;
};

/*
 * Reads .symtab and .dynsym of the file behind fd (stays open, stays the caller's). Read, not
 * mapped: a file that is truncated meanwhile must not kill us. Names are left in the file.
 * Functions only: STT_FUNC, STT_GNU_IFUNC and, in executable sections, STT_NOTYPE (assembler).
 * 0; -ENOEXEC where it is no ELF file; -ENOMEM.
 */
int elf_syms__read(struct elf_syms *syms, int fd);
/* The same from an image in memory (the vdso). */
int elf_syms__read_image(struct elf_syms *syms, char *image, size_t sz);
/*
 * The function at byte file_off of the file; its name is read through fd the first time, or
 * taken from `image` where fd is -1. The name is owned by `syms`, the same pointer each time.
 * NULL where there is none; *off is set to the bytes into the function.
 */
const char *elf_syms__find(struct elf_syms *syms, int fd, const char *image, uint64_t file_off,
			   uint64_t *off);
void elf_syms__free(struct elf_syms *syms);

#endif
