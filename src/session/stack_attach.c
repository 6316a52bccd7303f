// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A stack session's programs to what is sampled: perf events, tracepoints, the scheduler. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/perf_event.h>
#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "bpf/wire.h"
#include "kernel/bpf_error.h"
#include "session/stack_session_priv.h"
#include "util/log.h"

bool stack_attach__has_kind(const struct stack_session *s, bool tracepoint)
{
	size_t i;

	for (i = 0; i < s->cfg.events->cnt; i++)
		if ((s->cfg.events->events[i]->kind == EVENT_TRACEPOINT) == tracepoint)
			return true;
	return false;
}

/*
 * The field that the kernel's __perf_count() names for a tracepoint, from include/trace/events/sched.h:
 * nanoseconds, all of them. NULL: each counts once.
 */
static const char *weight_field(const struct tp_format *fmt)
{
	if (strcmp(fmt->sys, "sched") != 0)
		return NULL;
	if (!strcmp(fmt->name, "sched_stat_runtime"))
		return "runtime";
	if (!strcmp(fmt->name, "sched_stat_wait") || !strcmp(fmt->name, "sched_stat_sleep") ||
	    !strcmp(fmt->name, "sched_stat_iowait") || !strcmp(fmt->name, "sched_stat_blocked"))
		return "delay";
	return NULL;
}

static int describe_tracepoint(struct stack_session *s, __u32 i)
{
	const struct event *ev = s->cfg.events->events[i];
	struct perf_sampling how = stack_session__sampling(&s->cfg, ev);
	const char *weight = weight_field(ev->fmt);
	const struct tp_field *field = weight ? tp_format__field(ev->fmt, weight) : NULL;
	struct wire_stack_event desc = {
		.period = how.period,
		.interval_ns = how.freq_hz ? 1000000000ull / how.freq_hz : 0,
	};

	if (field && field->size == sizeof(uint64_t))
		desc.weight_off = field->off;
	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.stack_events), &i, &desc, BPF_ANY);
}

int stack_attach__prepare(struct stack_session *s)
{
	size_t cnt = s->cfg.events->cnt;
	int err = 0;
	__u32 i;

	if (stack_attach__has_kind(s, false))
		err = instances__load(&s->samplers, s->skel->progs.take_stack, cnt);
	if (!err && stack_attach__has_kind(s, true))
		err = instances__load(&s->tracers, s->skel->progs.take_stack_tp, cnt);
	for (i = 0; i < cnt && !err; i++)
		if (s->cfg.events->events[i]->kind == EVENT_TRACEPOINT)
			err = describe_tracepoint(s, i);
	return err;
}

/* The program runs from here on. 0 or -errno (said). */
static int start_sampling(struct stack_session *s, struct opened *o, int prog_fd, int ring_fd)
{
	int err;

	/* Should the ring be of another kind than expected, throttling is not told. */
	if (ring_fd >= 0 && ioctl(o->fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd))
		log_info("%s: throttling will not be seen: %s", o->event->name, strerror(errno));
	if (!ioctl(o->fd, PERF_EVENT_IOC_SET_BPF, prog_fd) &&
	    !ioctl(o->fd, PERF_EVENT_IOC_ENABLE, 0))
		return 0;
	err = -errno;
	bpf_error__explain("attach to the sampling event", err);
	return err;
}

/* A CPU that went offline since they were listed is no error. 0 or -errno (said). */
static int attach_cpu(struct stack_session *s, size_t i, int cpu, int ring_fd)
{
	const struct event *ev = s->cfg.events->events[i];
	struct perf_sampling how = stack_session__sampling(&s->cfg, ev);
	struct opened *o = &s->opened[s->opened_cnt];

	*o = (struct opened){ .fd = perf_fd__open_sampling(ev, &how, cpu), .event = ev };
	if (o->fd == -ENODEV && !s->cfg.targets->cpus)
		return 0;
	if (o->fd < 0) {
		perf_fd__explain(ev, &how, cpu, o->fd);
		return o->fd;
	}
	s->ticking[s->opened_cnt++] = (struct ticking_event){
		.fd = o->fd,
		.cpu = cpu,
		.event = (uint32_t)i,
		.period_ns = lost_ticks__period_ns(ev, &how),
	};
	return start_sampling(s, o, s->samplers.fds[i], ring_fd);
}

/* A tracepoint's program runs on all CPUs; in the program, those that are not watched do nothing. */
static int attach_tracepoints(struct stack_session *s)
{
	const struct event_list *events = s->cfg.events;
	struct detach_attachment *atts = calloc(events->cnt + 1, sizeof(*atts));
	size_t i, cnt = 0;
	int err;

	if (!atts) {
		log_error("out of memory");
		return -ENOMEM;
	}
	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->kind == EVENT_TRACEPOINT)
			atts[cnt++] = (struct detach_attachment){
				.tp_id = events->events[i]->fmt->id,
				.prog_fd = s->tracers.fds[i],
			};
	err = detach_helper__start(&s->detach_helper, atts, cnt, false, &s->skel->bss->active);
	for (i = cnt = 0; i < events->cnt && !err; i++) {
		if (events->events[i]->kind != EVENT_TRACEPOINT)
			continue;
		err = atts[cnt++].err;
		if (err)
			log_error("cannot attach to %s: %s", events->events[i]->name,
				  strerror(-err));
	}
	free(atts);
	return err;
}

static int attach_off_cpu(struct stack_session *s)
{
	struct bpf_program *progs[] = { s->skel->progs.off_switch, s->skel->progs.off_waking };
	int err = 0;
	size_t i;

	for (i = 0; s->cfg.off_cpu && i < 2 && !err; i++) {
		s->links[i] = bpf_program__attach(progs[i]);
		err = s->links[i] ? 0 : -errno;
	}
	if (err)
		bpf_error__explain("attach to the scheduler's tracepoints", err);
	return err;
}

int stack_session__attach(struct stack_session *s, const int *cpus, const int *ring_fds,
			  size_t cpu_cnt)
{
	size_t i, k;
	/* The detach helper first: it must not inherit what is attached here. */
	int err = stack_attach__has_kind(s, true) ? attach_tracepoints(s) : 0;

	if (err)
		return err;
	err = task_filter__start_tasks(&s->task_filter, s->skel->obj);
	if (err) {
		bpf_error__explain("follow the watched tasks", err);
		return err;
	}
	s->unwinder = unwinder__start(s->skel->obj, s->cfg.unwind,
				      s->cfg.by_task ? s->cfg.targets : NULL);
	if (!s->unwinder && errno)
		return -errno;
	s->opened = calloc(cpu_cnt * s->cfg.events->cnt + 1, sizeof(*s->opened));
	s->ticking = calloc(cpu_cnt * s->cfg.events->cnt + 1, sizeof(*s->ticking));
	if (!s->opened || !s->ticking) {
		log_error("out of memory");
		return -ENOMEM;
	}
	err = attach_off_cpu(s);
	for (i = 0; i < s->cfg.events->cnt; i++) {
		if (s->cfg.events->events[i]->kind == EVENT_TRACEPOINT)
			continue;
		for (k = 0; k < cpu_cnt && !err; k++)
			err = attach_cpu(s, i, cpus[k], ring_fds ? ring_fds[k] : -1);
	}
	return err;
}
