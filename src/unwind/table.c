// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "unwind/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/row_sort.h"
#include "unwind/section.h"
#include "util/array.h"
#include "util/partition.h"

#define PAGE_MIN_SZ 4096

static uint64_t hash_rule(const struct unwind_rule *rule)
{
	uint64_t words[sizeof(*rule) / 8], h = 0;
	size_t i;

	_Static_assert(sizeof(*rule) % 8 == 0, "hashed by words");
	memcpy(words, rule, sizeof(*rule));
	for (i = 0; i < sizeof(words) / 8; i++)
		h = u64map__mix(h ^ words[i]) + i;
	return h;
}

/* Finds or adds a rule and returns its index, or -ENOMEM, -E2BIG. */
static int64_t intern(struct unwind_table *t, const struct unwind_rule *rule)
{
	uint64_t h = hash_rule(rule);
	uint32_t *slot;

	/* Rules with equal hashes are stored under consecutive keys. */
	for (;; h++) {
		slot = u64map__slot(&t->by_hash, h);
		if (!slot)
			return -ENOMEM;
		if (*slot == U64MAP_NONE)
			break;
		if (!memcmp(&t->rules[*slot], rule, sizeof(*rule)))
			return *slot;
	}
	if (t->rule_cnt > UNWIND_RULE_MASK)
		return -E2BIG;
	if (array__reserve((void **)&t->rules, &t->rule_cap, t->rule_cnt + 1, sizeof(*t->rules)))
		return -ENOMEM;
	t->rules[t->rule_cnt] = *rule;
	*slot = (uint32_t)t->rule_cnt;
	return (int64_t)t->rule_cnt++;
}

static int add_row(struct unwind_table *t, uint64_t addr, uint64_t rule)
{
	__u64 row = (addr - t->base) << UNWIND_RULE_BITS | rule;

	if (array__reserve((void **)&t->rows, &t->row_cap, t->row_cnt + 1, sizeof(*t->rows)))
		return -ENOMEM;
	if (t->row_cnt && t->rows[t->row_cnt - 1] > row)
		t->is_unsorted = true;
	t->rows[t->row_cnt++] = row;
	return 0;
}

int unwind_table__init(struct unwind_table *t, const struct unwind_arch *arch, uint64_t base)
{
	static const struct unwind_rule unknown;
	int64_t idx;

	memset(t, 0, sizeof(*t));
	t->base = base;
	t->machine = arch->machine;
	idx = intern(t, &unknown);
	return idx < 0 ? (int)idx : 0;
}

struct adding {
	struct unwind_table *table;
	const struct unwind_arch *arch;
	const struct cfi_cie *cie;
};

static int on_row(void *priv, uint64_t start, const struct cfi_state *state)
{
	struct adding *a = priv;
	struct unwind_rule rule = cfi_state__rule(state, a->cie, a->arch);
	int64_t idx = intern(a->table, &rule);

	return idx < 0 ? (int)idx : add_row(a->table, start, (uint64_t)idx);
}

static bool in_span(const struct unwind_table *t, uint64_t start, uint64_t end)
{
	return start >= t->base && end > start && end - t->base < UNWIND_SPAN_MAX;
}

static int on_fde(void *priv, const struct cfi_fde *fde)
{
	struct adding *a = priv;
	int err;

	if (!in_span(a->table, fde->start, fde->end)) {
		a->table->bad_cnt++;
		return 0;
	}
	a->cie = fde->cie;
	err = cfi_program__run(fde->insns, fde->cie, a->arch, &fde->bases, fde->start, fde->end,
			       on_row, a);
	if (err == -EINVAL) {
		a->table->bad_cnt++;
		err = 0;
	}
	/*
	 * Ends the rows with an unknown one; if the next function begins here, its first row
	 * replaces it.
	 */
	return err ? err : add_row(a->table, fde->end, 0);
}

int unwind_table__add(struct unwind_table *t, const struct cfi_section *sec)
{
	struct adding a = { t, unwind_arch__of(t->machine), NULL };

	return cfi_section__each(sec, a.arch, on_fde, &a, &t->bad_cnt);
}

int unwind_table__add_rule(struct unwind_table *t, uint64_t start, uint64_t end,
			   const struct unwind_rule *rule)
{
	int64_t idx = intern(t, rule);
	int err = idx < 0 ? (int)idx : 0;

	if (err || !in_span(t, start, end))
		return err;
	err = add_row(t, start, (uint64_t)idx);
	return err ? err : add_row(t, end, 0);
}

void unwind_table__pack(struct unwind_table *t)
{
	size_t i, n = 0;

	if (t->is_unsorted)
		row_sort(t->rows, t->row_cnt);
	for (i = 0; i < t->row_cnt; i++) {
		__u64 row = t->rows[i];

		if (n && t->rows[n - 1] >> UNWIND_RULE_BITS == row >> UNWIND_RULE_BITS)
			n--;
		if (n && (t->rows[n - 1] & UNWIND_RULE_MASK) == (row & UNWIND_RULE_MASK))
			continue;
		t->rows[n++] = row;
	}
	t->row_cnt = n;
	t->is_unsorted = false;
}

/* Number of rows at or before an address. */
static size_t rows_until(const struct unwind_table *t, uint64_t addr)
{
	__u64 want = (addr - t->base) << UNWIND_RULE_BITS | UNWIND_RULE_MASK;
	return partition_point(0, t->row_cnt, i, t->rows[i] <= want);
}

int unwind_table__add_range(struct unwind_table *t, uint64_t start, uint64_t end,
			    const struct unwind_rule *rule)
{
	int64_t idx = intern(t, rule);
	size_t first, last, i;
	uint64_t after = 0;
	int err;

	if (idx < 0)
		return (int)idx;
	if (!in_span(t, start, end))
		return 0;
	unwind_table__pack(t);
	last = rows_until(t, end);
	if (last)
		after = t->rows[last - 1] & UNWIND_RULE_MASK;
	first = start > t->base ? rows_until(t, start - 1) : 0;
	for (i = first; i < last; i++)
		t->rows[i] = (start - t->base) << UNWIND_RULE_BITS;
	err = add_row(t, start, (uint64_t)idx);
	if (!err)
		err = add_row(t, end, after);
	t->is_unsorted = true;
	return err;
}

int unwind_table__fill_range(struct unwind_table *t, uint64_t start, uint64_t end,
			     const struct unwind_rule *rule)
{
	unwind_table__pack(t);
	if (unwind_table__find(t, start)->cfa != UNWIND_CFA_UNKNOWN)
		return 0;
	return unwind_table__add_range(t, start, end, rule);
}

int unwind_table__replace(struct unwind_table *t, size_t row, const struct unwind_rule *rule)
{
	int64_t idx = intern(t, rule);

	if (idx < 0)
		return (int)idx;
	t->rows[row] = (t->rows[row] & ~UNWIND_RULE_MASK) | (uint64_t)idx;
	return 0;
}

void unwind_table__finish(struct unwind_table *t)
{
	__u64 *rows;

	unwind_table__pack(t);
	u64map__free(&t->by_hash);
	memset(&t->by_hash, 0, sizeof(t->by_hash));
	rows = t->row_cnt ? reallocarray(t->rows, t->row_cnt, sizeof(*rows)) : NULL;
	if (rows) {
		t->rows = rows;
		t->row_cap = t->row_cnt;
	}
}

int unwind_table__end(struct unwind_table *t, int err)
{
	if (!err)
		unwind_table__finish(t);
	if (!err && !t->row_cnt)
		err = -ENODATA;
	if (err)
		unwind_table__free(t);
	return err;
}

const struct unwind_rule *unwind_table__find(const struct unwind_table *t, uint64_t addr)
{
	size_t n;

	if (addr < t->base || addr - t->base >= UNWIND_SPAN_MAX)
		return t->rules;
	n = rows_until(t, addr);
	return n ? &t->rules[t->rows[n - 1] & UNWIND_RULE_MASK] : t->rules;
}

bool unwind_table__to_vaddr(const struct unwind_table *t, uint64_t file_off, uint64_t *vaddr)
{
	size_t i;

	for (i = 0; i < t->segment_cnt; i++) {
		const struct unwind_segment *seg = &t->segments[i];

		/* A mapping begins at the start of a page, which may precede the segment. */
		if (file_off < (seg->off & ~(uint64_t)(PAGE_MIN_SZ - 1)) ||
		    (file_off >= seg->off && file_off - seg->off >= seg->sz))
			continue;
		*vaddr = file_off - seg->off + seg->vaddr;
		return true;
	}
	return false;
}

size_t unwind_table__mem_sz(const struct unwind_table *t)
{
	return t->row_cnt * sizeof(*t->rows) + t->rule_cnt * sizeof(*t->rules);
}

void unwind_table__free(struct unwind_table *t)
{
	free(t->rows);
	free(t->rules);
	u64map__free(&t->by_hash);
	memset(t, 0, sizeof(*t));
}
