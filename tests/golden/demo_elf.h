/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A small ELF file with four functions and a build-id, so that recordings made by hand have names
 * that depend on no host. Its path leads through /proc/self/cwd: a reader that runs in the
 * directory of the file finds it, wherever that directory is.
 */
#ifndef BPFPERF_TESTS_GOLDEN_DEMO_ELF_H
#define BPFPERF_TESTS_GOLDEN_DEMO_ELF_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEMO_PATH "/proc/self/cwd/libdemo.so"
#define DEMO_BUILD_ID "demo-build-id-20byte"
#define DEMO_BUILD_ID_SZ 20

/* File offsets, which are addresses of the file too; each function has DEMO_FUNC_SZ bytes. */
#define DEMO_TEXT 0x1000
#define DEMO_FUNC_SZ 0x100
#define DEMO_FILE_SZ 0x1400
enum demo_func { DEMO_MAIN, DEMO_PARSE, DEMO_LEX, DEMO_FIND, DEMO_FUNC_CNT };

/* The address at which the tests map the file. */
#define DEMO_MAPPED 0x7f0000000000ull
#define DEMO_MAP_SZ 0x2000ull
#define DEMO_AT(func, off)                                                                         \
	(DEMO_MAPPED + DEMO_TEXT + (uint64_t)(func)*DEMO_FUNC_SZ + (uint64_t)(off))

enum { DEMO_SEC_TEXT = 1, DEMO_SEC_NOTE, DEMO_SEC_SYMTAB, DEMO_SEC_STRTAB, DEMO_SEC_CNT };

struct demo_elf {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	Elf64_Nhdr note;
	char note_name[4];
	char build_id[DEMO_BUILD_ID_SZ];
	Elf64_Shdr sections[DEMO_SEC_CNT];
	Elf64_Sym syms[DEMO_FUNC_CNT + 1];
	char names[128];
	char rest[DEMO_FILE_SZ]; /* the functions' code is zeros, and ends the file */
};

static inline void demo_elf__set_section(struct demo_elf *e, int i, uint32_t type, uint64_t off,
					 uint64_t sz)
{
	e->sections[i] = (Elf64_Shdr){
		.sh_name = 0,
		.sh_type = type,
		.sh_addr = off,
		.sh_offset = off,
		.sh_size = sz,
		.sh_addralign = 4,
	};
}

static inline void demo_elf__fill_symbols(struct demo_elf *e)
{
	static const char *const names[DEMO_FUNC_CNT] = { "main", "parse_line", "lex_token",
							  "_ZN4demo5Cache4findEi" };
	size_t at = 1, i;

	for (i = 0; i < DEMO_FUNC_CNT; i++) {
		e->syms[i + 1] = (Elf64_Sym){
			.st_name = (uint32_t)at,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = DEMO_SEC_TEXT,
			.st_value = DEMO_TEXT + i * DEMO_FUNC_SZ,
			.st_size = DEMO_FUNC_SZ,
		};
		strcpy(e->names + at, names[i]);
		at += strlen(names[i]) + 1;
	}
}

/* Writes libdemo.so into the current directory: 0 or -1. */
static inline int demo_elf__write(void)
{
	static struct demo_elf e = {
		.head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				       EV_CURRENT },
			  .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_phoff = offsetof(struct demo_elf, segments),
			  .e_shoff = offsetof(struct demo_elf, sections),
			  .e_ehsize = sizeof(Elf64_Ehdr),
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_phnum = 2,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = DEMO_SEC_CNT,
			  .e_shstrndx = DEMO_SEC_STRTAB },
		.segments = { { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_align = 0x1000 },
			      { .p_type = PT_NOTE, .p_flags = PF_R, .p_align = 4 } },
		.note = { 4, DEMO_BUILD_ID_SZ, NT_GNU_BUILD_ID },
		.note_name = "GNU",
		.build_id = DEMO_BUILD_ID,
	};
	const size_t note = offsetof(struct demo_elf, note), text_sz = DEMO_FILE_SZ - DEMO_TEXT;
	const size_t note_sz = sizeof(e.note) + sizeof(e.note_name) + sizeof(e.build_id);
	FILE *f = fopen("libdemo.so", "we");
	int err;

	e.segments[0].p_filesz = e.segments[0].p_memsz = DEMO_FILE_SZ;
	e.segments[1].p_offset = e.segments[1].p_vaddr = note;
	e.segments[1].p_filesz = e.segments[1].p_memsz = note_sz;
	demo_elf__set_section(&e, DEMO_SEC_TEXT, SHT_PROGBITS, DEMO_TEXT, text_sz);
	e.sections[DEMO_SEC_TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	demo_elf__set_section(&e, DEMO_SEC_NOTE, SHT_NOTE, note, note_sz);
	demo_elf__set_section(&e, DEMO_SEC_SYMTAB, SHT_SYMTAB, offsetof(struct demo_elf, syms),
			      sizeof(e.syms));
	e.sections[DEMO_SEC_SYMTAB].sh_link = DEMO_SEC_STRTAB;
	e.sections[DEMO_SEC_SYMTAB].sh_info = 1;
	e.sections[DEMO_SEC_SYMTAB].sh_entsize = sizeof(Elf64_Sym);
	demo_elf__set_section(&e, DEMO_SEC_STRTAB, SHT_STRTAB, offsetof(struct demo_elf, names),
			      sizeof(e.names));
	demo_elf__fill_symbols(&e);
	if (!f)
		return -1;
	err = fwrite(&e, DEMO_FILE_SZ, 1, f) != 1;
	return fclose(f) || err ? -1 : 0;
}

#endif
