// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/flight_recorder.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"

static void usr2(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGUSR2);
}

void flight_recorder__block_signal(void)
{
	sigset_t set;

	usr2(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static enum bpf_perf_event_ret on_alarm(void *ctx, int cpu, struct perf_event_header *hdr)
{
	struct flight_recorder *r = ctx;

	/* That one got lost says as much. */
	r->is_due = true;
	return LIBBPF_PERF_EVENT_CONT;
}

/* A page per CPU, and the reader is woken at once: context that waits is overwritten. */
static int open_alarms(struct flight_recorder *r, int map_fd)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
		.wakeup_events = 1,
	};

	r->alarms = perf_buffer__new_raw(map_fd, 1, &attr, on_alarm, r, NULL);
	return r->alarms ? 0 : -errno;
}

static int add(int ep, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN };

	return epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

/* Says in the output that a dump begins, and why. The sink's error. */
static int begin_dump(struct flight_recorder *r, const char *why)
{
	struct dump d = { .nr = ++r->dump_cnt, .why = why, .time_ns = mono_ns() };

	r->pending = NULL;
	return sink__dump(r->sink, &d);
}

/* What triggered may be in the dump before already: an empty one more tells nobody anything. */
static int dump_triggered(struct flight_recorder *r)
{
	int err;

	r->pending = "trigger";
	err = live_source__dump(r->src, r->fn, r->ctx);
	r->pending = NULL;
	return err;
}

static int dump_asked(struct flight_recorder *r)
{
	int err = begin_dump(r, "SIGUSR2");

	return err ? err : live_source__dump(r->src, r->fn, r->ctx);
}

/* Was an alarm raised since the last time? -errno. */
static int take_alarm(struct flight_recorder *r)
{
	int err = r->alarms ? perf_buffer__consume(r->alarms) : 0;

	if (err < 0 || !r->is_due)
		return err < 0 ? err : 0;
	r->is_due = false;
	/* From here on the next one raises it again; what came before is in the dump (alarm.bpf.h). */
	__atomic_exchange_n(r->alarm_raised, 0, __ATOMIC_SEQ_CST);
	return 1;
}

/* After each round of the loop. */
static int look(void *ctx)
{
	struct flight_recorder *r = ctx;
	struct signalfd_siginfo info;
	int err = 0;

	while (!err && read(r->sig_fd, &info, sizeof(info)) == sizeof(info))
		err = dump_asked(r);
	/* Enough was seen: nothing is to be dumped again. */
	if (err)
		return err;
	err = take_alarm(r);
	return err > 0 ? dump_triggered(r) : err;
}

int flight_recorder__end(struct flight_recorder *r)
{
	int due = take_alarm(r);

	return due < 0 ? due : begin_dump(r, due ? "trigger" : "end");
}

int flight_recorder__before_record(struct flight_recorder *r)
{
	return r->pending ? begin_dump(r, r->pending) : 0;
}

int flight_recorder__open(struct flight_recorder *r, int alarms_fd, uint64_t *alarm_raised)
{
	sigset_t set;
	int ep = epoll_create1(EPOLL_CLOEXEC), err = ep < 0 ? -errno : 0;

	usr2(&set);
	r->view = (struct loop_view){ .fd = ep, .fn = look, .ctx = r };
	r->sig_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	r->alarm_raised = alarm_raised;
	if (!err && r->sig_fd < 0)
		err = -errno;
	if (!err)
		err = add(ep, r->sig_fd);
	if (!err && alarms_fd >= 0)
		err = open_alarms(r, alarms_fd);
	if (!err && alarms_fd >= 0)
		err = add(ep, perf_buffer__epoll_fd(r->alarms));
	if (err)
		log_error("cannot wait for dumps: %s; raise `ulimit -n`", strerror(-err));
	return err;
}

void flight_recorder__close(struct flight_recorder *r)
{
	perf_buffer__free(r->alarms);
	if (r->sig_fd > 0)
		close(r->sig_fd);
	if (r->view.fd > 0)
		close(r->view.fd);
	*r = (struct flight_recorder){};
}
