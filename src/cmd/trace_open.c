// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/trace_open.h"

#include <errno.h>
#include <string.h>

#include "cmd/trace_cmd.h"
#include "cmd/trace_opts.h"
#include "run/unwind_report.h"
#include "machine/machine.h"
#include "session/trace_session.h"
#include "sink/sink.h"
#include "util/log.h"

int trace_open__decoder(struct trace *t)
{
	t->run.machine = machine__new(NULL);
	if (!t->run.machine ||
	    trace_decoder__init(&t->decoder, &t->opts->events, t->run.machine->tasks)) {
		log_error("out of memory");
		return -ENOMEM;
	}
	if (presenter__init(&t->presenter, t->run.machine->sym)) {
		log_error("out of memory");
		return -ENOMEM;
	}
	callstacks__init(&t->callstacks, t->run.machine, TRACE_STACK_DEPTH);
	agg_stacks__init(&t->agg_stacks, t->run.machine);
	if (trace_opts__callstacks(t->opts))
		t->decoder.stacks = &t->callstacks.stacks;
	if (sample_counters__init(&t->counters, &t->opts->counters)) {
		log_error("out of memory");
		return -ENOMEM;
	}
	if (t->opts->counters.events.cnt)
		t->decoder.counters = &t->counters.values;
	t->decoder.period = t->opts->agg.period;
	return 0;
}

/* Does the user's filter drop switches, so that the running tasks are not all known? */
static bool is_filtered_switch(const struct event *ev)
{
	return ev->filter && strcmp(ev->name, "sched:sched_switch") == 0;
}

int trace_open__output(struct trace *t, const struct sink_ops *ops, bool has_cmd)
{
	struct sink_config cfg = {
		.time = t->opts->time,
		.sym = t->run.machine->sym,
		.events = &t->opts->events,
		.header = t->opts->header,
		.callstacks = trace_opts__callstacks(t->opts),
		.counters = t->opts->counters.events.cnt ? &t->opts->counters.events : NULL,
	};
	int err;

	t->recording = (struct perf_data_config){
		.extra.kind = PERF_DATA_EXTRA,
		.zstd_level = t->opts->common.zstd_level,
	};
	t->perfetto = (struct perfetto_config){
		.extra = { PERFETTO_EXTRA, &t->recording.extra },
		.tasks_filtered = targets__is_filtered(&t->opts->common.targets, has_cmd) ||
				  event_list__any(&t->opts->events, is_filtered_switch) ||
				  t->opts->agg.period > 1,
		.cpus_filtered = t->opts->common.targets.cpus != NULL,
		.thinned = t->opts->agg.period > 1,
	};
	cfg.extras = &t->perfetto.extra;
	err = sink__open_out(ops, &t->run.out, t->opts->common.output);
	if (err)
		return err;
	t->run.sink = sink__new(ops, &t->run.out, &cfg);
	return t->run.sink ? 0 : -ENOMEM;
}

static struct trace_config session_config(const struct trace *t)
{
	const struct trace_opts *o = t->opts;
	bool has_counters = o->counters.events.cnt;

	return (struct trace_config){
		.events = t->events,
		.targets = &o->common.targets,
		.by_task = targets__by_task(&o->common.targets, t->run.workload.pid != 0),
		.cmd_pid = t->run.workload.pid,
		.cmd_path = t->run.workload.pid ? t->run.workload.path : NULL,
		.ring_sz = o->common.ring_sz,
		.kern_stack = o->callstack.kernel,
		.user_stack = o->callstack.user,
		.unwind = o->callstack.unwind,
		.omit = interp_modes__omitted(&o->callstack.interp),
		.separate_def_rings = o->overwrite && trace_opts__callstacks(o),
		.self_switches = t->run.sink->ops->all_switches,
		.has_trigger = o->triggers.cnt > 0,
		.has_budget = o->budget != 0,
		.patches = t->code.patches,
		.patch_needs = t->code.needs,
		.agg = t->code.agg,
		.counters = has_counters ? &o->counters.events : NULL,
		.counters_by_task = o->counters.by == COUNTERS_BY_TASK,
	};
}

static bool has_stacks(const struct trace *t)
{
	return trace_opts__callstacks(t->opts) || trace__by_stack(t);
}

/*
 * Subscribes the receivers of process events other than the sink; attaching has started the
 * unwinder.
 */
static void subscribe(struct trace *t)
{
	if (trace__by_stack(t))
		agg_stacks__subscribe(&t->agg_stacks, t->run.machine);
	if (t->decoder.counters)
		counter_values__subscribe(&t->counters.values, t->run.machine);
	t->run.unwinder = trace_session__unwinder(t->session);
	unwind_report__subscribe(t->run.unwinder, t->run.machine, &t->to_unwinder);
}

static int open_rings(struct trace *t)
{
	bool by_stack = trace__by_stack(t);
	struct live_config live = {
		.ring_sz = t->opts->common.ring_sz,
		.want_mmap = has_stacks(t),
		.overwrite = t->opts->overwrite,
		.task_read = machine__on_read,
		.read_ctx = t->run.machine,
		.define = by_stack ? agg_stacks__define : callstacks__define,
		.define_ctx = by_stack ? (void *)&t->agg_stacks : &t->callstacks,
		.defs_fd = trace_session__defs_fd(t->session),
	};
	int err = live_run__open_rings(&t->run, &live, trace_session__rings_fd(t->session),
				       trace_session__flush_fd(t->session),
				       trace_session__cpus(t->session));

	t->recorder.src = t->run.src;
	if (!err && t->opts->overwrite)
		err = flight_recorder__open(&t->recorder, trace_session__alarms_fd(t->session),
					    trace_session__alarm_raised(t->session));
	return err;
}

int trace_open__session(struct trace *t)
{
	struct trace_config cfg = session_config(t);
	int err;

	t->session = trace_session__open(&cfg);
	if (!t->session)
		return -EINVAL;
	err = trace_session__load(t->session);
	if (err)
		return err;
	t->decoder.ext_sz = trace_session__ext_sz(t->session);
	err = open_rings(t);
	if (err)
		return err;
	/* Threads of -t: the maps of their processes are read at their first sample. */
	if (has_stacks(t))
		machine__add_maps(t->run.machine, cfg.by_task, cfg.targets->pids,
				  cfg.targets->pid_cnt);
	err = budget__init(&t->budget, t->opts->budget, &t->opts->events, t->session);
	if (err)
		return err;
	err = trace_session__attach(t->session);
	if (err)
		return err;
	t->run.helper_fd = trace_session__helper_fd(t->session);
	subscribe(t);
	return 0;
}
