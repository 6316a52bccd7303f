// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/perf_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/perf_counters_priv.h"
#include "perf/detach.h"
#include "host/proc_task.h"
#include "util/err.h"

/*
 * A group cannot be read while one of its tasks is being forked, which lasts longer if the parent
 * is preempted: the read is repeated after 0.1 ms, then with doubled delays, 51 ms in all.
 */
#define READ_TRIES 10
#define READ_WAIT_NS 100000l

static size_t cell_of(const struct perf_counters *c, size_t event, size_t cpu_idx, size_t tid_idx)
{
	return cpu_idx * c->set.events[event].tid_cnt + tid_idx;
}

void perf_counters__free(struct perf_counters *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->set.cnt; i++) {
		perf_counters_user__unmap(c, i);
		free(c->counters[i].counts);
		free(c->counters[i].held);
		free(c->counters[i].held_back);
		free(c->counters[i].in_error);
	}
	evset__free(&c->set);
	free(c->counters);
	free(c->buf);
	free(c);
}

struct counter_refusal perf_counters__refusal(const struct perf_counters *c, size_t event)
{
	return c->counters[event].refusal;
}

size_t perf_counters__cpu_cnt(const struct perf_counters *c, size_t event)
{
	return c->set.events[event].cpu_cnt;
}

size_t perf_counters__tid_cnt(const struct perf_counters *c, size_t event)
{
	return c->set.events[event].tid_cnt;
}

int perf_counters__cpu(const struct perf_counters *c, size_t event, size_t cpu_idx)
{
	return c->set.events[event].cpus[cpu_idx];
}

pid_t perf_counters__tid(const struct perf_counters *c, size_t event, size_t tid_idx)
{
	return c->set.events[event].tids[tid_idx];
}

int perf_counters__fd(const struct perf_counters *c, size_t event, size_t cpu_idx, size_t tid_idx)
{
	return c->set.events[event].fds[cell_of(c, event, cpu_idx, tid_idx)];
}

/* The layout of read(2) of a leader; the members are in the order in which the group was opened. */
struct group_read {
	uint64_t cnt, enabled_ns, running_ns;
	struct {
		uint64_t value, id;
	} members[];
};

static ssize_t read_fd(int fd, void *buf, size_t sz)
{
	struct timespec wait = { 0, READ_WAIT_NS };
	ssize_t n = read(fd, buf, sz);
	int tries;

	for (tries = 1; tries < READ_TRIES && n < 0 && (errno == ECHILD || errno == EINTR);
	     tries++) {
		nanosleep(&wait, NULL);
		wait.tv_nsec *= 2;
		n = read(fd, buf, sz);
	}
	return n < 0 ? -errno : n;
}

/*
 * Reads one cell of a group that the kernel has dissolved, which happens when a CPU goes offline.
 * Each member then is its own leader, and keeps its count.
 */
static int read_dissolved_group(struct perf_counters *c, size_t leader, size_t cell)
{
	size_t cnt = c->set.events[leader].member_cnt, i;
	struct group_read *got = c->buf;

	for (i = leader; i < leader + cnt; i++) {
		ssize_t n = read_fd(c->set.events[i].fds[cell], got, c->buf_sz);

		if (n < 0)
			return (int)n;
		if (n && got->cnt != 1)
			return -EBADMSG;
		if (n)
			c->counters[i].counts[cell] =
				(struct counter_count){ got->members[0].value, got->enabled_ns,
							got->running_ns };
	}
	return 0;
}

/* Reads one cell of the group of `leader`. */
static int read_group(struct perf_counters *c, size_t leader, size_t cell)
{
	struct counter *first = &c->counters[leader];
	size_t cnt = c->set.events[leader].member_cnt, i;
	struct group_read *got = c->buf;
	ssize_t n = read_fd(c->set.events[leader].fds[cell], got, c->buf_sz);

	if (n < 0)
		return (int)n;
	if (n == 0) {
		for (i = 0; i < cnt; i++)
			first[i].in_error[cell] = true;
		return 0;
	}
	if (got->cnt != cnt)
		return read_dissolved_group(c, leader, cell);
	for (i = 0; i < got->cnt; i++)
		first[i].counts[cell] = (struct counter_count){ got->members[i].value,
								got->enabled_ns, got->running_ns };
	return 0;
}

static int read_single(struct perf_counters *c, size_t event, size_t cell)
{
	struct counter *ct = &c->counters[event];
	struct counter_count count;
	ssize_t n = read_fd(c->set.events[event].fds[cell], &count, sizeof(count));

	if (n < 0)
		return (int)n;
	if (n == 0)
		ct->in_error[cell] = true;
	else if (n == sizeof(count))
		ct->counts[cell] = count;
	return 0;
}

/*
 * A thread cannot be counted while it is on other CPUs, so its time there must not be extrapolated.
 * The clock is the last event of the set; it is read before the others, so it is not ahead of any.
 */
static void cut_enabled_times(const struct perf_counters *c)
{
	const struct evsel *clock = &c->set.events[c->set.cnt - 1];
	const struct counter *clock_ct = &c->counters[c->set.cnt - 1];
	size_t i, j;

	for (i = 0; i + 1 < c->set.cnt; i++) {
		const struct evsel *sel = &c->set.events[i];

		/* An event of a PMU without per-task counting has other cells than the clock. */
		if (evsel__cell_cnt(sel) != evsel__cell_cnt(clock) ||
		    memcmp(sel->tids, clock->tids, sel->tid_cnt * sizeof(*sel->tids)))
			continue;
		for (j = 0; j < evsel__cell_cnt(sel); j++) {
			struct counter_count *count = &c->counters[i].counts[j];
			uint64_t there_ns = clock_ct->counts[j].running_ns;

			if (there_ns < count->running_ns)
				there_ns = count->running_ns;
			if (clock->fds[j] >= 0 && there_ns < count->enabled_ns)
				count->enabled_ns = there_ns;
		}
	}
}

/* Threads of one CPU have one value, which their first has. */
static void take_others(const struct perf_counters *c)
{
	size_t i, j;

	for (i = 0; i < c->set.cnt; i++) {
		const struct evsel *sel = &c->set.events[i];

		for (j = 0; c->counters[i].is_other && j < evsel__cell_cnt(sel); j++) {
			struct counter_count *count = &c->counters[i].counts[j];

			*count = c->counters[c->other_first].counts[j];
			count->value = j % sel->tid_cnt ? 0
							: c->other.value(c->other.ctx, i,
									 evsel__cpu(sel, j));
		}
	}
}

static int read_cell(struct perf_counters *c, size_t leader, size_t cell)
{
	const struct evsel *sel = &c->set.events[leader];
	int err;

	if (sel->fds[cell] < 0)
		return 0;
	if (sel->member_cnt > 1)
		return read_group(c, leader, cell);
	err = c->counters[leader].pages ? perf_counters_user__read(c, leader, cell) : -EAGAIN;
	return err == -EAGAIN ? read_single(c, leader, cell) : err;
}

int perf_counters__read(struct perf_counters *c)
{
	size_t clock = c->has_clock ? c->set.cnt - 1 : c->set.cnt, i, j;
	int err = 0, one;
	cpu_set_t home;

	if (c->user_read && sched_getaffinity(0, sizeof(home), &home))
		return -errno;
	for (j = 0; c->has_clock && j < evsel__cell_cnt(&c->set.events[clock]); j++)
		if (c->set.events[clock].fds[j] >= 0)
			read_single(c, clock, j);
	for (i = 0; i < clock; i++) {
		const struct evsel *sel = &c->set.events[i];

		if (sel->leader != i || c->counters[i].refusal.state != COUNTER_COUNTS)
			continue;
		for (j = 0; j < evsel__cell_cnt(sel); j++) {
			one = read_cell(c, i, j);
			err = err__keep_first(err, one);
		}
	}
	if (c->has_clock)
		cut_enabled_times(c);
	take_others(c);
	if (c->user_read)
		sched_setaffinity(0, sizeof(home), &home);
	return err;
}

/*
 * Events of threads that are inherited count from the first moment on, and what they count while
 * they should not is subtracted. Enabling them would lose tasks: one that forks meanwhile copies an
 * event that is still disabled, the kernel may add the copy to the children of the event when their
 * turn is over, and the copy and its copies count nothing until the end (Linux 6.18: 3 % of runs of
 * `perf stat -D` of a shell that forks all the time).
 */
static bool is_held(const struct perf_counters *c, size_t event)
{
	return c->set.events[event].always_on;
}

/* Notes what all events that are inherited have counted. Returns 0 or -errno of the read. */
static int switch_held(struct perf_counters *c, bool on)
{
	int err;
	size_t i, j;

	if (c->is_on == on)
		return 0;
	c->is_on = on;
	for (i = 0; i < c->set.cnt && !is_held(c, i); i++)
		;
	if (i == c->set.cnt)
		return 0;
	err = perf_counters__read(c);
	for (; i < c->set.cnt; i++) {
		struct counter *ct = &c->counters[i];

		for (j = 0; is_held(c, i) && j < evsel__cell_cnt(&c->set.events[i]); j++) {
			struct counter_count more;

			if (!on) {
				ct->held[j] = ct->counts[j];
				continue;
			}
			more = counter_count__since(&ct->counts[j], &ct->held[j]);
			counter_count__add(&ct->held_back[j], &more);
		}
	}
	return err;
}

int perf_counters__enable(struct perf_counters *c)
{
	int err = switch_held(c, true);

	return err__keep_first(err, evset__enable(&c->set));
}

int perf_counters__disable(struct perf_counters *c)
{
	int err = switch_held(c, false);

	return err__keep_first(err, evset__disable(&c->set));
}

static struct counter_count count_of(const struct perf_counters *c, size_t event, size_t cell)
{
	const struct counter *ct = &c->counters[event];

	if (!is_held(c, event))
		return ct->counts[cell];
	return counter_count__since(c->is_on ? &ct->counts[cell] : &ct->held[cell],
				    &ct->held_back[cell]);
}

struct counter_count perf_counters__count(const struct perf_counters *c, size_t event,
					  size_t cpu_idx, size_t tid_idx)
{
	return count_of(c, event, cell_of(c, event, cpu_idx, tid_idx));
}

struct counter_count perf_counters__sum(const struct perf_counters *c, size_t event)
{
	struct counter_count sum = { 0, 0, 0 };
	size_t i;

	for (i = 0; i < evsel__cell_cnt(&c->set.events[event]); i++) {
		struct counter_count one = count_of(c, event, i);

		counter_count__add(&sum, &one);
	}
	return sum;
}

struct counter_reads perf_counters__reads(const struct perf_counters *c)
{
	return c->reads;
}

bool perf_counters__in_error(const struct perf_counters *c, size_t event)
{
	const struct counter *ct = &c->counters[event];
	size_t i;

	for (i = 0; i < evsel__cell_cnt(&c->set.events[event]); i++)
		if (ct->in_error[i])
			return true;
	return false;
}

bool perf_counters__cell_in_error(const struct perf_counters *c, size_t event, size_t cpu_idx,
				  size_t tid_idx)
{
	return c->counters[event].in_error[cell_of(c, event, cpu_idx, tid_idx)];
}

bool perf_counters__is_over(const struct perf_counters *c, size_t event, size_t tid_idx)
{
	pid_t tid = perf_counters__tid(c, event, tid_idx);

	return tid > 0 && !proc_task__runs(tid);
}

void counter_count__add(struct counter_count *sum, const struct counter_count *more)
{
	sum->value += more->value;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
}

struct counter_count counter_count__since(const struct counter_count *now,
					  const struct counter_count *then)
{
	return (struct counter_count){ now->value - then->value, now->enabled_ns - then->enabled_ns,
				       now->running_ns - then->running_ns };
}

uint64_t counter_count__scaled(const struct counter_count *count)
{
	if (!count->running_ns)
		return 0;
	if (count->running_ns >= count->enabled_ns)
		return count->value;
	return (uint64_t)((double)count->value * (double)count->enabled_ns /
			  (double)count->running_ns);
}
