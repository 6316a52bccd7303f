// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>

#include "sym/maps.h"
#include "sym/proc_maps.h"

#include "tap.h"

static int insert(struct maps **maps, uint64_t start, uint64_t end, uint64_t pgoff, uint32_t dso)
{
	struct map m = { .start = start, .end = end, .pgoff = pgoff, .dso = dso };

	return maps__insert(maps, &m, MAPS_MAX);
}

static uint32_t dso_at(const struct maps *maps, uint64_t addr)
{
	const struct map *m = maps__find(maps, addr);

	return m ? m->dso : 0;
}

static void test_insert(void)
{
	struct maps *maps = maps__new(), *other;

	insert(&maps, 0x5000, 0x9000, 0x100, 1);
	insert(&maps, 0x1000, 0x2000, 0, 2);
	is_u64(dso_at(maps, 0x1000), 2, "lookup of an address: first byte");
	is_u64(dso_at(maps, 0x1fff), 2, "lookup of an address: last byte");
	is_u64(dso_at(maps, 0x2000), 0, "lookup of an address: behind it");
	is_u64(dso_at(maps, 0x4fff), 0, "lookup of an address: before another");

	other = maps__get(maps);
	insert(&maps, 0x6000, 0x7000, 0, 3);
	ok(maps != other, "a shared set is copied when it is changed");
	is_u64(dso_at(other, 0x6000), 1, "a shared set stays as it was");
	is_u64(dso_at(maps, 0x5fff), 1, "what sticks out in front stays");
	is_u64(dso_at(maps, 0x6000), 3, "an overlapping mapping: the new one is found");
	is_u64(dso_at(maps, 0x7000), 1, "what sticks out behind stays");
	is_u64(maps__find(maps, 0x7000)->pgoff, 0x2100,
	       "an overlapping mapping: the rest behind has its file offset moved");

	insert(&maps, 0, 0xa000, 0, 4);
	is_u64(maps->cnt, 1, "one over all replaces all");
	is_u64(dso_at(maps, 0x1800), 4, "a mapping over all is found");
	insert(&maps, 0xa000, 0xa000, 0, 5);
	is_u64(maps->cnt, 1, "an empty mapping is refused");
	maps__put(maps);
	is_u64(other->cnt, 2, "the shared set is alive");
	maps__put(other);
}

/* A program that maps code at ever new addresses, from high to low as the kernel chooses them. */
static void test_many(void)
{
	struct maps *maps = maps__new();
	uint64_t addr = 1ull << 40;
	unsigned int i;
	int err = 0;

	for (i = 0; i < MAPS_MAX; i++, addr -= 0x4000)
		err |= insert(&maps, addr, addr + 0x3000, 0, 1);
	is_s64(err, 0, "many mappings are inserted");
	is_s64(insert(&maps, addr, addr + 0x3000, 0, 2), -ENOSPC, "one too many is refused");
	is_s64(insert(&maps, (1ull << 40) + 0x1000, (1ull << 40) + 0x2000, 0, 2), -ENOSPC,
	       "one that makes three of one is refused");
	is_u64(maps->cnt, MAPS_MAX, "their number is bounded");
	is_u64(dso_at(maps, 1ull << 40), 1, "those that are there stay");
	is_s64(insert(&maps, 1ull << 40, (1ull << 40) + 0x3000, 0, 3), 0, "one is replaced");
	is_u64(dso_at(maps, 1ull << 40), 3, "the one in its place is found");
	maps__put(maps);
}

/*
 * A recording may say so of a process: a million mappings, each below those of before, and then
 * thousands of forks that map something each.
 */
static void test_hostile(void)
{
	enum { CNT = 1000003, FORKS = 3001 };
	struct maps *maps = maps__new(), **children = calloc(FORKS, sizeof(struct maps *));
	uint64_t addr = 1ull << 40;
	uint32_t i, bad = 0;
	int err = 0;

	for (i = 0; i < CNT; i++, addr -= 0x2000) {
		const struct map m = { .start = addr, .end = addr + 0x1000, .dso = i + 1 };

		err |= maps__insert(&maps, &m, MAPS_RECORDED_MAX);
	}
	is_s64(err, 0, "a million mappings from the highest on are inserted");
	is_u64(maps->cnt, CNT, "a million mappings: none is missing");
	for (i = 0; i < CNT; i++)
		bad += dso_at(maps, (1ull << 40) - i * 0x2000ull + 7) != i + 1;
	is_u64(bad, 0, "a million mappings: each is found");
	for (i = 0; i < FORKS; i++) {
		children[i] = maps__get(maps);
		err |= insert(&children[i], addr + 0x1000, addr + 0x2000, 0, 7);
		bad += children[i] == maps || children[i]->chunks[9] != maps->chunks[9];
	}
	is_s64(err, -ENOSPC, "a set of a live process is bounded");
	for (i = 0; i < FORKS; i++) {
		const struct map m = { .start = (1ull << 40) + 0x1000,
				       .end = (1ull << 40) + 0x2000,
				       .dso = 7 };

		bad += maps__insert(&children[i], &m, MAPS_RECORDED_MAX) != 0;
		bad += dso_at(children[i], m.start) != 7 || dso_at(maps, m.start) != 0;
		bad += children[i]->chunks[9] != maps->chunks[9];
	}
	is_u64(bad, 0, "children share with their parent what neither has changed");
	for (i = 0; i < FORKS; i++)
		maps__put(children[i]);
	free(children);
	is_u64(dso_at(maps, 1ull << 40), 1, "the parent's mappings outlive the children");
	maps__put(maps);
}

/* Against a map of single pages, of which copies are kept and compared later. */
static void test_random(unsigned int pages, unsigned int longest, unsigned int rounds)
{
	struct maps *maps = maps__new(), *kept = maps__get(maps);
	uint32_t *now = calloc(pages, sizeof(*now)), *then = calloc(pages, sizeof(*then));
	uint32_t bad = 0, out_of_order = 0, cnt, i, p, a, b;
	struct maps_iter iter;
	const struct map *m;
	uint64_t end;

	srand(1);
	for (i = 1; i < rounds; i++) {
		a = (unsigned int)rand() % pages;
		b = a + 1 + (unsigned int)rand() % longest;
		b = b < pages ? b : pages;
		insert(&maps, a * 16, b * 16, 0, i);
		for (p = a; p < b; p++)
			now[p] = i;
		if (i % 64)
			continue;
		for (p = 0; p < pages; p++) {
			bad += dso_at(maps, p * 16 + p % 16) != now[p];
			bad += dso_at(kept, p * 16 + p % 16) != then[p];
		}
		iter = (struct maps_iter){ 0 };
		for (cnt = 0, end = 0; (m = maps__next(maps, &iter)); cnt++, end = m->end)
			out_of_order += m->start < end || m->end <= m->start;
		out_of_order += cnt != maps->cnt;
		maps__put(kept);
		kept = maps__get(maps);
		memcpy(then, now, pages * sizeof(*now));
	}
	is_u64(bad, 0, "random mappings: those of a set and of an older copy are found");
	is_u64(out_of_order, 0, "random mappings: in order, and as many as counted");
	maps__put(maps);
	maps__put(kept);
	free(now);
	free(then);
}

static void test_lines(void)
{
	char line[] = "7f4c8a228000-7f4c8a37d000 r-xp 00028000 fe:0a 331999        /lib/a b\\012c";
	char data[] = "7f4c8a228000-7f4c8a37d000 rw-p 00028000 fe:00 331999        /lib/x";
	char anon[] = "7f4c8a228000-7f4c8a37d000 rwxp 00000000 00:00 0 ";
	struct sym_map map;

	ok(proc_maps__parse(line, &map), "an executable mapping");
	is_u64(map.addr, 0x7f4c8a228000, "an executable mapping: its address");
	is_u64(map.len, 0x155000, "an executable mapping: its size");
	is_u64(map.pgoff, 0x28000, "an executable mapping: its offset");
	is_u64(map.maj, 0xfe, "an executable mapping: major number");
	is_u64(map.min, 0x0a, "an executable mapping: minor number");
	is_u64(map.ino, 331999, "an executable mapping: its inode");
	is_str(map.path, "/lib/a b\nc", "an executable mapping: its path");
	ok(!proc_maps__parse(data, &map), "data is left out");
	ok(proc_maps__parse(anon, &map), "without a file");
	is_str(map.path, "", "a mapping without a file has no path");
}

int main(void)
{
	test_insert();
	test_many();
	test_hostile();
	test_random(64, 64, 2000);
	test_random(4096, 3, 20000);
	test_random(4096, 1500, 5000);
	test_lines();
	return done_testing();
}
