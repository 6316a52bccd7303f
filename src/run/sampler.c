// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/sampler.h"

#include <errno.h>

#include "run/sampler_priv.h"
#include "run/sampler_open.h"
#include "run/sampler_output.h"
#include "run/split_report.h"
#include "decode/stack_record.h"
#include "machine/machine.h"
#include "event/event.h"
#include "kernel/capabilities.h"
#include "session/stack_session.h"
#include "sink/sink.h"
#include "sink/top.h"
#include "sym/sym.h"
#include "util/log.h"
#include "util/mono.h"

/*
 * No sample is shown before the end, and each drain of the rings costs more than its samples; but
 * files are opened while the processes that mapped them may still exist.
 */
#define DRAIN_MS 100
/*
 * In a run that does not end, cost counts more: a ring of process records wakes the reader
 * when a quarter of it is used.
 */
#define ENDLESS_DRAIN_MS 500
#define ENDLESS_NS 5000000000ull

/* A tracepoint's stack begins in its caller. */
static void skip_tracing(struct sampler *st, struct callchain *chain)
{
	uint16_t cnt = callstacks__tracing_frames(st->run.machine->sym, chain);

	chain->kern += cnt;
	chain->kern_cnt -= cnt;
}

static int sampler__on_record(void *ctx, const struct record *rec)
{
	struct sampler *st = ctx;
	uint32_t event;
	struct sample s;
	int err;

	if (rec->kind == RECORD_PROC)
		return machine__process(st->run.machine, rec);
	if (rec->kind == RECORD_LOST)
		return losses__lost_record(st->run.sink, rec);
	if (rec->wire->kind == WIRE_OFF)
		return off_cpu__record(&st->off_cpu, rec->wire, rec->cpu);
	if (!stack_record__sample(rec->wire, rec->cpu, st->max_depth, st->run.machine->tasks, &s))
		return 0;
	event = stack_record__event(rec->wire);
	if (event >= st->cfg->events.cnt)
		return 0;
	s.event = st->cfg->events.events[event];
	if (s.event->kind == EVENT_TRACEPOINT)
		skip_tracing(st, &s.chain);
	err = code_maps__sample(&st->run.code_maps, st->run.sink, st->run.machine->sym, &s);
	if (!err)
		st->run.losses.shown++;
	return err;
}

static void log_symbols(const struct sym *sym)
{
	struct sym_stats stats;

	sym__stats(sym, &stats);
	log_info("symbol tables: %zu KiB in memory, %llu were dropped to keep to the limit",
		 stats.mem_sz >> 10, (unsigned long long)stats.evicted);
}

static int sampler__on_begin(void *ctx)
{
	struct sampler *st = ctx;

	/* Files of intervals are created in directories of any user. */
	if (st->cfg->export.every_ns && !st->cfg->export.url)
		st->run.loop.needs = CAPABILITY_WRITE_FILES;
	if (exporter__fd(&st->exporter) >= 0)
		loop__add_fd(&st->run.loop, exporter__fd(&st->exporter), exporter__on_report,
			     &st->exporter);
	if (st->exporter.metrics.fd >= 0)
		loop__add_fd(&st->run.loop, st->exporter.metrics.fd, metrics__serve,
			     &st->exporter.metrics);
	if (!st->cfg->top)
		return 0;
	if (st->cfg->off_cpu) {
		st->off_live = (struct off_cpu_live){ .off = &st->off_cpu,
						      .session = st->session,
						      .top = top__of(st->run.sink),
						      .now.by_tid = U64MAP_INIT,
						      .before.by_tid = U64MAP_INIT };
		st->off_cpu.live = &st->off_live;
		st->top.live = &st->off_live;
	}
	return top_keys__begin(&st->top, st->run.sink, &st->run.loop);
}

static uint64_t sampler__on_activate(void *ctx)
{
	struct sampler *st = ctx;
	uint64_t when = stack_session__activate(st->session);

	st->begin_err = st->cfg->off_cpu ? off_cpu__begin(&st->off_cpu, st->session, when) : 0;
	if (st->cfg->log_output)
		log_info("recording into %s", st->cfg->output);
	return when;
}

static uint64_t sampler__on_deactivate(void *ctx)
{
	struct sampler *st = ctx;
	uint64_t when = stack_session__deactivate(st->session);

	if (!st->cfg->quiet)
		cpu_watch__report(&st->watch);
	return when;
}

static int sampler__on_stopped(void *ctx)
{
	top_keys__end(&((struct sampler *)ctx)->top);
	return 0;
}

static void sampler__on_missed(void *ctx)
{
	struct sampler *st = ctx;

	stack_session__missed(st->session, losses__missed, &st->run.losses);
}

static int sampler__on_finish(void *ctx, int err)
{
	struct sampler *st = ctx;
	struct profile_meta *meta = &st->cfg->profile.meta;

	if (!err)
		err = st->begin_err;
	if (!err)
		err = off_cpu__finish(&st->off_cpu, st->session);
	st->run.sink->cfg.end_mono_ns = st->run.losses.end_ns;
	meta->duration_ns = st->run.losses.end_ns - st->run.losses.start_ns;
	throttle__end(&st->run.machine->throttle, st->run.losses.end_ns);
	throttle__sum(&st->run.machine->throttle, &meta->throttled, &meta->throttled_ns);
	return err;
}

/* During throttling the clocks of some kernels continue. */
static void log_ticks(const struct sampler *st)
{
	uint64_t ticks, unseen = stack_session__unseen(st->session, &ticks);

	if (unseen && !st->cfg->profile.meta.throttled)
		log_note("%llu of %llu ticks of the clock produced no sample: interrupts of that "
			 "CPU were late, or another BPF program was running on it",
			 (unsigned long long)unseen, (unsigned long long)ticks);
}

static void log_summary(struct sampler *st)
{
	const struct profile_meta *meta = &st->cfg->profile.meta;

	losses__summary(&st->run.losses, st->run.src, "samples");
	hit_report__summary(&st->run.hits);
	if (!st->run.losses.shown && !st->run.losses.lost)
		log_note("%s",
			 st->cfg->events.cnt
				 ? "no sample was taken: the targets did not run; sample "
				   "longer, give -a, or a higher -F (a smaller -c)"
				 : "no time off the CPU was seen: no target left the CPU, or "
				   "none for --min-us to --max-us; measure longer, or give -a");
	if (meta->throttled)
		log_warn("the kernel throttled sampling %llu times, %.3f s in all: give a lower -F "
			 "(a larger -c), or raise sysctl kernel.perf_event_max_sample_rate",
			 (unsigned long long)meta->throttled, (double)meta->throttled_ns / 1e9);
	log_ticks(st);
	off_cpu__summary(&st->off_cpu, st->session);
	unwind_report__summary(stack_session__unwinder(st->session));
	unwind_report__unnamed(st->run.machine->sym);
	split_report__missing(st->run.machine->sym);
	log_symbols(st->run.machine->sym);
	if (st->run.machine->lost_cnt)
		log_warn("process events were lost: functions of processes that started meanwhile "
			 "may stay unnamed");
}

/* Called after each drain of the rings. */
static int sampler__on_tick(void *ctx)
{
	struct sampler *st = ctx;

	if (st->cfg->off_cpu)
		off_cpu__go_ahead(&st->off_cpu);
	sym__go_ahead(st->run.machine->sym);
	return 0;
}

static int sampler__on_check(void *ctx)
{
	struct sampler *st = ctx;

	return st->cfg->top ? top_keys__check(&st->top) : 0;
}

static const struct live_run_ops run_ops = {
	.record = sampler__on_record,
	.tick = sampler__on_tick,
	.check = sampler__on_check,
	.begin = sampler__on_begin,
	.activate = sampler__on_activate,
	.deactivate = sampler__on_deactivate,
	.stopped = sampler__on_stopped,
	.missed = sampler__on_missed,
	.finish = sampler__on_finish,
};

/* Runs from activate to the printed profile. */
static int sample_until_end(struct sampler *st)
{
	int err;

	st->run.loop = (struct loop){
		.targets = st->cfg->targets,
		.duration_ns = st->cfg->duration_ns,
	};
	st->run.drain_ms = st->cfg->top                             ? 0
			   : st->cfg->export.every_ns >= ENDLESS_NS ? ENDLESS_DRAIN_MS
								    : DRAIN_MS;
	st->run.ops = &run_ops;
	st->run.ctx = st;
	st->off_cpu.sink = st->run.sink;
	st->off_cpu.code_maps = &st->run.code_maps;
	st->off_cpu.losses = &st->run.losses;
	st->off_cpu.min_ns = st->cfg->min_us * 1000;
	st->off_cpu.max_ns = st->cfg->max_us * 1000;
	out__begin(&st->run.out);
	hit_report__open(&st->run.hits, &st->cfg->events);
	err = live_run__go(&st->run);
	/* If nothing could be recorded, the cause has been logged. */
	if (!st->cfg->quiet && st->run.losses.end_ns)
		log_summary(st);
	if (st->cfg->export.every_ns)
		exporter__finish(&st->exporter);
	return err;
}

static void sampler__close(struct sampler *st)
{
	stack_session__free(st->session);
	cpu_watch__close(&st->watch);
	sampler_meta__free(&st->meta);
	off_cpu_live__free(&st->off_live);
	off_cpu__free(&st->off_cpu);
	live_run__close(&st->run);
	exporter__free(&st->exporter);
}

/*
 * Opens the output first, so that a wrong file name costs no attachment, then the kernel side. 0;
 * -EINVAL if the command line is at fault, or another -errno (logged).
 */
static int sampler__open(struct sampler *st, int argc, char **argv)
{
	struct sampler_config *cfg = st->cfg;
	int err = sampler_open__decoder(st);

	if (err)
		return err == -EINVAL ? -EIO : err;
	if (cfg->off_cpu) {
		cfg->profile.off_events[0] = st->off_cpu.events[OFF_ASLEEP];
		cfg->profile.off_events[1] = st->off_cpu.events[OFF_RUNNABLE];
	}
	err = sampler_output__open(&st->run, cfg, &st->exporter);
	if (err)
		return err;
	sampler_meta__begin(&st->meta, cfg, argv);
	err = sink__begin(st->run.sink);
	if (err)
		return err;
	st->run.workload.user = cfg->cmd_user;
	if ((argc && workload__prepare(&st->run.workload, argv)) || sampler_open__session(st))
		return -EIO;
	return 0;
}

int sampler__run(struct sampler_config *cfg, int argc, char **argv, struct sampler_result *res)
{
	struct sampler st = {
		.cfg = cfg,
		.exporter = EXPORTER_INIT,
		.run = { .workload = WORKLOAD_INIT, .losses.begin_ns = mono_ns() },
	};
	int err;

	st.max_depth = (uint32_t)cfg->max_depth;
	err = sampler__open(&st, argc, argv);
	if (!err && sample_until_end(&st))
		err = -EIO;
	res->has_recorded = st.run.losses.end_ns;
	res->cmd_ended = workload__ended(&st.run.workload);
	res->cmd_status = workload__exit_status(&st.run.workload);
	sampler__close(&st);
	return err;
}
