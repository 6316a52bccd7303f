/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The headers of an ELF file: the places of code, the build-id, the names of debug files. Files are
 * read, not mapped: one that is truncated meanwhile must not kill us.
 */
#ifndef BPFPERF_SYM_ELF_FILE_H
#define BPFPERF_SYM_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <libelf.h>

#include "sym/build_id.h"

/* Bytes of an ELF file: behind a descriptor, or in memory where fd is -1. Neither is owned. */
struct elf_image {
	int fd;
	char *mem;
	size_t sz; /* of mem */
};

struct elf_segment {
	uint64_t off, filesz,
		vaddr; /* executable PT_LOAD: bytes off.. of the file are at vaddr.. */
};

struct elf_section {
	uint64_t addr, off, sz, flags, entsize;
	uint32_t type, link;
	const char *name; /* libelf's, as long as the Elf; "" where damaged */
};

struct elf_file {
	Elf *elf;
	struct elf_image img;
	struct elf_section *sections; /* by index, 0 included */
	size_t section_cnt;
	struct elf_segment *segments;
	size_t segment_cnt;
	uint16_t machine; /* EM_… */
	bool is64, swapped; /* class; the other byte order */
	bool has_symtab, has_dwarf; /* .symtab; .debug_info or its compressed form */
	struct sym_build_id build_id;
	char debuglink[256]; /* name of the separate debug file; "" where none is named */
	uint32_t debuglink_crc;
};

/* A real file has some forty sections and a dozen segments; one with more is damaged or hostile. */
#define ELF_MAX_SECTIONS 1024
#define ELF_MAX_SEGMENTS 1024

/*
 * Reads the headers of img, which must outlive the elf_file. 0; -ENOEXEC where it is no ELF file;
 * -ENOMEM. Close it in any case but an error.
 */
int elf_file__open(struct elf_file *file, const struct elf_image *img);
void elf_file__close(struct elf_file *file);
/* pread on an image: bytes read, fewer at the end, or -1. */
ssize_t elf_image__read(const struct elf_image *img, void *buf, size_t sz, uint64_t off);
/* The section called name that has contents, or NULL. */
const struct elf_section *elf_file__section(const struct elf_file *file, const char *name);
/* The contents of a section of at most max_sz bytes (caller frees), or NULL. */
char *elf_file__contents(const struct elf_file *file, const struct elf_section *sec, size_t max_sz);

#endif
