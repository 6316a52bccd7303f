// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The live view: what its rows count. */
#include "sink/top.h"

#include <unistd.h>

#include "event/event.h"
#include "sink/sink.h"
#include "tap.h"

__attribute__((noinline)) static int busy(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 3;
}

__attribute__((noinline)) static int idle(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 5;
}

#define AT(fn) ((uint64_t)(uintptr_t)(fn) + 2)

static const struct event cpu_clock = { .name = "cpu-clock" }, faults = { .name = "page-faults" },
			  asleep = { .name = "asleep" };

static void feed(struct sink *sink, const struct event *ev, enum sample_kind kind, uint64_t at,
		 uint64_t period, int cnt)
{
	const struct sample s = {
		.pid = getpid(),
		.tid = getpid(),
		.comm = "w",
		.period = period,
		.kind = kind,
		.event = ev,
		.chain.user = &at,
		.chain.user_cnt = 1,
	};

	while (cnt--)
		sink__sample(sink, &s);
}

/* The screen after one tick, keys pressed; in `sb`. */
static void draw(struct top *top, const char *keys, struct strbuf *sb)
{
	is_s64(top__tick(top), 0, "a key needs no tick");
	for (; *keys; keys++)
		top__key(top, *keys, 24);
	is_s64(top__draw(top, sb, 120, 24), 0, "the screen is drawn");
	strbuf__cstr(sb);
}

static struct sink *open_top(struct sym *sym, const struct profile_config *profile)
{
	struct sink_config cfg = { .sym = sym, .profile = profile };
	struct sink *sink = top__new(NULL, &cfg, "title");

	sink__begin(sink);
	return sink;
}

/* 97 ms of running in many samples, one sleep of 3 s, and what is no time. */
static void feed_kinds(struct sink *sink)
{
	feed(sink, &cpu_clock, SAMPLE_ON_CPU, AT(busy), 1000000, 97);
	feed(sink, &asleep, SAMPLE_OFF_CPU, AT(idle), 2903000000, 1);
	feed(sink, &faults, SAMPLE_ON_CPU, AT(busy), 1000000000, 7);
}

static void has(struct strbuf *sb, const char *text, const char *name)
{
	ok(strstr(sb->buf, text), "%s", name);
	if (!strstr(sb->buf, text))
		diag("lacks \"%s\": %s", text, sb->buf);
}

static void test_time(struct sym *sym)
{
	const struct profile_config profile = { .off_events = { &asleep } };
	struct sink *sink = open_top(sym, &profile);
	struct strbuf sb = STRBUF_INIT;

	feed_kinds(sink);
	draw(top__of(sink), "f", &sb);
	has(&sb, "     self     total      time  function", "time off the CPU: the column is time");
	has(&sb, "  96.77%   96.77%   2.903 s  idle",
	    "time off the CPU: one long sleep is most of it");
	has(&sb, "   3.23%    3.23%   97.0 ms  busy", "time off the CPU: not the many samples");
	draw(top__of(sink), "r", &sb);
	has(&sb, "  96.77%   96.77%   2.903 s  idle", "time off the CPU: since the beginning");
	strbuf__free(&sb);
	sink__free(sink);
}

static void test_samples(struct sym *sym)
{
	const struct profile_config profile = { 0 };
	struct sink *sink = open_top(sym, &profile);
	struct strbuf sb = STRBUF_INIT;

	feed(sink, &cpu_clock, SAMPLE_ON_CPU, AT(busy), 1000000, 13);
	feed(sink, &faults, SAMPLE_ON_CPU, AT(busy), 5, 7);
	draw(top__of(sink), "", &sb);
	has(&sb, " 100.00%  100.00%        20  busy", "samples: of both events");
	draw(top__of(sink), "kr", &sb);
	has(&sb, "  65.00%        13  cpu-clock  w: busy", "a stack has a row for each event");
	has(&sb, "  35.00%         7  page-faults  w: busy",
	    "a stack has a row for the other event");
	strbuf__free(&sb);
	sink__free(sink);
}

static void test_weight(struct sym *sym)
{
	const struct profile_config profile = { .by_weight = true };
	struct sink *sink = open_top(sym, &profile);
	struct strbuf sb = STRBUF_INIT;

	feed(sink, &faults, SAMPLE_ON_CPU, AT(busy), 5, 3);
	feed(sink, &faults, SAMPLE_ON_CPU, AT(idle), 85, 1);
	draw(top__of(sink), "", &sb);
	has(&sb, "     self     total    events  function", "--weight: the column is events");
	has(&sb, "  85.00%   85.00%        85  idle",
	    "--weight: each sample counts what it stands for");
	strbuf__free(&sb);
	sink__free(sink);
}

int main(void)
{
	struct sym *sym = sym__new();

	test_time(sym);
	test_samples(sym);
	test_weight(sym);
	is_s64(busy(1) + idle(1), 8, "the functions are used");
	sym__free(sym);
	return done_testing();
}
