// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/live_run.h"

#include <errno.h>
#include <stdlib.h>

#include "reader/reader.h"
#include "run/synthesize_targets.h"
#include "run/unwind_report.h"
#include "kernel/capabilities.h"
#include "machine/machine.h"
#include "session/cpus.h"
#include "target/targets.h"
#include "sink/sink.h"
#include "sym/sym.h"
#include "util/err.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* Shorter runs are not worth the measurement. */
#define HITS_AFTER_NS 1000000000ull

int live_run__open_rings(struct live_run *run, struct live_config *cfg, int rings_fd, int flush_fd,
			 const struct cpus *cpus)
{
	const struct targets everywhere = { .all_cpus = true };
	int *ring_cpus, err;

	err = targets__resolve_cpus(&everywhere, &ring_cpus, &cfg->cpu_cnt);
	if (err)
		return err;
	cfg->cpus = ring_cpus;
	cfg->rings_fd = rings_fd;
	cfg->batches.cpus = cpus->at;
	cfg->batches.flush_fd = flush_fd;
	run->losses.cpus = cpus;
	run->src = live_source__new(cfg);
	err = run->src ? 0 : -errno;
	free(ring_cpus);
	return err;
}

/*
 * Rounds are short until a record is shown, and longer each time. Then the user has something to
 * read, or there is nothing to show.
 */
static void live_run__slow_down(struct live_run *run)
{
	uint64_t last_ms = run->drain_ms ? run->drain_ms : LIVE_DRAIN_MS;

	run->loop.round_ms *= 2;
	if (!run->losses.shown && run->loop.round_ms < last_ms)
		return;
	run->loop.round_ms = last_ms;
	live_source__set_early(run->src, false);
}

/* Drains the rings once, and passes on all records up to now. */
static int live_run__round(void *ctx)
{
	struct live_run *run = ctx;
	int err = source__drain(live_source__base(run->src), false, run->ops->record, run->ctx);

	if (!err)
		err = unwind_report__take_codes(run->unwinder, run->machine->sym);
	if (!err && run->ops->tick)
		err = run->ops->tick(run->ctx);
	if (!err)
		err = sink__flush(run->sink);
	/*
	 * Also called in the last round: the key or signal that woke the loop came before the end.
	 */
	if (!err && run->ops->check)
		err = run->ops->check(run->ctx);
	if (!err && out__flush(&run->out))
		err = run->out.err;
	run->loop.is_busy = live_source__has_more(run->src);
	live_run__slow_down(run);
	return err;
}

/* The process that holds the tracepoints ends before the run only if it is killed. */
static int live_run__on_detached(void *ctx)
{
	struct live_run *run = ctx;

	log_error("the process bpfperf-detach was killed, so the tracepoints are detached: the run "
		  "ends, and what was recorded before is complete");
	run->is_detached = true;
	return 1;
}

static int live_run__loop(struct live_run *run)
{
	int err;

	run->loop.workload = &run->workload;
	run->loop.out = &run->out;
	/* With an interval of its own, nothing is shown before the end. */
	run->loop.round_ms = run->drain_ms ? run->drain_ms : 1;
	live_source__set_early(run->src, !run->drain_ms);
	run->loop.round = live_run__round;
	run->loop.is_urgent = true;
	run->loop.needs |= CAPABILITY_READ_FILES | CAPABILITY_SEE_TASKS | CAPABILITY_BPF;
	run->loop.ctx = run;
	loop__add_fd(&run->loop, source__fd(live_source__base(run->src)), NULL, NULL);
	loop__add_timer(&run->loop, run->hits.events ? HITS_AFTER_NS : 0, 0, hit_report__start,
			&run->hits);
	if (run->helper_fd > 0)
		loop__add_fd(&run->loop, run->helper_fd, live_run__on_detached, run);
	err = loop__run(&run->loop);
	return err < 0 ? err : 0;
}

/* Activates, records until the run ends, deactivates. */
static int live_run__record(struct live_run *run)
{
	int err, last;

	/* Before this point Ctrl-C terminates bpfperf at once. */
	stop_signals__block();
	err = run->ops->begin ? run->ops->begin(run->ctx) : 0;
	run->losses.start_ns = run->ops->activate(run->ctx);
	if (!err)
		err = live_run__loop(run);
	run->losses.end_ns = run->ops->deactivate(run->ctx);
	reader__hurry();
	last = run->ops->stopped ? run->ops->stopped(run->ctx) : 0;
	stop_signals__unblock();
	return err__keep_first(err, last);
}

int live_run__go(struct live_run *run)
{
	int err, last;

	run->feed.code_maps = &run->code_maps;
	err = sink__start(run->sink);
	if (!err)
		err = synthesize_targets__start(&run->feed, run->machine, run->sink,
						run->sink->cfg.callstacks || run->sink->cfg.profile,
						run->loop.targets, run->workload.pid);
	if (err)
		return err == -EPIPE ? 0 : err;
	unwind_report__take_codes(run->unwinder, run->machine->sym);
	err = live_run__record(run);
	last = losses__finish(&run->losses, run->src, run->sink, run->ops->record, run->ctx);
	err = err < 0 ? err : last < 0 ? last : 0;
	run->ops->missed(run->ctx);
	last = run->ops->finish ? run->ops->finish(run->ctx, err) : 0;
	err = err__keep_first(err, last);
	if (!err)
		err = sink__end(run->sink);
	unwind_report__take_codes(NULL, run->machine->sym);
	sym__tell_dumps(run->machine->sym, NULL, NULL);
	last = out__close(&run->out);
	err = err__keep_first(err, last);
	if (!err && run->is_detached)
		return -ECHILD;
	return err == -EPIPE ? 0 : err;
}

void live_run__close(struct live_run *run)
{
	hit_report__close(&run->hits);
	live_source__free(run->src);
	synthesize_targets__free(&run->feed);
	workload__free(&run->workload);
	sink__free(run->sink);
	out__close(&run->out);
	code_maps__free(&run->code_maps);
	machine__free(run->machine);
}
