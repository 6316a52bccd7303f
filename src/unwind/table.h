/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The unwind table of one file: its call frame information in a form that can be searched. */
#ifndef BPFPERF_UNWIND_TABLE_H
#define BPFPERF_UNWIND_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "util/u64map.h"

struct cfi_section;
struct unwind_arch;

/* An executable segment: bytes off.. of the file are at its virtual addresses vaddr... */
struct unwind_segment {
	uint64_t off, sz, vaddr;
};
/* Linkers create one; images of some loaders have four. */
#define UNWIND_SEGMENTS_MAX 8

struct unwind_table {
	uint64_t base; /* virtual address of the file that rows are relative to */
	__u64 *rows; /* ascending; no duplicate addresses, neighbours differ in their rule */
	size_t row_cnt, row_cap;
	struct unwind_rule *rules; /* index 0 is the unknown rule */
	size_t rule_cnt, rule_cap;
	uint64_t bad_cnt; /* functions with invalid entries */
	uint16_t machine; /* EM_… */
	uint16_t segment_cnt;
	struct unwind_segment segments[UNWIND_SEGMENTS_MAX];

	/* Used only while the table is built. */
	struct u64map by_hash; /* hash of a rule → its index */
	bool is_unsorted;
};

/* Makes an empty table. 0 or -ENOMEM. */
int unwind_table__init(struct unwind_table *table, const struct unwind_arch *arch, uint64_t base);
/*
 * Adds the functions of a section that lie within UNWIND_SPAN_MAX bytes from base; others are
 * skipped and counted as bad. 0, -ENOMEM, -E2BIG: more rules than a row can refer to.
 */
int unwind_table__add(struct unwind_table *table, const struct cfi_section *sec);
/*
 * Adds one rule for all of start..end, a function that has no rows yet. 0, -ENOMEM or -E2BIG; a
 * function out of the span is skipped.
 */
int unwind_table__add_rule(struct unwind_table *table, uint64_t start, uint64_t end,
			   const struct unwind_rule *rule);
/*
 * Sets one rule for all of start..end, replacing earlier rows: a signal trampoline that is
 * recognized by its code. Call unwind_table__finish() afterwards. 0, -ENOMEM or -E2BIG.
 */
int unwind_table__add_range(struct unwind_table *table, uint64_t start, uint64_t end,
			    const struct unwind_rule *rule);
/* Adds the range, but only if no row begins at start yet. */
int unwind_table__fill_range(struct unwind_table *table, uint64_t start, uint64_t end,
			     const struct unwind_rule *rule);
/* Sorts the rows, keeps the last one of each address, and drops repetitions of the one before. */
void unwind_table__pack(struct unwind_table *table);
/* Gives a row of a packed table another rule. 0, -ENOMEM or -E2BIG. */
int unwind_table__replace(struct unwind_table *table, size_t row, const struct unwind_rule *rule);
/* Sorts and packs the rows; call once, after all additions. */
void unwind_table__finish(struct unwind_table *table);
/*
 * Ends the building of a table, in which err came out: finishes it, or frees it. Returns err;
 * -ENODATA: it has no row.
 */
int unwind_table__end(struct unwind_table *table, int err);
/* The rule at a virtual address of the file; the unknown rule if there is none. Never NULL. */
const struct unwind_rule *unwind_table__find(const struct unwind_table *table, uint64_t addr);
/*
 * Converts a file offset, as in mappings, to a virtual address. False: not in an executable
 * segment.
 */
bool unwind_table__to_vaddr(const struct unwind_table *table, uint64_t file_off, uint64_t *vaddr);
/* Memory of rows and rules in bytes, in the kernel as well as here. */
size_t unwind_table__mem_sz(const struct unwind_table *table);
void unwind_table__free(struct unwind_table *table);

#endif
