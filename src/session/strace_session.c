// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The life of a strace session. */
#include "session/strace_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "strace.skel.h"

#include "bpf/wire.h"
#include "bpf/strace_wire.h"
#include "event/tracefs.h"
#include "kernel/bpf_error.h"
#include "kernel/features.h"
#include "kernel/kernel_btf.h"
#include "kernel/prog_info.h"
#include "session/detach_helper.h"
#include "session/emit_switch.h"
#include "session/preempt.h"
#include "session/prog_sync.h"
#include "session/strace_filter.h"
#include "session/task_filter.h"
#include "util/fs.h"
#include "util/log.h"

/* The programs that run at calls, in their two forms, and those of ends of threads. */
#define CLASSIC_CNT 4

struct strace_session {
	struct strace_config cfg;
	struct task_filter task_filter;
	struct strace_bpf *skel;
	struct detach_helper detach_helper;
	bool classic; /* raw programs can be preempted here */
	struct bpf_link *links[8];
	size_t link_cnt;
	struct unwinder *unwinder;
	uint64_t missed; /* before deactivate: the count at activate */
};

/* The kernel takes 20 ms to make room for all threads of a machine, where it must do so ahead. */
static void make_room(struct strace_session *s)
{
	struct strace_bpf *skel = s->skel;

	if (s->cfg.by_task) {
		bpf_map__set_max_entries(skel->maps.strace_threads, STRACE_TASK_THREADS);
		bpf_map__set_max_entries(skel->maps.strace_slots, STRACE_TASK_THREADS);
		bpf_map__set_max_entries(skel->maps.strace_owners, STRACE_TASK_THREADS);
		skel->rodata->strace_slot_mask = STRACE_TASK_THREADS - 1;
	}
	if (s->cfg.counts_only) {
		bpf_map__set_value_size(skel->maps.strace_threads, STRACE_COUNTED_SZ);
		bpf_map__set_value_size(skel->maps.strace_slots, STRACE_COUNTED_SZ);
	}
	if (feature__have(FEATURE_HASH_ALLOC)) {
		bpf_map__set_map_flags(skel->maps.strace_threads, BPF_F_NO_PREALLOC);
		bpf_map__set_map_flags(skel->maps.strace_owners, BPF_F_NO_PREALLOC);
	}
}

static void set_knobs(struct strace_session *s)
{
	struct strace_bpf *skel = s->skel;

	task_filter__set_knobs(&s->task_filter, skel);
	skel->rodata->batch_sz = task_filter__batch_sz(&s->task_filter);
	skel->rodata->count_calls = s->cfg.counts;
	skel->rodata->strace_counts_only = s->cfg.counts_only;
	skel->rodata->only_successful = s->cfg.only_successful;
	skel->rodata->only_failed = s->cfg.only_failed;
	skel->rodata->call_min_ns = s->cfg.min_ns;
	skel->rodata->describe_files = s->cfg.files;
	skel->rodata->has_budget = s->cfg.has_budget;
	if (s->cfg.filter) {
		skel->rodata->has_patch_point = true;
		skel->rodata->patch_needs = strace_filter__needs(s->cfg.filter);
	}
	if (s->cfg.user_stack) {
		skel->rodata->has_callstack = true;
		skel->rodata->stack_kern_sz = 0;
		skel->rodata->stack_user_sz = WIRE_USER_MAX * (__u32)sizeof(__u64);
		unwinder__set_knobs(skel->rodata, UNWIND_AUTO);
		bpf_map__set_max_entries(skel->maps.callstacks, WIRE_STACKS_MAX);
		bpf_map__set_max_entries(skel->maps.callstack_cpus, (__u32)cpus__possible());
	}
	make_room(s);
	task_filter__configure(&s->task_filter, skel->obj);
}

/* The programs that run at the entry and at the return of calls here. */
static struct bpf_program *enter_prog(const struct strace_session *s)
{
	return s->classic                    ? s->skel->progs.strace_classic_enter
	       : feature__have(FEATURE_LOOP) ? s->skel->progs.strace_enter
					     : s->skel->progs.strace_old_enter;
}

static struct bpf_program *exit_prog(const struct strace_session *s)
{
	return s->classic                    ? s->skel->progs.strace_classic_exit
	       : feature__have(FEATURE_LOOP) ? s->skel->progs.strace_exit
					     : s->skel->progs.strace_old_exit;
}

static struct bpf_program *task_exit_prog(const struct strace_session *s)
{
	return s->classic ? s->skel->progs.strace_classic_task_exit
			  : s->skel->progs.strace_task_exit;
}

static struct bpf_program *exec_prog(const struct strace_session *s)
{
	return s->classic ? s->skel->progs.strace_classic_exec : s->skel->progs.strace_exec;
}

static void choose_programs(struct strace_session *s)
{
	struct strace_bpf *skel = s->skel;
	bool signals = !s->cfg.counts_only && !s->cfg.no_signals;

	bpf_program__set_autoload(enter_prog(s), true);
	bpf_program__set_autoload(exit_prog(s), true);
	bpf_program__set_autoload(task_exit_prog(s), true);
	bpf_program__set_autoload(skel->progs.strace_probe, !s->classic);
	bpf_program__set_autoload(exec_prog(s), true);
	bpf_program__set_autoload(skel->progs.strace_deliver, signals);
	bpf_program__set_autoload(skel->progs.strace_generate, signals);
}

static int open_skel(struct strace_session *s)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = kernel_btf__path());
	enum unwind_mode unwind = s->cfg.user_stack ? UNWIND_AUTO : UNWIND_KERNEL;
	struct bpf_program *prog;
	int err;

	s->skel = strace_bpf__open_opts(&opts);
	err = kernel_btf__prepare(s->skel ? s->skel->obj : NULL);
	if (err)
		return err;
	bpf_object__for_each_program (prog, s->skel->obj)
		bpf_program__set_autoload(prog, false);
	choose_programs(s);
	err = unwinder__configure(s->skel->obj, &unwind, 0);
	if (err)
		return err;
	set_knobs(s);
	if (s->cfg.filter)
		err = strace_filter__put(s->cfg.filter, enter_prog(s));
	if (!err && s->cfg.filter)
		err = strace_filter__put(s->cfg.filter, exit_prog(s));
	return err;
}

struct strace_session *strace_session__open(const struct strace_config *cfg)
{
	struct strace_session *s = calloc(1, sizeof(*s));

	if (!s) {
		log_error("out of memory");
		return NULL;
	}
	s->cfg = *cfg;
	s->task_filter = (struct task_filter){
		.targets = cfg->targets,
		.by_task = cfg->by_task,
		.cmd_pid = cfg->cmd_pid,
		.ring_sz = cfg->ring_sz,
	};
	s->detach_helper = (struct detach_helper)WARDEN_INIT;
	if (!feature__have(FEATURE_BTF)) {
		log_error("strace needs the kernel's BTF (/sys/kernel/btf/vmlinux), which this "
			  "kernel lacks; use a kernel built with CONFIG_DEBUG_INFO_BTF");
		goto fail;
	}
	if (task_filter__check(&s->task_filter) || open_skel(s))
		goto fail;
	return s;
fail:
	strace_session__free(s);
	return NULL;
}

/* Writes the table of calls into its map. */
static int put_calls(struct strace_session *s)
{
	size_t sz = STRACE_ABIS * STRACE_CALLS * sizeof(struct strace_call);
	void *at = mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_SHARED,
			bpf_map__fd(s->skel->maps.strace_calls), 0);

	if (at == MAP_FAILED)
		return -errno;
	memcpy(at, s->cfg.calls, sz);
	munmap(at, sz);
	return 0;
}

static int load_once(struct strace_session *s)
{
	int err;

	s->unwinder = unwinder__new(s->skel->obj, s->cfg.user_stack ? UNWIND_AUTO : UNWIND_KERNEL,
				    0, s->cfg.cmd_path);
	if (!s->unwinder && errno)
		return -errno;
	err = strace_bpf__load(s->skel);
	return err ? err : bpf_error__check_mapped(s->skel->rodata, s->skel->bss);
}

/* Loads the programs that suit this kernel, which only a loaded program can find out. */
static int load_skel(struct strace_session *s)
{
	int err = load_once(s);

	if (err)
		return err;
	s->classic = preempt__found(s->skel->progs.strace_probe, &s->skel->bss->strace_probe_tid,
				    &s->skel->bss->strace_probe_found);
	if (!s->classic)
		return 0;
	unwinder__stop(s->unwinder);
	s->unwinder = NULL;
	strace_bpf__destroy(s->skel);
	err = open_skel(s);
	return err ? err : load_once(s);
}

int strace_session__load(struct strace_session *s)
{
	int err = load_skel(s);

	if (!err)
		err = put_calls(s);
	if (!err)
		err = task_filter__start_cpus(&s->task_filter, s->skel->obj);
	if (err) {
		bpf_error__explain("load the BPF programs", err);
		return err;
	}
	return 0;
}

static int attach_classic(struct strace_session *s)
{
	static const char *const events[CLASSIC_CNT] = {
		"raw_syscalls/sys_enter",
		"raw_syscalls/sys_exit",
		"sched/sched_process_exit",
		"sched/sched_process_exec",
	};
	struct bpf_program *const progs[CLASSIC_CNT] = {
		enter_prog(s),
		exit_prog(s),
		task_exit_prog(s),
		exec_prog(s),
	};
	struct detach_attachment atts[CLASSIC_CNT] = {};
	int err, i;

	for (i = 0; i < CLASSIC_CNT; i++) {
		char path[256];
		long id;

		snprintf(path, sizeof(path), "%s/events/%s/id", tracefs__dir(), events[i]);
		err = fs__read_long(path, &id);
		if (err) {
			log_error("cannot read %s: %s; mount tracefs", path, strerror(-err));
			return err;
		}
		atts[i].tp_id = (uint32_t)id;
		atts[i].prog_fd = bpf_program__fd(progs[i]);
	}
	err = detach_helper__start(&s->detach_helper, atts, CLASSIC_CNT, 0, &s->skel->bss->active);
	for (i = 0; i < CLASSIC_CNT && !err; i++)
		err = atts[i].err;
	return err;
}

static int attach_one(struct strace_session *s, const struct bpf_program *prog)
{
	struct bpf_link *link;

	if (!bpf_program__autoload(prog))
		return 0;
	link = kernel_btf__attach(prog);
	if (!link)
		return -errno;
	s->links[s->link_cnt++] = link;
	return 0;
}

static int attach_raw(struct strace_session *s)
{
	const struct bpf_program *const always[] = {
		s->skel->progs.strace_deliver,
		s->skel->progs.strace_generate,
	};
	/* The return is attached first: a call that began before has no entry. */
	const struct bpf_program *const calls[] = {
		task_exit_prog(s),
		exec_prog(s),
		exit_prog(s),
		enter_prog(s),
	};
	int err = 0, i;

	for (i = 0; i < 2 && !err; i++)
		err = attach_one(s, always[i]);
	for (i = 0; i < 4 && !err && !s->classic; i++)
		err = attach_one(s, calls[i]);
	return err;
}

int strace_session__attach(struct strace_session *s)
{
	/*
	 * The detach helper is started before the raw programs are attached: it must not inherit
	 * their links.
	 */
	int err = s->classic ? attach_classic(s) : 0;

	if (!err)
		err = task_filter__start_tasks(&s->task_filter, s->skel->obj);
	if (!err)
		err = unwinder__start(s->unwinder, s->skel->obj,
				      s->cfg.by_task ? s->cfg.targets : NULL);
	if (!err)
		err = attach_raw(s);
	if (err)
		bpf_error__explain("attach to the tracepoints of system calls", err);
	return err;
}

static uint64_t missed_now(const struct strace_session *s)
{
	return prog_info__missed(bpf_program__fd(enter_prog(s))) +
	       prog_info__missed(bpf_program__fd(exit_prog(s)));
}

uint64_t strace_session__activate(struct strace_session *s)
{
	unwinder__wait(s->unwinder);
	s->missed = missed_now(s);
	return emit_switch__on(&s->skel->bss->active);
}

uint64_t strace_session__deactivate(struct strace_session *s)
{
	uint64_t when = emit_switch__off(&s->skel->bss->active);

	s->missed = missed_now(s) - s->missed;
	prog_sync__all_cpus();
	return when;
}

void strace_session__free(struct strace_session *s)
{
	if (!s)
		return;
	while (s->link_cnt)
		bpf_link__destroy(s->links[--s->link_cnt]);
	task_filter__stop(&s->task_filter);
	unwinder__stop(s->unwinder);
	if (s->skel)
		strace_bpf__destroy(s->skel);
	detach_helper__release(&s->detach_helper);
	free(s);
}

/* Calls each() for the states of threads in a call, at those keys of keys_fd in states_fd. */
static int each_in_call(int keys_fd, int states_fd,
			int (*each)(void *ctx, const struct strace_thread *t), void *ctx)
{
	struct strace_thread t;
	__u32 key, *at = NULL;
	int err = 0;

	while (!err && !bpf_map_get_next_key(keys_fd, at, &key)) {
		if (!bpf_map_lookup_elem(states_fd, &key, &t) && t.enter_ns)
			err = each(ctx, &t);
		at = &key;
	}
	return err;
}

int strace_session__unfinished(const struct strace_session *s,
			       int (*each)(void *ctx, const struct strace_thread *t), void *ctx)
{
	const struct strace_bpf *skel = s->skel;
	int threads_fd = bpf_map__fd(skel->maps.strace_threads);
	int err = each_in_call(bpf_map__fd(skel->maps.strace_owners),
			       bpf_map__fd(skel->maps.strace_slots), each, ctx);

	return err ? err : each_in_call(threads_fd, threads_fd, each, ctx);
}

int strace_session__count(const struct strace_session *s, uint32_t call, struct strace_count *sum)
{
	struct strace_count *cells = calloc((size_t)cpus__possible(), sizeof(*cells));
	int err = 0, cpu;

	memset(sum, 0, sizeof(*sum));
	if (!cells)
		return -ENOMEM;
	if (bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.strace_counts), &call, cells))
		err = -errno;
	for (cpu = 0; cpu < cpus__possible() && !err; cpu++) {
		const struct strace_count *c = &cells[cpu];

		if (!c->calls)
			continue;
		if (!sum->calls || c->min_ns < sum->min_ns)
			sum->min_ns = c->min_ns;
		if (c->max_ns > sum->max_ns)
			sum->max_ns = c->max_ns;
		sum->calls += c->calls;
		sum->errors += c->errors;
		sum->ns += c->ns;
		sum->skipped += c->skipped;
	}
	free(cells);
	return err;
}

int strace_session__stop_call(const struct strace_session *s, uint32_t call)
{
	int fd = bpf_map__fd(s->skel->maps.strace_calls);
	struct strace_call desc;

	if (bpf_map_lookup_elem(fd, &call, &desc))
		return -errno;
	desc.flags |= STRACE_STOPPED;
	return bpf_map_update_elem(fd, &call, &desc, BPF_EXIST) ? -errno : 0;
}

uint64_t strace_session__missed(const struct strace_session *s)
{
	return s->missed;
}

uint64_t strace_session__refused(const struct strace_session *s)
{
	return s->skel->bss->threads_refused;
}

int strace_session__rings_fd(const struct strace_session *s)
{
	return bpf_map__fd(s->skel->maps.rings);
}

int strace_session__flush_fd(const struct strace_session *s)
{
	return task_filter__flush_fd(s->skel->obj);
}

int strace_session__helper_fd(const struct strace_session *s)
{
	return detach_helper__fd(&s->detach_helper);
}

const struct cpus *strace_session__cpus(const struct strace_session *s)
{
	return &s->task_filter.cpus;
}

struct unwinder *strace_session__unwinder(const struct strace_session *s)
{
	return s->unwinder;
}
