// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Attaches the programs of a stack session to perf events, tracepoints and the scheduler. */
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
#include "event/event_options.h"
#include "event/weight.h"
#include "kernel/bpf_error.h"
#include "kernel/kernel_btf.h"
#include "perf/breakpoints.h"
#include "session/stack_session_priv.h"
#include "util/log.h"

enum stack_kind stack_attach__kind(const struct event *ev)
{
	return ev->probe                      ? STACK_PROBE
	       : ev->kind == EVENT_TRACEPOINT ? STACK_TRACEPOINT
					      : STACK_SAMPLED;
}

bool stack_attach__has_kind(const struct stack_session *s, enum stack_kind kind)
{
	size_t i;

	for (i = 0; i < s->cfg.events->cnt; i++)
		if (stack_attach__kind(s->cfg.events->events[i]) == kind)
			return true;
	return false;
}

/*
 * The kernel would skip the idle task itself, but would not say how often. An idle CPU is no thread
 * that runs, so that it has no share of wall-clock time.
 */
static int describe_clock(struct stack_session *s, __u32 i)
{
	struct wire_stack_event desc = {
		.skip_idle = s->cfg.latency || event__is_clock(s->cfg.events->events[i]),
	};

	return bpf_map_update_elem(bpf_map__fd(s->skel->maps.stack_events), &i, &desc, BPF_ANY);
}

static int describe_tracepoint(struct stack_session *s, __u32 i)
{
	const struct event *ev = s->cfg.events->events[i];
	struct perf_sampling how = stack_session__sampling(&s->cfg, ev);
	const char *weight = event_weight__field(ev->fmt);
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

	if (stack_attach__has_kind(s, STACK_SAMPLED))
		err = instances__load(&s->samplers, s->skel->progs.take_stack, cnt);
	if (!err && stack_attach__has_kind(s, STACK_TRACEPOINT))
		err = instances__load(&s->tracers, s->skel->progs.take_stack_tp, cnt);
	for (i = 0; i < cnt && !err; i++)
		err = s->cfg.events->events[i]->kind == EVENT_TRACEPOINT ? describe_tracepoint(s, i)
									 : describe_clock(s, i);
	return err;
}

/* Attaches the program, which runs from here on. Returns 0 or -errno (logged). */
static int start_sampling(const struct evsel *sel, size_t cell, int prog_fd, int ring_fd)
{
	int fd = sel->fds[cell], err;

	/* If the ring is of another kind than expected, throttling is not reported. */
	if (ring_fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd))
		log_info("%s: throttling will not be reported: %s", sel->name, strerror(errno));
	if (!ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) && !ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return 0;
	err = -errno;
	bpf_error__explain("attach to the sampling event", err);
	return err;
}

static int add_event(struct stack_session *s, size_t idx, const int *cpus, size_t cpu_cnt)
{
	const struct event *ev = s->cfg.events->events[idx];
	const struct evset_target target = { .cpus = cpus, .cpu_cnt = cpu_cnt, .cgroup_fd = -1 };
	struct perf_sampling how = stack_session__sampling(&s->cfg, ev);
	int err = evset__add(&s->set, ev, &target);

	if (err)
		return err;
	perf_fd__sampling_attr(&s->set.events[idx].attr, ev, &how);
	if (event__is_clock(ev))
		s->set.events[idx].attr.exclude_idle = ev->exclude_idle;
	s->period_ns[idx] = lost_ticks__period_ns(ev, &how);
	return 0;
}

static int add_events(struct stack_session *s, const int *cpus, size_t cpu_cnt)
{
	size_t cnt = s->cfg.events->cnt, i;
	int err = evset__init(&s->set, cnt);

	s->period_ns = calloc(cnt + 1, sizeof(*s->period_ns));
	if (!s->period_ns)
		err = -ENOMEM;
	for (i = 0; i < cnt && !err; i++)
		err = add_event(s, i, cpus, cpu_cnt);
	if (err == -ENOMEM)
		log_error("out of memory");
	event_options__warn_unused((const struct event *const *)s->cfg.events->events, cnt);
	if (!err)
		breakpoints__warn((const struct event *const *)s->cfg.events->events, cnt);
	return err;
}

/* A CPU that went offline after it was listed is no error. Returns 0 or -errno (logged). */
static int attach_cpu(struct stack_session *s, size_t idx, size_t cell, int ring_fd)
{
	const struct evsel *sel = &s->set.events[idx];
	int err = evset__open_member(&s->set, idx, cell);

	if (err == -ENODEV && !s->cfg.targets->cpus)
		return 0;
	if (err) {
		struct perf_sampling how = stack_session__sampling(&s->cfg, sel->ev);

		perf_fd__explain(sel->ev, &how, evsel__cpu(sel, cell), err);
		return err;
	}
	return start_sampling(sel, cell, s->samplers.fds[idx], ring_fd);
}

/* ring_fds: the rings of the CPUs, in their order. */
static int attach_sampler(struct stack_session *s, size_t idx, const int *cpus, const int *ring_fds)
{
	const struct evsel *sel = &s->set.events[idx];
	struct perf_sampling how = stack_session__sampling(&s->cfg, sel->ev);
	size_t i, k = 0;
	int err = 0;

	if (!evsel__cell_cnt(sel)) {
		perf_fd__explain(sel->ev, &how, cpus[0], -ENOENT);
		return -ENOENT;
	}
	for (i = 0; i < evsel__cell_cnt(sel) && !err; i++) {
		while (cpus[k] != evsel__cpu(sel, i))
			k++;
		err = attach_cpu(s, idx, i, ring_fds ? ring_fds[k] : -1);
	}
	return err;
}

/* A tracepoint's program runs on all CPUs and returns early on those that are not watched. */
static int attach_tracepoints(struct stack_session *s)
{
	const struct event_list *events = s->cfg.events;
	const struct probe_programs progs = stack_probes__programs(s->skel);
	struct detach_attachment *atts = calloc(2 * events->cnt + 1, sizeof(*atts));
	size_t i, cnt = 0, probe_cnt;
	int err;

	if (!atts) {
		log_error("out of memory");
		return -ENOMEM;
	}
	for (i = 0; i < events->cnt; i++)
		if (stack_attach__kind(events->events[i]) == STACK_TRACEPOINT)
			atts[cnt++] = (struct detach_attachment){
				.tp_id = events->events[i]->fmt->id,
				.prog_fd = s->tracers.fds[i],
			};
	probe_cnt = probe_links__events(events, &progs, atts + cnt);
	err = 0;
	if (cnt + probe_cnt)
		err = detach_helper__start(&s->detach_helper, atts, cnt + probe_cnt, probe_cnt != 0,
					   &s->skel->bss->active);
	if (!err)
		err = probe_links__check(events, atts + cnt, probe_cnt);
	for (i = cnt = 0; i < events->cnt && !err; i++) {
		if (stack_attach__kind(events->events[i]) != STACK_TRACEPOINT)
			continue;
		err = atts[cnt++].err;
		if (err)
			log_error("cannot attach to %s: %s", events->events[i]->name,
				  strerror(-err));
	}
	free(atts);
	return err;
}

static int attach_scheduler(struct stack_session *s)
{
	struct bpf_program *off[STACK_LINKS] = {
		s->skel->progs.off_switch,        s->skel->progs.off_waking,
		s->skel->progs.why_irq_entry,     s->skel->progs.why_irq_exit,
		s->skel->progs.why_softirq_entry, s->skel->progs.why_softirq_exit,
	};
	struct bpf_program *running[] = { s->skel->progs.running_switch };
	struct bpf_program **progs = s->cfg.off_cpu ? off : running;
	size_t cnt = s->cfg.facts ? STACK_LINKS : s->cfg.off_cpu ? 2 : s->cfg.latency, i;
	int err = 0;

	for (i = 0; i < cnt && !err; i++) {
		s->links[i] = kernel_btf__attach(progs[i]);
		err = s->links[i] ? 0 : -errno;
	}
	if (err)
		bpf_error__explain("attach to the scheduler's tracepoints", err);
	return err;
}

int stack_session__attach(struct stack_session *s, const int *cpus, const int *ring_fds,
			  size_t cpu_cnt)
{
	size_t i;
	/* The detach helper is started first: it must not inherit the attachments made here. */
	int err = stack_attach__has_kind(s, STACK_TRACEPOINT) ||
				  stack_attach__has_kind(s, STACK_PROBE)
			  ? attach_tracepoints(s)
			  : 0;

	if (err)
		return err;
	err = task_filter__start_tasks(&s->task_filter, s->skel->obj);
	if (err) {
		bpf_error__explain("follow the observed tasks", err);
		return err;
	}
	err = unwinder__start(s->unwinder, s->skel->obj, s->cfg.by_task ? s->cfg.targets : NULL);
	if (err)
		return err;
	err = add_events(s, cpus, cpu_cnt);
	if (!err)
		err = attach_scheduler(s);
	if (!err)
		err = stack_probes__attach(&s->probes, s->cfg.events, s->skel);
	for (i = 0; i < s->cfg.events->cnt && !err; i++)
		if (stack_attach__kind(s->cfg.events->events[i]) == STACK_SAMPLED)
			err = attach_sampler(s, i, cpus, ring_fds);
	return err;
}
