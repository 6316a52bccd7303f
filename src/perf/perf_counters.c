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

/*
 * A group cannot be read while one of its tasks is being forked, also where who forks has lost its CPU to
 * others: it is asked again after 0.1 ms, then twice as long each time, 51 ms in all.
 */
#define READ_TRIES 10
#define READ_WAIT_NS 100000l

static size_t cell_cnt(const struct counter *ct)
{
	return ct->cpu_cnt * ct->tid_cnt;
}

static size_t cell_of(const struct counter *ct, size_t cpu_idx, size_t tid_idx)
{
	return cpu_idx * ct->tid_cnt + tid_idx;
}

/* Tracepoints of all events go to one child; the rest is closed here. */
static void close_all(struct perf_counters *c)
{
	size_t tp_cnt = 0, i, j;
	int *tp_fds;

	for (i = 0; i < c->cnt; i++)
		if (c->counters[i].ev->kind == EVENT_TRACEPOINT && c->counters[i].fds)
			tp_cnt += cell_cnt(&c->counters[i]);
	tp_fds = tp_cnt && !c->kept_alive ? calloc(tp_cnt, sizeof(*tp_fds)) : NULL;
	tp_cnt = 0;
	for (i = 0; i < c->cnt; i++) {
		struct counter *ct = &c->counters[i];

		for (j = 0; ct->fds && j < cell_cnt(ct); j++) {
			if (ct->fds[j] < 0)
				continue;
			if (ct->ev->kind == EVENT_TRACEPOINT && tp_fds)
				tp_fds[tp_cnt++] = ct->fds[j];
			else
				close(ct->fds[j]);
		}
	}
	if (tp_cnt)
		detach__fds(tp_fds, tp_cnt);
	free(tp_fds);
}

void perf_counters__free(struct perf_counters *c)
{
	size_t i;

	if (!c)
		return;
	close_all(c);
	for (i = 0; i < c->cnt; i++) {
		perf_counters_user__unmap(&c->counters[i]);
		free(c->counters[i].cpus);
		free(c->counters[i].tids);
		free(c->counters[i].fds);
		free(c->counters[i].counts);
		free(c->counters[i].in_error);
	}
	free(c->counters);
	free(c->buf);
	free(c);
}

static int control_all(struct perf_counters *c, unsigned long request)
{
	size_t i, j;
	int err = 0;

	for (i = 0; i < c->cnt; i++) {
		struct counter *ct = &c->counters[i];

		/* Members follow their leader. */
		if (ct->leader != i || (ct->on_exec && request == PERF_EVENT_IOC_ENABLE))
			continue;
		for (j = 0; j < cell_cnt(ct); j++)
			if (ct->fds[j] >= 0 && ioctl(ct->fds[j], request, 0) && !err)
				err = -errno;
	}
	return err;
}

int perf_counters__enable(struct perf_counters *c)
{
	return control_all(c, PERF_EVENT_IOC_ENABLE);
}

int perf_counters__disable(struct perf_counters *c)
{
	return control_all(c, PERF_EVENT_IOC_DISABLE);
}

struct counter_refusal perf_counters__refusal(const struct perf_counters *c, size_t event)
{
	return c->counters[event].refusal;
}

size_t perf_counters__cpu_cnt(const struct perf_counters *c, size_t event)
{
	return c->counters[event].cpu_cnt;
}

size_t perf_counters__tid_cnt(const struct perf_counters *c, size_t event)
{
	return c->counters[event].tid_cnt;
}

int perf_counters__cpu(const struct perf_counters *c, size_t event, size_t cpu_idx)
{
	return c->counters[event].cpus[cpu_idx];
}

pid_t perf_counters__tid(const struct perf_counters *c, size_t event, size_t tid_idx)
{
	return c->counters[event].tids[tid_idx];
}

int perf_counters__fd(const struct perf_counters *c, size_t event, size_t cpu_idx, size_t tid_idx)
{
	const struct counter *ct = &c->counters[event];

	return ct->fds[cell_of(ct, cpu_idx, tid_idx)];
}

/* What a read(2) of a leader gives; values in the order in which the group was opened. */
struct group_read {
	uint64_t cnt, enabled_ns, running_ns, values[];
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
 * One cell of a group that is none any more: where its CPU goes offline, the kernel takes it apart. Each
 * member leads itself then, and keeps what it had counted.
 */
static int read_apart(struct perf_counters *c, size_t leader, size_t cell)
{
	struct counter *first = &c->counters[leader];
	struct group_read *got = c->buf;
	size_t i;

	for (i = 0; i < first->member_cnt; i++) {
		ssize_t n = read_fd(first[i].fds[cell], got, c->buf_sz);

		if (n < 0)
			return (int)n;
		if (n && got->cnt != 1)
			return -EBADMSG;
		if (n)
			first[i].counts[cell] =
				(struct counter_count){ got->values[0], got->enabled_ns,
							got->running_ns };
	}
	return 0;
}

/* One cell of the group that `leader` leads. */
static int read_group(struct perf_counters *c, size_t leader, size_t cell)
{
	struct counter *first = &c->counters[leader];
	struct group_read *got = c->buf;
	ssize_t n = read_fd(first->fds[cell], got, c->buf_sz);
	size_t i;

	if (n < 0)
		return (int)n;
	if (n == 0) {
		for (i = 0; i < first->member_cnt; i++)
			first[i].in_error[cell] = true;
		return 0;
	}
	if (got->cnt != first->member_cnt)
		return read_apart(c, leader, cell);
	for (i = 0; i < got->cnt; i++)
		first[i].counts[cell] =
			(struct counter_count){ got->values[i], got->enabled_ns, got->running_ns };
	return 0;
}

static int read_single(struct counter *ct, size_t cell)
{
	struct counter_count count;
	ssize_t n = read_fd(ct->fds[cell], &count, sizeof(count));

	if (n < 0)
		return (int)n;
	if (n == 0)
		ct->in_error[cell] = true;
	else if (n == sizeof(count))
		ct->counts[cell] = count;
	return 0;
}

/*
 * Away from its CPUs a thread cannot be counted there: what it did meanwhile is not to be
 * extrapolated. Read before the others, the clock is not ahead of any.
 */
static void leave_out_elsewhere(const struct perf_counters *c, struct counter *ct)
{
	size_t i;

	/* An event of a PMU that knows no tasks has cells of its own. */
	if (ct == c->clock || cell_cnt(ct) != cell_cnt(c->clock) ||
	    memcmp(ct->tids, c->clock->tids, ct->tid_cnt * sizeof(*ct->tids)))
		return;
	for (i = 0; i < cell_cnt(ct); i++) {
		struct counter_count *count = &ct->counts[i];
		uint64_t there_ns = c->clock->counts[i].running_ns;

		if (there_ns < count->running_ns)
			there_ns = count->running_ns;
		if (c->clock->fds[i] >= 0 && there_ns < count->enabled_ns)
			count->enabled_ns = there_ns;
	}
}

static int read_cell(struct perf_counters *c, size_t leader, size_t cell)
{
	struct counter *ct = &c->counters[leader];
	int err;

	if (ct->fds[cell] < 0)
		return 0;
	if (ct->member_cnt > 1)
		return read_group(c, leader, cell);
	err = ct->pages ? perf_counters_user__read(c, ct, cell) : -EAGAIN;
	return err == -EAGAIN ? read_single(ct, cell) : err;
}

int perf_counters__read(struct perf_counters *c)
{
	int err = 0, one;
	cpu_set_t home;
	size_t i, j;

	if (c->user_read && sched_getaffinity(0, sizeof(home), &home))
		return -errno;
	for (j = 0; c->clock && j < cell_cnt(c->clock); j++)
		if (c->clock->fds[j] >= 0)
			read_single(c->clock, j);
	for (i = 0; i < c->cnt; i++) {
		struct counter *ct = &c->counters[i];

		if (ct->leader != i || ct == c->clock || ct->refusal.state != COUNTER_COUNTS)
			continue;
		for (j = 0; j < cell_cnt(ct); j++) {
			one = read_cell(c, i, j);
			err = err ? err : one;
		}
	}
	for (i = 0; c->clock && i < c->cnt; i++)
		leave_out_elsewhere(c, &c->counters[i]);
	if (c->user_read)
		sched_setaffinity(0, sizeof(home), &home);
	return err;
}

struct counter_count perf_counters__count(const struct perf_counters *c, size_t event,
					  size_t cpu_idx, size_t tid_idx)
{
	const struct counter *ct = &c->counters[event];

	return ct->counts[cell_of(ct, cpu_idx, tid_idx)];
}

struct counter_count perf_counters__sum(const struct perf_counters *c, size_t event)
{
	const struct counter *ct = &c->counters[event];
	struct counter_count sum = { 0, 0, 0 };
	size_t i;

	for (i = 0; i < cell_cnt(ct); i++)
		counter_count__add(&sum, &ct->counts[i]);
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

	for (i = 0; i < cell_cnt(ct); i++)
		if (ct->in_error[i])
			return true;
	return false;
}

bool perf_counters__cell_in_error(const struct perf_counters *c, size_t event, size_t cpu_idx,
				  size_t tid_idx)
{
	const struct counter *ct = &c->counters[event];

	return ct->in_error[cell_of(ct, cpu_idx, tid_idx)];
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
