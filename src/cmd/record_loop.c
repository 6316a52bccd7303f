// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_loop.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "run/loop.h"
#include "cmd/record_file.h"
#include "cmd/record_opts.h"
#include "cmd/record_rings.h"
#include "perf/sampling.h"
#include "target/targets.h"
#include "run/workload.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"

/* Rings are looked at as often even if none is a quarter full, so that a file that is cut off has what was. */
#define ROUND_MS 100

/*
 * A round may be several looks at the rings: the writer's thread, which gets each round, would otherwise wake
 * so often that it takes the CPU from who reads (twice the loss on a busy machine).
 */
#define ROUND_MIN_NS 25000000ull

enum { GO_ON, ENOUGH };

static void signals(sigset_t *set)
{
	stop_signals__fill(set);
	sigaddset(set, SIGUSR2);
}

void record_loop__block_signals(void)
{
	sigset_t set;

	loop__block_signals();
	signal(SIGUSR2, SIG_DFL);
	signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static int take_recs(void *ctx, struct record_ring *ring, const void *recs, size_t sz)
{
	struct record_loop *l = ctx;

	return record_file__write(l->file, ring, recs, sz);
}

static int take_aux(void *ctx, struct record_ring *ring, const struct aux_data *data)
{
	struct record_loop *l = ctx;

	return record_file__write_aux(l->file, ring, data);
}

/* Of a flight recorder all is one round: what is dumped is older than the processes told of before. */
static int end_round(struct record_loop *l)
{
	l->round_ns = mono_ns();
	return l->opts->overwrite ? 0 : record_file__round(l->file);
}

static int round_of_rings(struct record_loop *l)
{
	const struct record_taker taker = { take_recs, take_aux, l };
	int err = record_rings__drain(l->rings, &taker, l->has_begun);

	return err || mono_ns() - l->round_ns < ROUND_MIN_NS ? err : end_round(l);
}

static int snapshot(struct record_loop *l)
{
	const struct record_taker taker = { take_recs, take_aux, l };
	uint64_t before = record_rings__aux_bytes(l->rings);
	int err = 0;

	/* Its events are stopped meanwhile, and started again: what has not begun is not to begin by that. */
	if (l->has_begun)
		err = record_rings__snapshot(l->rings, &taker, l->opts->snapshot_sz, true);
	if (!err)
		err = end_round(l);
	if (!err && !l->opts->quiet)
		log_note("snapshot: %llu bytes%s",
			 (unsigned long long)(record_rings__aux_bytes(l->rings) - before),
			 l->has_begun ? "" : ", because the delay of -D is not over");
	return err;
}

/* SIGUSR2, or a limit of --switch-output. */
static int dump(struct record_loop *l)
{
	const struct record_taker taker = { take_recs, take_aux, l };
	int err;

	if (l->opts->snapshot) {
		err = snapshot(l);
		if (err || !l->opts->switch_output.on)
			return err;
	}
	err = round_of_rings(l);
	if (!err && l->opts->overwrite)
		err = record_rings__dump(l->rings, &taker, true);
	return err ? err : record_file__switch(l->file);
}

/* The signals that have come: ENOUGH to end, GO_ON with *usr2 set, or -errno. */
static int look_at_signals(int fd, bool *usr2)
{
	struct signalfd_siginfo si;

	while (read(fd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo != SIGUSR2)
			return ENOUGH;
		*usr2 = true;
	}
	return GO_ON;
}

struct limits {
	uint64_t end_ns, begin_ns, switch_ns; /* UINT64_MAX: not */
	uint64_t switch_bytes; /* written when the file was begun */
};

static int timeout_ms(const struct limits *lim)
{
	uint64_t now = mono_ns(), next = now + ROUND_MS * 1000000ull;

	next = lim->end_ns < next ? lim->end_ns : next;
	next = lim->begin_ns < next ? lim->begin_ns : next;
	next = lim->switch_ns < next ? lim->switch_ns : next;
	return next <= now ? 0 : (int)((next - now + 999999) / 1000000);
}

/* Is it time for another file? */
static bool is_switch_due(const struct record_loop *l, struct limits *lim)
{
	const struct record_switch *sw = &l->opts->switch_output;
	uint64_t now = mono_ns();

	if (sw->sz && record_file__written(l->file) - lim->switch_bytes >= sw->sz)
		return true;
	if (now < lim->switch_ns)
		return false;
	lim->switch_ns = now + sw->ns;
	return true;
}

static bool takes_usr2(const struct record_opts *o)
{
	return o->overwrite || o->snapshot || o->switch_output.on;
}

/* What there is to do after a look at the rings. GO_ON, ENOUGH or -errno. */
static int look(struct record_loop *l, struct limits *lim, bool usr2)
{
	bool of_tasks = l->file->pid_cnt != 0;
	int err = 0;

	if (mono_ns() >= lim->begin_ns) {
		lim->begin_ns = UINT64_MAX;
		l->has_begun = true;
		err = sampling_events__enable(l->rings->sampling);
	}
	if (!err && ((usr2 && takes_usr2(l->opts)) || is_switch_due(l, lim))) {
		err = dump(l);
		lim->switch_bytes = record_file__written(l->file);
	}
	if (err)
		return err;
	if (l->workload->pid && workload__ended(l->workload)) {
		l->cmd_ended = true;
		return ENOUGH;
	}
	/* CMD's events end a little before it can be asked for its status. */
	if (mono_ns() >= lim->end_ns || (of_tasks && !l->workload->pid && !l->rings->alive_cnt))
		return ENOUGH;
	if (l->opts->max_sz && record_file__written(l->file) >= l->opts->max_sz) {
		log_note("--max-size is reached");
		return ENOUGH;
	}
	return GO_ON;
}

static int run(struct record_loop *l, int sig_fd)
{
	const struct record_opts *o = l->opts;
	uint64_t now = mono_ns(), begin_ns = now + o->delay_ms * 1000000;
	struct limits lim = {
		.end_ns = o->common.duration_ns ? begin_ns + o->common.duration_ns : UINT64_MAX,
		.begin_ns = o->delay_ms ? begin_ns : UINT64_MAX,
		.switch_ns = o->switch_output.ns ? now + o->switch_output.ns : UINT64_MAX,
	};
	int err = GO_ON;

	l->has_begun = !o->delay_ms;
	while (err == GO_ON) {
		bool usr2 = false;

		err = record_rings__wait(l->rings, timeout_ms(&lim));
		if (!err)
			err = look_at_signals(sig_fd, &usr2);
		if (err == GO_ON)
			err = round_of_rings(l);
		if (err == GO_ON)
			err = look(l, &lim, usr2);
	}
	return err == ENOUGH ? 0 : err;
}

int record_loop__run(struct record_loop *l)
{
	sigset_t set;
	int fd, err;

	signals(&set);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	err = record_rings__watch(l->rings, fd);
	if (!err && l->workload->pid)
		err = record_rings__watch(l->rings, l->workload->pidfd);
	if (err)
		log_error("cannot wait for events: %s; raise `ulimit -n`", strerror(-err));
	else
		err = run(l, fd);
	close(fd);
	return err;
}

int record_loop__finish(struct record_loop *l)
{
	const struct record_taker taker = { take_recs, take_aux, l };
	int err;

	if (l->opts->snapshot)
		err = record_rings__snapshot(l->rings, &taker, l->opts->snapshot_sz, false);
	else
		err = record_rings__drain(l->rings, &taker, false);
	if (!err && l->opts->overwrite)
		err = record_rings__dump(l->rings, &taker, false);
	return err;
}
