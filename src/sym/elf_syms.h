/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions of one file, by its own virtual addresses. Names stay in the file until asked for.
 */
#ifndef BPFPERF_SYM_ELF_SYMS_H
#define BPFPERF_SYM_ELF_SYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/elf_file.h"
#include "sym/symtab.h"
#include "util/strbuf.h"

/* The places of names: string tables of the file itself, of its debug file, or memory. */
enum elf_names {
	NAMES_SYMTAB,
	NAMES_DYNSYM,
	NAMES_DEBUG, /* .symtab of a separate debug file */
	NAMES_MEMORY, /* .symtab of .gnu_debugdata; a JIT map */
	NAMES_CNT,
};

struct elf_syms {
	struct symtab tab;
	struct elf_segment *segments; /* of the file itself */
	size_t segment_cnt;
	struct {
		uint64_t off, sz; /* bytes in its file */
		char *mem; /* owned; NAMES_MEMORY alone */
	} names[NAMES_CNT];
	struct name_reader *readers[NAMES_CNT]; /* while functions are added */
	bool cut; /* the file has more than SYMS_MAX functions */
};

/* A file's functions are 16 bytes each in memory: 32 MiB at most. */
#define SYMS_MAX (2u << 20)
/* A mangled name that is longer names nothing. */
#define SYM_NAME_MAX_SZ 16384

/* Takes the segments, which map file offsets to addresses, over from `file`. */
void elf_syms__take_segments(struct elf_syms *syms, struct elf_file *file);
/*
 * Adds the functions of .symtab and .dynsym (in the main file) or of .symtab alone, whose names
 * are then looked for in `where`: STT_FUNC, STT_GNU_IFUNC and, in executable sections,
 * STT_NOTYPE (assembler). 0 or -ENOMEM.
 */
int elf_syms__add_file(struct elf_syms *syms, const struct elf_file *file);
int elf_syms__add_debug(struct elf_syms *syms, const struct elf_file *file, enum elf_names where);
/*
 * Adds one function. name_at is its name's place among the names of `where`, name the text
 * itself (to choose among several at one address). 0 or -ENOMEM.
 */
int elf_syms__add(struct elf_syms *syms, uint64_t addr, uint64_t sz, uint8_t rank,
		  enum elf_names where, uint64_t name_at, bool plt);
/* The image behind these names goes away before elf_syms__finish(). */
void elf_syms__forget_reader(struct elf_syms *syms, enum elf_names where);
/*
 * Call once after the last was added; `file` (or NULL) limits functions without a size to their
 * section.
 */
void elf_syms__finish(struct elf_syms *syms, const struct elf_file *file);

/* The file's own virtual address of a byte of it; false: in no executable segment. */
bool elf_syms__to_vaddr(const struct elf_syms *syms, uint64_t file_off, uint64_t *vaddr);
/* The table that has the entry's name. */
enum elf_names elf_syms__where(const struct symtab_entry *e);
/*
 * Appends the entry's name as the linker knows it; img is the file that elf_syms__where() says
 * (unused for memory). false: it cannot be read.
 */
bool elf_syms__put_name(const struct elf_syms *syms, const struct symtab_entry *e,
			const struct elf_image *img, struct strbuf *sb);
/* Offset of the entry's name in that table. */
uint32_t elf_syms__name_at(const struct symtab_entry *e);
/* A call's way through the procedure linkage table: "NAME@plt". */
bool elf_syms__is_plt(const struct symtab_entry *e);
/* Bytes of memory held. */
size_t elf_syms__mem_sz(const struct elf_syms *syms);
void elf_syms__free(struct elf_syms *syms);

#endif
