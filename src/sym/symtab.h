/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions by address, 16 bytes each: what kallsyms and ELF files are read into. */
#ifndef BPFPERF_SYM_SYMTAB_H
#define BPFPERF_SYM_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function of 16 MiB or more is cut there. */
#define SYMTAB_MAX_SZ 0xffffffu

struct symtab_entry {
	uint64_t addr;
	uint32_t sz : 24; /* bytes; 0 until symtab__finish(): up to the next function */
	uint32_t rank : 8; /* which of several at one address names it: the highest */
	uint32_t name; /* the reader's own: an offset into its strings */
};

struct symtab {
	struct symtab_entry *entries;
	size_t cnt, cap;
};

/* 0 or -ENOMEM. */
int symtab__add(struct symtab *tab, uint64_t addr, uint64_t sz, uint8_t rank, uint32_t name);
/* Questions of symtab__finish() to its caller; each may be NULL. */
struct symtab_choice {
	/* How far a function at addr that has no size may reach; else: up to the next. */
	uint64_t (*limit)(const void *ctx, uint64_t addr);
	const void *limit_ctx;
	/* Which of two of equal rank at one address names it; else: the one with the lower name. */
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
 * How well a symbol names its address: one with a size before one without, strong before weak,
 * global before local, and the fewer leading underscores the better (as perf prefers).
 */
uint8_t symtab__rank(bool sized, bool weak, bool global, const char *name);

#endif
