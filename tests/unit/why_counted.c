// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The kernel's counts of CPU time and of time ready to run correct what tracepoints tell. */
#include "tap.h"
#include "why/counted.h"
#include "why/path.h"

/* The only thread looked at is born at 0. */
static void begin(struct why_timeline *tl)
{
	why_timeline__init(tl, NULL);
	why_timeline__start(tl, 1, 1, 0, 0);
	why_timeline__start(tl, 2, 2, 1, 0);
}

struct turn {
	uint64_t start, woken, end; /* as seen; woken = start: it was preempted */
	uint64_t cpu, ready; /* the kernel's counts at start */
	uint64_t interrupts;
	bool apart;
};

static struct why_absence leave(struct why_timeline *tl, const struct turn *u)
{
	struct why_absence a = {
		.start_ns = u->start,
		.woken_ns = u->woken,
		.end_ns = u->end,
		.thread = 1,
		.stack = WHY_NONE,
		.waker = WHY_NONE,
		.instead = WHY_NONE,
		.file = TEXTS_NONE,
		.blocked = WHY_FUTEX,
		.runnable = u->woken == u->start ? WHY_PREEMPTED : WHY_WOKEN,
	};
	const struct why_counts c = { u->cpu, u->ready, u->interrupts, u->apart };

	why_counted__leave(tl, &a, &c);
	why_timeline__add(tl, &a);
	return a;
}

static void is_ns(const struct why_timeline *tl, enum why_kind kind, uint64_t ns, const char *what)
{
	uint64_t got = tl->threads[1].ns[kind];

	ok(got == ns, "%s (%llu)", what, (unsigned long long)got);
}

static uint64_t off_ns(const struct why_timeline *tl)
{
	uint64_t ns = 0;
	size_t k;

	for (k = WHY_PREEMPTED; k < WHY_KINDS; k++)
		ns += tl->threads[1].ns[k];
	return ns;
}

/* It waits 9 for its queue and 50 in it, runs, sleeps, and is in a queue 13 after its wakeup. */
static void test_woken(void)
{
	const struct turn turns[] = {
		{ 1059, 3001, 3101, 1000, 50, 0, false },
		{ 5101, 5101, 5301, 3000, 137, 0, false },
	};
	struct why_timeline tl;
	struct why_absence a;

	begin(&tl);
	leave(&tl, &turns[0]);
	is_ns(&tl, WHY_WOKEN, 50 + 100, "new: it was ready for the time that is counted");
	is_ns(&tl, WHY_WAKING, 9, "new: before, it was in no queue");
	a = leave(&tl, &turns[1]);
	is_ns(&tl, WHY_WOKEN, 50 + 87, "woken: it was ready for the time that is counted");
	is_ns(&tl, WHY_WAKING, 9 + 13, "woken: between wakeup and queue it was waking");
	is_ns(&tl, WHY_FUTEX, 3001 - 1059, "woken: it waited until its wakeup");
	ok(a.start_ns == 5101, "woken: it left when it was seen to leave");
	why_timeline__free(&tl);
}

/* Seen to leave 3 later than counted, twice. */
static void test_late(void)
{
	const struct turn turns[] = {
		{ 1000, 3000, 3100, 1000, 0, 0, false },
		{ 5103, 7000, 7100, 3000, 100, 0, false },
		{ 9103, 9103, 9200, 5000, 200, 0, false },
		{ 9303, 9400, 9503, 5100, 301, 0, false },
	};
	struct why_timeline tl;
	struct why_absence a;

	begin(&tl);
	leave(&tl, &turns[0]);
	a = leave(&tl, &turns[1]);
	ok(a.start_ns == 5100 && why_absence__late_ns(&a) == 3,
	   "late: it left when it was counted to");
	a = leave(&tl, &turns[2]);
	ok(a.start_ns == 9100 && a.woken_ns == 9100, "late: it was ready since then");
	leave(&tl, &turns[3]);
	is_ns(&tl, WHY_PREEMPTED, 101, "late: preempted for the time that is counted");
	ok(9503 - off_ns(&tl) == 5100, "late: the rest is its time on a CPU (%llu)",
	   (unsigned long long)(9503 - off_ns(&tl)));
	why_timeline__free(&tl);
}

static void test_interrupts(void)
{
	const struct turn turns[] = {
		{ 1000, 3000, 3100, 1000, 0, 0, false },
		{ 5105, 7000, 7100, 3000 - 900, 100, 900, true },
		{ 1009100, 1009200, 1009300, 4100, 200, 0, false },
	};
	struct why_timeline tl;
	struct why_absence a;

	begin(&tl);
	leave(&tl, &turns[0]);
	a = leave(&tl, &turns[1]);
	ok(a.start_ns == 5100, "interrupts: what is counted apart is on the CPU");
	a = leave(&tl, &turns[2]);
	ok(a.start_ns == 1009100, "hypervisor: it left when it was seen to leave");
	ok(why_absence__stolen_ns(&a) == 1000000, "hypervisor: it had the CPU (%u)",
	   why_absence__stolen_ns(&a));
	why_timeline__free(&tl);
}

/* The clock of the switch is that of a wakeup before: by the counts it left earlier than seen. */
static void test_old_clock(void)
{
	const struct turn turns[] = {
		{ 1000, 3000, 3100, 1000, 0, 0, false },
		{ 1003100, 1003100, 1004100, 501000, 100, 0, false },
		{ 1005100, 1006100, 1007100, 502000, 501100, 0, false },
	};
	struct why_timeline tl;

	begin(&tl);
	leave(&tl, &turns[0]);
	leave(&tl, &turns[1]);
	is_ns(&tl, WHY_STEAL, 500000, "old clock: at first a hypervisor had the CPU");
	leave(&tl, &turns[2]);
	is_ns(&tl, WHY_PREEMPTED, 501000, "old clock: it was ready to run for what is counted");
	is_ns(&tl, WHY_STEAL, 0, "old clock: no hypervisor had the CPU");
	ok(1007100 - off_ns(&tl) == 502000, "old clock: the rest is its time on a CPU (%llu)",
	   (unsigned long long)(1007100 - off_ns(&tl)));
	why_timeline__free(&tl);
}

/* A kernel that does not count, and one that counts more than there is. */
static void test_without(void)
{
	const struct turn turns[] = {
		{ 1000, 3000, 3100, 1000, WHY_NO_TIME, 0, false },
		{ 5100, 7000, 7100, 3000, WHY_NO_TIME, 0, false },
		{ 9100, 9200, 9300, 5000, 1000000, 0, false },
		{ 9400, 9500, 9600, 5100, 2000000, 0, false },
	};
	struct why_timeline tl;

	begin(&tl);
	leave(&tl, &turns[0]);
	leave(&tl, &turns[1]);
	leave(&tl, &turns[2]);
	is_ns(&tl, WHY_WOKEN, 300, "without a count: as seen");
	leave(&tl, &turns[3]);
	is_ns(&tl, WHY_WOKEN, 500, "a count beyond the absence: all of it was ready");
	why_timeline__free(&tl);
}

/* A waker that was seen on a CPU after its count ended was on it when it woke. */
static int count_off(void *ctx, const struct why_step *step)
{
	unsigned int *off = ctx;

	*off += step->thread == 1 && !why_kind__is_on_cpu((enum why_kind)step->kind);
	return 0;
}

static void test_hop(void)
{
	const struct turn turns[] = {
		{ 1000, 1500, 1600, 1000, 0, 0, false },
		{ 3103, 9000, 9100, 2500, 100, 0, false },
	};
	struct why_absence waiter = {
		.start_ns = 1700,
		.woken_ns = 3102,
		.end_ns = 3200,
		.waker = 1,
		.stack = WHY_NONE,
		.instead = WHY_NONE,
		.file = TEXTS_NONE,
		.blocked = WHY_FUTEX,
		.runnable = WHY_WOKEN,
	};
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;
	unsigned int off_cpu = 0;

	begin(&tl);
	tl.threads[0].is_target = true;
	leave(&tl, &turns[0]);
	ok(leave(&tl, &turns[1]).start_ns == 3100, "hop: the waker left before its wakeup");
	why_timeline__add(&tl, &waiter);
	why_timeline__finish(&tl, 4001);
	why_index__build(&ix, &tl);
	why_path__find(&path, &ix, 0, 0, 4001, count_off, &off_cpu);
	ok(path.hop_cnt == 1 && off_cpu == 2,
	   "hop: of the waker's waits the path has those before (%u)", off_cpu);
	why_path__free(&path);
	why_index__free(&ix);
	why_timeline__free(&tl);
}

int main(void)
{
	test_woken();
	test_late();
	test_interrupts();
	test_old_clock();
	test_without();
	test_hop();
	return done_testing();
}
