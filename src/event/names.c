// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/names.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SW(id, name, alias)                                                                        \
	{                                                                                          \
		name, alias, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id                                \
	}
#define HW(id, name, alias)                                                                        \
	{                                                                                          \
		name, alias, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id                                \
	}

#define TOOL(id, name)                                                                             \
	{                                                                                          \
		name, NULL, EVENT_TYPE_TOOL, EVENT_TOOL_##id                                       \
	}

const struct event_name event_names[] = {
	SW(ALIGNMENT_FAULTS, "alignment-faults", NULL),
	SW(BPF_OUTPUT, "bpf-output", NULL),
	SW(CGROUP_SWITCHES, "cgroup-switches", NULL),
	SW(CONTEXT_SWITCHES, "context-switches", "cs"),
	SW(CPU_CLOCK, "cpu-clock", NULL),
	SW(CPU_MIGRATIONS, "cpu-migrations", "migrations"),
	SW(DUMMY, "dummy", NULL),
	SW(EMULATION_FAULTS, "emulation-faults", NULL),
	SW(PAGE_FAULTS_MAJ, "major-faults", NULL),
	SW(PAGE_FAULTS_MIN, "minor-faults", NULL),
	SW(PAGE_FAULTS, "page-faults", "faults"),
	SW(TASK_CLOCK, "task-clock", NULL),
	HW(BRANCH_INSTRUCTIONS, "branch-instructions", "branches"),
	HW(BRANCH_MISSES, "branch-misses", NULL),
	HW(BUS_CYCLES, "bus-cycles", NULL),
	HW(CACHE_MISSES, "cache-misses", NULL),
	HW(CACHE_REFERENCES, "cache-references", NULL),
	HW(CPU_CYCLES, "cpu-cycles", "cycles"),
	HW(INSTRUCTIONS, "instructions", NULL),
	HW(REF_CPU_CYCLES, "ref-cycles", NULL),
	HW(STALLED_CYCLES_BACKEND, "stalled-cycles-backend", "idle-cycles-backend"),
	HW(STALLED_CYCLES_FRONTEND, "stalled-cycles-frontend", "idle-cycles-frontend"),
	TOOL(DURATION, "duration_time"),
	TOOL(USER, "user_time"),
	TOOL(SYSTEM, "system_time"),
	{ NULL, NULL, 0, 0 },
};

/* Words for one value of a cache event; the first is the canonical one. */
struct words {
	const char *word[6];
};

#define OP(id) (1u << PERF_COUNT_HW_CACHE_OP_##id)

static const struct {
	struct words words;
	unsigned int ops; /* operations that CPUs can count on it */
} caches[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = { { { "L1-dcache", "l1-d", "l1d", "L1-data" } },
				      OP(READ) | OP(WRITE) | OP(PREFETCH) },
	[PERF_COUNT_HW_CACHE_L1I] = { { { "L1-icache", "l1-i", "l1i", "L1-instruction" } },
				      OP(READ) | OP(PREFETCH) },
	[PERF_COUNT_HW_CACHE_LL] = { { { "LLC", "L2" } }, OP(READ) | OP(WRITE) | OP(PREFETCH) },
	[PERF_COUNT_HW_CACHE_DTLB] = { { { "dTLB", "d-tlb", "Data-TLB" } },
				       OP(READ) | OP(WRITE) | OP(PREFETCH) },
	[PERF_COUNT_HW_CACHE_ITLB] = { { { "iTLB", "i-tlb", "Instruction-TLB" } }, OP(READ) },
	[PERF_COUNT_HW_CACHE_BPU] = { { { "branch", "branches", "bpu", "btb", "bpc" } }, OP(READ) },
	[PERF_COUNT_HW_CACHE_NODE] = { { { "node" } }, OP(READ) | OP(WRITE) | OP(PREFETCH) },
};

static const struct words ops[PERF_COUNT_HW_CACHE_OP_MAX] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { { "load", "loads", "read" } },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { { "store", "stores", "write" } },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { { "prefetch", "prefetches", "speculative-read",
						"speculative-load" } },
};

static const struct words results[PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { { "refs", "Reference", "ops", "access" } },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { { "misses", "miss" } },
};

/* Length of the word that `s` begins with, up to '-' or the end; 0: none. */
static size_t match_words(const struct words *words, const char *s)
{
	size_t i, len;

	for (i = 0; i < sizeof(words->word) / sizeof(words->word[0]) && words->word[i]; i++) {
		len = strlen(words->word[i]);
		if (!strncasecmp(s, words->word[i], len) && (s[len] == '-' || !s[len]))
			return len;
	}
	return 0;
}

/* Takes one word of `table` and the dash before it off *s: its index, or -1. */
static int eat_value(const struct words *table, int cnt, const char **s)
{
	size_t len;
	int i;

	for (i = 0; i < cnt && **s == '-'; i++) {
		len = match_words(&table[i], *s + 1);
		if (len) {
			*s += 1 + len;
			return i;
		}
	}
	return -1;
}

static int lookup_cache(const char *name, uint64_t *config)
{
	int cache, op, result;
	size_t len = 0;

	for (cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++) {
		len = match_words(&caches[cache].words, name);
		if (len)
			break;
	}
	if (!len)
		return -ENOENT;
	name += len;
	op = eat_value(ops, PERF_COUNT_HW_CACHE_OP_MAX, &name);
	result = eat_value(results, PERF_COUNT_HW_CACHE_RESULT_MAX, &name);
	if (op < 0)
		op = eat_value(ops, PERF_COUNT_HW_CACHE_OP_MAX, &name);
	if (*name)
		return -ENOENT;
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	*config = (uint64_t)cache | (uint64_t)op << 8 | (uint64_t)result << 16;
	return 0;
}

static int lookup_raw(const char *name, uint64_t *config)
{
	size_t len = strlen(name);

	if (name[0] != 'r' || len < 2 || len > 17 ||
	    strspn(name + 1, "0123456789abcdefABCDEF") != len - 1)
		return -ENOENT;
	*config = strtoull(name + 1, NULL, 16);
	return 0;
}

int event_names__lookup(const char *name, enum event_kind *kind, uint32_t *type, uint64_t *config)
{
	const struct event_name *en;

	for (en = event_names; en->name; en++) {
		if (strcmp(name, en->name) && (!en->alias || strcmp(name, en->alias)))
			continue;
		*kind = en->type == PERF_TYPE_SOFTWARE ? EVENT_SOFTWARE
			: en->type == EVENT_TYPE_TOOL  ? EVENT_TOOL
						       : EVENT_HARDWARE;
		*type = en->type;
		*config = en->config;
		return 0;
	}
	if (!lookup_cache(name, config)) {
		*kind = EVENT_HARDWARE;
		*type = PERF_TYPE_HW_CACHE;
		return 0;
	}
	if (!lookup_raw(name, config)) {
		*kind = EVENT_RAW;
		*type = PERF_TYPE_RAW;
		return 0;
	}
	return -ENOENT;
}

int event_names__cache(unsigned int i, char *buf, size_t buf_sz)
{
	int cache, op, result;

	for (cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++)
		for (op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
			for (result = 0; result < PERF_COUNT_HW_CACHE_RESULT_MAX; result++) {
				if (!(caches[cache].ops & 1u << op) || i--)
					continue;
				if (result == PERF_COUNT_HW_CACHE_RESULT_MISS)
					snprintf(buf, buf_sz, "%s-%s-misses",
						 caches[cache].words.word[0], ops[op].word[0]);
				else
					snprintf(buf, buf_sz, "%s-%s", caches[cache].words.word[0],
						 ops[op].word[1]);
				return 0;
			}
	return -ENOENT;
}
