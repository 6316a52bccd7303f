// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Growth from record to record, by CPU and by task; what is printed of a counter that shared its
 * hardware.
 */
#include "decode/counter_values.h"

#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "event/event.h"
#include "sink/counter_text.h"
#include "tap.h"

static uint64_t advance(struct counter_values *cv, uint32_t cpu, int32_t tid, uint64_t value)
{
	struct wire_counter now[2] = { { value, 10 * value, 5 * value }, { 7, 7, 7 } };

	return counter_values__advance(cv, cpu, tid, now)[0].value;
}

static void test_by_cpu(void)
{
	struct wire_counter begin = { 1000, 10000, 5000 };
	const struct wire_counter now[2] = { { 1100, 11000, 5500 }, { 3, 2, 1 } };
	const struct counter_growth *g;
	struct counter_values cv;

	counter_values__init(&cv, 2, false);
	counter_values__begin(&cv, 3, 0, &begin);
	g = counter_values__advance(&cv, 3, 77, now);
	ok(g[0].value == 100 && g[0].enabled_ns == 1000 && g[0].running_ns == 500,
	   "the first record has the growth since the beginning, in all three");
	ok(g[1].value == 3 && g[1].enabled_ns == 2 && g[1].running_ns == 1, "of each counter");
	is_u64(advance(&cv, 3, 78, 1130), 30, "the next that since the first, whoever runs");
	is_u64(advance(&cv, 4, 78, 50), 50, "an older value adds nothing");
	is_u64(advance(&cv, 3, 78, 1120), 0, "a value from before the last adds nothing");
	is_u64(advance(&cv, 3, 78, 1140), 10, "an older value is not counted twice");
	counter_values__free(&cv);
}

static void test_by_task(void)
{
	struct wire_counter begin = { 1000, 10000, 5000 };
	struct counter_values cv;
	uint64_t sum = 0;
	int32_t tid;

	counter_values__init(&cv, 2, true);
	counter_values__begin(&cv, 3, 0, &begin);
	is_u64(advance(&cv, 3, 77, 500), 500, "a task begins with nothing");
	is_u64(advance(&cv, 4, 77, 600), 100, "a task continues on another CPU");
	is_u64(advance(&cv, 3, 0, 40), 40, "CPU 3's idle task is one");
	is_u64(advance(&cv, 4, 0, 50), 50, "CPU 4's another");
	counter_values__new_thread(&cv, 77);
	is_u64(advance(&cv, 4, 77, 60), 60, "a new thread of that id begins with nothing");
	for (tid = 100; tid < 10103; tid++)
		sum += advance(&cv, 0, tid, 3) + advance(&cv, 1, tid, 10);
	is_u64(sum, 10003 * 10, "of 10003 tasks each has its own");
	is_u64(cv.restarts, 0, "none of these began anew");
	counter_values__free(&cv);
}

/* Threads that come and go for days: the living keep their values, the last ended ones, too. */
static void test_ended(void)
{
	struct counter_values cv;
	uint64_t sum = 0, late = 0;
	int32_t tid;

	counter_values__init(&cv, 2, true);
	advance(&cv, 0, 7, 500);
	advance(&cv, 0, 8, 600);
	counter_values__ended(&cv, 8);
	counter_values__new_thread(&cv, 8);
	advance(&cv, 0, 8, 30);
	for (tid = 100; tid < 100103; tid++) {
		sum += advance(&cv, 0, tid, 3);
		counter_values__ended(&cv, tid);
		late += advance(&cv, 0, tid, 5);
	}
	is_u64(sum, 3 * 100003, "each of 100,003 threads has its own growth");
	is_u64(late, 2 * 100003, "a thread has records after its end");
	ok(cv.set_cnt < 40000, "most threads that have ended are forgotten: %zu sets", cv.set_cnt);
	is_u64(advance(&cv, 0, 7, 507), 7, "a thread that lives is not forgotten");
	is_u64(advance(&cv, 0, 8, 37), 7, "a thread with the id of an ended one is kept");
	counter_values__new_thread(&cv, 100102);
	is_u64(advance(&cv, 0, 100102, 9), 9, "an id that is used again begins with nothing");
	counter_values__free(&cv);
}

/* Ten ns of time for each that is counted. */
static void test_restart(void)
{
	struct counter_values cv;

	counter_values__init(&cv, 2, true);
	advance(&cv, 3, 77, 5000007);
	is_u64(advance(&cv, 3, 77, 4000007), 0, "what is older by 10 ms adds nothing");
	is_u64(advance(&cv, 3, 77, 5000010), 3, "an older value within 10 ms adds nothing later");
	is_u64(advance(&cv, 3, 77, 1003), 1003, "what the kernel's side dropped begins anew");
	is_u64(advance(&cv, 3, 77, 1010), 7, "a counter that began anew continues from there");
	is_u64(cv.restarts, 1, "a counter that began anew is counted as restarted");
	counter_values__free(&cv);
	counter_values__init(&cv, 2, false);
	advance(&cv, 3, 77, 5000007);
	is_u64(advance(&cv, 3, 77, 1003) + cv.restarts, 0, "a CPU's counters never do");
	counter_values__free(&cv);
}

static struct event a = { .name = (char *)"msr/tsc/" }, b = { .name = (char *)"cycles" };
static struct event *events[] = { &a, &b };
static const struct event_list list = { .events = events, .cnt = 2 };

static const char *printed(void (*put)(const struct event_list *, const struct counter_growth *,
				       struct strbuf *),
			   struct counter_growth x, struct counter_growth y)
{
	struct counter_growth g[2] = { x, y };
	static char text[300];
	struct strbuf sb = STRBUF_INIT;

	put(&list, g, &sb);
	snprintf(text, sizeof(text), "%s", strbuf__cstr(&sb));
	strbuf__free(&sb);
	return text;
}

static void test_print(void)
{
	const struct counter_growth whole = { 123, 50, 50 }, half = { 100, 80, 40 },
				    never = { 0, 80, 0 }, zero = { 0, 80, 80 }, none = { 0, 0, 0 };

	is_str(printed(counter_text__put_text, whole, half), " {msr/tsc/=123 cycles=~200 (50.0%)}",
	       "text: what is scaled is marked");
	is_str(printed(counter_text__put_text, zero, never), " {msr/tsc/=0 cycles=<not counted>}",
	       "text: what never ran says so");
	is_str(printed(counter_text__put_json, whole, half),
	       ",\"counters\":{\"msr/tsc/\":{\"value\":123,\"enabled\":50,\"running\":50},"
	       "\"cycles\":{\"value\":100,\"scaled\":200,\"enabled\":80,\"running\":40}}",
	       "JSON: as counted, and scaled");
	is_str(printed(counter_text__put_json, never, none),
	       ",\"counters\":{\"msr/tsc/\":{\"value\":null,\"enabled\":80,\"running\":0},"
	       "\"cycles\":{\"value\":null,\"enabled\":0,\"running\":0}}",
	       "JSON: null for what never ran");
}

int main(void)
{
	test_by_cpu();
	test_by_task();
	test_ended();
	test_restart();
	test_print();
	return done_testing();
}
