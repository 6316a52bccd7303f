/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions of one file, by its own virtual addresses. Names stay in the file until they are
 * needed.
 */
#ifndef BPFPERF_SYM_ELF_SYMS_H
#define BPFPERF_SYM_ELF_SYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/elf_file.h"
#include "sym/symtab.h"
#include "util/strbuf.h"

/* Location of names: string tables of the file itself, of its debug file, or in memory. */
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
		char *mem; /* owned; NAMES_MEMORY only */
	} names[NAMES_CNT];
	struct name_reader *readers[NAMES_CNT]; /* while functions are added */
	bool with_data; /* also objects, of all segments */
	bool cut; /* the file has more than SYMS_MAX functions */
};

/* Each function takes 16 bytes of memory: 32 MiB at most. */
#define SYMS_MAX (2u << 20)
/* Longer mangled names are ignored. */
#define SYM_NAME_MAX_SZ 16384

/* Parts of a file that are read besides its functions. */
enum elf_syms_flag {
	ELF_SYMS_STRIPPED = 1, /* what stripped files have of their own: file_syms.h */
	ELF_SYMS_DATA = 2, /* variables (STT_OBJECT) */
};

/* Copies the segments, which map file offsets to addresses: those of code, or all with_data. */
void elf_syms__take_segments(struct elf_syms *syms, struct elf_file *file);
/*
 * Adds the functions of .symtab and .dynsym (in the main file) or of .symtab alone; their names are
 * later read from `where`. Types: STT_FUNC, STT_GNU_IFUNC and, in executable sections, STT_NOTYPE
 * (assembler). 0 or -ENOMEM.
 */
int elf_syms__add_file(struct elf_syms *syms, const struct elf_file *file);
int elf_syms__add_debug(struct elf_syms *syms, const struct elf_file *file, enum elf_names where);
/*
 * Adds one function. name_at is the offset of its name among the names of `where`, name the text
 * itself (to choose among several at one address). 0 or -ENOMEM.
 */
int elf_syms__add(struct elf_syms *syms, uint64_t addr, uint64_t sz, uint8_t rank,
		  enum elf_names where, uint64_t name_at, bool plt);
/* The image of these names will be closed before elf_syms__finish(). */
void elf_syms__forget_reader(struct elf_syms *syms, enum elf_names where);
/*
 * Call once after all functions were added; `file` (or NULL) limits functions without a size to
 * their section.
 */
void elf_syms__finish(struct elf_syms *syms, const struct elf_file *file);

/* Converts a file offset to the file's own virtual address; false: not in an executable segment. */
bool elf_syms__to_vaddr(const struct elf_syms *syms, uint64_t file_off, uint64_t *vaddr);
/* The table that contains the entry's name. */
enum elf_names elf_syms__where(const struct symtab_entry *e);
/*
 * Appends the entry's linker name; img is the file given by elf_syms__where() (unused for names in
 * memory). false: it cannot be read.
 */
bool elf_syms__put_name(const struct elf_syms *syms, const struct symtab_entry *e,
			const struct elf_image *img, struct strbuf *sb);
/* Offset of the entry's name in that table. */
uint32_t elf_syms__name_at(const struct symtab_entry *e);
/* True for a stub of the procedure linkage table: "NAME@plt". */
bool elf_syms__is_plt(const struct symtab_entry *e);
/* Memory in bytes. */
size_t elf_syms__mem_sz(const struct elf_syms *syms);
void elf_syms__free(struct elf_syms *syms);

#endif
