// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The life of a trace session: chooses the programs of events, sets their knobs, loads them. */
#include "session/trace_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "bpf/wire.h"
#include "bpf/span_wire.h"
#include "event/event_options.h"
#include "session/emit_switch.h"
#include "session/prog_sync.h"
#include "session/event_budget.h"
#include "session/hit_counts.h"
#include "kernel/bpf_error.h"
#include "perf/perf_counters.h"
#include "kernel/features.h"
#include "kernel/kernel_btf.h"
#include "session/preempt.h"
#include "session/raw_events.h"
#include "session/syscall_path.h"
#include "session/trace_counters.h"
#include "session/trace_session_priv.h"
#include "session/patch_programs.h"
#include "session/user_data.h"
#include "util/log.h"

/* Exceeds the number of programs in the skeleton. */
#define MAX_PROGS 128

/* Selects the hand-written program of the event, if there is one for its layout and this kernel. */
static bool select_raw(struct trace_session *s, const struct event *ev)
{
	bool is_syscall = syscall_path__serves(ev->fmt->sys);
	bool locked = is_syscall || raw_events__is_locked(ev->fmt);

	if (s->cfg.only_classic || !feature__have(FEATURE_BTF) || (s->only_locked && !locked))
		return false;
	if (!raw_events__select(s->skel, ev->fmt)) {
		if (raw_events__covers(ev->fmt->sys))
			log_info("%s: no program for the record that this kernel makes of it; its "
				 "classic tracepoint is used",
				 ev->name);
		return false;
	}
	s->syscall_cnt += is_syscall;
	s->unlocked_cnt += !locked;
	return true;
}

static void choose_paths(struct trace_session *s)
{
	size_t i;

	s->classic_cnt = s->syscall_cnt = s->unlocked_cnt = 0;
	for (i = 0; i < s->cfg.events->cnt; i++) {
		s->is_classic[i] = !s->cfg.events->events[i]->probe &&
				   !select_raw(s, s->cfg.events->events[i]);
		if (s->is_classic[i])
			s->classic[s->classic_cnt++] = s->cfg.events->events[i];
	}
	s->attached_cnt = s->cfg.events->cnt - s->classic_cnt;
	syscall_path__prepare(s->skel);
	user_data__prepare(s->skel);
	if (s->unlocked_cnt)
		bpf_program__set_autoload(s->skel->progs.probe_sys_enter, true);
}

/* Sets the knobs for a stack with each record. */
static void set_callstack(struct trace_session *s)
{
	const __u32 side_sz = TRACE_STACK_DEPTH * sizeof(__u64);
	struct trace_bpf *skel = s->skel;

	if (!s->cfg.kern_stack && !s->cfg.user_stack)
		return;
	skel->rodata->has_callstack = true;
	skel->rodata->separate_def_rings = s->cfg.separate_def_rings;
	skel->rodata->ext_sz += sizeof(__u64);
	skel->rodata->stack_kern_sz = s->cfg.kern_stack ? side_sz : 0;
	skel->rodata->stack_user_sz = !s->cfg.user_stack ? 0
				      : s->cfg.unwind == UNWIND_KERNEL
					      ? side_sz
					      : WIRE_USER_MAX * (__u32)sizeof(__u64);
	unwinder__set_knobs(skel->rodata, s->cfg.unwind);
	bpf_map__set_max_entries(skel->maps.callstacks, WIRE_STACKS_MAX);
	bpf_map__set_max_entries(skel->maps.callstack_cpus, (__u32)cpus__possible());
}

static int set_spans(struct trace_session *s)
{
	const struct span_config *spans = s->cfg.spans;
	struct trace_bpf *skel = s->skel;

	if (!spans)
		return 0;
	skel->rodata->count_spans = true;
	skel->rodata->span_words = spans->row_words;
	skel->rodata->span_match_words = spans->match_words;
	skel->rodata->span_hot_mask = span_maps__hot_mask(spans);
	skel->rodata->span_late = spans->late;
	skel->rodata->span_of_woken = spans->of_woken;
	if (spans->each) {
		skel->rodata->span_each = true;
		skel->rodata->span_min_ns = spans->min_ns;
		skel->rodata->ext_sz = sizeof(struct wire_span_ext);
	}
	skel->rodata->span_calls = spans->calls;
	skel->rodata->span_call_nr_at = spans->call_nr_at;
	skel->rodata->span_call_comm_at = spans->call_comm_at;
	skel->rodata->span_stay_pairs = spans->stay_pairs;
	bpf_program__set_autoload(skel->progs.span_thread_gone,
				  spans->stay_pairs && feature__have(FEATURE_BTF));
	return span_maps__configure(skel->obj, spans);
}

static void set_knobs(struct trace_session *s)
{
	struct trace_bpf *skel = s->skel;

	task_filter__set_knobs(&s->task_filter, skel);
	skel->rodata->batch_sz = task_filter__batch_sz(&s->task_filter);
	skel->rodata->has_attach_cookie = feature__have(FEATURE_ATTACH_COOKIE);
	skel->rodata->has_patch_point = s->cfg.patches != NULL && !s->cfg.spans;
	skel->rodata->patch_needs = s->cfg.patch_needs;
	skel->rodata->self_switches = s->cfg.self_switches;
	skel->rodata->has_trigger = s->cfg.has_trigger;
	raw_events__set_topology(skel);
	trace_attach__set_knobs(s);
	if (s->cfg.has_budget)
		bpf_map__set_max_entries(skel->maps.budgets, event_budget__elems(s->cfg.events));
	set_callstack(s);
	if (s->cfg.counters)
		trace_counters__configure(skel, s->cfg.counters, s->cfg.counters_by_task);

	task_filter__configure(&s->task_filter, skel->obj);
	if (s->classic_cnt)
		bpf_map__set_max_entries(skel->maps.tp_infos, (__u32)s->classic_cnt);
	/* Without cookies, instances.c loads the program once per event. */
	bpf_program__set_autoload(skel->progs.classic_tp, s->classic_cnt > 0);
}

/* A classic tracepoint's record has no process of the task that is woken. */
static int check_woken(const struct trace_session *s)
{
	size_t i;

	for (i = 0; s->cfg.spans && s->cfg.spans->of_woken && i < s->classic_cnt; i++) {
		if (strcmp(s->classic[i]->fmt->sys, "sched") != 0)
			continue;
		log_error("%s: no program for the record that this kernel makes of it, by which a "
			  "thread that is woken is known; omit runq",
			  s->classic[i]->name);
		return -EOPNOTSUPP;
	}
	return 0;
}

/* Puts generated code into the programs that need it. */
static int put_patches(struct trace_session *s)
{
	int err = trace_probes__configure(&s->probes, s->cfg.events, s->skel);
	const struct patch_set set = {
		.events = s->cfg.events,
		.is_classic = s->is_classic,
		.patches = s->cfg.patches,
		.starts = s->cfg.starts,
		.uprobes = s->probes.any ? &s->probes.code.extras : NULL,
		.kprobes = s->probes.any ? &s->probes.code.kernel_extras : NULL,
	};

	if (err)
		return err;
	patch_tables__free(&s->tables);
	return set.patches || set.uprobes ? patch_programs__put(s->skel, &set, &s->tables) : 0;
}

/* Are all hits of probes counted, with nothing else that would have to be known of them? */
static bool has_only_hits(const struct trace_config *cfg)
{
	bool any = false;
	size_t i;

	if (cfg->agg.mode != WIRE_AGG_ON || cfg->spans)
		return false;
	for (i = 0; i < cfg->events->cnt; i++) {
		if (!cfg->events->events[i]->probe)
			continue;
		if (!cfg->patches[i].is_shared)
			return false;
		any = true;
	}
	return any;
}

/* Opens the skeleton and sets all that must be set before load. Returns 0 or -errno (logged). */
static int open_skel(struct trace_session *s)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = kernel_btf__path());
	struct bpf_program *prog;
	int err;

	instances__prepare();
	s->skel = trace_bpf__open_opts(&opts);
	err = kernel_btf__prepare(s->skel ? s->skel->obj : NULL);
	if (err)
		return err;
	bpf_object__for_each_program (prog, s->skel->obj)
		bpf_program__set_autoload(prog, false);
	choose_paths(s);
	err = check_woken(s);
	if (err)
		return err;
	if (!s->cfg.user_stack)
		s->cfg.unwind = UNWIND_KERNEL;
	err = unwinder__configure(s->skel->obj, &s->cfg.unwind, s->cfg.omit);
	if (err)
		return err;
	set_knobs(s);
	if (!s->cfg.patches)
		return put_patches(s);
	s->skel->rodata->agg_mode = s->cfg.agg.mode;
	s->probes.only_hits = s->cfg.agg.only_hits = has_only_hits(&s->cfg);
	s->skel->rodata->hit_stride = hit_counts__stride(s->cfg.events->cnt);
	if ((s->cfg.agg.mode && !s->cfg.spans && agg_cells__configure(s->skel->obj, &s->cfg.agg)) ||
	    set_spans(s)) {
		log_error("cannot make room for aggregation: out of memory");
		return -ENOMEM;
	}
	return put_patches(s);
}

struct trace_session *trace_session__open(const struct trace_config *cfg)
{
	struct trace_session *s = calloc(1, sizeof(*s));

	if (!s)
		goto no_memory;
	s->cfg = *cfg;
	s->task_filter = (struct task_filter){
		.targets = cfg->targets,
		.by_task = cfg->by_task,
		.cmd_pid = cfg->cmd_pid,
		.ring_sz = cfg->ring_sz,
	};
	s->detach_helper = (struct detach_helper)WARDEN_INIT;
	event_options__warn_unused((const struct event *const *)cfg->events->events,
				   cfg->events->cnt);
	s->classic = calloc(cfg->events->cnt + 1, sizeof(*s->classic));
	/* A probe may have two. */
	s->atts = calloc(2 * cfg->events->cnt + SYSCALL_PATH_MAX, sizeof(*s->atts));
	s->missed = calloc(cfg->events->cnt + MAX_PROGS, sizeof(*s->missed));
	s->is_classic = calloc(cfg->events->cnt + 1, sizeof(*s->is_classic));
	if (!s->classic || !s->atts || !s->missed || !s->is_classic)
		goto no_memory;
	if (task_filter__check(&s->task_filter) || open_skel(s))
		goto fail;
	return s;
no_memory:
	log_error("out of memory");
fail:
	trace_session__free(s);
	return NULL;
}

static int load_once(struct trace_session *s)
{
	int err;

	s->unwinder = unwinder__new(s->skel->obj, s->cfg.unwind, s->cfg.omit, s->cfg.cmd_path);
	if (!s->unwinder && errno)
		return -errno;
	err = trace_bpf__load(s->skel);
	return err ? err : bpf_error__check_mapped(s->skel->rodata, s->skel->bss);
}

static bool is_preemptible(struct trace_bpf *skel)
{
	return preempt__found(skel->progs.probe_sys_enter, &skel->bss->probe_tid,
			      &skel->bss->probe_found_preemptible);
}

/* Loads the programs that suit this kernel, which only a loaded program can find out. */
static int load_skel(struct trace_session *s, bool *preemptible)
{
	int err = load_once(s);

	if (err)
		return err;
	*preemptible = is_preemptible(s->skel);
	if (!*preemptible || !s->unlocked_cnt)
		return 0;
	s->only_locked = true;
	unwinder__stop(s->unwinder);
	s->unwinder = NULL;
	trace_bpf__destroy(s->skel);
	err = open_skel(s);
	if (!err)
		err = load_once(s);
	if (!err)
		is_preemptible(s->skel);
	return err;
}

int trace_session__load(struct trace_session *s)
{
	bool preemptible = false;
	int err = load_skel(s, &preemptible);

	if (!err)
		err = trace_attach__prepare(s);
	if (!err)
		err = trace_probes__prepare(&s->probes, s->cfg.events, s->skel);
	if (!err)
		err = trace_attach__place_syscalls(s, preemptible);
	if (!err)
		err = task_filter__start_cpus(&s->task_filter, s->skel->obj);
	if (err) {
		bpf_error__explain("load the BPF programs", err);
		return err;
	}
	if (!s->cfg.counters)
		return 0;
	s->counters = trace_counters__open(s->skel, s->cfg.counters);
	return s->counters ? 0 : -errno;
}

/* Programs also run, and are skipped, while the session is inactive. */
uint64_t trace_session__activate(struct trace_session *s)
{
	unwinder__wait(s->unwinder);
	trace_missed__begin(s);
	return emit_switch__on(&s->skel->bss->active);
}

uint64_t trace_session__deactivate(struct trace_session *s)
{
	uint64_t when = emit_switch__off(&s->skel->bss->active);

	trace_missed__end(s);
	tp_witness__end(&s->witness);
	prog_sync__all_cpus();
	return when;
}

int trace_session__helper_fd(const struct trace_session *s)
{
	return detach_helper__fd(&s->detach_helper);
}

void trace_session__free(struct trace_session *s)
{
	if (!s)
		return;
	task_filter__stop(&s->task_filter);
	trace_probes__free(&s->probes);
	bpf_link__destroy(s->user_data);
	unwinder__stop(s->unwinder);
	if (s->skel)
		trace_bpf__destroy(s->skel);
	instances__free(&s->instances);
	perf_counters__free(s->counters);
	tp_witness__free(&s->witness);
	detach_helper__release(&s->detach_helper);
	patch_tables__free(&s->tables);
	free(s->is_classic);
	free(s->classic);
	free(s->atts);
	free(s->missed);
	free(s);
}

int trace_session__rings_fd(const struct trace_session *s)
{
	return bpf_map__fd(s->skel->maps.rings);
}

int trace_session__defs_fd(const struct trace_session *s)
{
	return s->cfg.separate_def_rings ? bpf_map__fd(s->skel->maps.defs) : -1;
}

int trace_session__flush_fd(const struct trace_session *s)
{
	return task_filter__flush_fd(s->skel->obj);
}

int trace_session__alarms_fd(const struct trace_session *s)
{
	return s->cfg.has_trigger ? bpf_map__fd(s->skel->maps.alarms) : -1;
}

uint64_t trace_session__triggered(const struct trace_session *s)
{
	return s->skel->bss->trigger_cnt;
}

uint64_t trace_session__untraced_switches(const struct trace_session *s)
{
	return s->skel->bss->switches_untraced;
}

uint64_t *trace_session__alarm_raised(const struct trace_session *s)
{
	return (uint64_t *)&s->skel->bss->alarm_raised;
}

const struct cpus *trace_session__cpus(const struct trace_session *s)
{
	return &s->task_filter.cpus;
}

struct unwinder *trace_session__unwinder(const struct trace_session *s)
{
	return s->unwinder;
}

struct perf_counters *trace_session__counters(const struct trace_session *s)
{
	return s->counters;
}

uint32_t trace_session__ext_sz(const struct trace_session *s)
{
	return s->skel->rodata->ext_sz;
}

void trace_session__counts(const struct trace_session *s, size_t *attached, size_t *classic)
{
	*attached = s->attached_cnt;
	*classic = s->classic_cnt;
}

int trace_session__stop_event(struct trace_session *s, uint16_t id)
{
	return event_budget__set(bpf_map__fd(s->skel->maps.budgets), id);
}

void trace_session__count_events(struct trace_session *s, bool on)
{
	__atomic_store_n(&s->skel->bss->has_budgets, on, __ATOMIC_RELEASE);
}

uint64_t trace_session__made(const struct trace_session *s, uint16_t id)
{
	return event_budget__made(bpf_map__fd(s->skel->maps.budgets), id);
}

uint64_t trace_session__skipped(const struct trace_session *s, uint16_t id)
{
	return event_budget__skipped(bpf_map__fd(s->skel->maps.budgets), id);
}

int trace_session__aggregates(const struct trace_session *s,
			      int (*fn)(void *ctx, const uint64_t *key, uint64_t cnt, int64_t sum),
			      void *ctx)
{
	return agg_cells__read(s->skel->obj, &s->cfg.agg, fn, ctx);
}

uint64_t trace_session__not_counted(const struct trace_session *s)
{
	uint64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < s->task_filter.cpus.cnt; cpu++)
		sum += s->task_filter.cpus.at[cpu].not_counted;
	return sum;
}

uint64_t trace_session__no_value(const struct trace_session *s)
{
	uint64_t sum = 0;
	int cpu, level;

	for (cpu = 0; cpu < s->task_filter.cpus.cnt; cpu++)
		for (level = 0; level < WIRE_LEVELS; level++)
			sum += s->task_filter.cpus.at[cpu].env[level].no_value;
	return sum;
}
