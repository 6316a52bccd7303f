/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The one wait of a run, between activate and deactivate: file descriptors and timers with
 * callbacks, and the conditions that end the run. trace, stack, stat and record run in it; `--top`
 * and the flight recorder add their descriptors to it.
 *
 * One round: waits; calls round(); calls the callbacks of descriptors that are ready; checks for
 * signals, the end of CMD and the like; fires timers; checks the duration, the targets and the
 * size.
 */
#ifndef BPFPERF_RUN_LOOP_H
#define BPFPERF_RUN_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out;
struct targets;
struct workload;

/*
 * 0: the run goes on; > 0: the run has enough and ends (LOOP_ENOUGH); < 0: -errno, which ends it.
 */
typedef int (*loop_fn)(void *ctx);

/* Why a run ended. */
enum loop_end {
	LOOP_GOES_ON,
	LOOP_ENOUGH, /* a callback returned > 0: --max-events, --interval-count, a key */
	LOOP_SIGNAL, /* SIGINT, SIGTERM or SIGHUP; the signal is still pending */
	LOOP_CMD, /* CMD has exited; it is not reaped */
	LOOP_OUTPUT, /* the reader of the output is gone */
	LOOP_DURATION,
	LOOP_TARGETS, /* all watched tasks have exited */
	LOOP_SIZE, /* the output has reached its limit */
};

struct loop_fd {
	int fd;
	bool ready; /* became ready in this round */
	loop_fn fn; /* NULL: the descriptor only wakes the loop */
	void *ctx;
};

struct loop_timer {
	uint64_t next_ns; /* CLOCK_MONOTONIC; UINT64_MAX: never again */
	uint64_t every_ns; /* 0: once */
	loop_fn fn;
	void *ctx;
};

#define LOOP_FDS 10
#define LOOP_TIMERS 5

/* With a zeroed loop, only the workload set, a signal or CMD ends the run. */
struct loop {
	/* enum capability_needs: what is kept while the loop runs; 0: all capabilities */
	unsigned int needs;
	struct workload *workload; /* prepared; loop__run() starts it. pid 0: none */
	const struct targets *targets; /* NULL: gone() is asked */
	struct out *out; /* not flushed here; NULL: its reader is not watched */
	uint64_t delay_ns; /* time before the duration begins */
	uint64_t duration_ns; /* 0: no limit */
	/* longest time between rounds; 0: only descriptors and timers make rounds */
	uint64_t round_ms;
	uint64_t max_sz; /* limit of written(); 0: no limit */
	int (*begin)(void *ctx); /* called right before CMD starts; 0 or -errno. NULL: nothing */
	loop_fn round; /* NULL: nothing */
	bool (*gone)(void *ctx); /* have all watched tasks exited? NULL: targets are checked */
	uint64_t (*written)(void *ctx); /* bytes of output so far; required with max_sz */
	void *ctx; /* context of begin, round, gone and written */

	bool is_urgent; /* rounds read rings that overflow: the thread runs before others */

	/* round() sets it if there is more to do at once: the next round does not wait. */
	bool is_busy;

	/* The other members are private to the loop. */
	struct loop_fd fds[LOOP_FDS];
	size_t fd_cnt;
	struct loop_timer timers[LOOP_TIMERS];
	size_t timer_cnt;
	int epoll_fd, timer_fd;
	uint64_t armed_ns; /* expiration of timer_fd */
	uint64_t start_ns, now_ns; /* now_ns: of the current round */
	uint64_t end_ns; /* UINT64_MAX: no limit */
	bool has_enough, is_signalled, is_output_closed, has_cmd_exited;
};

/*
 * Adds a descriptor before loop__run(). The caller owns it, and keeps it open until loop__run() has
 * returned.
 */
void loop__add_fd(struct loop *l, int fd, loop_fn fn, void *ctx);
/*
 * Adds a timer before loop__run(): it expires first_ns after the start, then every every_ns (0:
 * once). first_ns 0: no timer is added.
 */
void loop__add_timer(struct loop *l, uint64_t first_ns, uint64_t every_ns, loop_fn fn, void *ctx);

/*
 * For the callback of a timer: it fires next this long after the current round, off the grid of its
 * period, so that a late call does not shorten the period after it. fn: as in loop__add_timer().
 */
void loop__restart_timer(struct loop *l, loop_fn fn, uint64_t ns);
/* For callbacks: the duration counts from now on. */
void loop__restart_duration(struct loop *l);
/* For callbacks: returns whether this is the last round, since the duration is over. */
bool loop__is_time_over(const struct loop *l);

/*
 * Runs the loop. Stop signals are blocked (stop_signals__block()), and everything is attached: the
 * detach lock (event/detach_lock.h) is released, so that no running command keeps it. Returns an
 * enum loop_end; the error of a callback; -errno if waiting fails or CMD cannot be started (both
 * logged).
 */
int loop__run(struct loop *l);

#endif
