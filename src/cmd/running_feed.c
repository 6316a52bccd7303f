// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/running_feed.h"

#include <stdint.h>

#include "session/bpf_symbols.h"
#include "session/threads.h"
#include "sink/sink.h"
#include "source/running.h"

static int put(void *ctx, const void *rec, size_t sz)
{
	return sink__task(ctx, rec, 0, 0);
}

static int put_function(void *ctx, uint64_t addr, uint32_t len, const char *name)
{
	return running__bpf_function(ctx, addr, len, name);
}

static int put_targets(const struct running *r, const struct targets *t, pid_t cmd_pid)
{
	struct threads threads = { 0 }, pids = { 0 };
	size_t i;
	int err = threads__add_targets(&threads, t);

	if (!err)
		err = threads__processes(&threads, &pids);
	if (!err && cmd_pid)
		err = threads__add(&pids, cmd_pid);
	for (i = 0; i < pids.cnt && !err; i++)
		err = running__process(r, pids.tids[i]);
	threads__free(&threads);
	threads__free(&pids);
	return err;
}

int running_feed__start(struct sink *sink, bool with_maps, const struct targets *targets,
			pid_t cmd_pid)
{
	struct running r = {
		.names_only = !with_maps,
		.no_maps = cmd_pid,
		.fn = put,
		.ctx = sink,
	};
	int err = 0;

	if (!sink->wants_tasks)
		return 0;
	if (with_maps)
		err = running__kernel(&r);
	if (with_maps && !err)
		err = bpf_symbols__each(put_function, &r);
	if (err)
		return err;
	return targets ? put_targets(&r, targets, cmd_pid) : running__all(&r);
}
