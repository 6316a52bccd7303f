// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * libbpfperf on the PMU of a guest whose clock is its instruction count: over 1,000,003 reads,
 * while ten events share seven counters (five on x86) and the thread is moved from CPU to CPU, each
 * read in user space lies between the read(2) before and the one after. Prints TAP, and what a read
 * costs.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "selfmon/bpfperf.h"
#include "tap.h"

#ifdef __aarch64__
#define USER_ACCESS "/proc/sys/kernel/perf_user_access"
#define USER_ACCESS_NAME "perf_user_access"
#else
#define USER_ACCESS "/sys/bus/event_source/devices/cpu/rdpmc"
#define USER_ACCESS_NAME "cpu/rdpmc"
#endif
#define READS 1000003
#define EVENTS 10
#define MOVE_NS 300000

/*
 * Instructions that the guest's user space runs between two reads of the counter, with the
 * library's.
 */
#define FEW 2000

static bool set_user_access(const char *val)
{
	FILE *f = fopen(USER_ACCESS, "w");

	return f && fputs(val, f) >= 0 && fclose(f) == 0;
}

static struct perf_event_attr hardware(uint64_t config)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE, .config = config, .exclude_kernel = 1, .exclude_hv = 1
	};
}

static pid_t reader;
static bool stop;
static unsigned long moves;

/* Moves the reader to the other CPU, whatever it is doing. */
static void *move_reader(void *arg)
{
	struct timespec wait = { 0, MOVE_NS };
	cpu_set_t set;
	int cpu = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		CPU_ZERO(&set);
		CPU_SET(cpu ^= 1, &set);
		moves += sched_setaffinity(reader, sizeof(set), &set) == 0;
		nanosleep(&wait, NULL);
	}
	return NULL;
}

static struct bpfperf_value read_fd(const struct bpfperf_counter *c)
{
	struct bpfperf_value val = { 0 };

	if (read(c->fd, &val, sizeof(val)) != sizeof(val))
		memset(&val, 0, sizeof(val));
	return val;
}

struct tally {
	unsigned long user, by_read, failed;
	unsigned long value, enabled, running; /* reads that are not in order */
	unsigned long far; /* more than a few instructions between two read(2) */
	uint64_t farthest;
	unsigned int cpus; /* those seen */
};

static void compare(struct tally *t, const struct bpfperf_value *a, const struct bpfperf_value *b)
{
	t->value += a->value > b->value;
	t->enabled += a->enabled_ns > b->enabled_ns;
	t->running += a->running_ns > b->running_ns;
}

static void read_on(const struct bpfperf_counter *c, struct tally *t)
{
	struct bpfperf_value before = read_fd(c), val, after;
	int i, how;

	for (i = 0; i < READS; i++) {
		how = bpfperf_read(c, &val);
		after = read_fd(c);
		t->failed += how < 0;
		t->user += how == BPFPERF_USER;
		t->by_read += how == BPFPERF_READ;
		if (how >= 0) {
			compare(t, &before, &val);
			compare(t, &val, &after);
		}
		if (after.value - before.value > FEW)
			t->far++;
		if (after.value - before.value > t->farthest)
			t->farthest = after.value - before.value;
		before = after;
		if (i % 101 == 0)
			t->cpus |= 1u << sched_getcpu();
	}
}

static void test_reads(void)
{
	struct perf_event_attr attr = hardware(PERF_COUNT_HW_INSTRUCTIONS);
	struct bpfperf_counter c[EVENTS];
	struct tally t = { 0 };
	pthread_t mover;
	size_t i, open = 0;

	for (i = 0; i < EVENTS; i++)
		open += bpfperf_open(&c[i], &attr, 1, NULL) == 0;
	if (!ok(open == EVENTS, "%zu counters open", open))
		return;
	reader = (pid_t)syscall(SYS_gettid);
	pthread_create(&mover, NULL, move_reader, NULL);
	read_on(&c[EVENTS / 2], &t);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(mover, NULL);
	is_u64(t.failed, 0, "%d reads succeed", READS);
	is_u64(t.value, 0, "values are never out of order with read(2)");
	is_u64(t.enabled, 0, "enabled times are never out of order with read(2)");
	is_u64(t.running, 0, "running times are never out of order with read(2)");
	/*
	 * The emulated PMU of arm64 counts some of the kernel's instructions of a move to another
	 * CPU, which a counter of user space should not; not every move, and read(2) says the same.
	 */
	ok(t.far <= moves / 10,
	   "with a few instructions between, but for %lu times, %" PRIu64 " at most", t.far,
	   t.farthest);
	ok(t.user > READS / 3, "%lu reads of the counter in user space", t.user);
	ok(t.by_read > READS / 50, "%lu reads by read(2), while other events had the counter",
	   t.by_read);
	ok(t.cpus == 3 && moves > 100, "reads on both CPUs, moved %lu times", moves);
	bpfperf_close(&c[0], 1);
	for (i = 1; i < EVENTS; i++)
		bpfperf_close(&c[i], 1);
}

/* A group: what is read of it is of one stint on the PMU. */
static void test_group(void)
{
	struct perf_event_attr attrs[3] = { hardware(PERF_COUNT_HW_INSTRUCTIONS),
					    hardware(PERF_COUNT_HW_CPU_CYCLES),
					    hardware(PERF_COUNT_HW_INSTRUCTIONS) };
	struct bpfperf_counter c[3], others[EVENTS];
	unsigned long user = 0, differ = 0, times = 0, i;
	uint64_t farthest = 0;
	struct bpfperf_value v[3];
	size_t n;

	attrs[0].disabled = 1;
	if (!ok(bpfperf_open(c, attrs, 3, NULL) == 0, "a group opens"))
		return;
	bpfperf_enable(c);
	for (n = 0; n < EVENTS; n++)
		bpfperf_open(&others[n], attrs, 1, NULL);
	for (i = 0; i < 100003; i++) {
		if (bpfperf_read_group(c, 3, v) != BPFPERF_USER)
			continue;
		user++;
		/* Twice the same event: the second is read a few instructions later. */
		differ += v[2].value - v[0].value > FEW;
		if (v[2].value - v[0].value > farthest)
			farthest = v[2].value - v[0].value;
		times += v[0].enabled_ns != v[2].enabled_ns || v[0].running_ns != v[1].running_ns;
	}
	ok(user > 20000, "%lu of 100003 reads in user space", user);
	/*
	 * An interrupt in between changes a count, as in test_reads(): some ten in so many reads.
	 */
	ok(differ <= user / 5000, "equal events are equal, but for %lu times, %" PRIu64 " at most",
	   differ, farthest);
	is_u64(times, 0, "equal events have equal times");
	for (n = 0; n < EVENTS; n++)
		bpfperf_close(&others[n], 1);
	bpfperf_close(c, 3);
}

/* Switched off behind the back of an open counter, it falls back to read(2) and is right. */
static void test_switched_off(void)
{
	struct perf_event_attr attr = hardware(PERF_COUNT_HW_CPU_CYCLES);
	struct bpfperf_value before, val, after;
	struct bpfperf_counter c;

	set_user_access("0");
	if (!ok(bpfperf_open(&c, &attr, 1, NULL) == 0, "without user access a counter opens"))
		return;
	before = read_fd(&c);
	ok(bpfperf_read(&c, &val) == BPFPERF_READ,
	   "without user access the counter is read by read(2)");
	after = read_fd(&c);
	ok(before.value < val.value && val.value < after.value,
	   "without user access the value is between those of read(2)");
	ok(bpfperf_why(&c) && strstr(bpfperf_why(&c), USER_ACCESS_NAME), "why: %s",
	   bpfperf_why(&c));
	bpfperf_close(&c, 1);
	set_user_access("1");
}

/* Instructions of one read, counted by the guest: without the kernel's of read(2). */
static void print_cost(void)
{
	struct perf_event_attr attr = hardware(PERF_COUNT_HW_INSTRUCTIONS), all = attr;
	uint64_t a, b, value, cost[4];
	struct bpfperf_counter c, k;
	struct bpfperf_value val;
	int i;

	all.exclude_kernel = 0;
	if (bpfperf_open(&c, &attr, 1, NULL) || bpfperf_open(&k, &all, 1, NULL))
		return;
#define COST(which, call)                                                                          \
	bpfperf_read_value(&k, &a);                                                                \
	for (i = 0; i < 1000; i++)                                                                 \
		call;                                                                              \
	bpfperf_read_value(&k, &b);                                                                \
	cost[which] = (b - a) / 1000
	COST(0, __asm__ volatile(""));
	COST(1, bpfperf_read_value(&c, &value));
	COST(2, bpfperf_read(&c, &val));
	COST(3, val = read_fd(&c));
#undef COST
	ok(cost[1] < 100 && cost[2] < 150,
	   "instructions a read: value %" PRIu64 ", with times %" PRIu64 "; read(2) %" PRIu64
	   ", kernel included",
	   cost[1] - cost[0], cost[2] - cost[0], cost[3] - cost[0]);
	bpfperf_close(&c, 1);
	bpfperf_close(&k, 1);
}

int main(void)
{
	if (access(USER_ACCESS, W_OK))
		skip_all("this kernel has no " USER_ACCESS);
	ok(set_user_access("1"), USER_ACCESS_NAME " can be set");
	print_cost();
	test_switched_off();
	test_group();
	test_reads();
	return done_testing();
}
