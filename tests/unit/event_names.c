// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Every spelling of every cache event, and the names that list prints. */
#include "event/names.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "tap.h"

static const char *const caches[PERF_COUNT_HW_CACHE_MAX][6] = {
	{ "L1-dcache", "l1-d", "l1d", "L1-data" },
	{ "L1-icache", "l1-i", "l1i", "L1-instruction" },
	{ "LLC", "L2" },
	{ "dTLB", "d-tlb", "Data-TLB" },
	{ "iTLB", "i-tlb", "Instruction-TLB" },
	{ "branch", "branches", "bpu", "btb", "bpc" },
	{ "node" },
};
static const char *const ops[PERF_COUNT_HW_CACHE_OP_MAX][6] = {
	{ "load", "loads", "read" },
	{ "store", "stores", "write" },
	{ "prefetch", "prefetches", "speculative-read", "speculative-load" },
};
static const char *const results[PERF_COUNT_HW_CACHE_RESULT_MAX][6] = {
	{ "refs", "Reference", "ops", "access" },
	{ "misses", "miss" },
};

static unsigned int wrong;

/* `branches` and `branch-misses` are hardware events by name, not cache events. */
static bool is_own_name(const char *name)
{
	return !strcmp(name, "branches") || !strcmp(name, "branch-misses");
}

static void check(uint64_t want, const char *cache, const char *a, const char *b)
{
	enum event_kind kind;
	uint64_t config;
	uint32_t type;
	char name[128];

	snprintf(name, sizeof(name), "%s%s%s%s%s", cache, a ? "-" : "", a ? a : "", b ? "-" : "",
		 b ? b : "");
	if (is_own_name(name))
		return;
	if (event_names__lookup(name, &kind, &type, &config) || kind != EVENT_HARDWARE ||
	    type != PERF_TYPE_HW_CACHE || config != want) {
		diag("%s", name);
		wrong++;
	}
}

static void check_spellings(unsigned int c, const char *cache)
{
	unsigned int o, r, i, j;

	wrong = 0;
	check(c, cache, NULL, NULL);
	for (o = 0; o < PERF_COUNT_HW_CACHE_OP_MAX; o++)
		for (i = 0; ops[o][i]; i++)
			check(c | o << 8, cache, ops[o][i], NULL);
	for (r = 0; r < PERF_COUNT_HW_CACHE_RESULT_MAX; r++)
		for (i = 0; results[r][i]; i++)
			check(c | r << 16, cache, results[r][i], NULL);
	for (o = 0; o < PERF_COUNT_HW_CACHE_OP_MAX; o++)
		for (i = 0; ops[o][i]; i++)
			for (r = 0; r < PERF_COUNT_HW_CACHE_RESULT_MAX; r++)
				for (j = 0; results[r][j]; j++) {
					check(c | o << 8 | r << 16, cache, ops[o][i],
					      results[r][j]);
					check(c | o << 8 | r << 16, cache, results[r][j],
					      ops[o][i]);
				}
	ok(!wrong, "spellings of %s", cache);
}

static void check_not(const char *name)
{
	enum event_kind kind;
	uint64_t config;
	uint32_t type;

	is_s64(event_names__lookup(name, &kind, &type, &config), -ENOENT, "'%s' is none", name);
}

static void check_listed(void)
{
	enum event_kind kind;
	uint64_t config, last = 0;
	unsigned int i, bad = 0;
	uint32_t type;
	char name[64];

	for (i = 0; !event_names__cache(i, name, sizeof(name)); i++) {
		if (event_names__lookup(name, &kind, &type, &config) ||
		    type != PERF_TYPE_HW_CACHE || (i && config == last))
			bad++;
		last = config;
	}
	is_u64(i, 32, "cache events are listed");
	is_u64(bad, 0, "each cache event is found by its name");
	for (i = 0, bad = 0; event_names[i].name; i++) {
		const struct event_name *en = &event_names[i];

		if (event_names__lookup(en->name, &kind, &type, &config) || type != en->type ||
		    config != en->config)
			bad++;
		if (en->alias && (event_names__lookup(en->alias, &kind, &type, &config) ||
				  type != en->type || config != en->config))
			bad++;
	}
	is_u64(i, 25, "software, hardware and tool events");
	is_u64(bad, 0, "all events are found by both names");
}

int main(void)
{
	static const char *const none[] = { "",
					    "L1",
					    "l1d_pend_miss.pending",
					    "LLC-",
					    "LLC--loads",
					    "LLC-loads-",
					    "LLC-loads-loads",
					    "LLC-misses-misses",
					    "LLC-loads-misses-loads",
					    "LLCloads",
					    "-loads",
					    "loads",
					    "r",
					    "r0x1",
					    "rg",
					    "R1",
					    "r12345678901234567",
					    "CYCLES",
					    "cycles ",
					    "node-" };
	unsigned int c, i;

	for (c = 0; c < PERF_COUNT_HW_CACHE_MAX; c++)
		for (i = 0; caches[c][i]; i++)
			check_spellings(c, caches[c][i]);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		check_not(none[i]);
	check_listed();
	return done_testing();
}
