/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions by address, 16 bytes each: used for kallsyms and ELF files. */
#ifndef BPFPERF_SYM_SYMTAB_H
#define BPFPERF_SYM_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions are truncated to 16 MiB - 1. */
#define SYMTAB_MAX_SZ 0xffffffu

struct symtab_entry {
	uint64_t addr;
	uint32_t sz : 24; /* bytes; 0 before symtab__finish(): up to the next function */
	/* among several at one address, the entry with the highest rank names it */
	uint32_t rank : 8;
	uint32_t name; /* defined by the reader: an offset into its strings */
};

struct symtab {
	struct symtab_entry *entries;
	size_t cnt, cap;
};

/* 0 or -ENOMEM. */
int symtab__add(struct symtab *tab, uint64_t addr, uint64_t sz, uint8_t rank, uint32_t name);
/* Callbacks of symtab__finish(); each may be NULL. */
struct symtab_choice {
	/* Limit of a function at addr that has no size; default: up to the next function. */
	uint64_t (*limit)(const void *ctx, uint64_t addr);
	const void *limit_ctx;
	/* Chooses among two of equal rank at one address; default: the one with the lower name. */
	bool (*is_better)(const void *ctx, const struct symtab_entry *a,
			  const struct symtab_entry *b);
	const void *better_ctx;
};

/* Sorts, keeps one name per address, and gives a size to functions that have none. */
void symtab__finish(struct symtab *tab, const struct symtab_choice *choice);
/* The function that contains addr, or NULL. Only after symtab__finish(). */
struct symtab_entry *symtab__find(const struct symtab *tab, uint64_t addr);
void symtab__free(struct symtab *tab);

/*
 * Rank of a symbol for its address: one with a size before one without, strong before weak, global
 * before local, and fewer leading underscores first (as in perf).
 */
uint8_t symtab__rank(bool sized, bool weak, bool global, const char *name);

#endif
