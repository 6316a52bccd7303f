// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/synthesize_targets.h"

#include <errno.h>
#include <stdint.h>

#include "kernel/bpf_symbols.h"
#include "run/code_maps.h"
#include "target/threads.h"
#include "sink/sink.h"
#include "machine/synthesize.h"

static int synthesize_targets__put(void *ctx, const void *rec, size_t sz)
{
	return machine__add_history(ctx, rec);
}

static int put_function(void *ctx, uint64_t addr, uint32_t len, const char *name)
{
	return synthesize__bpf_function(ctx, addr, len, name);
}

static int watch(struct synthesize_targets *feed, int32_t pid)
{
	uint32_t *slot = u64map__slot(&feed->pids, (uint32_t)pid);

	if (!slot)
		return -ENOMEM;
	*slot = 1;
	return 0;
}

static bool is_watched(const struct synthesize_targets *feed, int32_t pid)
{
	return u64map__get(&feed->pids, (uint32_t)pid) != U64MAP_NONE;
}

static int synthesize_of_targets(struct synthesize_targets *feed, const struct synthesize *r,
				 const struct targets *t, pid_t cmd_pid)
{
	struct threads threads = { 0 }, pids = { 0 };
	size_t i;
	int err = threads__add_targets(&threads, t);

	if (!err)
		err = threads__processes(&threads, &pids);
	if (!err && cmd_pid)
		err = threads__add(&pids, cmd_pid);
	for (i = 0; i < pids.cnt && !err; i++) {
		err = watch(feed, pids.tids[i]);
		if (!err)
			err = synthesize__process(r, pids.tids[i]);
	}
	threads__free(&threads);
	threads__free(&pids);
	return err;
}

static int on_event(void *ctx, const struct proc_event *ev, const struct record *rec)
{
	struct synthesize_targets *feed = ctx;
	int err = 0;

	if (ev->kind == PROC_EXEC && feed->code_maps)
		code_maps__forget(feed->code_maps, ev->pid);

	/*
	 * Kernel code belongs to no process; synthesized records of processes are those of targets
	 * only.
	 */
	if (feed->only_targets && ev->kind != PROC_KSYMBOL && !ev->is_kernel) {
		if (ev->kind == PROC_FORK && is_watched(feed, ev->parent_pid))
			err = watch(feed, ev->pid);
		if (err || !is_watched(feed, ev->pid))
			return err;
	}
	return sink__task(feed->sink, ev, rec);
}

int synthesize_targets__start(struct synthesize_targets *feed, struct machine *machine,
			      struct sink *sink, bool with_maps, const struct targets *targets,
			      pid_t cmd_pid)
{
	const struct synthesize r = {
		.names_only = !with_maps,
		.no_maps = cmd_pid,
		.fn = synthesize_targets__put,
		.ctx = machine,
	};
	int err = 0;

	if (!sink->wants_tasks)
		return 0;
	feed->sink = sink;
	feed->subscriber = (struct machine_subscriber){
		.fn = on_event,
		.ctx = feed,
		.wants_history = true,
	};
	machine__subscribe(machine, &feed->subscriber);
	/* Addresses in the fields of tracepoints are the kernel's. */
	err = synthesize__kernel(&r);
	if (with_maps && !err)
		err = bpf_symbols__each(put_function, (void *)&r);
	if (err)
		return err;
	return feed->only_targets ? synthesize_of_targets(feed, &r, targets, cmd_pid)
				  : synthesize__all(&r);
}

void synthesize_targets__free(struct synthesize_targets *feed)
{
	u64map__free(&feed->pids);
}
