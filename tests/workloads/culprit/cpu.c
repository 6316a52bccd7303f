// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A program that other processes keep from its CPU. */
#include "culprit.h"

#define HOG_CNT 2

static volatile int *victim_done;
static uint64_t victim_wall_ns, victim_work_ns;

PLACE void hog_burn(void)
{
	burn_ns(1 * MS_NS);
}

PLACE void hog_run(void *arg)
{
	(void)arg;
	while (!*victim_done) {
		hog_burn();
		STAY();
	}
}

PLACE void victim_work(void *arg)
{
	uint64_t start_ns = now_ns();

	(void)arg;
	burn_ns(victim_work_ns);
	victim_wall_ns = now_ns() - start_ns;
}

static void run_hog(struct truth *truth, double seconds)
{
	int cpu = nth_cpu(0), i;
	struct worker victim = { "victim", cpu, victim_work, NULL, 0 };
	pid_t hogs[HOG_CNT];

	victim_done = shared_memory(sizeof(*victim_done));
	victim_work_ns = (uint64_t)(seconds * 400 * MS_NS);
	for (i = 0; i < HOG_CNT; i++)
		hogs[i] = child__start("hog", cpu, hog_run, NULL);
	workers__start(&victim, 1);
	workers__join(&victim, 1);
	*victim_done = 1;
	for (i = 0; i < HOG_CNT; i++)
		child__join(hogs[i]);
	*truth = (struct truth){ "runnable", "hog_burn", "hog", victim_wall_ns - victim_work_ns,
				 "" };
	snprintf(truth->more, sizeof(truth->more),
		 "victim=victim victim_place=victim_work victim_cpu_ms=%.1f cpu=%d",
		 (double)victim_work_ns / MS_NS, cpu);
}

const struct culprit cpu_culprits[] = {
	{ "hog", "two processes burn the CPU of a third", run_hog },
	{ 0 },
};
