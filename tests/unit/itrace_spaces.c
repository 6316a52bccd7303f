// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The mappings of processes: which code is at each address after others replaced a part. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/recording.h"
#include "itrace/collect.h"
#include "itrace/collect_priv.h"
#include "cpu_ns.h"
#include "rnd.h"
#include "tap.h"

#define PID 7
#define FUNCS 40001u

static struct recording rec = { .path = "recorded" };

static void begin(struct collect *c)
{
	*c = (struct collect){ .rec = &rec };
	c->space_of = (struct u64map)U64MAP_INIT;
}

static void end(struct collect *c)
{
	size_t i;

	for (i = 0; i < c->space_cnt; i++) {
		free(c->spaces[i].maps);
		free(c->spaces[i].late);
	}
	free(c->spaces);
	u64map__free(&c->space_of);
}

/* Maps all functions of a dump, each of 48 bytes. */
static int map_dump(struct collect *c, size_t cnt, uint64_t step)
{
	struct collect_map *list = calloc(cnt, sizeof(*list));
	size_t i;
	int err;

	if (!list)
		exit(99);
	for (i = 0; i < cnt; i++)
		list[i] = (struct collect_map){ 0x10000 + i * step, 48, i * 64, 3, true };
	err = collect__map_dump(c, PID, list, cnt, 3);
	free(list);
	return err;
}

/* How often functions are kept grows with their number, not with its square. */
static void check_dumps(void)
{
	const struct collect_map plain = { .addr = 0x10000 + 31 * 64, .len = 8, .image = 5 };
	struct collect c;

	begin(&c);
	ok(!collect__has_dump(&c, PID, 3), "a process without mappings has no dump");
	is_s64(map_dump(&c, FUNCS, 64), 0, "a dump of many functions is mapped");
	is_u64(c.map_cnt, FUNCS, "each function is kept once");
	is_u64(c.space_cnt, 1, "functions beside each other replace nothing");
	ok(collect__has_dump(&c, PID, 3) && !collect__has_dump(&c, PID, 4), "the dump is known");
	is_s64(map_dump(&c, FUNCS, 64), 0, "the dump may be mapped a second time");
	is_u64(c.map_cnt, 2 * FUNCS, "a second time, each function is kept once more");
	is_u64(c.space_cnt, 2, "a second time, all are replaced at once");
	is_s64(collect__map(&c, PID, &plain, 1), 0, "a mapping comes over a function");
	ok(!collect__has_dump(&c, PID, 3), "a dump whose functions were replaced is mapped anew");
	is_u64(c.spaces[2].cnt, FUNCS + 1, "only the begin of that function is replaced");
	is_s64(collect__fork(&c, PID + 1, PID), 0, "the process forks");
	ok(c.spaces[3].cnt == 1 && c.spaces[3].maps[0].image == 5 && !c.spaces[3].dump,
	   "a child has no functions of the dump");
	is_s64(collect__exec(&c, PID), 0, "the process runs another program");
	is_u64(c.spaces[c.space_cnt - 1].cnt, 0, "another program has no mappings yet");
	ok(!collect__has_dump(&c, PID, 3), "another program has no dump");
	end(&c);
}

#define BYTES 512u

/* Each byte of a small address space, as image and offset; 0: nothing. */
static uint64_t model[BYTES];

static bool is_as_model(const struct collect_space *s)
{
	uint64_t found[BYTES] = { 0 };
	size_t i, k;

	for (i = 0; i < s->cnt; i++) {
		const struct collect_map *m = &s->maps[i];

		if (!m->len || (i && s->maps[i - 1].addr + s->maps[i - 1].len > m->addr))
			return false;
		for (k = 0; k < m->len; k++)
			found[m->addr + k] = (uint64_t)m->image << 32 | (m->pgoff + k);
	}
	return !memcmp(found, model, sizeof(found));
}

/* Makes a list in order of address. Returns its length. */
static size_t make_list(struct collect_map *list, size_t max, uint32_t image)
{
	uint64_t at = rnd(BYTES / 2), k;
	size_t cnt = 0;

	while (cnt < max && at < BYTES - 1) {
		struct collect_map *m = &list[cnt++];

		*m = (struct collect_map){ .addr = at, .pgoff = rnd(9999), .image = image };
		m->len = 1 + rnd(BYTES - at < 60 ? BYTES - at : 60);
		for (k = 0; k < m->len; k++)
			model[at + k] = (uint64_t)image << 32 | (m->pgoff + k);
		at += m->len + rnd(20);
	}
	return cnt;
}

static void check_lists(void)
{
	struct collect_map list[9];
	struct collect c;
	size_t i, bad = 0, cnt;

	begin(&c);
	memset(model, 0, sizeof(model));
	for (i = 1; i <= 3001; i++) {
		cnt = make_list(list, 1 + rnd(9), (uint32_t)i);
		if (collect__map(&c, PID, list, cnt))
			exit(99);
		/* Others are merged when there are many, or the space ends. */
		if (i % 7 == 0 && collect__settle(&c))
			exit(99);
		if (i % 7 == 0)
			bad += !is_as_model(&c.spaces[c.space_cnt - 1]);
	}
	is_u64(bad, 0, "3001 lists: each byte is that of the newest mapping of it");
	end(&c);
}

/*
 * A recording that was made to take time has each mapping before those that it had before. Returns
 * the CPU time, in ns, of `cnt` mappings in each of 11 processes; bad counts those out of order.
 */
static uint64_t map_downwards(uint32_t cnt, uint32_t *bad)
{
	uint64_t before = cpu_ns();
	struct collect c;
	uint32_t i;
	int pid;

	begin(&c);
	for (pid = 1; pid <= 11; pid++)
		for (i = 0; i < cnt; i++) {
			struct collect_map map = { .addr = (100000 - i) * 64ull, .len = 64 };

			if (collect__map(&c, pid, &map, 1))
				exit(99);
		}
	if (collect__settle(&c))
		exit(99);
	for (pid = 0; pid < 11; pid++)
		for (i = 0; i < cnt; i++)
			*bad += c.spaces[pid].maps[i].addr != (100000 - cnt + 1 + i) * 64ull;
	end(&c);
	return cpu_ns() - before;
}

static void check_downwards(void)
{
	uint32_t bad = 0;
	uint64_t part = map_downwards(COLLECT_SPACE_MAPS_MAX / 16, &bad);
	uint64_t all = map_downwards(COLLECT_SPACE_MAPS_MAX, &bad);

	is_u64(bad, 0, "mappings that come from the highest on are in order");
	/* A mapping that moves all others would make 16 times as many take 256 times as long. */
	ok(all < 100 * part, "mappings that come from the highest on take linear time");
	diag("%llu us, a sixteenth of them %llu us", (unsigned long long)all / 1000,
	     (unsigned long long)part / 1000);
}

/* Functions of a JIT compiler are not copied to children, but are looked at. */
static void check_forks(void)
{
	struct collect c;
	uint32_t i;
	int err = 0;

	begin(&c);
	map_dump(&c, FUNCS, 64);
	for (i = 0; i < 100003 && !err; i++)
		err = collect__fork(&c, PID + 1, PID);
	is_s64(err, -E2BIG, "forks of a process with many functions are not without end");
	ok(i > 1000, "a process with many functions may fork often");
	end(&c);
}

int main(void)
{
	check_dumps();
	check_lists();
	check_downwards();
	check_forks();
	return done_testing();
}
