// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Critical paths of made timelines, and of random ones. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "why/causes.h"
#include "why/names.h"
#include "why/path.h"

#define MAX_THREADS 12
#define MAX_STEPS 20011

/* A timeline without stacks: wall-clock time is from 0 to end. */
static void begin(struct why_timeline *tl, int32_t threads)
{
	int32_t tid;

	why_timeline__init(tl, NULL);
	for (tid = 1; tid <= threads; tid++) {
		char name[16];

		snprintf(name, sizeof(name), "t%c", 'a' + tid - 1);
		why_timeline__start(tl, tid, 1, 0, 0);
		why_timeline__name(tl, (uint32_t)tid - 1, name);
		tl->threads[tid - 1].is_target = true;
	}
}

/* Thread a is away; woken by b, or by an interrupt if b < 0. Threads count from 0. */
static void away(struct why_timeline *tl, int a, uint64_t start, uint64_t woken, uint64_t end,
		 int b, enum why_kind kind)
{
	const struct why_absence absence = {
		.start_ns = start,
		.woken_ns = woken,
		.end_ns = end,
		.thread = (uint32_t)a,
		.stack = WHY_NONE,
		.waker = b < 0 ? WHY_NONE : (uint32_t)b,
		.instead = WHY_NONE,
		.file = TEXTS_NONE,
		.blocked = (uint8_t)kind,
		.runnable = start == woken ? WHY_PREEMPTED : WHY_WOKEN,
	};

	why_timeline__add(tl, &absence);
}

/* The steps of the path that was found last. */
static struct why_step steps[MAX_STEPS];
static size_t step_cnt;

static int add_step(void *ctx, const struct why_step *step)
{
	if (step_cnt < MAX_STEPS)
		steps[step_cnt++] = *step;
	return 0;
}

static void find(struct why_timeline *tl, uint64_t end, struct why_path *path, struct why_index *ix)
{
	why_timeline__finish(tl, end);
	why_index__build(ix, tl);
	step_cnt = 0;
	why_path__find(path, ix, 0, 0, end, add_step, NULL);
}

static void end_of(struct why_timeline *tl, struct why_path *path, struct why_index *ix)
{
	why_path__free(path);
	why_index__free(ix);
	why_timeline__free(tl);
}

/* Thread k works 1000 + 7 k and wakes the thread before it, which has waited since the start. */
static void test_chain(void)
{
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;
	uint64_t at = 0;
	bool is_whole = true;
	size_t i;
	int k;

	begin(&tl, 10);
	for (k = 9; k > 0; k--) {
		at += (uint64_t)(1000 + 7 * k);
		away(&tl, k - 1, 0, at, at + 3, k, WHY_PIPE_READ);
		at += 3;
	}
	find(&tl, at + 1009, &path, &ix);
	ok(path.hop_cnt == 9, "chain: nine hops (%llu)", (unsigned long long)path.hop_cnt);
	for (i = 0; i < path.cnt; i++) {
		const struct why_step *s = &steps[i];

		if (why_kind__is_on_cpu((enum why_kind)s->kind) && s->thread)
			is_whole &= s->end_ns - s->begin_ns == 1000 + 7 * s->thread;
	}
	ok(is_whole, "chain: each member's work has its length");
	ok(path.cnt == 19, "chain: ten times on a CPU, nine wakeups (%zu)", path.cnt);
	end_of(&tl, &path, &ix);
}

/* A wait that an interrupt ended stays on the path, and what was before it in its thread. */
static void test_interrupt(void)
{
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;

	begin(&tl, 2);
	away(&tl, 0, 100, 900, 907, -1, WHY_SLEEP);
	find(&tl, 1009, &path, &ix);
	ok(path.cnt == 4, "interrupt: four steps (%zu)", path.cnt);
	ok(steps[0].end_ns == 1009 && steps[0].begin_ns == 907, "interrupt: the last step");
	ok(steps[2].kind == WHY_SLEEP && steps[2].end_ns - steps[2].begin_ns == 800,
	   "interrupt: the sleep");
	ok(steps[3].begin_ns == 0, "interrupt: back to the begin");
	end_of(&tl, &path, &ix);
}

/* The time of the steps that fn chooses. */
static uint64_t time_of(const struct why_path *path, bool (*fn)(const struct why_step *step))
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < path->cnt; i++)
		ns += fn(&steps[i]) ? steps[i].end_ns - steps[i].begin_ns : 0;
	return ns;
}

static bool is_waited_for(const struct why_step *step)
{
	return step->waiter != WHY_NONE;
}

static bool is_of_b(const struct why_step *step)
{
	return step->thread == 1;
}

static bool is_asleep(const struct why_step *step)
{
	return step->kind == WHY_FUTEX;
}

/* b takes the lock again before a, which it has woken: a has waited all the time. */
static void test_repeated(void)
{
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;
	uint64_t waited;

	begin(&tl, 2);
	away(&tl, 0, 1000, 300000, 300100, 1, WHY_FUTEX);
	away(&tl, 0, 300200, 700000, 700100, 1, WHY_FUTEX);
	away(&tl, 0, 700200, 1000000, 1000100, 1, WHY_FUTEX);
	find(&tl, 1000200, &path, &ix);
	waited = time_of(&path, is_waited_for);
	ok(waited == 1000000 - 1000, "a lock that was missed: the wait is one (%llu)",
	   (unsigned long long)waited);
	end_of(&tl, &path, &ix);
}

/* a waits long for b, then shortly for c, which has done nothing that took as long. */
static void test_afterthought(void)
{
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;
	uint64_t of_b;

	begin(&tl, 3);
	away(&tl, 0, 10, 100010, 100020, 1, WHY_FUTEX);
	away(&tl, 0, 100030, 100130, 100140, 2, WHY_FUTEX);
	find(&tl, 100150, &path, &ix);
	of_b = time_of(&path, is_of_b);
	ok(of_b == 100010, "a short wait behind a long one is passed over (%llu)",
	   (unsigned long long)of_b);
	end_of(&tl, &path, &ix);
}

/* a waits for threads to end, one by one: each has worked until then. */
static void test_joins(void)
{
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;
	uint64_t slept;

	begin(&tl, 3);
	away(&tl, 0, 10, 100010, 100020, 1, WHY_FUTEX);
	away(&tl, 0, 100030, 101030, 101040, 2, WHY_FUTEX);
	find(&tl, 101050, &path, &ix);
	slept = time_of(&path, is_asleep);
	ok(slept == 0, "a hundredth of the time behind a long wait is looked at (%llu)",
	   (unsigned long long)slept);
	end_of(&tl, &path, &ix);
}

/* A thread's first step goes on in the thread that started it. */
static void test_parent(void)
{
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;

	begin(&tl, 1);
	why_timeline__start(&tl, 2, 1, 1, 500);
	tl.threads[1].is_target = true;
	away(&tl, 0, 600, 1500, 1510, 1, WHY_FUTEX);
	find(&tl, 2000, &path, &ix);
	ok(path.cnt == 5 && steps[3].thread == 1 && steps[3].begin_ns == 500,
	   "the path goes back to the begin of a thread");
	ok(steps[4].thread == 0 && steps[4].end_ns == 500,
	   "the path goes on in the thread that started it");
	end_of(&tl, &path, &ix);
}

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

/* The kind of a thread's state at a time, by looking at every absence. */
static enum why_kind state_at(const struct why_timeline *tl, uint32_t thread, uint64_t ns)
{
	uint32_t i;

	for (i = 0; i < tl->absence_cnt; i++) {
		const struct why_absence *a = why_timeline__absence(tl, i);

		if (a->thread != thread || ns < a->start_ns || ns >= a->end_ns)
			continue;
		return (enum why_kind)(ns < a->woken_ns ? a->blocked : a->runnable);
	}
	return WHY_USER;
}

/* Random times of twelve threads, each woken at random by one that may have been off the CPU. */
static void make_random(struct why_timeline *tl, uint64_t wall)
{
	uint64_t at[MAX_THREADS] = {};
	bool more = true;

	begin(tl, MAX_THREADS);
	while (more) {
		int k, first = 0;

		for (k = 1; k < MAX_THREADS; k++)
			first = at[k] < at[first] ? k : first;
		at[first] += 1 + draw(97);
		more = at[first] < wall;
		if (more) {
			uint64_t woken = at[first] + (draw(4) ? draw(211) : 0);
			uint64_t end = woken + draw(31);

			end = end == at[first] ? end + 1 : end;
			end = end < wall ? end : wall;
			woken = woken < end ? woken : end;
			away(tl, first, at[first], woken, end, (int)draw(MAX_THREADS + 3) - 3,
			     (enum why_kind)(WHY_DISK + draw(20)));
			at[first] = end;
		}
	}
}

static void test_random(void)
{
	unsigned int gaps = 0, wrong = 0, unhopped = 0, unsummed = 0;
	int run;

	for (run = 0; run < 211; run++) {
		uint64_t wall = 5003 + draw(1009), total = 0, sum;
		struct why_timeline tl;
		struct why_path path = {};
		struct why_index ix;
		size_t i;

		seed = (uint64_t)run;
		make_random(&tl, wall);
		find(&tl, wall, &path, &ix);
		for (i = 0; i < path.cnt; i++) {
			const struct why_step *s = &steps[i];
			bool is_other = i && steps[i - 1].thread != s->thread;

			total += s->end_ns - s->begin_ns;
			gaps += s->end_ns != (i ? steps[i - 1].begin_ns : wall);
			wrong += state_at(&tl, s->thread, s->begin_ns) != s->kind ||
				 state_at(&tl, s->thread, s->end_ns - 1) != s->kind;
			unhopped += is_other && s->waiter == WHY_NONE &&
				    why_kind__is_on_cpu((enum why_kind)steps[i - 1].kind);
		}
		sum = 0;
		for (i = 0; i < MAX_THREADS; i++) {
			size_t kind;

			for (kind = WHY_PREEMPTED; kind < WHY_KINDS; kind++)
				sum += tl.threads[i].ns[kind];
		}
		for (i = 0; i < tl.absence_cnt; i++) {
			const struct why_absence *a = why_timeline__absence(&tl, (uint32_t)i);

			sum -= a->end_ns - a->start_ns;
		}
		unsummed += sum != 0;
		for (i = 0; i < tl.waits.cnt; i++)
			sum += tl.waits.at[i].ns;
		for (i = 0; i < MAX_THREADS; i++) {
			size_t kind;

			for (kind = WHY_PREEMPTED; kind < WHY_KINDS; kind++)
				sum -= tl.threads[i].ns[kind];
		}
		unsummed += sum != 0;
		gaps += total != wall;
		end_of(&tl, &path, &ix);
	}
	ok(gaps == 0, "random: steps follow each other and sum up (%u)", gaps);
	ok(wrong == 0, "random: each step is the state that its thread had (%u)", wrong);
	ok(unhopped == 0, "random: the path leaves a thread only where it was woken (%u)",
	   unhopped);
	ok(unsummed == 0, "random: states sum up to the absences (%u)", unsummed);
}

/* More absences than are kept: the path ends where they do, and says so. */
static void test_forgotten(void)
{
	struct why_timeline tl;
	struct why_path path = {};
	struct why_index ix;
	uint64_t i, cnt = WHY_ABSENCES_MAX + 1009;

	begin(&tl, 1);
	for (i = 0; i < cnt; i++)
		away(&tl, 0, 10 * i + 1, 10 * i + 5, 10 * i + 7, -1, WHY_SLEEP);
	find(&tl, 10 * cnt, &path, &ix);
	ok(path.is_cut, "forgotten: the path is cut");
	ok(path.begin_ns == 10 * 1009 + 1, "forgotten: at the oldest that is kept (%llu)",
	   (unsigned long long)path.begin_ns);
	ok(tl.threads[0].ns[WHY_SLEEP] == 4 * cnt, "forgotten: the sums are of all");
	end_of(&tl, &path, &ix);
}

/* Adds a step of thread 0, in ms, to what the limit of cause 7 covers. */
static uint64_t covered_ms(struct why_quota *q, enum why_kind kind, uint64_t begin, uint64_t end)
{
	const struct why_step step = {
		.begin_ns = begin * 1000000,
		.end_ns = end * 1000000,
		.kind = (uint8_t)kind,
	};

	return why_quota__covered_ns(q, &step, 7) / 1000000;
}

/* A path goes back in time. */
static void test_quota(void)
{
	struct why_quota q = { 0 };

	is_u64(covered_ms(&q, WHY_PREEMPTED, 1990, 2000), 0, "quota: no limit follows");
	covered_ms(&q, WHY_THROTTLED, 1950, 1990);
	is_u64(q.cause, 7, "quota: its cause is known");
	is_u64(covered_ms(&q, WHY_PREEMPTED, 1930, 1945), 15, "quota: others in its period");
	is_u64(covered_ms(&q, WHY_SLEEP, 1920, 1930), 0, "quota: a sleep is its own");
	is_u64(covered_ms(&q, WHY_PREEMPTED, 1880, 1900), 10, "quota: from its period's begin on");
	is_u64(covered_ms(&q, WHY_PREEMPTED, 1870, 1880), 0, "quota: others before its period");
	q.thread = 1;
	is_u64(covered_ms(&q, WHY_PREEMPTED, 1930, 1945), 0, "quota: it is another thread's");
}

static void test_names(void)
{
	struct why_timeline tl;

	begin(&tl, 4);
	why_timeline__name(&tl, 0, "worker-1");
	why_timeline__name(&tl, 1, "worker-22");
	why_timeline__name(&tl, 2, "single-7");
	why_timeline__name(&tl, 3, "\033[2J");
	why_names__find(&tl);
	ok(why_names__get(&tl, 0) == why_names__get(&tl, 1), "names: two of one kind are one");
	is_str(why_names__get(&tl, 0), "worker-*", "names: with a pattern");
	is_str(why_names__get(&tl, 2), "single-7", "names: one alone keeps its name");
	ok(!strchr(why_names__get(&tl, 3), '\033'), "names: control characters are escaped");
	why_timeline__free(&tl);
}

int main(void)
{
	test_chain();
	test_interrupt();
	test_repeated();
	test_afterthought();
	test_joins();
	test_parent();
	test_random();
	test_forgotten();
	test_quota();
	test_names();
	return done_testing();
}
