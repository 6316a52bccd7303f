// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Programs that run all of the time, and are slow for their use of memory. */
#include "culprit.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_SZ 4096
#define LINE_SZ 64

static unsigned int round_cnt;
static uint64_t cause_ns;

static void *map_memory(size_t sz, int advice)
{
	void *p = mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	/* A kernel without huge pages refuses the advice, and needs none. */
	madvise(p, sz, advice);
	return p;
}

/* fault-storm: a program that gives its memory back and touches it again. */
#define STORM_SZ (16ul << 20)
#define STORM_MAX_NS (3000 * MS_NS)

PLACE void fault_touch(char *memory)
{
	size_t off;

	for (off = 0; off < STORM_SZ; off += PAGE_SZ)
		memory[off] = 1;
}

PLACE void fault_release(char *memory)
{
	if (madvise(memory, STORM_SZ, MADV_DONTNEED))
		die("madvise: %s", strerror(errno));
}

PLACE void fault_loop(void *arg)
{
	char *memory = map_memory(STORM_SZ, MADV_NOHUGEPAGE);
	uint64_t start_ns;
	unsigned int i;

	(void)arg;
	/* On some virtual machines a fault takes 20 us. */
	for (i = 0; i < round_cnt && cause_ns < STORM_MAX_NS; i++) {
		start_ns = now_ns();
		fault_touch(memory);
		cause_ns += now_ns() - start_ns;
		fault_release(memory);
	}
	round_cnt = i;
}

static void run_fault_storm(struct truth *truth, double seconds)
{
	struct worker faulter = { "faulter", -1, fault_loop, NULL, 0 };

	round_cnt = rounds(seconds, 200);
	workers__start(&faulter, 1);
	workers__join(&faulter, 1);
	*truth = (struct truth){ "page-fault", "fault_touch", "faulter", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "faults=%llu",
		 (unsigned long long)round_cnt * (STORM_SZ / PAGE_SZ));
}

/* memory-bound: a walk through 64 MiB, of which no step can begin before the last one has ended. */
#define CHASE_SZ (64ul << 20)
#define CHASE_NODES (CHASE_SZ / LINE_SZ) /* a power of two */

struct node {
	struct node *next;
	char pad[LINE_SZ - sizeof(void *)];
};

/* The sequence n -> 1664525 n + 1013904223 (mod 2^k) meets each node once. */
PLACE struct node *chase_build(void)
{
	struct node *nodes = map_memory(CHASE_SZ, MADV_HUGEPAGE);
	size_t i;

	for (i = 0; i < CHASE_NODES; i++)
		nodes[i].next = &nodes[(i * 1664525 + 1013904223) % CHASE_NODES];
	return nodes;
}

PLACE struct node *chase_pointers(struct node *node, unsigned int steps)
{
	while (steps--)
		node = node->next;
	return node;
}

PLACE void chase(void *arg)
{
	struct node *node = chase_build();
	uint64_t start_ns = now_ns();
	unsigned int i;

	for (i = 0; i < round_cnt; i++)
		node = chase_pointers(node, 100000);
	cause_ns = now_ns() - start_ns;
	*(struct node **)arg = node;
}

static void run_memory_bound(struct truth *truth, double seconds)
{
	struct node *last;
	struct worker chaser = { "chaser", -1, chase, &last, 0 };

	round_cnt = rounds(seconds, 90);
	workers__start(&chaser, 1);
	workers__join(&chaser, 1);
	*truth = (struct truth){ "cpu", "chase_pointers", "chaser", cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "steps=%u00000", round_cnt);
}

const struct culprit memory_culprits[] = {
	{ "fault-storm", "a thread touches memory that it has given back", run_fault_storm },
	{ "memory-bound", "a thread waits for memory at each step", run_memory_bound },
	{ 0 },
};
