/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Small ELF files without symbols, of both classes and byte orders, with call frame information or
 * with the table of functions of a Go program.
 */
#ifndef BPFPERF_TESTS_STRIPPED_ELF_H
#define BPFPERF_TESTS_STRIPPED_ELF_H

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The file's layout: headers, the one section of interest, code, names, section headers. */
#define STRIPPED_SECTION 0x200
#define STRIPPED_TEXT 0x1000
#define STRIPPED_NAMES 0x1400
#define STRIPPED_HEADERS 0x1500
#define STRIPPED_SZ 0x1800
#define STRIPPED_BASE 0x400000ull /* its virtual address */

struct stripped_elf {
	uint8_t data[STRIPPED_SZ];
	bool is64, is_big;
	size_t at; /* where put_next() writes */
};

static inline void stripped_elf__put(struct stripped_elf *e, size_t at, unsigned int sz, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < sz; i++)
		e->data[at + i] = (uint8_t)(v >> 8 * (e->is_big ? sz - 1 - i : i));
}

static inline void stripped_elf__put_next(struct stripped_elf *e, unsigned int sz, uint64_t v)
{
	stripped_elf__put(e, e->at, sz, v);
	e->at += sz;
}

static inline void stripped_elf__put_word(struct stripped_elf *e, uint64_t v)
{
	stripped_elf__put_next(e, e->is64 ? 8 : 4, v);
}

/* One program header; their fields are in another order in 64-bit files. */
static inline void stripped_elf__segment(struct stripped_elf *e, uint32_t type, uint64_t off,
					 uint64_t sz)
{
	stripped_elf__put_next(e, 4, type);
	if (e->is64)
		stripped_elf__put_next(e, 4, PF_R | PF_X);
	stripped_elf__put_word(e, off);
	stripped_elf__put_word(e, STRIPPED_BASE + off);
	stripped_elf__put_word(e, STRIPPED_BASE + off);
	stripped_elf__put_word(e, sz);
	stripped_elf__put_word(e, sz);
	if (!e->is64)
		stripped_elf__put_next(e, 4, PF_R | PF_X);
	stripped_elf__put_word(e, 0x1000);
}

static inline void stripped_elf__section(struct stripped_elf *e, uint32_t name, uint32_t type,
					 uint32_t flags, uint64_t off, uint64_t sz)
{
	stripped_elf__put_next(e, 4, name);
	stripped_elf__put_next(e, 4, type);
	stripped_elf__put_word(e, flags);
	stripped_elf__put_word(e, flags ? STRIPPED_BASE + off : 0);
	stripped_elf__put_word(e, off);
	stripped_elf__put_word(e, sz);
	stripped_elf__put_next(e, 4, 0); /* link, info */
	stripped_elf__put_next(e, 4, 0);
	stripped_elf__put_word(e, 1); /* alignment, size of entries */
	stripped_elf__put_word(e, 0);
}

/*
 * Makes the file around a section of sz bytes at STRIPPED_SECTION, which is written afterwards;
 * NULL: no section headers, and the bytes are .eh_frame_hdr.
 */
static inline void stripped_elf__make(struct stripped_elf *e, const char *name, size_t sz)
{
	static const char names[] = "\0.text\0.names\0";
	bool is64 = e->is64, is_big = e->is_big;

	memset(e, 0, sizeof(*e));
	e->is64 = is64;
	e->is_big = is_big;
	memcpy(e->data, ELFMAG, SELFMAG);
	e->data[EI_CLASS] = is64 ? ELFCLASS64 : ELFCLASS32;
	e->data[EI_DATA] = is_big ? ELFDATA2MSB : ELFDATA2LSB;
	e->data[EI_VERSION] = EV_CURRENT;
	e->at = EI_NIDENT;
	stripped_elf__put_next(e, 2, ET_EXEC);
	stripped_elf__put_next(e, 2, is_big ? EM_S390 : is64 ? EM_X86_64 : EM_386);
	stripped_elf__put_next(e, 4, EV_CURRENT);
	stripped_elf__put_word(e, STRIPPED_BASE + STRIPPED_TEXT); /* entry point */
	stripped_elf__put_word(e, is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	stripped_elf__put_word(e, name ? STRIPPED_HEADERS : 0);
	stripped_elf__put_next(e, 4, 0);
	stripped_elf__put_next(e, 2, is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	stripped_elf__put_next(e, 2, is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	stripped_elf__put_next(e, 2, 2);
	stripped_elf__put_next(e, 2, is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	stripped_elf__put_next(e, 2, name ? 4 : 0);
	stripped_elf__put_next(e, 2, name ? 3 : 0);
	stripped_elf__segment(e, PT_LOAD, 0, STRIPPED_SZ);
	stripped_elf__segment(e, name ? PT_NULL : PT_GNU_EH_FRAME, STRIPPED_SECTION, sz);
	if (!name)
		return;
	memcpy(e->data + STRIPPED_NAMES, names, sizeof(names));
	strcpy((char *)e->data + STRIPPED_NAMES + sizeof(names), name);
	e->at = STRIPPED_HEADERS;
	stripped_elf__section(e, 0, SHT_NULL, 0, 0, 0);
	stripped_elf__section(e, 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, STRIPPED_TEXT, 0x400);
	stripped_elf__section(e, sizeof(names), SHT_PROGBITS, SHF_ALLOC, STRIPPED_SECTION, sz);
	stripped_elf__section(e, 7, SHT_STRTAB, 0, STRIPPED_NAMES, 0x100);
}

/* Three functions, the last one behind a gap. */
#define STRIPPED_FUNC_CNT 3
static const struct {
	uint32_t off, sz; /* from STRIPPED_TEXT */
	const char *name;
} stripped_funcs[STRIPPED_FUNC_CNT] = {
	{ 0, 0x80, "_rt0_amd64_linux" },
	{ 0x80, 0x30, "main.(*server).work" },
	{ 0x100, 0x200, "main.main" },
};

/* The address of byte off in a function. */
static inline uint64_t stripped_addr(size_t func, uint64_t off)
{
	return STRIPPED_BASE + STRIPPED_TEXT + stripped_funcs[func].off + off;
}

/* An .eh_frame with one CIE "zR"; enc: DW_EH_PE_absptr or pcrel with sdata4. */
static inline void stripped_elf__make_fdes(struct stripped_elf *e, uint8_t enc)
{
	size_t i, fde, cie = STRIPPED_SECTION;

	stripped_elf__make(e, ".eh_frame", 0x100);
	e->at = cie;
	stripped_elf__put_next(e, 4, 16); /* length without itself */
	stripped_elf__put_next(e, 4, 0);
	stripped_elf__put_next(e, 1, 1); /* version */
	memcpy(e->data + e->at, "zR", 3);
	e->at += 3;
	stripped_elf__put_next(e, 1, 1); /* alignment of code, data; return address; size */
	stripped_elf__put_next(e, 1, 0x78);
	stripped_elf__put_next(e, 1, 16);
	stripped_elf__put_next(e, 1, 1);
	stripped_elf__put_next(e, 1, enc);
	e->at = cie + 20;
	for (i = 0; i < STRIPPED_FUNC_CNT; i++) {
		uint64_t start = stripped_addr(i, 0);

		fde = e->at;
		stripped_elf__put_next(e, 4, 28);
		stripped_elf__put_next(e, 4, e->at - cie);
		if (enc == DW_EH_PE_absptr) {
			stripped_elf__put_word(e, start);
			stripped_elf__put_word(e, stripped_funcs[i].sz);
		} else {
			stripped_elf__put_next(e, 4, start - (STRIPPED_BASE + e->at));
			stripped_elf__put_next(e, 4, stripped_funcs[i].sz);
		}
		e->at = fde + 32;
	}
}

/* An .eh_frame_hdr in a file without section headers. */
static inline void stripped_elf__make_fde_header(struct stripped_elf *e)
{
	size_t i;

	stripped_elf__make(e, NULL, 12 + 8 * STRIPPED_FUNC_CNT);
	e->at = STRIPPED_SECTION;
	stripped_elf__put_next(e, 1, 1);
	stripped_elf__put_next(e, 1, DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	stripped_elf__put_next(e, 1, DW_EH_PE_udata4);
	stripped_elf__put_next(e, 1, DW_EH_PE_datarel | DW_EH_PE_sdata4);
	stripped_elf__put_next(e, 4, 0x1234);
	stripped_elf__put_next(e, 4, STRIPPED_FUNC_CNT);
	for (i = 0; i < STRIPPED_FUNC_CNT; i++) {
		stripped_elf__put_next(e, 4,
				       stripped_addr(i, 0) - STRIPPED_BASE - STRIPPED_SECTION);
		stripped_elf__put_next(e, 4, 0);
	}
}

/* Magic numbers of the layouts of Go 1.2, 1.16, 1.18 and 1.20. */
static const uint32_t stripped_go_magic[] = { 0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1 };

/* Offsets in a .gopclntab: names, records, list. */
#define GO_NAMES 0x80
#define GO_RECORDS 0x100
#define GO_LIST 0x200
#define GO_SZ 0x600

/* A .gopclntab in one of the layouts; text: the text's address in its header (1.18 and 1.20). */
static inline void stripped_elf__make_go(struct stripped_elf *e, size_t layout, uint64_t text)
{
	/* since 1.16 records are counted from the list */
	uint32_t name_at[STRIPPED_FUNC_CNT], base = layout ? GO_NAMES : 0, i, at = GO_NAMES;
	unsigned int word = e->is64 ? 8 : 4, addr_sz = layout >= 2 ? 4 : word;
	uint64_t from = layout >= 2 ? STRIPPED_BASE + STRIPPED_TEXT : 0;
	const size_t sec = STRIPPED_SECTION, list = sec + (layout ? GO_LIST : 8u + word);
	const uint32_t records = layout ? GO_RECORDS + 0x200 : GO_RECORDS;

	stripped_elf__make(e, ".gopclntab", GO_SZ);
	for (i = 0; i < STRIPPED_FUNC_CNT; i++) {
		name_at[i] = at - base;
		strcpy((char *)e->data + sec + at, stripped_funcs[i].name);
		at += (uint32_t)strlen(stripped_funcs[i].name) + 1;
	}
	stripped_elf__put(e, sec, 4, stripped_go_magic[layout]);
	stripped_elf__put(e, sec + 6, 1, 1);
	stripped_elf__put(e, sec + 7, 1, word);
	e->at = sec + 8;
	stripped_elf__put_word(e, STRIPPED_FUNC_CNT);
	if (layout)
		stripped_elf__put_word(e, 1); /* number of source files */
	if (layout >= 2)
		stripped_elf__put_word(e, text);
	if (layout) {
		stripped_elf__put_word(e, GO_NAMES);
		e->at += 3 * word; /* tables that are not read */
		stripped_elf__put_word(e, GO_LIST);
	}
	e->at = list;
	for (i = 0; i < STRIPPED_FUNC_CNT; i++) {
		stripped_elf__put_next(e, addr_sz, stripped_addr(i, 0) - from);
		stripped_elf__put_next(e, addr_sz,
				       (layout ? records - GO_LIST : records) + 0x20 * i);
	}
	stripped_elf__put_next(e, addr_sz, stripped_addr(2, stripped_funcs[2].sz) - from);
	for (i = 0; i < STRIPPED_FUNC_CNT; i++) {
		e->at = sec + records + 0x20ul * i;
		stripped_elf__put_next(e, addr_sz, stripped_addr(i, 0) - from);
		stripped_elf__put_next(e, 4, name_at[i]);
	}
}

#endif
