// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/flight_recorder.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "run/loop.h"
#include "source/ring_sample.h"
#include "sink/sink.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/stop_signals.h"

static enum bpf_perf_event_ret flight_recorder__on_alarm(void *ctx, int cpu,
							 struct perf_event_header *hdr)
{
	struct flight_recorder *r = ctx;

	/* The loss of alarm records counts as an alarm. */
	r->is_due = true;
	return LIBBPF_PERF_EVENT_CONT;
}

/*
 * Opens a ring of one page per CPU; its reader is woken at once, since records around a pending
 * alarm are being overwritten.
 */
static int open_alarms(struct flight_recorder *r, int map_fd)
{
	struct perf_event_attr attr = ring_sample__attr();

	attr.wakeup_events = 1;
	r->alarms = perf_buffer__new_raw(map_fd, 1, &attr, flight_recorder__on_alarm, r, NULL);
	return r->alarms ? 0 : -errno;
}

/* Announces a dump, and its reason, in the output. Returns the sink's error. */
static int announce_dump(struct flight_recorder *r, const char *why)
{
	struct dump d = { .nr = ++r->dump_cnt, .why = why, .time_ns = mono_ns() };

	r->pending = NULL;
	return sink__dump(r->sink, &d);
}

/* The record that triggered may already be in the previous dump: an empty dump is not announced. */
static int flight_recorder__dump_triggered(struct flight_recorder *r)
{
	int err;

	r->pending = "trigger";
	err = source__dump(live_source__base(r->src), false, r->fn, r->ctx);
	r->pending = NULL;
	return err;
}

static int flight_recorder__dump_asked(struct flight_recorder *r)
{
	int err = announce_dump(r, "SIGUSR2");

	return err ? err : source__dump(live_source__base(r->src), false, r->fn, r->ctx);
}

/* Returns whether an alarm was raised since the last call, or -errno. */
static int flight_recorder__take_alarm(struct flight_recorder *r)
{
	int err = r->alarms ? perf_buffer__consume(r->alarms) : 0;

	if (err < 0 || !r->is_due)
		return err < 0 ? err : 0;
	r->is_due = false;
	/*
	 * From here on the next trigger raises the alarm again; earlier ones are in the dump
	 * (alarm.bpf.h).
	 */
	__atomic_exchange_n(r->alarm_raised, 0, __ATOMIC_SEQ_CST);
	return 1;
}

int flight_recorder__check(struct flight_recorder *r)
{
	int err = 0;

	while (!err && stop_signals__took_usr2(r->sig_fd))
		err = flight_recorder__dump_asked(r);
	/* The run is over: no further dump. */
	if (err)
		return err;
	err = flight_recorder__take_alarm(r);
	return err > 0 ? flight_recorder__dump_triggered(r) : err;
}

int flight_recorder__end(struct flight_recorder *r)
{
	int due = flight_recorder__take_alarm(r);

	return due < 0 ? due : announce_dump(r, due ? "trigger" : "end");
}

int flight_recorder__before_record(struct flight_recorder *r)
{
	return r->pending ? announce_dump(r, r->pending) : 0;
}

int flight_recorder__open(struct flight_recorder *r, int alarms_fd, uint64_t *alarm_raised)
{
	int err = 0;

	r->sig_fd = stop_signals__open_usr2();
	r->alarm_raised = alarm_raised;
	if (r->sig_fd < 0)
		err = -errno;
	if (!err && alarms_fd >= 0)
		err = open_alarms(r, alarms_fd);
	if (err)
		log_error("cannot wait for dumps: %s; raise `ulimit -n`", strerror(-err));
	return err;
}

void flight_recorder__watch(struct flight_recorder *r, struct loop *l)
{
	loop__add_fd(l, r->sig_fd, NULL, NULL);
	if (r->alarms)
		loop__add_fd(l, perf_buffer__epoll_fd(r->alarms), NULL, NULL);
}

void flight_recorder__close(struct flight_recorder *r)
{
	perf_buffer__free(r->alarms);
	/* alarm_raised: it was opened. */
	if (r->alarm_raised && r->sig_fd >= 0)
		close(r->sig_fd);
	*r = (struct flight_recorder){};
}
