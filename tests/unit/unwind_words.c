// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A table's words, which count from byte 0 of the file, say of each byte of code what the table
 * says of its address; of what is in no executable segment they say nothing.
 */
#include <errno.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <linux/types.h>

#include "tap.h"
#include "sym/proc_maps.h"
#include "unwind/arch.h"
#include "unwind/file.h"
#include "unwind/words.h"
#include "util/hash.h"

#define ASKED 100003

/* The rule at a byte of the file, found as bpf/unwind_walk.bpf.h does. */
static struct unwind_rule find(const __u64 *words, uint64_t off)
{
	size_t cnt = words[0], low = 0, high = cnt;
	uint64_t want = off << UNWIND_RULE_BITS | UNWIND_RULE_MASK;
	struct unwind_rule rule = { 0 };

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (words[UNWIND_HEAD_WORDS + mid] <= want)
			low = mid + 1;
		else
			high = mid;
	}
	if (low)
		memcpy(&rule,
		       &words[UNWIND_HEAD_WORDS + cnt +
			      UNWIND_RULE_WORDS *
				      (words[UNWIND_HEAD_WORDS + low - 1] & UNWIND_RULE_MASK)],
		       sizeof(rule));
	return rule;
}

static bool is_same(const struct unwind_rule *a, const struct unwind_rule *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static bool is_ascending(const __u64 *words)
{
	size_t i;

	for (i = 1; i < words[0]; i++)
		if (words[UNWIND_HEAD_WORDS + i] >> UNWIND_RULE_BITS <=
		    words[UNWIND_HEAD_WORDS + i - 1] >> UNWIND_RULE_BITS)
			return false;
	return true;
}

static void test_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), i, good = 0;
	struct unwind_table t;
	__u64 *words;
	size_t cnt;

	if (!ok(fd >= 0 && !unwind_file__read(&t, fd), "%s has a table", path))
		return;
	words = unwind_words__make(&t, &cnt);
	for (i = 0; words && i < ASKED; i++) {
		uint64_t r = hash__mix((uint64_t)i + 1);
		const struct unwind_segment *seg = &t.segments[r % t.segment_cnt];
		uint64_t in = hash__mix(r) % seg->sz;
		struct unwind_rule rule = find(words, seg->off + in);

		good += is_same(&rule, unwind_table__find(&t, seg->vaddr + in));
	}
	is_u64(good, ASKED, "%d bytes: the table's rules", ASKED);
	ok(words && is_ascending(words), "rows of the words ascend");
	free(words);
	unwind_table__free(&t);
	close(fd);
}

/* Addresses that are in another order than the bytes, with a gap in both. */
static void test_segments(void)
{
	const struct unwind_arch *arch = unwind_arch__of(EM_X86_64);
	const struct unwind_rule a = { .cfa = UNWIND_CFA_SP, .cfa_off = 8 },
				 b = { .cfa = UNWIND_CFA_SP, .cfa_off = 16 }, none = { 0 };
	struct unwind_table t;
	struct unwind_rule rule;
	__u64 *words;
	size_t cnt;

	is_u64((uint64_t)unwind_table__init(&t, arch, 0x1000), 0,
	       "a table of two segments is made");
	unwind_table__add_range(&t, 0x1000, 0x1800, &a);
	unwind_table__add_range(&t, 0x5000, 0x5800, &b);
	unwind_table__finish(&t);
	t.segments[0] = (struct unwind_segment){ 0x9000, 0x1000, 0x1000 };
	t.segments[1] = (struct unwind_segment){ 0x3000, 0x400, 0x5100 };
	t.segment_cnt = 2;
	words = unwind_words__make(&t, &cnt);
	rule = find(words, 0x9000);
	ok(is_same(&rule, &a), "the first segment's, behind the second's in the file");
	rule = find(words, 0x97ff);
	ok(is_same(&rule, &a), "the first segment: its last byte");
	rule = find(words, 0x9800);
	ok(is_same(&rule, t.rules), "the first segment: no rule behind it");
	rule = find(words, 0x3000);
	ok(is_same(&rule, &b), "a segment that begins in the midst of a function");
	rule = find(words, 0x3400);
	ok(is_same(&rule, t.rules), "the second segment: it ends with its size");
	rule = find(words, 0x2fff);
	ok(is_same(&rule, &none), "the second segment: no rule before it");
	free(words);
	unwind_table__free(&t);
}

static void note_library(void *ctx, const struct sym_map *map)
{
	char *path = ctx;

	if (strstr(map->path, "/libc."))
		snprintf(path, PATH_MAX, "%s", map->path);
}

/* A static program has none. */
static void test_library(void)
{
	char path[PATH_MAX] = "";

	proc_maps__read(getpid(), note_library, path);
	if (*path)
		test_file(path);
}

int main(void)
{
	test_file("/proc/self/exe");
	test_library();
	test_segments();
	return done_testing();
}
