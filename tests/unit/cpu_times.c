// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The CPU times of /proc/stat, and the ticks of sampled clocks that are compared with them. */
#include <errno.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "event/event.h"
#include "host/cpu_times.h"
#include "perf/perf_fd.h"
#include "perf/evset.h"
#include "perf/lost_ticks.h"
#include "tap.h"

/* The first number of all CPUs together is none of a CPU, however small. CPU 1 is offline. */
static const char text[] = "cpu  2 30 400 5000 60000 7 8 9 10 11\n"
			   "cpu0 1 10 100 1000 10000 7 8 9 10 11\n"
			   "cpu2 1 20 300 4000 50000 0 0 0 0 0\n"
			   "intr 123 4 5 6\n"
			   "cpu3 9 9 9 9 9\n";

static void is_times(const struct cpu_times *t, uint64_t user, uint64_t system, uint64_t idle,
		     const char *name)
{
	uint64_t unit_ns = cpu_times__unit_ns();

	if (!ok(t->user_ns == user * unit_ns && t->system_ns == system * unit_ns &&
			t->idle_ns == idle * unit_ns,
		"%s: %d %d %d", name, (int)user, (int)system, (int)idle))
		diag("got %llu %llu %llu ns", (unsigned long long)t->user_ns,
		     (unsigned long long)t->system_ns, (unsigned long long)t->idle_ns);
}

static void test_parse(void)
{
	struct cpu_times all, each[4] = { 0 };

	each[1].user_ns = 77 * cpu_times__unit_ns();
	ok(!cpu_times__parse(text, &all, each, 4), "lines of CPUs");
	is_times(&all, 32, 400, 65000, "all");
	is_times(&each[0], 11, 100, 11000, "CPU 0");
	is_times(&each[1], 77, 0, 0, "one without a line keeps what stands there");
	is_times(&each[2], 21, 300, 54000, "CPU 2");
	is_times(&each[3], 0, 0, 0, "what stands behind other lines is none");
	each[1] = each[0] = (struct cpu_times){ 0 };
	ok(!cpu_times__parse(text, NULL, each, 1), "more CPUs than were asked for");
	is_times(&each[0], 11, 100, 11000, "CPU 0 of one");
	is_times(&each[1], 0, 0, 0, "nothing behind it");
	ok(!cpu_times__parse(text, &all, NULL, 0), "the line of all CPUs alone");
	is_times(&all, 32, 400, 65000, "all alone");
}

static void test_refused(void)
{
	static const char *const texts[] = {
		"",    "intr 1 2 3\n",     "cpu  1 2 3 4\n", "cpu  1 2 3 4 5\ncpu0 1 2 3 4\n",
		"cpu", "cpux 1 2 3 4 5\n",
	};
	struct cpu_times all, each[2] = { 0 };
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ok(cpu_times__parse(texts[i], &all, each, 2) == -EINVAL, "refused: text %zu", i);
	ok(each[0].user_ns == 0, "refused: CPU 0 is unchanged");
}

/* The kernel rounds each number down by itself. */
static void test_machine(void)
{
	struct cpu_times all, each[8192] = { 0 };
	uint64_t user_ns = 0, system_ns = 0;
	size_t i;

	ok(!cpu_times__read(&all, each, 8192), "this machine's times are read");
	for (i = 0; i < 8192; i++) {
		user_ns += each[i].user_ns;
		system_ns += each[i].system_ns;
	}
	ok(user_ns && all.user_ns >= user_ns, "user time of all is no less than the sum");
	ok(system_ns && all.system_ns >= system_ns, "kernel time of all is no less than the sum");
}

static void test_period(void)
{
	struct event ev = { .kind = EVENT_SOFTWARE, .type = PERF_TYPE_SOFTWARE };
	const struct perf_sampling hz = { .freq_hz = 997 }, often = { .period = 9999 },
				   ns = { .period = 10007 };

	ev.config = PERF_COUNT_SW_CPU_CLOCK;
	is_u64(lost_ticks__period_ns(&ev, &hz), 1003009, "cpu-clock at 997 Hz");
	is_u64(lost_ticks__period_ns(&ev, &ns), 10007, "each 10007 ns");
	is_u64(lost_ticks__period_ns(&ev, &often), 0, "oftener than the kernel's clocks tick");
	ev.config = PERF_COUNT_SW_TASK_CLOCK;
	is_u64(lost_ticks__period_ns(&ev, &ns), 10007, "task-clock has a period");
	ev.exclude_kernel = true;
	is_u64(lost_ticks__period_ns(&ev, &ns), 0, "of user space alone not each tick is a sample");
	ev = (struct event){ .kind = EVENT_SOFTWARE,
			     .type = PERF_TYPE_SOFTWARE,
			     .config = PERF_COUNT_SW_PAGE_FAULTS };
	is_u64(lost_ticks__period_ns(&ev, &ns), 0, "page-faults is no clock");
	ev = (struct event){ .kind = EVENT_HARDWARE, .type = PERF_TYPE_HARDWARE };
	is_u64(lost_ticks__period_ns(&ev, &ns), 0,
	       "cycles, with the number of cpu-clock, is no clock");
}

/* A sampled event that is no clock: its count and the programs' are none of our business. */
static void test_no_clock(void)
{
	struct lost_ticks ticks = { .all = 1, .seen = 1, .idle = 1 };
	int cpu = 0, fd = -1;
	pid_t tid = -1;
	struct evsel sel = {
		.cpus = &cpu, .cpu_cnt = 1, .tids = &tid, .tid_cnt = 1, .fds = &fd, .member_cnt = 1
	};
	const struct evset set = { .events = &sel, .cnt = 1 };
	const uint64_t no_clock = 0;
	uint64_t cnt = 12345, left = 0;
	int fds[2];

	if (!ok(!pipe(fds) && write(fds[1], &cnt, sizeof(cnt)) == sizeof(cnt),
		"a count is written to the map"))
		return;
	fd = fds[0];
	ok(lost_ticks__read(&set, &no_clock, -1, &ticks) == 0,
	   "an event that is no clock: no map is read");
	ok(!ticks.all && !ticks.seen && !ticks.idle, "an event that is no clock: no ticks");
	close(fds[1]);
	ok(read(fds[0], &left, sizeof(left)) == sizeof(left) && left == cnt,
	   "an event that is no clock: the count stays unread");
	close(fds[0]);
}

static void test_unseen(void)
{
	struct lost_ticks grown = { .all = 1000, .seen = 996, .idle = 369, .slack = 4 };

	is_u64(lost_ticks__missed(&grown), 0, "4 of 1000 ticks not seen: within the slack");
	grown.seen--;
	is_u64(lost_ticks__missed(&grown), 5, "5 of 1000 ticks not seen: all of them are reported");
	grown.seen = 1003;
	is_u64(lost_ticks__missed(&grown), 0,
	       "more ticks seen than the clock made: none is missed");
	/* A kernel that calls no program on an idle CPU: 500 of its ticks are missing. */
	grown = (struct lost_ticks){ .all = 1000, .seen = 500, .idle_time = 496, .slack = 4 };
	is_u64(lost_ticks__missed(&grown), 0, "ticks of idle time are not missed");
	is_u64(lost_ticks__busy(&grown), 504, "ticks of idle time are no busy ones");
	grown.seen = 400;
	is_u64(lost_ticks__missed(&grown), 104, "ticks beyond the idle time are missed");
	grown.idle = 397;
	grown.idle_time = 201;
	is_u64(lost_ticks__missed(&grown), 600,
	       "ticks that found the idle task count as idle, when /proc/stat knows of less");
}

int main(void)
{
	test_parse();
	test_refused();
	test_machine();
	test_period();
	test_no_clock();
	test_unseen();
	return done_testing();
}
