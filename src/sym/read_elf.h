/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Asks readers (reader/reader.h) about ELF files, debug files and JIT maps: for callers that have
 * opened the files, and will not look into them. Results are checked for their form alone. Errors
 * are those of reader__call().
 */
#ifndef BPFPERF_SYM_READ_ELF_H
#define BPFPERF_SYM_READ_ELF_H

#include "reader/reader.h"
#include "sym/elf_syms.h"

/* Longest name of an alternative debug file. */
#define ELF_ALT_MAX_SZ 512

/* The heads of a file. */
struct elf_heads {
	struct sym_build_id build_id;
	uint8_t has_symtab, has_dwarf, has_go; /* whatever bits a reader has set in them */
	char debuglink[256]; /* a plain name; "": none */
	uint32_t debuglink_crc;
	/* Another file with the DWARF that several share (.gnu_debugaltlink); "": none. */
	char alt[ELF_ALT_MAX_SZ];
	struct sym_build_id alt_id;
};

/* Reads the heads of a file. -ENOEXEC: it is no ELF file. */
int read_elf__heads(enum reader_purpose purpose, int fd, struct elf_heads *heads);
/*
 * Returns 0 if fd has symbols or DWARF of the file with these heads: by its build id, or the
 * checksum where one of the two has no build id. -ENOENT if not.
 */
int read_elf__match(enum reader_purpose purpose, int fd, const struct elf_heads *heads);
/*
 * Replaces *answer with the texts that say what the file needs to run: its interpreter, the
 * directories of its libraries (both may be NULL), and the names of these (reader/answer.h).
 * -ENOEXEC: it is no ELF file.
 */
int read_elf__needs(enum reader_purpose purpose, int fd, struct strbuf *answer);
/*
 * Adds all functions of a file to syms, which is empty, and finishes it. debug_fd: its debug file,
 * or -1. flags: enum elf_syms_flag.
 */
int read_elf__syms(enum reader_purpose purpose, int fd, int debug_fd, unsigned int flags,
		   struct elf_syms *syms);
/* Adds the functions that a file's frame information describes. */
int read_elf__fdes(enum reader_purpose purpose, int fd, struct symtab *tab);
/* jit_map__read(). */
int read_elf__jit(enum reader_purpose purpose, int fd, uint64_t sz, struct elf_syms *syms);
/*
 * demangle() of names from files of `owner`: cnt of them, each with its NUL. Calls fn for each that
 * has a printed form, with its number among them.
 */
int read_elf__demangle(enum reader_purpose purpose, uid_t owner, const struct strbuf *names,
		       size_t cnt, void (*fn)(void *ctx, size_t nr, const char *printed),
		       void *ctx);

#endif
