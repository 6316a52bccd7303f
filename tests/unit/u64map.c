// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/recent_map.h"
#include "util/u64map.h"

#include "tap.h"

static void test_recent(void)
{
	struct recent_map map = RECENT_MAP_INIT;
	uint64_t i, bad = 0;

	for (i = 0; i < 1000000; i++) {
		recent_map__set(&map, i, (uint32_t)i);
		bad += recent_map__get(&map, 0) != 0;
		bad += i >= RECENT_MAX && recent_map__get(&map, i - RECENT_MAX / 4) == U64MAP_NONE;
	}
	is_u64(bad, 0, "what is recent, or is read all the time, is not forgotten");
	is_u64(recent_map__get(&map, 1), U64MAP_NONE, "what was not used for long is forgotten");
	ok(map.young.cap + map.old.cap <= 65536, "memory of a map of recent keys does not grow");
	recent_map__set(&map, 0, U64MAP_NONE);
	is_u64(recent_map__get(&map, 0), U64MAP_NONE, "a key is removed");
	recent_map__free(&map);
}

int main(void)
{
	struct u64map map = U64MAP_INIT;
	uint64_t i, bad = 0;

	is_u64(u64map__get(&map, 1), U64MAP_NONE, "an empty map has no keys");
	for (i = 0; i < 10000; i++)
		*u64map__slot(&map, i << 20) = (uint32_t)i;
	for (i = 0; i < 10000; i++)
		bad += u64map__get(&map, i << 20) != i;
	is_u64(bad, 0, "10,000 keys have their values");
	is_u64(u64map__get(&map, 1), U64MAP_NONE, "an absent key has no value");
	is_u64(*u64map__slot(&map, 5), U64MAP_NONE, "a new key has no value");
	for (i = 0; i < 1000000; i++) {
		*u64map__slot(&map, i << 32 | 7) = 1;
		*u64map__slot(&map, i << 32 | 7) = U64MAP_NONE;
	}
	ok(map.cap <= 65536, "the space of removed keys is used again");
	is_u64(u64map__get(&map, 77ull << 20), 77, "other keys stay when some are removed");
	u64map__free(&map);
	test_recent();
	return done_testing();
}
