// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/machine_text.h"

#include <string.h>

#include "data/bytes.h"
#include "util/strbuf.h"

typedef unsigned long long ull;

/* perf cuts the list of a node's blocks of memory here. */
#define BLOCKS_MAX_LEN 99

/* Puts a text: its size, then that number of bytes, padded with NULs. */
static void put_text(struct bytes *b, struct strbuf *sb)
{
	uint32_t sz = bytes__u32(b);
	const char *text = bytes__take(b, sz);

	if (text)
		strbuf__put_escaped(sb, text, strnlen(text, sz));
}

static void put_texts(struct bytes *b, const char *heading, struct strbuf *sb)
{
	uint32_t cnt = bytes__u32(b), i;

	for (i = 0; i < cnt && !b->bad; i++) {
		strbuf__printf(sb, "# sibling %s : ", heading);
		put_text(b, sb);
		strbuf__putc(sb, '\n');
	}
}

/* Moves behind a list of texts. */
static void skip_texts(struct bytes *b)
{
	uint32_t cnt = bytes__u32(b), i, sz;

	for (i = 0; i < cnt && !b->bad; i++) {
		sz = bytes__u32(b);
		bytes__take(b, sz);
	}
}

/*
 * Lists of CPUs that share a socket, and a core; the core and the socket of each CPU; from 5.2 on
 * lists of CPUs that share a die, and the die of each.
 */
static void put_cpus(struct bytes *b, uint32_t cpu_cnt, struct strbuf *sb)
{
	struct bytes threads, cpus, dies = { 0 };
	bool has_dies;
	uint32_t i, core, socket;

	put_texts(b, "sockets", sb);
	threads = *b;
	skip_texts(b);
	cpus = *b;
	bytes__take(b, (uint64_t)cpu_cnt * 8);
	has_dies = !b->bad && bytes__left(b);
	if (has_dies) {
		put_texts(b, "dies   ", sb);
		dies = *b;
	}
	put_texts(&threads, "threads", sb);
	if (bytes__left(&cpus) < (uint64_t)cpu_cnt * 8) {
		strbuf__puts(sb, "# Core ID and Socket ID information is not available\n");
		return;
	}
	for (i = 0; i < cpu_cnt; i++) {
		core = bytes__u32(&cpus);
		socket = bytes__u32(&cpus);
		strbuf__printf(sb, "# CPU %u: Core ID %d, ", i, (int32_t)core);
		if (has_dies)
			strbuf__printf(sb, "Die ID %d, ", (int32_t)bytes__u32(&dies));
		strbuf__printf(sb, "Socket ID %d\n", (int32_t)socket);
	}
}

static void put_numa_nodes(struct bytes *b, struct strbuf *sb)
{
	uint32_t cnt = bytes__u32(b), i, node;
	uint64_t total, unused;

	for (i = 0; i < cnt && !b->bad; i++) {
		node = bytes__u32(b);
		total = bytes__u64(b);
		unused = bytes__u64(b);
		if (b->bad)
			break;
		strbuf__printf(sb, "# node%u meminfo  : total = %llu kB, free = %llu kB\n", node,
			       (ull)total, (ull)unused);
		strbuf__printf(sb, "# node%u cpu list : ", node);
		put_text(b, sb);
		strbuf__putc(sb, '\n');
	}
}

/* Puts a text at the left or at the right of a column. */
static void put_cell(struct bytes *b, int width, struct strbuf *sb)
{
	struct strbuf cell = STRBUF_INIT;

	put_text(b, &cell);
	strbuf__printf(sb, "%*s", width, strbuf__cstr(&cell));
	strbuf__free(&cell);
}

static void put_caches(struct bytes *b, struct strbuf *sb)
{
	uint32_t version = bytes__u32(b), cnt = bytes__u32(b), i, level;

	if (version != 1 || b->bad)
		return;
	strbuf__puts(sb, "# CPU cache info:\n");
	for (i = 0; i < cnt && !b->bad; i++) {
		level = bytes__u32(b);
		/* The size of lines, sets, ways. */
		bytes__take(b, 12);
		if (b->bad)
			break;
		strbuf__printf(sb, "#  L%u ", level);
		put_cell(b, -15, sb);
		strbuf__putc(sb, ' ');
		put_cell(b, 8, sb);
		strbuf__puts(sb, " [");
		put_text(b, sb);
		strbuf__puts(sb, "]\n");
	}
}

/* Puts the set bits of cnt as a list of ranges, and returns their number. */
static uint64_t put_bits(const struct bytes *bits, uint64_t cnt, struct strbuf *sb)
{
	struct bytes b = *bits;
	uint64_t word = 0, i, begin = 0, sum = 0;
	bool is_set, in_range = false;

	for (i = 0; i <= cnt; i++) {
		if (i % 64 == 0 && i < cnt)
			word = bytes__u64(&b);
		is_set = i < cnt && word >> i % 64 & 1;
		sum += is_set;
		if (is_set && !in_range)
			begin = i;
		if (!is_set && in_range) {
			strbuf__printf(sb, "%s%llu", sb->len ? "," : "", (ull)begin);
			if (i - 1 > begin)
				strbuf__printf(sb, "-%llu", (ull)(i - 1));
		}
		in_range = is_set;
	}
	return sum;
}

/* "24G": in the largest unit of which there is more than one. */
static void put_amount(uint64_t bytes, struct strbuf *sb)
{
	static const char units[] = "BKMG";
	size_t i;

	for (i = 0; i < sizeof(units) - 2 && bytes / 1024 > 1; i++)
		bytes /= 1024;
	strbuf__printf(sb, "%llu%c", (ull)bytes, units[i]);
}

/* The memory of each node: which of the blocks, all of one size, it has. */
static void put_memory(struct bytes *b, struct strbuf *sb)
{
	uint64_t version = bytes__u64(b), block_sz = bytes__u64(b), cnt = bytes__u64(b), i, node;
	uint64_t bits, sum;
	struct strbuf blocks = STRBUF_INIT;
	struct bytes words;

	if (version != 1 || b->bad)
		return;
	strbuf__printf(sb, "# memory nodes (nr %llu, block size 0x%llx):\n", (ull)cnt,
		       (ull)block_sz);
	for (i = 0; i < cnt && !b->bad; i++) {
		node = bytes__u64(b);
		/* The number of blocks, and that of bits. */
		bytes__u64(b);
		bits = bytes__u64(b);
		words = *b;
		if (bits > bytes__left(b) * 8 || !bytes__take(b, (bits + 63) / 64 * 8))
			break;
		strbuf__reset(&blocks);
		sum = put_bits(&words, bits, &blocks);
		strbuf__printf(sb, "#  %3llu [", (ull)node);
		put_amount(block_sz * sum, sb);
		strbuf__printf(sb, "]: %.*s\n", BLOCKS_MAX_LEN, strbuf__cstr(&blocks));
	}
	strbuf__free(&blocks);
}

static void put_hybrid(struct bytes *b, struct strbuf *sb)
{
	uint32_t cnt = bytes__u32(b), i;

	if (b->bad)
		return;
	strbuf__puts(sb, "# hybrid cpu system:\n");
	for (i = 0; i < cnt && !b->bad; i++) {
		strbuf__puts(sb, "# ");
		put_text(b, sb);
		strbuf__puts(sb, " cpu list : ");
		put_text(b, sb);
		strbuf__putc(sb, '\n');
	}
}

void machine_text__put(const struct recording *rec, enum recorded_part part, struct strbuf *sb)
{
	const struct recorded_section *s = &rec->sections[part];
	struct bytes b = bytes__of(s->data, s->sz, rec->swap);

	if (!s->data)
		return;
	switch (part) {
	case PART_CPUS:
		put_cpus(&b, rec->cpu_cnt, sb);
		break;
	case PART_NUMA_NODES:
		put_numa_nodes(&b, sb);
		break;
	case PART_CACHES:
		put_caches(&b, sb);
		break;
	case PART_MEMORY:
		put_memory(&b, sb);
		break;
	case PART_HYBRID:
		put_hybrid(&b, sb);
		break;
	case PART_CNT:
		break;
	}
}
