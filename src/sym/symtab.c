// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/symtab.h"

#include <errno.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/partition.h"

/* Number of functions tried before the nearest one: functions may be nested (assembler code). */
#define NESTING_MAX 8

int symtab__add(struct symtab *tab, uint64_t addr, uint64_t sz, uint8_t rank, uint32_t name)
{
	if (array__reserve((void **)&tab->entries, &tab->cap, tab->cnt + 1, sizeof(*tab->entries)))
		return -ENOMEM;
	tab->entries[tab->cnt++] = (struct symtab_entry){
		.addr = addr,
		.sz = sz > SYMTAB_MAX_SZ ? SYMTAB_MAX_SZ : (uint32_t)sz,
		.rank = rank,
		.name = name,
	};
	return 0;
}

/* Sorts by address, the best name first; the last comparison makes the order total. */
static int cmp_entry(const void *a, const void *b)
{
	const struct symtab_entry *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void fill_size(struct symtab *tab, size_t i, const struct symtab_choice *choice)
{
	struct symtab_entry *e = &tab->entries[i];
	uint64_t end = i + 1 < tab->cnt ? tab->entries[i + 1].addr : UINT64_MAX, sz;

	if (choice->limit) {
		uint64_t max = choice->limit(choice->limit_ctx, e->addr);

		end = max < end ? max : end;
	}
	sz = end > e->addr ? end - e->addr : 0;
	e->sz = sz > SYMTAB_MAX_SZ ? SYMTAB_MAX_SZ : (uint32_t)sz;
}

static bool replaces(const struct symtab_choice *choice, const struct symtab_entry *next,
		     const struct symtab_entry *kept)
{
	return next->rank == kept->rank && choice->is_better &&
	       choice->is_better(choice->better_ctx, next, kept);
}

/*
 * kallsyms is sorted except for aliases and code loaded later: one look at each entry, without a
 * full copy. false, with all entries still present, if too many would have to move.
 */
static bool sort_if_nearly(struct symtab *tab)
{
	size_t left = 8 * tab->cnt, i, at;

	for (i = 1; i < tab->cnt; i++) {
		struct symtab_entry e = tab->entries[i];

		for (at = i; at && cmp_entry(&tab->entries[at - 1], &e) > 0 && left; at--, left--)
			tab->entries[at] = tab->entries[at - 1];
		tab->entries[at] = e;
		if (!left)
			return false;
	}
	return true;
}

void symtab__finish(struct symtab *tab, const struct symtab_choice *choice)
{
	struct symtab_entry *shrunk, *e;
	size_t i, kept = 0;

	if (!tab->cnt)
		return;
	if (!sort_if_nearly(tab))
		qsort(tab->entries, tab->cnt, sizeof(*tab->entries), cmp_entry);
	for (i = 0; i < tab->cnt; i++) {
		e = &tab->entries[i];
		if (!kept || e->addr != tab->entries[kept - 1].addr)
			tab->entries[kept++] = *e;
		else if (replaces(choice, e, &tab->entries[kept - 1]))
			tab->entries[kept - 1] = *e;
	}
	tab->cnt = kept;
	for (i = 0; i < tab->cnt; i++)
		if (!tab->entries[i].sz)
			fill_size(tab, i, choice);
	shrunk = realloc(tab->entries, tab->cnt * sizeof(*shrunk));
	if (shrunk) {
		tab->entries = shrunk;
		tab->cap = tab->cnt;
	}
}

struct symtab_entry *symtab__find(const struct symtab *tab, uint64_t addr)
{
	size_t lo = partition_point(0, tab->cnt, i, tab->entries[i].addr <= addr), tries;

	for (tries = 0; lo && tries < NESTING_MAX; tries++) {
		struct symtab_entry *e = &tab->entries[--lo];

		if (addr - e->addr < e->sz)
			return e;
	}
	return NULL;
}

void symtab__free(struct symtab *tab)
{
	free(tab->entries);
	*tab = (struct symtab){ 0 };
}

uint8_t symtab__rank(bool sized, bool weak, bool global, const char *name)
{
	uint8_t underscores = 0;

	while (underscores < 3 && name[underscores] == '_')
		underscores++;
	return (uint8_t)(sized << 4 | !weak << 3 | global << 2 | (3 - underscores));
}
