// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The groups of causes, and the verdicts, of made timelines. */
#include <string.h>

#include "tap.h"
#include "why/verdict.h"

/* Wall-clock time is from 0 on; threads count from 0, and there are no stacks. */
static void begin(struct why_timeline *tl, const char *const *names, int32_t threads)
{
	int32_t i;

	why_timeline__init(tl, NULL);
	for (i = 0; i < threads; i++) {
		why_timeline__start(tl, i + 1, 1, 0, 0);
		why_timeline__name(tl, (uint32_t)i, names[i]);
		tl->threads[i].is_target = true;
	}
}

/* A thread waits; thread waker wakes it, or an interrupt if waker < 0. */
static void away(struct why_timeline *tl, uint32_t thread, uint64_t start, uint64_t woken,
		 uint64_t end, int waker, enum why_kind kind)
{
	const struct why_absence absence = {
		.start_ns = start,
		.woken_ns = woken,
		.end_ns = end,
		.thread = thread,
		.stack = WHY_NONE,
		.waker = waker < 0 ? WHY_NONE : (uint32_t)waker,
		.instead = WHY_NONE,
		.file = TEXTS_NONE,
		.blocked = (uint8_t)kind,
		.runnable = WHY_WOKEN,
	};

	why_timeline__add(tl, &absence);
}

/* Explains the timeline from the end of its first thread. */
static void explain(struct why_result *res, struct why_timeline *tl, uint64_t end_ns)
{
	const struct why_subject subject = { .tid = 1 };

	why_timeline__finish(tl, end_ns);
	*res = (struct why_result){ 0 };
	ok(why_result__find(res, tl, &subject) == 0, "a made timeline is explained");
}

/* Returns the sentence in a buffer, which the next call uses again; "" if there is none. */
static const char *sentence(const struct why_result *res, size_t i)
{
	static struct strbuf sb = STRBUF_INIT;

	strbuf__reset(&sb);
	if (!res) {
		strbuf__free(&sb);
		return "";
	}
	return why_verdict__put(res, i, &sb) ? strbuf__cstr(&sb) : "";
}

static void end_of(struct why_result *res, struct why_timeline *tl)
{
	why_result__free(res);
	why_timeline__free(tl);
}

/* 101 times: a wait of wait_ns, ended by an interrupt, then 3000 until the idle CPU has begun. */
static void wait_on_idle_cpu(struct why_result *res, struct why_timeline *tl, uint64_t wait_ns)
{
	static const char *const names[] = { "writer" };
	uint64_t at = 0;
	int i;

	begin(tl, names, 1);
	for (i = 0; i < 101; i++) {
		at += 100;
		away(tl, 0, at, at + wait_ns, at + wait_ns + 3000, -1, WHY_SYNC);
		at += wait_ns + 3000;
	}
	explain(res, tl, at);
}

static void test_delay_of_wait(void)
{
	struct why_timeline tl;
	struct why_result res;

	wait_on_idle_cpu(&res, &tl, 1000);
	ok(res.groups.cnt == 2, "delays: a group of the wait, one of the CPU (%zu)",
	   res.groups.cnt);
	ok(res.groups.at[0].ns == 101 * 4000ull, "delays: the wait has them (%llu)",
	   (unsigned long long)res.groups.at[0].ns);
	is_str(sentence(&res, 0),
	       "98 % (0.000 s): writer waited for data to be on disk; 75 % of it is from the "
	       "wakeup until its idle CPU began",
	       "delays: the wait is named first, with their part");
	end_of(&res, &tl);
}

static void test_delay_alone(void)
{
	struct why_timeline tl;
	struct why_result res;

	wait_on_idle_cpu(&res, &tl, 10);
	is_str(sentence(&res, 0),
	       "96 % (0.000 s): writer was woken, but its CPU was idle and had to begin",
	       "delays: beside a wait of nothing they stand alone");
	end_of(&res, &tl);
}

/* The path stays in a thread that waits for nothing; another one waited for it again and again. */
static void test_ended(void)
{
	static const char *const names[] = { "maker", "taker" };
	struct why_timeline tl;
	struct why_result res;
	uint64_t at = 0;
	int i;

	begin(&tl, names, 2);
	for (i = 0; i < 99; i++) {
		away(&tl, 1, at + 100, at + 10000, at + 10100, 0, WHY_EVENTFD);
		at += 10100;
	}
	explain(&res, &tl, at);
	ok(res.path.hop_cnt == 0, "ended: the path stays in one thread");
	ok(res.ended.wait.ns == 99 * 9900ull, "ended: the waits are summed up (%llu)",
	   (unsigned long long)res.ended.wait.ns);
	is_str(sentence(&res, 1),
	       "Of all threads, for 0.001 s: taker waited for an eventfd, until maker woke it",
	       "ended: the verdict names the thread that was kept waiting");
	is_str(sentence(&res, 2), "", "ended: and nothing more");
	end_of(&res, &tl);
}

/* Waits that the thread of the path did not end are none of its. */
static void test_ended_by_others(void)
{
	static const char *const names[] = { "maker", "taker", "other" };
	struct why_timeline tl;
	struct why_result res;

	begin(&tl, names, 3);
	away(&tl, 1, 100, 9000, 9100, 2, WHY_EVENTFD);
	away(&tl, 1, 9200, 9900, 9909, -1, WHY_SLEEP);
	explain(&res, &tl, 10007);
	ok(res.ended.wait.ns == 0, "ended: not by another thread, nor by an interrupt");
	is_str(sentence(&res, 1), "", "ended: the verdict has no such sentence");
	end_of(&res, &tl);
}

int main(void)
{
	test_delay_of_wait();
	test_delay_alone();
	test_ended();
	test_ended_by_others();
	sentence(NULL, 0);
	return done_testing();
}
