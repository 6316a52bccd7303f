// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/live_run.h"

#include <errno.h>
#include <stdlib.h>

#include "run/synthesize_targets.h"
#include "machine/tasks.h"
#include "event/detach_lock.h"
#include "session/cpus.h"
#include "target/targets.h"
#include "sink/sink.h"
#include "sym/sym.h"

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

/* While it is recorded. */
static int record(struct live_run *run, const struct live_run_ops *ops)
{
	void *ctx = run->loop.ctx;
	int err, last;

	/* Until here Ctrl-C ends bpfperf at once. */
	loop__block_signals();
	err = ops->begin ? ops->begin(ctx) : 0;
	run->losses.start_ns = ops->activate(ctx);
	if (!err)
		err = loop__run(&run->loop);
	run->losses.end_ns = ops->deactivate(ctx);
	last = ops->stopped ? ops->stopped(ctx) : 0;
	loop__unblock_signals();
	return err < 0 ? err : last;
}

int live_run__go(struct live_run *run, const struct live_run_ops *ops)
{
	int err, last;

	run->loop.src = run->src;
	run->loop.workload = &run->workload;
	run->loop.out = &run->out;
	run->loop.sink = run->sink;
	err = sink__start(run->sink);
	if (!err)
		err = synthesize_targets__start(&run->feed, run->sink,
						run->sink->cfg.callstacks || run->sink->cfg.profile,
						run->loop.targets, run->workload.pid);
	/* All is attached, and a pipe's formats are written. */
	detach_lock__release();
	if (err)
		return err == -EPIPE ? 0 : err;
	err = record(run, ops);
	last = losses__finish(&run->losses, run->src, run->sink, run->loop.fn, run->loop.ctx);
	err = err < 0 ? err : last < 0 ? last : 0;
	ops->missed(run->loop.ctx);
	last = ops->finish ? ops->finish(run->loop.ctx, err) : 0;
	err = err ? err : last;
	if (!err)
		err = sink__end(run->sink);
	last = out__close(&run->out);
	err = err ? err : last;
	return err == -EPIPE ? 0 : err;
}

void live_run__close(struct live_run *run)
{
	live_source__free(run->src);
	synthesize_targets__free(&run->feed);
	workload__free(&run->workload);
	sink__free(run->sink);
	out__close(&run->out);
	tasks__free(run->tasks);
	sym__free(run->sym);
}
