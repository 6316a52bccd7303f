// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>

#include "sym/maps.h"
#include "sym/proc_maps.h"

#include "tap.h"

static int insert(struct maps **maps, uint64_t start, uint64_t end, uint64_t pgoff, uint32_t dso)
{
	struct map m = { start, end, pgoff, dso };

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

/* Against a map of single pages. */
static void test_random(void)
{
	struct maps *maps = maps__new();
	uint32_t pages[64] = { 0 }, bad = 0;
	unsigned int i, p, a, b;

	srand(1);
	for (i = 1; i < 2000; i++) {
		a = (unsigned int)rand() % 64;
		b = a + (unsigned int)rand() % (65 - a);
		insert(&maps, a * 16, b * 16, 0, i);
		for (p = a; p < b; p++)
			pages[p] = i;
		for (p = 0; p < 64; p++)
			bad += dso_at(maps, p * 16 + p % 16) != pages[p];
	}
	is_u64(bad, 0, "2,000 random mappings");
	maps__put(maps);
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
	test_random();
	test_lines();
	return done_testing();
}
