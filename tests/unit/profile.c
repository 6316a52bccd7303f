// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "profile/profile.h"

#include <unistd.h>

#include "event/event.h"
#include "sink/out.h"
#include "sink/profile_sink.h"
#include "profile/profile_tree.h"
#include "sink/sink.h"
#include "tap.h"

extern const struct sink_ops folded_sink, tree_sink, flame_sink, profile_json_sink;

/* Functions whose addresses stacks are made of: far enough into them to be "called from". */
__attribute__((noinline)) static int outer(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 3;
}

__attribute__((noinline)) static int middle(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 5;
}

__attribute__((noinline)) static int inner(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 7;
}

#define AT(fn) ((uint64_t)(uintptr_t)(fn) + 2)

static struct sample sample_of(const char *comm, const uint64_t *user, uint16_t cnt)
{
	return (struct sample){
		.pid = getpid(),
		.tid = getpid(),
		.comm = comm,
		.period = 10,
		.chain.user = user,
		.chain.user_cnt = cnt,
	};
}

static void test_content(struct sym *sym)
{
	uint64_t a[] = { AT(inner), AT(middle), AT(outer) }, b[] = { AT(middle), AT(outer) };
	struct sample s = sample_of("one", a, 3);
	struct profile p;

	profile__init(&p, sym, PROFILE_BY_COMM);
	profile__add(&p, &s);
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 1, "an equal stack is found again");
	is_u64(p.stacks[0].samples, 2, "an equal stack is counted twice");
	is_u64(p.stacks[0].weight, 20, "periods are summed up");
	s.comm = "two";
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 2, "another thread's name");
	s = sample_of("one", b, 2);
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 3, "a shorter stack");
	s.chain.kern = b;
	s.chain.kern_cnt = 2;
	s.chain.user_cnt = 0;
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 4, "the same addresses in the kernel");
	s.chain.truncated = true;
	profile__add(&p, &s);
	is_u64(p.stack_cnt, 5, "a stack that is cut is one of its own");
	is_u64(profile__samples(&p), 6, "a profile counts all samples");
	is_u64(p.events[0].weight, 60, "a profile adds up all periods");
	profile__free(&p);
}

/* Two stacks whose hashes are the same are told apart by their content. */
static void test_collision(struct sym *sym)
{
	uint64_t a[] = { AT(inner) }, b[] = { AT(middle) };
	struct sample sa = sample_of("x", a, 1), sb = sample_of("x", b, 1);
	struct profile p;
	uint64_t key;

	profile__init(&p, sym, PROFILE_BY_COMM);
	profile__add(&p, &sb);
	key = p.stacks[0].hash;
	profile__free(&p);

	profile__init(&p, sym, PROFILE_BY_COMM);
	profile__add(&p, &sa);
	/* Puts `a` in the place of `b`, with the hash of `b`. */
	*u64map__slot(&p.by_hash, key) = 0;
	p.stacks[0].hash = key;
	profile__add(&p, &sb);
	is_u64(p.stack_cnt, 2, "a collision loses nothing");
	is_u64(p.stacks[0].samples, 1, "the first keeps its count");
	is_u64(p.stacks[1].samples, 1, "a collision: the second stack has its own count");
	profile__add(&p, &sb);
	is_u64(p.stacks[1].samples, 2, "a collision: the second stack is found again");
	profile__free(&p);
}

/*
 * The return address of a call that was its function's last instruction is in the next one; what
 * was interrupted is not.
 */
static void test_in_call(void)
{
	uint64_t user[] = { 0x1000, 0x2000, 0x3000 | CALLCHAIN_EXACT, 0x4000 | CALLCHAIN_GUESSED };
	uint64_t kern[] = { 0x5000, 0x6000 };
	const struct callchain c = { kern, user, 2, 4, false };

	is_u64(callchain__user_in(&c, 0), 0x1000, "the innermost, as it is");
	is_u64(callchain__user_in(&c, 1), 0x1fff, "a caller's, within the call");
	is_u64(callchain__user_in(&c, 2), 0x3000, "what a signal interrupted, as it is");
	is_u64(callchain__user_in(&c, 3), 0x3fff, "a guess, within the call");
	is_u64(callchain__user(&c, 2), 0x3000, "marks are no part of the address");
	is_u64(callchain__kernel_in(&c, 0), 0x5000, "the kernel's innermost");
	is_u64(callchain__kernel_in(&c, 1), 0x5fff, "the addresses of the kernel's callers");
}

static void test_many(struct sym *sym)
{
	uint64_t kern[4] = { 0 };
	struct sample s = sample_of("many", NULL, 0);
	struct profile p;
	unsigned int i;

	profile__init(&p, sym, PROFILE_BY_COMM);
	s.chain.kern = kern;
	s.chain.kern_cnt = 4;
	for (i = 0; i < 30000; i++) {
		kern[i % 4] = i % 10000 * 16 + 1;
		kern[(i + 1) % 4] = kern[(i + 2) % 4] = kern[(i + 3) % 4] = 1;
		profile__add(&p, &s);
	}
	is_u64(profile__samples(&p), 30000, "30,000 samples are counted");
	is_u64(p.stack_cnt, 10000, "as many stacks as there are");
	profile__free(&p);
}

static const struct event cpu_clock = { .name = "cpu-clock" }, faults = { .name = "page-faults" },
			  asleep = { .name = "off-cpu" }, sleeping = { .name = "asleep" },
			  waiting = { .name = "runnable" };

/* A sink's output of what `feed` gives it. */
static char *print_of(struct sym *sym, const struct sink_ops *ops, const struct profile_config *cfg,
		      void (*feed)(struct sink *sink))
{
	struct sink_config config = { .sym = sym, .profile = cfg };
	struct out out = { .fd = -1 };
	struct sink *sink = sink__new(ops, &out, &config);
	char *text;

	sink__begin(sink);
	feed(sink);
	sink__end(sink);
	text = strdup(strbuf__cstr(&out.buf));
	sink__free(sink);
	strbuf__free(&out.buf);
	return text;
}

/* Five samples, seven lost. */
static void feed_five(struct sink *sink)
{
	uint64_t a[] = { AT(inner), AT(middle), AT(outer) }, b[] = { AT(outer) };
	uint64_t astray[] = { 1, 2, 3, AT(outer) };
	struct sample s = sample_of("a;b\n", a, 3);
	struct lost lost = { .cnt = 7, .cause = LOST_RING_FULL };

	s.event = &cpu_clock;
	sink__sample(sink, &s);
	sink__sample(sink, &s);
	s.chain.user = b;
	s.chain.user_cnt = 1;
	sink__sample(sink, &s);
	s.comm = "kthread";
	s.chain.user_cnt = 0;
	sink__sample(sink, &s);
	s.chain.user = astray;
	s.chain.user_cnt = 4;
	s.chain.truncated = true;
	sink__sample(sink, &s);
	sink__lost(sink, &lost);
}

/* 300 ns of running and 700 of sleeping in the same function, three page faults that weigh 17. */
static void feed_kinds(struct sink *sink)
{
	uint64_t a[] = { AT(inner), AT(outer) };
	struct sample s = sample_of("w", a, 2);

	s.event = &cpu_clock;
	s.period = 300;
	sink__sample(sink, &s);
	s.event = &asleep;
	s.kind = SAMPLE_OFF_CPU;
	s.period = 700;
	sink__sample(sink, &s);
	s.event = &faults;
	s.kind = SAMPLE_ON_CPU;
	s.period = 5;
	sink__sample(sink, &s);
	s.period = 6;
	sink__sample(sink, &s);
	sink__sample(sink, &s);
}

static void feed_recursion(struct sink *sink)
{
	uint64_t mutual[] = { AT(inner), AT(middle), AT(outer), AT(middle),
			      AT(outer), AT(middle), AT(outer), AT(outer) };
	struct sample s = sample_of("r", mutual, 8);

	s.event = &cpu_clock;
	sink__sample(sink, &s);
}

static void is_print(struct sym *sym, const struct sink_ops *ops, const struct profile_config *cfg,
		     void (*feed)(struct sink *sink), const char *want, const char *name)
{
	char *text = print_of(sym, ops, cfg, feed);

	is_str(text, want, name);
	free(text);
}

static void test_folded(struct sym *sym)
{
	struct profile_config cfg = {
		.meta = { .freq_hz = 99, .duration_ns = 1500000000, .command = "make all; true" }
	};

	is_print(sym, &folded_sink, &cfg, feed_five,
		 "a:b\\n;outer 1\n"
		 "a:b\\n;outer;middle;inner 2\n"
		 "kthread 1\n"
		 "kthread;[truncated];outer;[unknown] 1\n"
		 "[recording];event=cpu-clock;unit=samples;hz=99;seconds=1.500;samples=5;lost=7;"
		 "truncated=1;command=make all: true 0\n",
		 "folded");
	is_print(sym, &folded_sink, NULL, feed_kinds,
		 "on and off CPU;w;outer;inner 300\n"
		 "on and off CPU;w;outer;inner;[off-cpu] 700\n"
		 "page-faults;w;outer;inner 3\n"
		 "[recording];view=on and off CPU;event=cpu-clock;unit=ns;view=page-faults;"
		 "event=page-faults;unit=samples;samples=5;lost=0;truncated=0 0\n",
		 "folded: time on and off the CPU, and what is no time apart");
	cfg = (struct profile_config){ .by_weight = true, .by = PROFILE_BY_CPU };
	is_print(sym, &folded_sink, &cfg, feed_recursion,
		 "CPU 000;r;outer;outer;middle;outer;middle;outer;middle;inner 10\n"
		 "[recording];event=cpu-clock;unit=ns;samples=1;lost=0;truncated=0 0\n",
		 "folded: by CPU, by weight");
}

static void test_tree(struct sym *sym)
{
	is_print(sym, &tree_sink, NULL, feed_five,
		 "# 5 samples of cpu-clock, 7 lost (7 ring full), 1 truncated\n"
		 "# total      self   samples  thread, stack\n"
		 " 60.00%     0.00%         3  a;b\\n\n"
		 " 60.00%    20.00%         3    outer\n"
		 " 40.00%    40.00%         2      middle > inner\n"
		 " 40.00%    20.00%         2  kthread\n"
		 " 20.00%    20.00%         1    [truncated] > outer > [unknown]\n",
		 "tree");
	is_print(sym, &tree_sink, NULL, feed_kinds,
		 "# 5 samples of cpu-clock, off-cpu and page-faults, 0 lost, 0 truncated\n"
		 "\n# on and off CPU\n"
		 "# total      self   off CPU      time  thread, stack\n"
		 "100.00%     0.00%    70.00%    1.0 us  w\n"
		 "100.00%   100.00%    70.00%    1.0 us    outer > inner\n"
		 "\n# page-faults\n"
		 "# total      self   samples  thread, stack\n"
		 "100.00%     0.00%         3  w\n"
		 "100.00%   100.00%         3    outer > inner\n",
		 "tree: several events");
	is_print(sym, &tree_sink, NULL, feed_recursion,
		 "# 1 sample of cpu-clock, 0 lost, 0 truncated\n"
		 "# total      self   samples  thread, stack\n"
		 "100.00%     0.00%         1  r\n"
		 "100.00%   100.00%         1    outer (recursive) > middle (recursive) > inner\n",
		 "tree: circles of calls are folded");
}

static void feed_nothing(struct sink *sink)
{
}

static void test_empty(struct sym *sym)
{
	is_print(sym, &tree_sink, NULL, feed_nothing, "# 0 samples, 0 lost, 0 truncated\n",
		 "tree of nothing");
	is_print(sym, &folded_sink, NULL, feed_nothing,
		 "[recording];unit=samples;samples=0;lost=0;truncated=0 0\n", "folded of nothing");
}

static void test_groups(struct sym *sym)
{
	static const struct {
		enum profile_by by;
		const char *first;
	} all[] = { { PROFILE_BY_COMM, "g" },
		    { PROFILE_BY_PROCESS, "g-4711" },
		    { PROFILE_BY_THREAD, "g-4711/4713" },
		    { PROFILE_BY_CPU, "CPU 003" } };
	struct sample s = sample_of("g", NULL, 0);
	struct profile p;
	size_t i;

	s.pid = 4711;
	s.tid = 4713;
	s.cpu = 3;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		profile__init(&p, sym, all[i].by);
		profile__add(&p, &s);
		is_str(profile__text(&p, p.stacks[0].group[0]), all[i].first,
		       "the stack's group has its name");
		profile__free(&p);
	}
}

static void write_print(struct sym *sym, const struct profile_config *cfg,
			void (*feed)(struct sink *sink), int fd)
{
	char *text = print_of(sym, &folded_sink, cfg, feed);

	is_s64(write(fd, text, strlen(text)), (ssize_t)strlen(text),
	       "the profile is written to a file");
	close(fd);
	free(text);
}

/* Prints by `ops`, reads that again, and prints it as folded. */
static void reread(struct sym *sym, const struct sink_ops *ops, void (*feed)(struct sink *sink),
		   const char *want, const char *name)
{
	char path[] = "/tmp/bpfperf-profile.XXXXXX", *text = print_of(sym, ops, NULL, feed);
	struct sink_config config = { .sym = sym };
	struct out out = { .fd = -1 };
	struct sink *sink = sink__new(&folded_sink, &out, &config);
	int fd = mkstemp(path);

	is_s64(write(fd, text, strlen(text)), (ssize_t)strlen(text),
	       "the saved profile is written to a file");
	close(fd);
	sink__begin(sink);
	is_s64(sink__load(sink, path), 0, "the saved profile is loaded");
	sink__end(sink);
	is_str(strbuf__cstr(&out.buf), want, name);
	unlink(path);
	sink__free(sink);
	strbuf__free(&out.buf);
	free(text);
}

static void test_reread(struct sym *sym)
{
	static const struct sink_ops *const formats[] = { &folded_sink, &profile_json_sink,
							  &flame_sink };
	size_t i;

	for (i = 0; i < 3; i++) {
		char *five = print_of(sym, &folded_sink, NULL, feed_five);
		char *kinds = print_of(sym, &folded_sink, NULL, feed_kinds);
		char *semi = formats[i] == &folded_sink ? NULL : strdup(five);

		/* Which loss it was, folded stacks do not say, but the number they do. */
		reread(sym, formats[i], feed_five, semi ? semi : five, formats[i]->name);
		if (semi)
			reread(sym, formats[i], feed_kinds, kinds, formats[i]->name);
		free(semi);
		free(kinds);
		free(five);
	}
}

/* 300 ns of running, 500 of sleeping and 200 of waiting, in the same function. */
static void feed_states(struct sink *sink)
{
	uint64_t a[] = { AT(inner), AT(outer) };
	struct sample s = sample_of("w", a, 2);

	s.event = &cpu_clock;
	s.period = 300;
	sink__sample(sink, &s);
	s.kind = SAMPLE_OFF_CPU;
	s.event = &sleeping;
	s.period = 500;
	sink__sample(sink, &s);
	s.event = &waiting;
	s.period = 200;
	sink__sample(sink, &s);
}

/* Folded stacks tell off the CPU from on it, and several events apart, but no more. */
static void test_folded_again(struct sym *sym)
{
	char path[] = "/tmp/bpfperf-profile.XXXXXX";
	struct profile_config cfg = { .old_path = path };
	int fd = mkstemp(path);

	reread(sym, &folded_sink, feed_kinds,
	       "on and off CPU;w;outer;inner 300\n"
	       "on and off CPU;w;outer;inner;[off-cpu] 700\n"
	       "page-faults;w;outer;inner 3\n"
	       "[recording];view=on and off CPU;event=cpu-clock;unit=ns;view=page-faults;"
	       "event=page-faults;unit=samples;samples=1003;lost=0;truncated=0 0\n",
	       "folded: events that are read again stay apart");
	cfg.old_path = NULL;
	write_print(sym, &cfg, feed_states, fd);
	cfg.old_path = path;
	is_print(sym, &folded_sink, &cfg, feed_states,
		 "w;outer;inner 300 300\n"
		 "w;outer;inner;[off-cpu] 700 700\n"
		 "[recording];event=cpu-clock;unit=ns;samples=3;lost=0;truncated=0 0 0\n",
		 "folded: time off the CPU is compared with that of before");
	is_print(sym, &tree_sink, &cfg, feed_states,
		 "# 3 samples of cpu-clock, asleep and runnable, 0 lost, 0 truncated\n"
		 "# total      self    change   off CPU      time  thread, stack\n"
		 "100.00%     0.00%    +0.00%    70.00%    1.0 us  w\n"
		 "100.00%   100.00%    +0.00%    70.00%    1.0 us    outer > inner\n",
		 "tree: nothing has changed");
	unlink(path);
}

/* Compares a profile with itself, and with one that slept more. */
static void test_diff(struct sym *sym)
{
	char path[] = "/tmp/bpfperf-profile.XXXXXX";
	struct profile_config cfg = { .old_path = path };
	static const char old[] = "w;outer;inner 1\nw;outer;gone 3\n";
	int fd = mkstemp(path);

	is_s64(write(fd, old, strlen(old)), (ssize_t)strlen(old),
	       "the old profile is written to a file");
	close(fd);
	is_print(sym, &folded_sink, &cfg, feed_recursion,
		 "r;outer;outer;middle;outer;middle;outer;middle;inner 0 1\n"
		 "w;outer;gone 3 0\n"
		 "w;outer;inner 1 0\n"
		 "[recording];event=cpu-clock;unit=samples;samples=1;lost=0;truncated=0 0 0\n",
		 "folded: before and now");
	is_print(
		sym, &tree_sink, &cfg, feed_recursion,
		"# 1 sample of cpu-clock, 0 lost, 0 truncated\n"
		"# total      self    change   samples  thread, stack\n"
		"100.00%     0.00%  +100.00%         1  r\n"
		"100.00%   100.00%  +100.00%         1    outer (recursive) > middle (recursive) > inner\n"
		"  0.00%     0.00%  -100.00%         0  w\n"
		"  0.00%     0.00%  -100.00%         0    outer\n"
		"  0.00%     0.00%   -75.00%         0      gone\n"
		"  0.00%     0.00%   -25.00%         0      inner\n",
		"tree: change in percent of the whole");
	unlink(path);
}

/* Ever new stacks and threads: the profile keeps the first ones, and a sum. */
static void test_full(struct sym *sym)
{
	uint64_t stack[3] = { AT(inner), AT(middle), 0 }, more = 0;
	struct sample s = sample_of("first", stack, 3);
	struct profile p;
	size_t cnt, i;
	char comm[16];

	profile__init(&p, sym, PROFILE_BY_COMM);
	p.sz_max = 100000;
	stack[2] = 0x100000;
	profile__add(&p, &s);
	for (i = 1; !p.is_full && i < 100000; i++) {
		snprintf(comm, sizeof(comm), "t%zu", i);
		s.comm = comm;
		stack[2] = 0x100000 + i * 16;
		profile__add(&p, &s);
	}
	cnt = p.stack_cnt;
	ok(p.is_full && cnt > 100 && cnt < 1000, "full: at some stacks the limit is reached");
	is_u64(p.more_cnt, 1, "full: the stack that does not fit is counted");
	for (; i < 2000; i++) {
		snprintf(comm, sizeof(comm), "t%zu", i);
		stack[2] = 0x100000 + i * 16;
		profile__add(&p, &s);
	}
	is_u64(p.stack_cnt, cnt, "full: no more stacks are kept");
	is_u64(profile__samples(&p), 2000, "full: each sample is counted");
	s.comm = "first";
	stack[2] = 0x100000;
	profile__add(&p, &s);
	is_u64(p.stacks[0].samples, 2, "full: a stack that is kept is found");
	for (i = 0; i < p.stack_cnt; i++)
		if (!strcmp(profile__text(&p, p.stacks[i].group[0]), PROFILE_MORE))
			more += p.stacks[i].samples;
	is_u64(more, p.more_cnt, "full: the others are summed up in one place");
	is_s64(profile__look_up_all(&p), 0, "full: frames are named");
	profile__free(&p);
}

int main(void)
{
	struct sym *sym = sym__new();

	unsetenv("COLUMNS");
	test_content(sym);
	test_collision(sym);
	test_in_call();
	test_many(sym);
	test_full(sym);
	test_groups(sym);
	test_folded(sym);
	test_tree(sym);
	test_empty(sym);
	test_reread(sym);
	test_diff(sym);
	test_folded_again(sym);
	is_s64(outer(1) + middle(1) + inner(1), 15, "the functions are used");
	sym__free(sym);
	return done_testing();
}
