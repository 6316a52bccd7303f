// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/stack_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "bpf/wire.h"
#include "session/barrier.h"
#include "session/bpf_error.h"
#include "session/features.h"
#include "session/instances.h"
#include "session/kernel_btf.h"
#include "session/prog_info.h"
#include "session/ticks.h"
#include "session/warden.h"
#include "session/watching.h"
#include "util/log.h"

_Static_assert(STACK_MAX_DEPTH == WIRE_STACK_MAX, "both sides agree on the depth");

#define DEFAULT_FREQ_HZ 99
/* Threads off the CPU at once: 5 MiB of the kernel's memory. */
#define AWAY_MAX 32768

/* A perf event on one CPU. */
struct opened {
	int fd;
	uint64_t id; /* as its records tell it */
	const struct event *event;
};

struct stack_session {
	struct stack_config cfg;
	struct watching watching;
	struct stack_bpf *skel;
	struct instances samplers,
		tracers; /* a program per event; of each event one of them is used */
	struct opened *opened;
	size_t opened_cnt;
	struct ticking *ticking; /* of each that is opened */
	struct ticks ticks; /* before deactivate, those at activate */
	struct warden warden;
	struct unwinder *unwinder;
	struct bpf_link *links[2]; /* of sched_switch and sched_waking */
	uint64_t *
		missed; /* by event, then sched_switch's; before deactivate, the count at activate */
};

/* Is any of the events a tracepoint (or: none)? */
static bool has_kind(const struct stack_session *s, bool tracepoint)
{
	size_t i;

	for (i = 0; i < s->cfg.events->cnt; i++)
		if ((s->cfg.events->events[i]->kind == EVENT_TRACEPOINT) == tracepoint)
			return true;
	return false;
}

/* Above so many samples a second it pays to send them together. */
#define SLOW_FREQ_HZ 1000

/*
 * Do samples come so seldom that each is sent at once? To send a batch for its age, the reader
 * waits for an interrupt of that CPU, which costs more than all its samples.
 */
static bool is_slow(const struct stack_session *s)
{
	struct perf_sampling how = s->cfg.sampling;

	return !s->cfg.off_cpu && !has_kind(s, true) && !how.period && how.freq_hz <= SLOW_FREQ_HZ;
}

static __u32 user_sz(const struct stack_session *s)
{
	bool by_kernel = s->cfg.unwind == UNWIND_KERNEL;

	return (by_kernel ? s->cfg.max_depth : s->cfg.user_depth) * (__u32)sizeof(__u64);
}

static void set_knobs(struct stack_session *s)
{
	struct stack_bpf *skel = s->skel;
	__u32 sz = s->cfg.max_depth * (__u32)sizeof(__u64);

	watching__set_knobs(&s->watching, skel->rodata);
	skel->rodata->batch_sz = is_slow(s) ? 1 : watching__batch_sz(&s->watching);
	/* Where tasks are marked, CMD is not until its exec. */
	skel->rodata->hide_cmd = s->cfg.cmd_pid && !s->cfg.by_task;
	skel->bss->hidden_tgid = (__u32)s->cfg.cmd_pid;
	skel->rodata->stack_kern_sz = s->cfg.kernel ? sz : 0;
	skel->rodata->stack_user_sz = s->cfg.user ? user_sz(s) : 0;
	unwinder__set_knobs(skel->rodata, s->cfg.unwind);
	if (s->cfg.events->cnt) {
		bpf_map__set_max_entries(skel->maps.stack_events, (__u32)s->cfg.events->cnt);
		bpf_map__set_max_entries(skel->maps.stack_counts, (__u32)s->cfg.events->cnt);
	}
	bpf_program__set_autoload(skel->progs.off_switch, s->cfg.off_cpu);
	bpf_program__set_autoload(skel->progs.off_waking, s->cfg.off_cpu);
	if (s->cfg.off_cpu) {
		skel->rodata->off_min_ns = s->cfg.off_min_ns;
		skel->rodata->off_max_ns = s->cfg.off_max_ns;
		skel->rodata->off_wakers = s->cfg.wakers;
		bpf_map__set_max_entries(skel->maps.away, AWAY_MAX);
		bpf_map__set_max_entries(skel->maps.callstacks, WIRE_STACKS_MAX);
		bpf_map__set_max_entries(skel->maps.callstack_cpus, (__u32)cpus__possible());
	}
	bpf_program__set_autoload(skel->progs.take_stack, has_kind(s, false));
	bpf_program__set_autoload(skel->progs.take_stack_tp, has_kind(s, true));
	watching__configure(&s->watching, skel->obj);
}

struct stack_session *stack_session__open(const struct stack_config *cfg)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	struct stack_session *s = calloc(1, sizeof(*s));

	if (!s) {
		log_error("out of memory");
		return NULL;
	}
	s->cfg = *cfg;
	s->missed = calloc(cfg->events->cnt + 1, sizeof(*s->missed));
	if (!s->missed) {
		free(s);
		log_error("out of memory");
		return NULL;
	}
	s->watching = (struct watching){
		.targets = cfg->targets,
		.by_task = cfg->by_task,
		.cmd_pid = cfg->cmd_pid,
		.ring_sz = cfg->ring_sz,
	};
	s->warden = (struct warden)WARDEN_INIT;
	if (cfg->off_cpu && !feature__have(FEATURE_BTF)) {
		log_error("--off-cpu needs the kernel's BTF (/sys/kernel/btf/vmlinux), which this "
			  "kernel has not; use one that is built with CONFIG_DEBUG_INFO_BTF");
		goto fail;
	}
	if (watching__check(&s->watching))
		goto fail;
	instances__prepare();
	opts.btf_custom_path = kernel_btf__path();
	s->skel = stack_bpf__open_opts(&opts);
	if (!s->skel) {
		log_error("cannot open the BPF programs: %s", strerror(errno));
		goto fail;
	}
	if (!cfg->user)
		s->cfg.unwind = UNWIND_KERNEL;
	if (unwinder__configure(s->skel->obj, &s->cfg.unwind))
		goto fail;
	set_knobs(s);
	return s;
fail:
	stack_session__free(s);
	return NULL;
}

struct perf_sampling stack_session__sampling(const struct stack_config *cfg, const struct event *ev)
{
	struct perf_sampling how = cfg->sampling;

	if (how.freq_hz || how.period)
		return how;
	if (ev->kind == EVENT_TRACEPOINT)
		how.period = 1;
	else
		how.freq_hz = DEFAULT_FREQ_HZ;
	return how;
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

/* A program for each event, and what that of a tracepoint must know. */
static int load_instances(struct stack_session *s)
{
	size_t cnt = s->cfg.events->cnt;
	int err = 0;
	__u32 i;

	if (has_kind(s, false))
		err = instances__load(&s->samplers, s->skel->progs.take_stack, cnt);
	if (!err && has_kind(s, true))
		err = instances__load(&s->tracers, s->skel->progs.take_stack_tp, cnt);
	for (i = 0; i < cnt && !err; i++)
		if (s->cfg.events->events[i]->kind == EVENT_TRACEPOINT)
			err = describe_tracepoint(s, i);
	return err;
}

int stack_session__load(struct stack_session *s)
{
	int err = stack_bpf__load(s->skel);

	if (!err)
		err = load_instances(s);
	if (!err)
		err = watching__start_cpus(&s->watching, s->skel->obj);
	if (err)
		bpf_error__explain("load the BPF programs", err);
	return err;
}

/* The program runs from here on. 0 or -errno (said). */
static int start_sampling(struct stack_session *s, struct opened *o, int prog_fd, int ring_fd)
{
	int err;

	/* Should the ring be of another kind than expected, throttling is not told. */
	if (ring_fd >= 0 && ioctl(o->fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd))
		log_info("%s: throttling will not be seen: %s", o->event->name, strerror(errno));
	ioctl(o->fd, PERF_EVENT_IOC_ID, &o->id);
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
	s->ticking[s->opened_cnt++] = (struct ticking){
		.fd = o->fd,
		.cpu = cpu,
		.event = (uint32_t)i,
		.period_ns = ticks__period_ns(ev, &how),
	};
	return start_sampling(s, o, s->samplers.fds[i], ring_fd);
}

/* A tracepoint's program runs on all CPUs; in the program, those that are not watched do nothing. */
static int attach_tracepoints(struct stack_session *s)
{
	const struct event_list *events = s->cfg.events;
	struct warden_attachment *atts = calloc(events->cnt + 1, sizeof(*atts));
	size_t i, cnt = 0;
	int err;

	if (!atts) {
		log_error("out of memory");
		return -ENOMEM;
	}
	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->kind == EVENT_TRACEPOINT)
			atts[cnt++] = (struct warden_attachment){
				.tp_id = events->events[i]->fmt->id,
				.prog_fd = s->tracers.fds[i],
			};
	err = warden__start(&s->warden, atts, cnt, false, &s->skel->bss->active);
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
	/* The warden first: it must not inherit what is attached here. */
	int err = has_kind(s, true) ? attach_tracepoints(s) : 0;

	if (err)
		return err;
	err = watching__start_tasks(&s->watching, s->skel->obj);
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

const struct event *stack_session__event_of(const struct stack_session *s, uint64_t id)
{
	size_t i;

	for (i = 0; i < s->opened_cnt; i++)
		if (s->opened[i].id == id)
			return s->opened[i].event;
	return NULL;
}

/* Of an event's program, or behind them all that of sched_switch. */
static uint64_t missed_of(const struct stack_session *s, size_t i)
{
	if (i < s->cfg.events->cnt)
		return i < s->tracers.cnt ? prog_info__missed(s->tracers.fds[i]) : 0;
	return s->cfg.off_cpu ? prog_info__missed(bpf_program__fd(s->skel->progs.off_switch)) : 0;
}

/* Programs run, and are skipped, also while nothing is active. */
static void count_missed(struct stack_session *s)
{
	size_t i;

	for (i = 0; i <= s->cfg.events->cnt; i++)
		s->missed[i] = missed_of(s, i) - s->missed[i];
}

void stack_session__missed(const struct stack_session *s,
			   void (*each)(void *ctx, const struct event *ev, uint64_t cnt), void *ctx)
{
	size_t i;

	for (i = 0; i <= s->cfg.events->cnt; i++)
		if (s->missed[i])
			each(ctx, i < s->cfg.events->cnt ? s->cfg.events->events[i] : NULL,
			     s->missed[i]);
}

static void count_ticks(struct stack_session *s)
{
	struct ticks now;

	if (ticks__read(s->ticking, s->opened_cnt, bpf_map__fd(s->skel->maps.stack_counts), &now))
		return;
	s->ticks.all = now.all - s->ticks.all;
	s->ticks.seen = now.seen - s->ticks.seen;
	s->ticks.idle = now.idle - s->ticks.idle;
}

uint64_t stack_session__unseen(const struct stack_session *s, uint64_t *ticks)
{
	*ticks = s->ticks.all > s->ticks.idle ? s->ticks.all - s->ticks.idle : 0;
	return ticks__unseen(&s->ticks, s->ticking, s->opened_cnt);
}

void stack_session__activate(struct stack_session *s)
{
	count_missed(s);
	count_ticks(s);
	__atomic_store_n(&s->skel->bss->active, 1, __ATOMIC_RELEASE);
}

void stack_session__deactivate(struct stack_session *s)
{
	__atomic_store_n(&s->skel->bss->active, 0, __ATOMIC_RELEASE);
	count_ticks(s);
	count_missed(s);
	barrier__all_cpus();
}

int stack_session__away(const struct stack_session *s,
			int (*each)(void *ctx, uint32_t tid, const struct wire_away *away),
			void *ctx)
{
	int fd = bpf_map__fd(s->skel->maps.away), err = 0;
	struct wire_away away;
	__u32 tid, *at = NULL;

	while (s->cfg.off_cpu && !err && !bpf_map_get_next_key(fd, at, &tid)) {
		if (!bpf_map_lookup_elem(fd, &tid, &away))
			err = each(ctx, tid, &away);
		at = &tid;
	}
	return err;
}

uint64_t stack_session__away_refused(const struct stack_session *s)
{
	return s->skel->bss->away_refused;
}

void stack_session__free(struct stack_session *s)
{
	size_t i;

	if (!s)
		return;
	bpf_link__destroy(s->links[0]);
	bpf_link__destroy(s->links[1]);
	for (i = 0; i < s->opened_cnt; i++)
		close(s->opened[i].fd);
	free(s->opened);
	free(s->ticking);
	free(s->missed);
	instances__free(&s->samplers);
	instances__free(&s->tracers);
	warden__release(&s->warden);
	watching__stop(&s->watching);
	unwinder__stop(s->unwinder);
	if (s->skel)
		stack_bpf__destroy(s->skel);
	free(s);
}

int stack_session__rings_fd(const struct stack_session *s)
{
	return bpf_map__fd(s->skel->maps.rings);
}

int stack_session__flush_fd(const struct stack_session *s)
{
	return watching__flush_fd(s->skel->obj);
}

struct unwinder *stack_session__unwinder(const struct stack_session *s)
{
	return s->unwinder;
}

const struct cpus *stack_session__cpus(const struct stack_session *s)
{
	return &s->watching.cpus;
}
