// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder_loop.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "run/recorder_file.h"
#include "run/recorder_trigger.h"
#include "run/recorder.h"
#include "source/kernel_rings.h"
#include "perf/sampling.h"
#include "target/targets.h"
#include "kernel/capabilities.h"
#include "run/workload.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"

/*
 * Interval of draining the rings even if none is a quarter full, so that a truncated file has the
 * records so far.
 */
#define ROUND_MS 100

/*
 * Several drains make one round: the writer's thread, which wakes for each round, would otherwise
 * take too much CPU time from the reader (twice the loss on a busy machine).
 */
#define ROUND_MIN_NS 25000000ull

static int recorder_loop__on_record(void *ctx, const struct record *rec)
{
	struct recorder_loop *l = ctx;

	return recorder_file__write(l->file, rec);
}

/*
 * A flight recorder's file has one round: dumped records are older than the process records before
 * them.
 */
static int end_round(struct recorder_loop *l)
{
	l->round_ns = mono_ns();
	return l->cfg->how.overwrite ? 0 : recorder_file__round(l->file);
}

static int round_of_rings(struct recorder_loop *l)
{
	int err = source__drain(&l->rings->base, !l->has_begun, recorder_loop__on_record, l);

	if (!err && recorder_file__has_enough(l->file))
		/* The loop has enough. */
		return end_round(l) ?: 1;
	return err || mono_ns() - l->round_ns < ROUND_MIN_NS ? err : end_round(l);
}

static int recorder_loop__snapshot(struct recorder_loop *l)
{
	uint64_t before = kernel_rings__aux_bytes(l->rings);
	int err = 0;

	/*
	 * A snapshot stops its events and starts them again: events that have not begun must not be
	 * started by it.
	 */
	if (l->has_begun)
		err = kernel_rings__snapshot(l->rings, recorder_loop__on_record, l,
					     l->cfg->snapshot_sz, true);
	if (!err)
		err = end_round(l);
	if (!err && !l->cfg->quiet)
		log_note("snapshot: %llu bytes%s",
			 (unsigned long long)(kernel_rings__aux_bytes(l->rings) - before),
			 l->has_begun ? "" : ", because the delay of -D is not over");
	return err;
}

/* Dumps on SIGUSR2, or at a limit of --switch-output. */
static int recorder_loop__dump(struct recorder_loop *l)
{
	int err = 0;

	if (l->cfg->snapshot)
		err = recorder_loop__snapshot(l);
	if (!err && (!l->cfg->snapshot || l->cfg->switch_output.on)) {
		err = round_of_rings(l);
		if (!err && l->cfg->how.overwrite)
			err = source__dump(&l->rings->base, false, recorder_loop__on_record, l);
		if (!err)
			err = recorder_file__switch(l->file);
	}
	l->switch_sz = recorder_file__written(l->file);
	return err;
}

/* SIGUSR2 has no effect if there is nothing to dump. */
static int recorder_loop__on_usr2(void *ctx)
{
	struct recorder_loop *l = ctx;
	const struct recorder_config *cfg = l->cfg;

	if (!stop_signals__took_usr2(l->usr2_fd))
		return 0;
	return cfg->how.overwrite || cfg->snapshot || cfg->switch_output.on ? recorder_loop__dump(l)
									    : 0;
}

/* --switch-output-event: several at once end one file. */
static int recorder_loop__on_trigger(void *ctx)
{
	struct recorder_loop *l = ctx;
	int64_t cnt = recorder_trigger__take(l->trigger);

	if (cnt <= 0 || !l->has_begun)
		return (int)(cnt < 0 ? cnt : 0);
	return recorder_loop__dump(l);
}

/*
 * --switch-output after a time, which each file lasts even if the switch to it came late. When the
 * duration is over no file is begun: it would be empty.
 */
static int recorder_loop__on_switch(void *ctx)
{
	struct recorder_loop *l = ctx;

	if (loop__is_time_over(&l->loop))
		return 0;
	loop__restart_timer(&l->loop, recorder_loop__on_switch, l->cfg->switch_output.ns);
	return recorder_loop__dump(l);
}

static int recorder_loop__on_copies(void *ctx)
{
	struct recorder_loop *l = ctx;
	uint64_t begin_ns = thread_cpu_ns(), gap_ns;
	int err;

	if (!l->has_begun)
		return 0;
	err = sampling_events__enable_copies(l->sampling);
	gap_ns = evset__copy_gap(++l->copy_calls, thread_cpu_ns() - begin_ns);
	if (gap_ns)
		loop__restart_timer(&l->loop, recorder_loop__on_copies, gap_ns);
	return err;
}

/* Called while the loop runs. */
static int recorder_loop__enable(struct recorder_loop *l)
{
	l->has_begun = true;
	l->copy_calls = 0;
	loop__restart_timer(&l->loop, recorder_loop__on_copies, EVSET_COPY_NS);
	return sampling_events__enable(l->sampling);
}

/* The -D delay is over. */
static int recorder_loop__on_delay(void *ctx)
{
	return recorder_loop__enable(ctx);
}

/* A range of -D ends, or the next one begins. */
static int recorder_loop__on_range(void *ctx)
{
	struct recorder_loop *l = ctx;
	const struct recorder_range *r = &l->cfg->ranges[l->range];

	if (!l->has_begun) {
		loop__restart_timer(&l->loop, recorder_loop__on_range,
				    (r->to_ms - r->from_ms) * 1000000);
		return recorder_loop__on_delay(l);
	}
	l->has_begun = false;
	if (++l->range < l->cfg->range_cnt)
		loop__restart_timer(&l->loop, recorder_loop__on_range,
				    (r[1].from_ms - r->to_ms) * 1000000);
	return sampling_events__disable(l->sampling);
}

static int recorder_loop__begin(void *ctx)
{
	struct recorder_loop *l = ctx;
	int err = 0;

	l->has_begun = !l->cfg->delay_ms && !l->cfg->is_paused;
	if (l->has_begun && !l->cfg->of_cmd)
		err = sampling_events__enable(l->sampling);
	/* Events of CMD begin with its exec. */
	if (!err && !l->cfg->of_cmd)
		err = recorder_trigger__enable(l->trigger);
	if (!err)
		log_info("recording into %s", l->cfg->output);
	return err;
}

static int recorder_loop__round(void *ctx)
{
	struct recorder_loop *l = ctx;
	uint64_t switch_sz = l->cfg->switch_output.sz;
	int err = kernel_rings__wait(l->rings, 0);

	if (!err)
		err = round_of_rings(l);
	if (!err && switch_sz && recorder_file__written(l->file) - l->switch_sz >= switch_sz)
		err = recorder_loop__dump(l);
	return err;
}

/* CMD's events end shortly before CMD can be reaped: with CMD, its exit ends the run. */
static bool recorder_loop__is_gone(void *ctx)
{
	const struct recorder_loop *l = ctx;

	return l->file->pid_cnt && !l->workload->pid && !l->rings->alive_cnt;
}

static uint64_t recorder_loop__written(void *ctx)
{
	const struct recorder_loop *l = ctx;

	return recorder_file__written(l->file);
}

/* Completes a run according to the reason for its end. */
static void recorder_loop__on_end(struct recorder_loop *l, enum loop_end end)
{
	if (end == LOOP_SIZE)
		log_note("--max-size is reached");
	else if (end == LOOP_CMD)
		workload__ended(l->workload);
	else if (end == LOOP_SIGNAL)
		/*
		 * The last records are written as if no signal had come: the next signal interrupts
		 * that.
		 */
		stop_signals__drop_pending();
}

/* A further file is created, and begins with all that the first one began with. */
static unsigned int capability_needs(const struct recorder_config *cfg)
{
	unsigned int needs = CAPABILITY_READ_FILES | CAPABILITY_SEE_TASKS;

	if (cfg->switch_output.on || cfg->how.overwrite)
		needs |= CAPABILITY_BPF | CAPABILITY_BPF_IDS | CAPABILITY_WRITE_FILES;
	return needs;
}

static int carry_out(struct recorder_loop *l, enum recorder_command command)
{
	switch (command) {
	case CONTROL_ENABLE:
		return recorder_loop__enable(l);
	case CONTROL_DISABLE:
		l->has_begun = false;
		return sampling_events__disable(l->sampling);
	case CONTROL_SNAPSHOT:
		return l->cfg->how.overwrite || l->cfg->snapshot || l->cfg->switch_output.on
			       ? recorder_loop__dump(l)
			       : 0;
	case CONTROL_STOP:
		/* The loop has enough. */
		return 1;
	default:
		return 0;
	}
}

/* Commands of --control, each answered once it is carried out. */
static int recorder_loop__on_control(void *ctx)
{
	struct recorder_loop *l = ctx;
	struct recorder_control *c = l->cfg->control;
	enum recorder_command command;
	int err = 0;

	while (err >= 0 && (command = recorder_control__next(c)) != CONTROL_NONE) {
		if (command == CONTROL_END)
			return 1;
		if (command == CONTROL_UNKNOWN)
			continue;
		err = carry_out(l, command);
		if (err < 0)
			return err;
		recorder_control__ack(c);
		if (err)
			return err;
	}
	return 0;
}

int recorder_loop__run(struct recorder_loop *l)
{
	const struct recorder_config *cfg = l->cfg;
	uint64_t switch_ns = cfg->switch_output.ns;
	int err;

	l->loop = (struct loop){
		.workload = l->workload,
		.delay_ns = cfg->delay_ms * 1000000,
		.duration_ns = cfg->duration_ns,
		.round_ms = ROUND_MS,
		.max_sz = cfg->max_sz,
		.begin = recorder_loop__begin,
		.round = recorder_loop__round,
		.is_urgent = true,
		.needs = capability_needs(cfg),
		.gone = recorder_loop__is_gone,
		.written = recorder_loop__written,
		.ctx = l,
	};
	l->usr2_fd = stop_signals__open_usr2();
	if (l->usr2_fd < 0)
		return -errno;
	loop__add_fd(&l->loop, source__fd(&l->rings->base), NULL, NULL);
	loop__add_fd(&l->loop, l->usr2_fd, recorder_loop__on_usr2, l);
	if (recorder_trigger__fd(l->trigger) >= 0)
		loop__add_fd(&l->loop, recorder_trigger__fd(l->trigger), recorder_loop__on_trigger,
			     l);
	if (cfg->control)
		loop__add_fd(&l->loop, cfg->control->fd, recorder_loop__on_control, l);
	loop__add_timer(&l->loop, l->loop.delay_ns, 0, recorder_loop__on_delay, l);
	loop__add_timer(&l->loop, l->loop.delay_ns + EVSET_COPY_NS, 0, recorder_loop__on_copies, l);
	if (cfg->range_cnt)
		loop__add_timer(&l->loop, cfg->ranges[0].to_ms * 1000000, 0,
				recorder_loop__on_range, l);
	loop__add_timer(&l->loop, switch_ns, switch_ns, recorder_loop__on_switch, l);
	err = loop__run(&l->loop);
	close(l->usr2_fd);
	if (err > 0)
		recorder_loop__on_end(l, (enum loop_end)err);
	return err < 0 ? err : 0;
}

int recorder_loop__finish(struct recorder_loop *l)
{
	int err;

	if (l->cfg->snapshot)
		err = kernel_rings__snapshot(l->rings, recorder_loop__on_record, l,
					     l->cfg->snapshot_sz, false);
	else
		err = source__drain(&l->rings->base, true, recorder_loop__on_record, l);
	if (!err && l->cfg->how.overwrite)
		err = source__dump(&l->rings->base, true, recorder_loop__on_record, l);
	return err;
}
