// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/loop.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "event/detach_lock.h"
#include "kernel/capabilities.h"
#include "run/workload.h"
#include "sink/out.h"
#include "target/targets.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"
#include "util/thread.h"

void loop__add_fd(struct loop *l, int fd, loop_fn fn, void *ctx)
{
	l->fds[l->fd_cnt++] = (struct loop_fd){ .fd = fd, .fn = fn, .ctx = ctx };
}

void loop__add_timer(struct loop *l, uint64_t first_ns, uint64_t every_ns, loop_fn fn, void *ctx)
{
	if (first_ns)
		l->timers[l->timer_cnt++] = (struct loop_timer){
			.next_ns = first_ns, .every_ns = every_ns, .fn = fn, .ctx = ctx
		};
}

void loop__restart_timer(struct loop *l, loop_fn fn, uint64_t ns)
{
	size_t i;

	for (i = 0; i < l->timer_cnt; i++)
		if (l->timers[i].fn == fn)
			l->timers[i].next_ns = l->now_ns + ns;
}

void loop__restart_duration(struct loop *l)
{
	if (l->duration_ns)
		l->end_ns = mono_ns() + l->duration_ns;
}

bool loop__is_time_over(const struct loop *l)
{
	return l->now_ns >= l->end_ns;
}

/* The signal stays pending until the last output is written, so that every wait sees it. */
static int loop__on_signal(void *ctx)
{
	((struct loop *)ctx)->is_signalled = true;
	return 0;
}

static int loop__on_cmd(void *ctx)
{
	((struct loop *)ctx)->has_cmd_exited = true;
	return 0;
}

static int loop__on_output(void *ctx)
{
	((struct loop *)ctx)->is_output_closed = true;
	return 0;
}

static bool has_enough(const struct loop *l)
{
	return l->has_enough;
}

static bool is_signalled(const struct loop *l)
{
	return l->is_signalled;
}

static bool has_cmd_exited(const struct loop *l)
{
	return l->has_cmd_exited;
}

static bool is_output_closed(const struct loop *l)
{
	return l->is_output_closed;
}

static bool are_targets_gone(const struct loop *l)
{
	return l->gone ? l->gone(l->ctx) : l->targets && targets__all_gone(l->targets);
}

static bool is_size_reached(const struct loop *l)
{
	return l->max_sz && l->written(l->ctx) >= l->max_sz;
}

/* All conditions that end a run, in the order of the checks. */
static const struct loop_condition {
	enum loop_end end;
	/*
	 * CMD's exit ends a run before an interval that is due with it; an interval is due before
	 * the duration ends.
	 */
	bool is_before_timers;
	bool (*is_met)(const struct loop *l);
} conditions[] = {
	{ LOOP_ENOUGH, true, has_enough },         { LOOP_SIGNAL, true, is_signalled },
	{ LOOP_CMD, true, has_cmd_exited },        { LOOP_OUTPUT, true, is_output_closed },
	{ LOOP_ENOUGH, false, has_enough },        { LOOP_DURATION, false, loop__is_time_over },
	{ LOOP_TARGETS, false, are_targets_gone }, { LOOP_SIZE, false, is_size_reached },
};

static enum loop_end loop__check(const struct loop *l, bool before_timers)
{
	size_t i;

	for (i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
		if (conditions[i].is_before_timers == before_timers && conditions[i].is_met(l))
			return conditions[i].end;
	return LOOP_GOES_ON;
}

/* Calls a callback, unless the run has ended already. 0 or -errno. */
static int loop__call(struct loop *l, loop_fn fn, void *ctx)
{
	int err = fn && !l->has_enough ? fn(ctx) : 0;

	l->has_enough |= err > 0;
	return err < 0 ? err : 0;
}

static int loop__call_ready(struct loop *l)
{
	size_t i;
	int err = 0;

	for (i = 0; i < l->fd_cnt && !err; i++)
		if (l->fds[i].ready)
			err = loop__call(l, l->fds[i].fn, l->fds[i].ctx);
	return err;
}

static int loop__fire_timers(struct loop *l)
{
	uint64_t now = l->now_ns;
	size_t i;
	int err = 0;

	for (i = 0; i < l->timer_cnt && !err; i++) {
		struct loop_timer *t = &l->timers[i];

		if (now < t->next_ns)
			continue;
		if (t->every_ns)
			t->next_ns += ((now - t->next_ns) / t->every_ns + 1) * t->every_ns;
		else
			t->next_ns = UINT64_MAX;
		err = loop__call(l, t->fn, t->ctx);
	}
	return err;
}

/* Sets timer_fd to the next timer or the end of the duration. 0 or -errno. */
static int loop__arm(struct loop *l)
{
	struct itimerspec when = { 0 };
	uint64_t next_ns = l->end_ns;
	size_t i;

	for (i = 0; i < l->timer_cnt; i++)
		if (l->timers[i].next_ns < next_ns)
			next_ns = l->timers[i].next_ns;
	if (next_ns == l->armed_ns)
		return 0;
	l->armed_ns = next_ns;
	if (next_ns != UINT64_MAX) {
		when.it_value.tv_sec = (time_t)(next_ns / 1000000000);
		when.it_value.tv_nsec = (long)(next_ns % 1000000000);
	}
	return timerfd_settime(l->timer_fd, TFD_TIMER_ABSTIME, &when, NULL) ? -errno : 0;
}

static int loop__wait(struct loop *l)
{
	struct epoll_event evs[LOOP_FDS];
	int err = loop__arm(l), n, i;

	if (err)
		return err;
	n = epoll_wait(l->epoll_fd, evs, LOOP_FDS,
		       l->is_busy    ? 0
		       : l->round_ms ? (int)l->round_ms
				     : -1);
	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	for (i = 0; i < n; i++)
		l->fds[evs[i].data.u32].ready = true;
	return 0;
}

static int loop__run_until_ended(struct loop *l)
{
	enum loop_end end = LOOP_GOES_ON;
	size_t i;
	int err = 0;

	while (!end && !err) {
		for (i = 0; i < l->fd_cnt; i++)
			l->fds[i].ready = false;
		err = loop__wait(l);
		if (!err)
			err = loop__call(l, l->round, l->ctx);
		if (!err)
			err = loop__call_ready(l);
		if (!err)
			end = loop__check(l, true);
		/*
		 * One clock reading for both: a timer due at the end of the duration still fires.
		 */
		l->now_ns = mono_ns();
		if (!err && !end)
			err = loop__fire_timers(l);
		if (!err && !end)
			end = loop__check(l, false);
	}
	return err ? err : (int)end;
}

static int loop__watch(struct loop *l, size_t idx, uint32_t events)
{
	struct epoll_event ev = { .events = events, .data.u32 = (uint32_t)idx };

	return epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, l->fds[idx].fd, &ev) ? -errno : 0;
}

static int loop__watch_all(struct loop *l, int sig_fd)
{
	size_t i;
	int err = 0;

	loop__add_fd(l, sig_fd, loop__on_signal, l);
	loop__add_fd(l, l->timer_fd, NULL, NULL);
	if (l->workload->pidfd >= 0)
		loop__add_fd(l, l->workload->pidfd, loop__on_cmd, l);
	for (i = 0; i < l->fd_cnt && !err; i++)
		err = loop__watch(l, i, EPOLLIN);
	if (err || !l->out)
		return err;
	/*
	 * Only EPOLLERR: the reader of a pipe is gone. epoll refuses regular files, which need no
	 * watching.
	 */
	loop__add_fd(l, l->out->fd, loop__on_output, l);
	loop__watch(l, l->fd_cnt - 1, 0);
	return 0;
}

/*
 * A reader of rings that waits for a CPU behind the tasks it watches loses records when the rings
 * are full. The reader is urgent from the start of CMD, which must not inherit the priority, to the
 * end of the loop: what comes then (names, tables, pages) can wait.
 */
static int loop__run_urgent(struct loop *l)
{
	int nice = l->is_urgent ? thread__make_urgent() : 0, err;

	/* All is attached, and CMD, which keeps them, is started. */
	if (l->needs)
		capabilities__keep(l->needs);
	err = loop__run_until_ended(l);
	if (l->is_urgent)
		thread__set_nice(nice);
	return err;
}

/* Starts the duration and the timers. */
static void loop__start_clock(struct loop *l)
{
	size_t i;

	l->start_ns = l->now_ns = mono_ns();
	l->end_ns = l->duration_ns ? l->start_ns + l->delay_ns + l->duration_ns : UINT64_MAX;
	l->armed_ns = UINT64_MAX;
	for (i = 0; i < l->timer_cnt; i++)
		l->timers[i].next_ns += l->start_ns;
	if (l->out && l->duration_ns)
		l->out->stop_ns = l->end_ns;
}

int loop__run(struct loop *l)
{
	int sig_fd = -1, err = 0;
	sigset_t set;

	stop_signals__fill(&set);
	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	sig_fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (l->epoll_fd < 0 || l->timer_fd < 0 || sig_fd < 0)
		err = -errno;
	if (!err)
		err = loop__watch_all(l, sig_fd);
	if (err) {
		log_error("cannot wait for events: %s; raise `ulimit -n`", strerror(-err));
		goto cleanup;
	}
	detach_lock__release();
	if (l->begin)
		err = l->begin(l->ctx);
	if (!err && l->workload->pid)
		err = workload__start(l->workload);
	loop__start_clock(l);
	if (!err)
		err = loop__run_urgent(l);
cleanup:
	if (l->out)
		l->out->ending = true;
	if (sig_fd >= 0)
		close(sig_fd);
	if (l->timer_fd >= 0)
		close(l->timer_fd);
	if (l->epoll_fd >= 0)
		close(l->epoll_fd);
	return err;
}
