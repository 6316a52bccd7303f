/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The unwind table of one file: what its call frame information says, to be searched. */
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

/* An executable segment: bytes off.. of the file are at vaddr.. of the same file's addresses. */
struct unwind_segment {
	uint64_t off, sz, vaddr;
};
/* Linkers make one, some loaders' images have four. */
#define UNWIND_SEGMENTS_MAX 8

struct unwind_table {
	uint64_t base; /* the address of the file that rows count from */
	__u64 *rows; /* ascending, no address twice, no two neighbours with one rule */
	size_t row_cnt, row_cap;
	struct unwind_rule *rules; /* [0] is the unknown one */
	size_t rule_cnt, rule_cap;
	uint64_t bad_cnt; /* functions whose entries make no sense */
	uint16_t machine; /* EM_… */
	uint16_t segment_cnt;
	struct unwind_segment segments[UNWIND_SEGMENTS_MAX];

	/* While it is made. */
	struct u64map by_hash; /* of a rule → its index */
	bool is_unsorted;
};

/* An empty table. 0 or -ENOMEM. */
int unwind_table__init(struct unwind_table *table, const struct unwind_arch *arch, uint64_t base);
/*
 * Adds the functions of a section that lie within UNWIND_SPAN_MAX bytes from base; the others are
 * left out and counted as bad. 0, -ENOMEM, -E2BIG: more rules than a row can name.
 */
int unwind_table__add(struct unwind_table *table, const struct cfi_section *sec);
/*
 * Says the same of start..end for all of it, over whatever was added: a signal trampoline that
 * is known by its code. To be followed by unwind_table__finish(). 0, -ENOMEM or -E2BIG.
 */
int unwind_table__add_range(struct unwind_table *table, uint64_t start, uint64_t end,
			    const struct unwind_rule *rule);
/* Adds the range, but only where no row begins at start yet. */
int unwind_table__fill_range(struct unwind_table *table, uint64_t start, uint64_t end,
			     const struct unwind_rule *rule);
/* Sorts and packs the rows; to be called once, after all was added. */
void unwind_table__finish(struct unwind_table *table);
/* The rule at an address of the file; the unknown one where there is none. Never NULL. */
const struct unwind_rule *unwind_table__find(const struct unwind_table *table, uint64_t addr);
/* The address of a byte of the file, since mappings name bytes. False: in no executable segment. */
bool unwind_table__to_vaddr(const struct unwind_table *table, uint64_t file_off, uint64_t *vaddr);
/* Bytes that rows and rules take, in the kernel as here. */
size_t unwind_table__mem_sz(const struct unwind_table *table);
void unwind_table__free(struct unwind_table *table);

#endif
