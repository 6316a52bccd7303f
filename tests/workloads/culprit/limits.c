// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Programs that a control group limits. */
#include "culprit.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* throttle: a thread with 20 ms of CPU in each 100 ms. */
#define QUOTA_US 20000
#define PERIOD_US 100000

static uint64_t work_ns, wall_ns;

PLACE void throttled_work(void *arg)
{
	uint64_t start_ns = now_ns();

	(void)arg;
	burn_ns(work_ns);
	wall_ns = now_ns() - start_ns;
}

/* Returns the time for which a group was throttled, as its cpu.stat says. */
static uint64_t throttled_ns(const char *group)
{
	char path[4200], key[64];
	unsigned long long value, ns = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/cpu.stat", group);
	f = fopen(path, "re");
	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fscanf(f, "%63s %llu", key, &value) == 2) {
		if (!strcmp(key, "throttled_time"))
			ns = value;
		else if (!strcmp(key, "throttled_usec"))
			ns = value * US_NS;
	}
	fclose(f);
	return ns;
}

static void run_throttle(struct truth *truth, double seconds)
{
	struct worker worker = { "throttled", -1, throttled_work, NULL, 0 };
	const char *group = enter_cgroup("cpu", QUOTA_US, PERIOD_US);

	/* The last part is short of a quota, so that it is not throttled. */
	work_ns = (uint64_t)rounds(seconds, 12) * QUOTA_US * US_NS - 10 * MS_NS;
	workers__start(&worker, 1);
	workers__join(&worker, 1);
	*truth =
		(struct truth){ "throttled", "throttled_work", "throttled", wall_ns - work_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "throttled_ms=%.1f cpu_ms=%.1f cgroup=%s",
		 (double)throttled_ns(group) / MS_NS, (double)work_ns / MS_NS, group);
}

/* swap: a thread that uses 64 MiB where it has 32. */
#define SWAP_SZ (64ul << 20)
#define LIMIT_SZ (32ul << 20)
#define PAGE_SZ 4096
#define SWAP_PAGES (SWAP_SZ / PAGE_SZ) /* a power of two */

struct swap {
	char *memory;
	uint64_t walk_ns; /* how long the walk is to last */
	volatile int stop; /* the program is ending */
	uint64_t cause_ns;
	uint64_t touch_cnt;
	long major_cnt;
};

static struct swap sw;

/* No page is all zeros, for the kernel stores such pages without a disk. */
PLACE void swap_fill(void)
{
	size_t page;

	for (page = 0; page < SWAP_PAGES && !sw.stop; page++)
		memset(sw.memory + page * PAGE_SZ, (int)(page % 255 + 1), PAGE_SZ);
}

PLACE void swap_touch(volatile char *page)
{
	page[0]++;
}

PLACE void swap_walk(void *arg)
{
	struct rusage before, after;
	uint64_t start_ns;
	size_t page = 0;

	(void)arg;
	swap_fill();
	getrusage(RUSAGE_THREAD, &before);
	start_ns = now_ns();
	do {
		page = (page * 3461 + 2891) % SWAP_PAGES;
		swap_touch(sw.memory + page * PAGE_SZ);
		sw.touch_cnt++;
	} while (now_ns() < start_ns + sw.walk_ns && !sw.stop);
	sw.cause_ns = now_ns() - start_ns;
	getrusage(RUSAGE_THREAD, &after);
	sw.major_cnt = after.ru_majflt - before.ru_majflt;
}

/* swapoff() would bring all pages back into the group, which has not the room for them. */
static void free_memory(void)
{
	sw.stop = 1;
	madvise(sw.memory, SWAP_SZ, MADV_DONTNEED);
}

static void run_swap(struct truth *truth, double seconds)
{
	struct worker worker = { "swapper", -1, swap_walk, NULL, 0 };
	const char *group = enter_cgroup("memory", LIMIT_SZ, 0);

	swap_to_file(SWAP_SZ + SWAP_SZ / 2);
	sw.memory = mmap(NULL, SWAP_SZ, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sw.memory == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	madvise(sw.memory, SWAP_SZ, MADV_NOHUGEPAGE);
	sw.walk_ns = (uint64_t)(seconds * 1100 * MS_NS);
	undo_at_end(free_memory);
	workers__start(&worker, 1);
	workers__join(&worker, 1);
	if (!sw.major_cnt)
		skip("no page came from swap in %s; is the limit in force?", group);
	*truth = (struct truth){ "swap", "swap_touch", "swapper", sw.cause_ns, "" };
	snprintf(truth->more, sizeof(truth->more), "touches=%llu major_faults=%ld cgroup=%s",
		 (unsigned long long)sw.touch_cnt, sw.major_cnt, group);
}

const struct culprit limit_culprits[] = {
	{ "throttle", "a thread uses up the CPU quota of its group", run_throttle },
	{ "swap", "a thread uses more memory than its group may have", run_swap },
	{ 0 },
};
