// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/ruby_lines.h"

#include <string.h>

#include <linux/types.h>

#include "bpf/ruby_wire.h"

#define ENTRY_SZ 12
/*
 * The first 54 positions: six words, each with the counts of entries up to nine positions, of seven
 * bits. Then blocks of 512 positions: the count of entries before the block, those before each of
 * its eight words but the first, of nine bits, and the words, in which a bit is a position with
 * an entry.
 */
#define FIRST_POSITIONS 54
#define FIRST_SZ 48
struct block {
	uint32_t before, spare;
	uint64_t before_word;
	uint64_t words[8];
};

/* Counts the entries that begin at or before a position. 0: not known. */
static uint32_t count_until(const uint8_t *at, size_t sz, uint32_t pos)
{
	uint32_t bit, word, cnt;
	struct block b;
	uint64_t w;

	if (pos < FIRST_POSITIONS) {
		if ((pos / 9 + 1) * sizeof(w) > sz)
			return 0;
		memcpy(&w, at + pos / 9 * sizeof(w), sizeof(w));
		return w >> pos % 9 * 7 & 127;
	}
	pos -= FIRST_POSITIONS;
	if (FIRST_SZ + (pos / 512 + 1) * sizeof(b) > sz)
		return 0;
	memcpy(&b, at + FIRST_SZ + pos / 512 * sizeof(b), sizeof(b));
	word = pos % 512 / 64;
	bit = pos % 64;
	cnt = b.before;
	if (word)
		cnt += b.before_word >> (word - 1) * 9 & 511;
	return cnt + (uint32_t)__builtin_popcountll(b.words[word] << (63 - bit));
}

uint32_t ruby_lines__find(const uint8_t *table, size_t sz, uint32_t insn)
{
	const uint8_t *entries = table + sizeof(struct ruby_lines);
	struct ruby_lines head;
	uint32_t entry = 1;
	int32_t line;

	if (sz < sizeof(head))
		return 0;
	memcpy(&head, table, sizeof(head));
	if ((uint64_t)head.entries_sz + head.positions_sz > sz - sizeof(head))
		return 0;
	/* One line has no index. */
	if (head.cnt > 1)
		entry = count_until(entries + head.entries_sz, head.positions_sz,
				    insn ? insn - 1 : 0);
	if (!entry || (uint64_t)entry * ENTRY_SZ > head.entries_sz)
		return 0;
	memcpy(&line, entries + (entry - 1ul) * ENTRY_SZ, sizeof(line));
	return line > 0 ? (uint32_t)line : 0;
}
