// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The life of a stack session, and the knobs of its programs. */
#include "session/stack_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "stack.skel.h"

#include "bpf/wire.h"
#include "session/emit_switch.h"
#include "session/prog_sync.h"
#include "kernel/bpf_error.h"
#include "kernel/features.h"
#include "kernel/kernel_btf.h"
#include "session/stack_session_priv.h"
#include "util/log.h"

_Static_assert(STACK_MAX_DEPTH == WIRE_STACK_MAX, "both sides agree on the depth");

#define DEFAULT_FREQ_HZ 99
/* Maximum number of threads off the CPU at once: 5 MiB of kernel memory. */
#define AWAY_MAX 32768

/* Rate above which batching samples pays. */
#define SLOW_FREQ_HZ 1000

/*
 * Are samples so rare that each is sent at once? To send a batch by age, the reader waits for an
 * interrupt of that CPU, which costs more than sending all of its samples.
 */
static bool is_slow(const struct stack_session *s)
{
	struct perf_sampling how = s->cfg.sampling;

	return !s->cfg.off_cpu && !stack_attach__has_kind(s, STACK_TRACEPOINT) &&
	       !stack_attach__has_kind(s, STACK_PROBE) && !how.period &&
	       (how.freq_hz ?: s->cfg.default_hz) <= SLOW_FREQ_HZ;
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

	task_filter__set_knobs(&s->task_filter, skel);
	skel->rodata->batch_sz = is_slow(s) ? 1 : task_filter__batch_sz(&s->task_filter);
	skel->rodata->stack_kern_sz = s->cfg.kernel ? sz : 0;
	skel->rodata->stack_user_sz = s->cfg.user ? user_sz(s) : 0;
	unwinder__set_knobs(skel->rodata, s->cfg.unwind);
	if (s->cfg.events->cnt) {
		bpf_map__set_max_entries(skel->maps.stack_events, (__u32)s->cfg.events->cnt);
		bpf_map__set_max_entries(skel->maps.stack_counts, (__u32)s->cfg.events->cnt);
	}
	bpf_program__set_autoload(skel->progs.running_switch, s->cfg.latency);
	skel->rodata->weigh_latency = s->cfg.latency;
	skel->rodata->running_words = ((__u32)cpus__possible() + 7) / 8;
	bpf_program__set_autoload(skel->progs.off_switch, s->cfg.off_cpu);
	bpf_program__set_autoload(skel->progs.off_waking, s->cfg.off_cpu);
	bpf_program__set_autoload(skel->progs.why_irq_entry, s->cfg.facts);
	bpf_program__set_autoload(skel->progs.why_irq_exit, s->cfg.facts);
	bpf_program__set_autoload(skel->progs.why_softirq_entry, s->cfg.facts);
	bpf_program__set_autoload(skel->progs.why_softirq_exit, s->cfg.facts);
	stack_before__set_knobs(s);
	if (s->cfg.off_cpu) {
		skel->rodata->off_min_ns = s->cfg.off_min_ns;
		skel->rodata->off_max_ns = s->cfg.off_max_ns;
		skel->rodata->off_wakers = s->cfg.wakers;
		skel->rodata->why_facts = s->cfg.facts;
		if (s->cfg.facts)
			bpf_map__set_max_entries(skel->maps.why_left, AWAY_MAX);
		bpf_map__set_max_entries(skel->maps.away, AWAY_MAX);
		bpf_map__set_max_entries(skel->maps.callstacks, WIRE_STACKS_MAX);
		bpf_map__set_max_entries(skel->maps.callstack_cpus, (__u32)cpus__possible());
	}
	bpf_program__set_autoload(skel->progs.take_stack, stack_attach__has_kind(s, STACK_SAMPLED));
	bpf_program__set_autoload(skel->progs.take_stack_tp,
				  stack_attach__has_kind(s, STACK_TRACEPOINT));
	task_filter__configure(&s->task_filter, skel->obj);
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
	s->task_filter = (struct task_filter){
		.targets = cfg->targets,
		.by_task = cfg->by_task,
		.cmd_pid = cfg->cmd_pid,
		.ring_sz = cfg->ring_sz,
	};
	s->detach_helper = (struct detach_helper)WARDEN_INIT;
	if ((cfg->off_cpu || cfg->latency) && !feature__have(FEATURE_BTF)) {
		log_error("%s needs the kernel's BTF (/sys/kernel/btf/vmlinux), which this kernel "
			  "lacks; use a kernel built with CONFIG_DEBUG_INFO_BTF",
			  cfg->latency ? "--latency"
			  : cfg->facts ? "why"
				       : "--off-cpu");
		goto fail;
	}
	if (task_filter__check(&s->task_filter))
		goto fail;
	instances__prepare();
	opts.btf_custom_path = kernel_btf__path();
	s->skel = stack_bpf__open_opts(&opts);
	if (kernel_btf__prepare(s->skel ? s->skel->obj : NULL))
		goto fail;
	if (!cfg->user)
		s->cfg.unwind = UNWIND_KERNEL;
	if (unwinder__configure(s->skel->obj, &s->cfg.unwind, s->cfg.omit))
		goto fail;
	set_knobs(s);
	if (stack_probes__configure(&s->probes, cfg->events, s->skel))
		goto fail;
	return s;
fail:
	stack_session__free(s);
	return NULL;
}

struct perf_sampling stack_session__sampling(const struct stack_config *cfg, const struct event *ev)
{
	struct perf_sampling how = cfg->sampling;

	if (ev->sampling.freq_hz || ev->sampling.period)
		return (struct perf_sampling){ .freq_hz = ev->sampling.freq_hz,
					       .period = ev->sampling.period };
	if (how.freq_hz || how.period)
		return how;
	if (event__takes_each(ev))
		how.period = 1;
	else
		how.freq_hz = cfg->default_hz ?: DEFAULT_FREQ_HZ;
	return how;
}

int stack_session__load(struct stack_session *s)
{
	int err;

	s->unwinder = unwinder__new(s->skel->obj, s->cfg.unwind, s->cfg.omit, s->cfg.cmd_path);
	err = s->unwinder ? 0 : -errno;
	if (!err)
		err = stack_bpf__load(s->skel);
	if (!err)
		err = bpf_error__check_mapped(s->skel->rodata, s->skel->bss);
	if (!err)
		err = stack_attach__prepare(s);
	if (!err)
		err = task_filter__start_cpus(&s->task_filter, s->skel->obj);
	if (err)
		bpf_error__explain("load the BPF programs", err);
	return err;
}

uint64_t stack_session__activate(struct stack_session *s)
{
	unwinder__wait(s->unwinder);
	stack_missed__begin(s);
	return emit_switch__on(&s->skel->bss->active);
}

uint64_t stack_session__deactivate(struct stack_session *s)
{
	uint64_t when;

	stack_before__end(s);
	when = emit_switch__off(&s->skel->bss->active);
	stack_missed__end(s);
	prog_sync__all_cpus();
	return when;
}

int stack_session__away(const struct stack_session *s,
			int (*each)(void *ctx, uint32_t tid, const struct wire_offcpu_entry *away),
			void *ctx)
{
	int fd = bpf_map__fd(s->skel->maps.away), err = 0;
	struct wire_offcpu_entry away;
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

int stack_session__helper_fd(const struct stack_session *s)
{
	return detach_helper__fd(&s->detach_helper);
}

void stack_session__free(struct stack_session *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < STACK_LINKS; i++)
		bpf_link__destroy(s->links[i]);
	evset__free(&s->set);
	free(s->period_ns);
	free(s->missed);
	instances__free(&s->samplers);
	instances__free(&s->tracers);
	stack_probes__free(&s->probes);
	detach_helper__release(&s->detach_helper);
	task_filter__stop(&s->task_filter);
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
	return task_filter__flush_fd(s->skel->obj);
}

struct unwinder *stack_session__unwinder(const struct stack_session *s)
{
	return s->unwinder;
}

const struct cpus *stack_session__cpus(const struct stack_session *s)
{
	return &s->task_filter.cpus;
}
