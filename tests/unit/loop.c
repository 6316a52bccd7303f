// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The loop of a run: each condition that ends it, in which order, and what is called before. */
#include "run/loop.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "run/workload.h"
#include "sink/out.h"
#include "tap.h"
#include "util/stop_signals.h"

#define MS 1000000ull

/* A loop that counts its callbacks. */
struct probe {
	struct loop loop;
	struct workload workload;
	int rounds, intervals, fds, begins;
	int result; /* of the callback under test */
	bool is_over; /* loop__is_time_over() in the last interval */
};

static int on_begin(void *ctx)
{
	struct probe *p = ctx;

	p->begins++;
	return p->result == -ENXIO ? -ENXIO : 0;
}

static int on_round(void *ctx)
{
	struct probe *p = ctx;

	p->rounds++;
	return 0;
}

static int on_interval(void *ctx)
{
	struct probe *p = ctx;

	p->intervals++;
	p->is_over = loop__is_time_over(&p->loop);
	return p->result;
}

/* Its period counts from each call. */
static int on_restarted(void *ctx)
{
	struct probe *p = ctx;

	loop__restart_timer(&p->loop, on_restarted, 1000 * MS);
	return on_interval(ctx);
}

static int on_fd(void *ctx)
{
	struct probe *p = ctx;

	p->fds++;
	return p->result;
}

static bool is_gone(void *ctx)
{
	return ((struct probe *)ctx)->rounds >= 3;
}

static uint64_t written(void *ctx)
{
	return 100u * (uint64_t)((struct probe *)ctx)->rounds;
}

/* The next run has the members of the loop that are set after this. */
static void reset(struct probe *p)
{
	*p = (struct probe){ .workload = WORKLOAD_INIT };
	p->loop = (struct loop){
		.workload = &p->workload,
		.begin = on_begin,
		.round = on_round,
		.round_ms = 1,
		.ctx = p,
	};
}

static void test_limits(struct probe *p)
{
	reset(p);
	p->loop.duration_ns = 5 * MS;
	is_s64(loop__run(&p->loop), LOOP_DURATION, "the duration ends a run");
	is_s64(p->begins, 1, "begin is called once in a run");
	reset(p);
	p->loop.gone = is_gone;
	is_s64(loop__run(&p->loop), LOOP_TARGETS, "targets that are gone end a run");
	is_s64(p->rounds, 3, "targets are checked after each round");
	reset(p);
	p->loop.written = written;
	p->loop.max_sz = 200;
	is_s64(loop__run(&p->loop), LOOP_SIZE, "a size that is reached ends a run");
	is_s64(p->rounds, 2, "the size is checked after each round");
}

static void test_timers(struct probe *p)
{
	reset(p);
	p->loop.duration_ns = 40 * MS;
	loop__add_timer(&p->loop, 20 * MS, 20 * MS, on_interval, p);
	loop__add_timer(&p->loop, 0, 20 * MS, on_interval, p);
	is_s64(loop__run(&p->loop), LOOP_DURATION, "intervals do not end a run");
	ok(p->is_over, "an interval that is due with the end of the duration is called before");
	reset(p);
	p->loop.duration_ns = 60 * MS;
	loop__add_timer(&p->loop, 10 * MS, 10 * MS, on_restarted, p);
	is_s64(loop__run(&p->loop), LOOP_DURATION, "a timer that is restarted does not end a run");
	is_s64(p->intervals, 1, "a timer that is restarted leaves the grid of its period");
	reset(p);
	p->result = 1;
	p->loop.duration_ns = 1000 * MS;
	loop__add_timer(&p->loop, 1 * MS, 1 * MS, on_interval, p);
	is_s64(loop__run(&p->loop), LOOP_ENOUGH, "a timer that has enough ends a run");
	is_s64(p->intervals, 1, "no timer is called after one that has enough");
	reset(p);
	p->result = -EIO;
	loop__add_timer(&p->loop, 1 * MS, 0, on_interval, p);
	is_s64(loop__run(&p->loop), -EIO, "an error of a timer is the result of a run");
	reset(p);
	p->result = -ENXIO;
	is_s64(loop__run(&p->loop), -ENXIO, "an error of begin is the result of a run");
	is_s64(p->rounds, 0, "no round comes after a begin that failed");
}

static void test_fds(struct probe *p)
{
	int fds[2];

	if (pipe(fds) || write(fds[1], "", 1) != 1) {
		ok(false, "a pipe with one byte is made");
		return;
	}
	reset(p);
	p->result = 1;
	loop__add_fd(&p->loop, fds[0], on_fd, p);
	is_s64(loop__run(&p->loop), LOOP_ENOUGH, "a descriptor that has enough ends a run");
	is_s64(p->rounds, 1, "a round comes before the callbacks of descriptors");
	reset(p);
	p->loop.out = &(struct out){ .fd = fds[1] };
	close(fds[0]);
	is_s64(loop__run(&p->loop), LOOP_OUTPUT, "an output without a reader ends a run");
	ok(p->loop.out->ending, "the output knows that the run has ended");
	close(fds[1]);
}

static void test_cmd(struct probe *p)
{
	char *argv[] = { "true", NULL };

	reset(p);
	if (!ok(!workload__prepare(&p->workload, argv), "a command is prepared for the loop"))
		return;
	is_s64(loop__run(&p->loop), LOOP_CMD, "the exit of CMD ends a run");
	ok(workload__ended(&p->workload), "CMD can be reaped after the run");
	is_s64(workload__exit_status(&p->workload), 0, "CMD was started by the loop");
	workload__free(&p->workload);
}

static void test_signal(struct probe *p)
{
	reset(p);
	p->loop.gone = is_gone;
	p->rounds = 3;
	kill(getpid(), SIGTERM);
	is_s64(loop__run(&p->loop), LOOP_SIGNAL, "a signal ends a run before targets do");
	ok(stop_signals__pending(), "the signal is still pending after the run");
	stop_signals__drop_pending();
	ok(!stop_signals__pending(), "a pending signal can be dropped");
}

int main(void)
{
	struct probe p;

	stop_signals__block();
	test_limits(&p);
	test_timers(&p);
	test_fds(&p);
	test_cmd(&p);
	test_signal(&p);
	return done_testing();
}
