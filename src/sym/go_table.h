/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * .gopclntab, the table that Go's own run time prints stacks from, in the layouts of Go 1.2, 1.16,
 * 1.18 and 1.20 (Go's debug/gosym, and runtime/symtab.go for what tables of values mean).
 */
#ifndef BPFPERF_SYM_GO_TABLE_H
#define BPFPERF_SYM_GO_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/elf_file.h"

/* The most bytes that a window has. */
#define GO_WINDOW_SZ 32768

/* Bytes of the section through a window. */
struct go_window {
	uint64_t at, sz; /* offset in the section; valid bytes */
	uint8_t buf[GO_WINDOW_SZ];
};

struct go_table {
	const struct elf_file *file;
	const struct elf_section *sec;
	struct go_window *funcs, *infos; /* the list of functions, and what it refers to */
	uint32_t step_sz; /* bytes that a window reads at once: all of it, for ascending offsets */
	unsigned int ptr_sz, quantum; /* quantum: smallest distance of two instructions, in bytes */
	bool is_relative; /* functions are 32-bit offsets from text (1.18) */
	bool has_start_line; /* in functions' records (1.20) */
	uint64_t cnt; /* number of functions */
	uint64_t text; /* address that they count from */
	uint64_t list_off, info_off, names_off; /* in the section */
	uint64_t units_off, files_off, values_off; /* since 1.18: likewise */
};

/* NULL: the file has no table. */
const struct elf_section *go_table__section(const struct elf_file *file);
/*
 * Opens the table of a file, which must outlive it. 0, -ENOMEM, -ENOENT: it has none, or -EBADMSG:
 * it is damaged, or has an unknown layout.
 */
int go_table__open(struct go_table *t, const struct elf_file *file, uint32_t step_sz);
void go_table__close(struct go_table *t);
/*
 * Reads a number of sz bytes at this offset of the section. false: outside of it, or unreadable.
 */
bool go_table__uint(const struct go_table *t, struct go_window *w, uint64_t at, unsigned int sz,
		    uint64_t *v);
/*
 * Reads the address of a function of the list, and the offset of its record, counted from info_off;
 * NULL: not wanted. The entry number cnt is the end of the last one. false: the table is damaged.
 */
bool go_table__func(const struct go_table *t, uint64_t i, uint64_t *addr, uint64_t *info);
/*
 * Reads the offset of a function's name, counted from names_off. false: the record is not that of
 * the function at addr.
 */
bool go_table__name(const struct go_table *t, uint64_t addr, uint64_t info, uint64_t *name_off);
bool go_table__is_code(const struct elf_file *file, uint64_t addr);
/*
 * Calls fn for each word that is relocated in a position-independent program, with its value before
 * the program's address is added, until it returns true.
 */
void go_table__each_relocation(const struct elf_file *file,
			       bool (*fn)(void *ctx, uint64_t field, uint64_t value), void *ctx);

#endif
