// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * sinks: drives every sink of the tables in sink/sink.c with records made in memory, and writes
 * what each makes of them into ./out, one file a format: TABLE[-VARIANT].FORMAT. A format that is
 * added to a table has its file there by itself. tests/golden/sinks.sh compares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "demo_elf.h"
#include "demo_events.h"
#include "event/event.h"
#include "event/tracefs.h"
#include "stat/agg_result.h"
#include "decode/presenter.h"
#include "sink/out.h"
#include "sink/profile_sink.h"
#include "sink/sink.h"
#include "sym/kallsyms.h"
#include "sym/sym.h"

#define START_NS 5000000000000ull
#define REAL_NS 1700000000123456789ull /* CLOCK_REALTIME at START_NS */
#define MS 1000000ull

#define PID 4241
#define TID 4243

/* The BPF program alone has a name; other kernel addresses have none. */
#define KERN_PROG 0xffffffffc0001000
#define KERN_OTHER 0xffffffff81234567

enum { SWITCH, ENTER, EXIT, TYPES };

static struct event_list events, counters, sampled;
static struct event *asleep, *runnable;
static struct sym *sym;
static struct presenter presenter;

static const uint64_t kern_chain[] = { KERN_PROG + 16, KERN_OTHER };
static const uint64_t user_chain[] = { DEMO_AT(DEMO_FIND, 8), DEMO_AT(DEMO_LEX, 32),
				       DEMO_AT(DEMO_PARSE, 64) | CALLCHAIN_GUESSED,
				       DEMO_AT(DEMO_MAIN, 128), 0x1234 };

static void must(bool is_good, const char *what)
{
	if (is_good)
		return;
	fprintf(stderr, "sinks: failed: %s\n", what);
	exit(1);
}

static struct callchain whole_chain(void)
{
	return (struct callchain){ kern_chain, user_chain, 2, 5, false };
}

static struct sample sample_of(uint64_t ms, uint32_t cpu, const char *comm, int32_t tid)
{
	return (struct sample){
		.time_ns = START_NS + ms * MS + 789,
		.period = 1,
		.cpu = cpu,
		.pid = tid ? PID : 0,
		.tid = tid,
		.comm = comm,
	};
}

static void pass_on(struct sink *sink, struct sample *s)
{
	must(presenter__complete(&presenter, s, sink__needs(sink, s)) == 0,
	     "presenter__complete()");
	must(sink__sample(sink, s) == 0, "sink__sample()");
}

static void put(struct sink *sink, struct sample s, int event, const void *raw, size_t raw_sz)
{
	static const struct counter_growth grown[] = { { 1000003, 2000, 2000 },
						       { 500, 2000, 1000 } };
	static uint64_t stack_id;

	s.event = events.events[event];
	s.raw = raw;
	s.raw_sz = (uint32_t)raw_sz;
	if (sink->cfg.counters)
		s.counters = grown;
	if (sink->cfg.callstacks && s.tid) {
		s.stack_id = ++stack_id;
		s.chain = whole_chain();
	}
	pass_on(sink, &s);
}

/* Two tasks on two CPUs: switches, system calls that end, fail and stay open, text to escape. */
static void feed_records(struct sink *sink)
{
	const struct demo_switch on = demo_switch__of("swapper/0", 0, "worker", TID);
	const struct demo_switch off = demo_switch__of("worker", TID, "swapper/0", 0);
	const struct demo_enter open = demo_enter__of(TID, DEMO_OPENAT2);
	const struct demo_exit failed = demo_exit__of(TID, DEMO_OPENAT2, -2);
	const struct demo_enter poll = demo_enter__of(PID, DEMO_PIDFD_OPEN);
	const struct demo_exit polled = demo_exit__of(PID, DEMO_PIDFD_OPEN, 7);
	const struct demo_types types = demo_types__of(TID);

	put(sink, sample_of(1, 0, "swapper/0", 0), SWITCH, &on, sizeof(on));
	put(sink, sample_of(2, 0, "worker", TID), ENTER, &open, sizeof(open));
	put(sink, sample_of(3, 1, "a \"b\", c\n", PID), ENTER, &poll, sizeof(poll));
	put(sink, sample_of(4, 0, "worker", TID), TYPES, &types, sizeof(types));
	put(sink, sample_of(5, 0, "worker", TID), EXIT, &failed, sizeof(failed));
	put(sink, sample_of(6, 1, "a \"b\", c\n", PID), EXIT, &polled, sizeof(polled));
	put(sink, sample_of(7, 0, "worker", TID), ENTER, &open, sizeof(open));
	put(sink, sample_of(8, 0, "worker", TID), SWITCH, &off, sizeof(off));
}

static void feed_losses(struct sink *sink)
{
	const struct lost one = {
		.time_ns = START_NS + 9 * MS, .cnt = 1, .cpu = 1, .cause = LOST_RING_FULL
	};
	const struct lost many = { .time_ns = START_NS + 10 * MS,
				   .cnt = 77,
				   .cpu = UINT32_MAX,
				   .cause = LOST_MISSED,
				   .event = events.events[TYPES] };

	must(sink__lost(sink, &one) == 0, "sink__lost()");
	must(sink__lost(sink, &many) == 0, "sink__lost()");
}

static void feed_trace(struct sink *sink)
{
	feed_records(sink);
	feed_losses(sink);
}

/* The loss of a ring is of one event if there is only one. */
static void feed_loss_of_one(struct sink *sink)
{
	const struct lost lost = {
		.time_ns = START_NS + 9 * MS, .cnt = 3, .cpu = 1, .cause = LOST_RING_FULL
	};

	must(sink__lost(sink, &lost) == 0, "sink__lost()");
}

/* Adds counter rows, a dump and a lost stack to the records. */
static void feed_trace_all(struct sink *sink)
{
	const struct counter_growth idle[] = { { 12, 100, 100 }, { 0, 100, 0 } };
	const struct counter_row row = { START_NS + 11 * MS, 1, idle };
	const struct dump dump = { 1, "SIGUSR2", START_NS + 12 * MS };
	const struct demo_exit end = demo_exit__of(TID, DEMO_OPENAT2, 5);
	struct sample lost_stack = sample_of(13, 2, "worker", TID);

	feed_trace(sink);
	must(sink__row(sink, &row) == 0, "sink__row()");
	must(sink__dump(sink, &dump) == 0, "sink__dump()");
	lost_stack.event = events.events[EXIT];
	lost_stack.raw = &end;
	lost_stack.raw_sz = sizeof(end);
	lost_stack.stack_lost = true;
	pass_on(sink, &lost_stack);
}

static void put_stack(struct sink *sink, const struct event *ev, struct sample s, uint64_t weight,
		      const struct callchain *chain)
{
	s.event = ev;
	s.period = weight;
	s.chain = *chain;
	must(sink__sample(sink, &s) == 0, "sink__sample()");
}

/* Three events, one of them off the CPU with its waker, in two threads. */
static void feed_stacks(struct sink *sink)
{
	const struct callchain whole = whole_chain(), kern = { kern_chain, NULL, 2, 0, false },
			       user = { NULL, user_chain, 0, 4, false },
			       cut = { NULL, user_chain + 1, 0, 2, true };
	const struct lost lost = {
		.time_ns = START_NS + 9 * MS, .cnt = 17, .cpu = 1, .cause = LOST_RING_FULL
	};
	struct sample s = sample_of(1, 0, "worker", TID);
	struct sample other = sample_of(2, 3, "a \"b\";\n<c>&", PID);

	put_stack(sink, sampled.events[0], s, 3000000, &whole);
	put_stack(sink, sampled.events[0], s, 3000000, &whole);
	put_stack(sink, sampled.events[0], s, 1000003, &user);
	put_stack(sink, sampled.events[0], other, 2000000, &cut);
	put_stack(sink, sampled.events[1], other, 13, &user);
	s.kind = SAMPLE_OFF_CPU;
	s.state = "[sleeping]";
	s.waker = &kern;
	s.waker_pid = 1;
	s.waker_comm = "init";
	put_stack(sink, asleep, s, 7000000000, &user);
	s.waker = NULL;
	s.state = NULL;
	put_stack(sink, runnable, s, 40000, &user);
	must(sink__lost(sink, &lost) == 0, "sink__lost()");
}

static void feed_nothing(struct sink *sink)
{
	(void)sink;
}

struct golden_set {
	const char *name; /* of the files, before the format's */
	const struct sink_ops *const *table;
	void (*feed)(struct sink *sink);
	struct sink_config cfg;
	bool may_refuse; /* a format may refuse this variant in its begin() */
};

static void drive(const struct golden_set *set, const struct sink_ops *ops)
{
	char path[128];
	struct sink *sink;
	struct out out = { 0 };
	int err;

	snprintf(path, sizeof(path), "out/%s.%s", set->name, ops->name);
	must(sink__open_out(ops, &out, path) == 0, path);
	sink = sink__new(ops, &out, &set->cfg);
	must(sink != NULL, "sink__new()");
	err = sink__begin(sink);
	must(!err || set->may_refuse, path);
	if (!err) {
		must(sink__start(sink) == 0, path);
		out__begin(&out);
		set->feed(sink);
		sink->cfg.end_mono_ns = START_NS + 20 * MS;
		must(sink__flush(sink) == 0, path);
		must(sink__end(sink) == 0, path);
	}
	sink__free(sink);
	must(out__close(&out) == 0, path);
}

static void drive_all(const struct golden_set *set)
{
	const struct sink_ops *const *ops;

	for (ops = set->table; *ops; ops++)
		drive(set, *ops);
}

static void make_trace(void)
{
	struct golden_set set = { "trace", trace_sinks, feed_trace, { 0 }, false };
	const struct event_list one = { .events = &events.events[SWITCH], .cnt = 1 };

	set.cfg.time = TIME_REL;
	set.cfg.start_mono_ns = START_NS;
	set.cfg.mono_to_real_ns = (int64_t)(REAL_NS - START_NS);
	set.cfg.events = &events;
	set.cfg.sym = sym;
	drive_all(&set);
	set.name = "trace-one";
	set.feed = feed_loss_of_one;
	set.cfg.events = &one;
	drive_all(&set);
	set.name = "trace-all";
	set.cfg.events = &events;
	set.feed = feed_trace_all;
	set.cfg.time = TIME_REAL;
	set.cfg.header = true;
	set.cfg.callstacks = true;
	set.cfg.counters = &counters;
	drive_all(&set);
}

static void make_stacks(void)
{
	struct profile_config profile = {
		.off_events = { asleep, runnable },
		.meta = { .command = "./worker -x \"1\"",
			  .host = "box",
			  .kernel = "6.1.0",
			  .freq_hz = 997,
			  .begin_real_ns = REAL_NS,
			  .duration_ns = 2500 * MS,
			  .throttled = 2,
			  .throttled_ns = 30 * MS },
	};
	struct golden_set set = { "stack", stack_sinks, feed_stacks, { 0 }, false };
	FILE *f = fopen("before.folded", "we");

	must(f && fputs("worker;main;parse_line;lex_token 5\nworker;main;gone 3\n", f) >= 0 &&
		     fclose(f) == 0,
	     "before.folded");
	set.cfg.start_mono_ns = START_NS;
	set.cfg.events = &sampled;
	set.cfg.sym = sym;
	set.cfg.profile = &profile;
	drive_all(&set);
	set.name = "stack-diff";
	set.may_refuse = true;
	profile.old_path = "before.folded";
	profile.by = PROFILE_BY_THREAD;
	profile.by_weight = true;
	drive_all(&set);
}

static void make_aggregates(void)
{
	uint64_t places[5], hist[AGG_BUCKETS] = { [0] = 1, [1] = 20, [2] = 300, [12] = 4000 };
	uint64_t more[AGG_BUCKETS] = { [AGG_BUCKETS - 1] = 9 };
	const struct callchain chain = { kern_chain, places, 1, 4, true };
	struct agg_row rows[] = {
		{ .ev = events.events[TYPES],
		  .keys = { { .text = "a \"b\", c\n" },
			    { .num = -7, .is_signed = true },
			    { .stack = &chain } },
		  .cnt = 4321,
		  .sum = -99,
		  .sum_is_signed = true,
		  .buckets = hist },
		{ .ev = events.events[EXIT],
		  .keys = { { .text = "worker" }, { .num = -1 }, { .stack_lost = true } },
		  .cnt = 9,
		  .sum = 1 << 20,
		  .buckets = more },
	};
	struct agg_result res = { .key_names = { "comm", "common_pid", "stack" },
				  .key_cnt = 3,
				  .is_stack = { false, false, true },
				  .value = "ret",
				  .sum = true,
				  .rows = rows,
				  .row_cnt = 2,
				  .total = 4335,
				  .not_counted = 5,
				  .no_value = 7 };
	struct golden_set set = { "agg", agg_sinks, feed_nothing, { 0 }, false };
	size_t i;

	for (i = 0; i < 4; i++)
		places[i] = sym__place(sym, PID, user_chain[i] & ~CALLCHAIN_GUESSED);
	set.cfg.events = &events;
	set.cfg.sym = sym;
	set.cfg.agg = &res;
	drive_all(&set);
	set.name = "agg-hist";
	res.key_cnt = 2;
	res.sum = false;
	res.hist = true;
	drive_all(&set);
	set.name = "agg-count";
	res.key_cnt = 0;
	res.hist = false;
	res.value = NULL;
	res.not_counted = res.no_value = 0;
	drive_all(&set);
}

/* One process has the file mapped, and the kernel has one BPF program. */
static void make_sym(void)
{
	const struct sym_options options = { .offline = true };
	struct sym_build_id id = { .len = DEMO_BUILD_ID_SZ };
	const struct sym_build_id foreign = { .len = 20, .bytes = "kernel-of-elsewhere" };
	const struct sym_map map = { .addr = DEMO_MAPPED,
				     .len = DEMO_MAP_SZ,
				     .ino = 1,
				     .path = DEMO_PATH,
				     .build_id = &id };
	const struct recorded_kernel kernel = { .id = &foreign, .text = 0xffffffff81000000 };
	const struct sym_ksymbol prog = { KERN_PROG, 0x100, false,
					  "bpf_prog_0123456789abcdef_demo" };

	memcpy(id.bytes, DEMO_BUILD_ID, DEMO_BUILD_ID_SZ);
	sym = sym__new();
	must(sym != NULL, "sym__new()");
	sym__configure(sym, &options);
	sym__set_recorded_kernel(sym, &kernel);
	sym__on_mmap(sym, PID, &map);
	sym__on_ksymbol(sym, &prog);
}

static void add_event(struct event_list *list, const char *name, uint64_t config)
{
	struct event *ev = event__new(EVENT_SOFTWARE, name);

	must(ev != NULL, name);
	ev->type = PERF_TYPE_SOFTWARE;
	ev->config = config;
	must(event_list__push(list, ev) == 0, name);
}

static struct event *off_event(const char *name)
{
	struct event *ev = event__new(EVENT_TOOL, name);

	must(ev != NULL, name);
	ev->type = EVENT_TYPE_TOOL;
	return ev;
}

int main(void)
{
	must(demo_elf__write() == 0, "libdemo.so");
	must(demo_events__write_tracefs() == 0, "tracing");
	tracefs__set_dir("tracing");
	must(event_list__add(&events, DEMO_EVENTS) == 0, DEMO_EVENTS);
	add_event(&counters, "cycles", PERF_COUNT_SW_DUMMY);
	add_event(&counters, "cache-misses", PERF_COUNT_SW_DUMMY);
	add_event(&sampled, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK);
	add_event(&sampled, "page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	asleep = off_event("asleep");
	runnable = off_event("runnable");
	make_sym();
	must(presenter__init(&presenter, sym) == 0, "presenter__init()");
	make_trace();
	make_stacks();
	make_aggregates();
	event__free(asleep);
	event__free(runnable);
	event_list__free(&events);
	event_list__free(&counters);
	event_list__free(&sampled);
	presenter__free(&presenter);
	sym__free(sym);
	tracefs__set_dir(NULL);
	return 0;
}
