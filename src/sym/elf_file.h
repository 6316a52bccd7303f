/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The headers of an ELF file: addresses of code, the build id, the names of debug files. Files are
 * read, not mapped, since truncation of a mapped file would kill the process.
 */
#ifndef BPFPERF_SYM_ELF_FILE_H
#define BPFPERF_SYM_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <libelf.h>

#include "sym/build_id.h"

/* Bytes of an ELF file: of a descriptor, or in memory if fd is -1. Neither is owned. */
struct elf_image {
	int fd;
	char *mem;
	size_t sz; /* size of mem */
};

/*
 * PT_LOAD: bytes off.. of the file are mapped at vaddr.. Of data, filesz includes what is not in
 * the file (.bss), which begins in the last page of what is.
 */
struct elf_segment {
	uint64_t off, filesz, vaddr;
	uint64_t is_code; /* it is executable; else 0 */
};

struct elf_section {
	uint64_t addr, off, sz, flags, entsize;
	uint32_t type, link;
	const char *name; /* owned by libelf, valid as long as the Elf; "" if damaged */
};

struct elf_file {
	Elf *elf;
	struct elf_image img;
	struct elf_section *sections; /* by index, including 0 */
	size_t section_cnt;
	struct elf_segment *segments;
	size_t segment_cnt;
	uint16_t machine; /* EM_… */
	bool is64, swapped; /* class; true if in the other byte order */
	bool has_symtab, has_dwarf; /* .symtab; .debug_info or its compressed form */
	struct sym_build_id build_id;
	char debuglink[256]; /* name of the separate debug file; "" if none is named */
	uint32_t debuglink_crc;
};

/*
 * Reads the headers of img, which must outlive the elf_file. 0; -ENOEXEC if it is not an ELF file;
 * -ENOMEM. Must be closed unless an error was returned.
 */
int elf_file__open(struct elf_file *file, const struct elf_image *img);
void elf_file__close(struct elf_file *file);
/* pread() on an image: returns the number of bytes, fewer at the end, or -1. */
ssize_t elf_image__read(const struct elf_image *img, void *buf, size_t sz, uint64_t off);
/* Finds the section called name if it has contents; else NULL. */
const struct elf_section *elf_file__section(const struct elf_file *file, const char *name);
/* Reads the contents of a section of at most max_sz bytes (caller frees), or NULL. */
char *elf_file__contents(const struct elf_file *file, const struct elf_section *sec, size_t max_sz);

#endif
