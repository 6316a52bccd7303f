// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/sampler_open.h"

#include <errno.h>
#include <stdlib.h>

#include "run/sampler_priv.h"
#include "run/sampler.h"
#include "run/unwind_report.h"
#include "machine/machine.h"
#include "event/event.h"
#include "session/stack_session.h"
#include "sink/sink.h"
#include "sym/sym.h"
#include "util/log.h"

/* Symbol tables of a run that does not end: all of bpfperf is to stay below 60 MiB. */
#define ENDLESS_MEM_MAX (16u << 20)

/* Half a second at 1000 Hz of the deepest stacks. */
#define TIMED_RING_SZ (1u << 20)

/*
 * Samples alone show processes: a perf.data has them all, and a thread's waker may be of any
 * process.
 */
static bool only_samples(const struct sampler_config *o)
{
	return !o->off_cpu && !(o->ops && o->ops->only_addresses);
}

int sampler_open__decoder(struct sampler *st)
{
	const struct sym_options options = {
		.inlines = !st->cfg->no_inline,
		.lines = st->cfg->ops && st->cfg->ops->wants_lines,
		.raw_names = st->cfg->no_demangle,
		.mem_max = st->cfg->export.every_ns ? ENDLESS_MEM_MAX : 0,
	};

	st->run.machine = machine__new(&options);
	if (!st->run.machine) {
		log_error("out of memory");
		return -ENOMEM;
	}
	if (only_samples(st->cfg))
		machine__skip_brief(st->run.machine);
	return off_cpu__init(&st->off_cpu, st->run.machine, st->max_depth);
}

/* The kernel reports throttling on the rings of process records. */
static int attach(struct sampler *st, const int *cpus, size_t cpu_cnt)
{
	int *ring_fds = calloc(cpu_cnt + 1, sizeof(*ring_fds)), err;
	size_t i;

	if (!ring_fds)
		return -ENOMEM;
	for (i = 0; i < cpu_cnt; i++)
		ring_fds[i] = live_source__task_fd(st->run.src, (uint32_t)cpus[i]);
	err = stack_session__attach(st->session, cpus, ring_fds, cpu_cnt);
	st->run.helper_fd = stack_session__helper_fd(st->session);
	free(ring_fds);
	return err;
}

/* Clock samples are few; the number of samples by count is unknown. */
static size_t ring_sz(const struct sampler *st)
{
	const struct sampler_config *o = st->cfg;
	bool timed = !o->off_cpu && !o->period;
	size_t i;

	for (i = 0; i < o->events.cnt; i++)
		timed &= o->events.events[i]->kind != EVENT_TRACEPOINT;
	return o->ring_sz ? o->ring_sz : timed ? TIMED_RING_SZ : 0;
}

/* Returns whether CMD is sampled, or only limits the duration. */
static bool samples_cmd(const struct sampler *st)
{
	return st->run.workload.pid && !st->cfg->cmd_is_timer;
}

static struct stack_config session_config(const struct sampler *st)
{
	const struct sampler_config *o = st->cfg;
	bool by_task = targets__by_task(o->targets, samples_cmd(st));

	return (struct stack_config){
		.events = &o->events,
		.default_hz = o->default_hz,
		.sampling = { o->freq_hz, o->period },
		.targets = o->targets,
		.by_task = by_task,
		/* With all tasks CMD is excluded before its exec; with others it is no target. */
		.cmd_pid = !by_task || samples_cmd(st) ? st->run.workload.pid : 0,
		.cmd_path = samples_cmd(st) ? st->run.workload.path : NULL,
		.ring_sz = ring_sz(st),
		.kernel = o->kernel,
		.user = o->user,
		.max_depth = st->max_depth,
		.user_depth = (uint32_t)o->user_depth,
		.unwind = o->unwind,
		.omit = interp_modes__omitted(&o->interp),
		.off_cpu = o->off_cpu,
		.wakers = o->wakers,
		.facts = o->facts,
		.latency = o->latency,
		.off_min_ns = o->min_us * 1000,
		.off_max_ns = o->max_us * 1000,
	};
}

/* The unwinder was started by attaching. */
static void subscribe_unwinder(struct sampler *st)
{
	st->run.unwinder = stack_session__unwinder(st->session);
	unwind_report__subscribe(st->run.unwinder, st->run.machine, &st->to_unwinder);
}

static int open_rings(struct sampler *st)
{
	struct live_config live = {
		.ring_sz = ring_sz(st),
		.want_mmap = true,
		.task_read = machine__on_read,
		.data_read = machine__on_sample_read,
		.read_ctx = st->run.machine,
		.define = st->cfg->off_cpu ? callstacks__define : NULL,
		.define_ctx = &st->off_cpu.callstacks,
	};

	return live_run__open_rings(&st->run, &live, stack_session__rings_fd(st->session),
				    stack_session__flush_fd(st->session),
				    stack_session__cpus(st->session));
}

int sampler_open__session(struct sampler *st)
{
	const struct targets *targets = st->cfg->targets;
	struct stack_config cfg = session_config(st);
	int *cpus = NULL, err;
	size_t cpu_cnt;

	st->run.feed.only_targets = cfg.by_task;
	st->session = stack_session__open(&cfg);
	if (!st->session)
		return -EINVAL;
	err = stack_session__load(st->session);
	if (!err)
		err = targets__resolve_cpus(targets, &cpus, &cpu_cnt);
	if (!err)
		err = open_rings(st);
	if (!err)
		err = attach(st, cpus, cpu_cnt);
	if (!err)
		cpu_watch__open(&st->watch, cpus, cpu_cnt);
	free(cpus);
	if (err)
		return err;
	subscribe_unwinder(st);
	st->off_cpu.before.by_fp = cfg.unwind == UNWIND_KERNEL;
	if (cfg.user)
		st->off_cpu.before.user_depth =
			cfg.unwind == UNWIND_KERNEL ? cfg.max_depth : cfg.user_depth;
	/* Threads of -t: the maps of their processes are read at their first sample. */
	machine__add_maps(st->run.machine, cfg.by_task, targets->pids, targets->pid_cnt);
	/*
	 * With CMD alone the first record is its exec, which contains its name; but tasks that wake
	 * its threads, or have their CPU, may be any.
	 */
	if (!cfg.by_task || targets->pid_cnt || targets->tid_cnt || cfg.facts)
		machine__add_names(st->run.machine);
	return 0;
}
