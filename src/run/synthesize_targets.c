// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/synthesize_targets.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "kernel/bpf_symbols.h"
#include "target/threads.h"
#include "sink/sink.h"
#include "source/live.h"
#include "machine/synthesize.h"

static int put(void *ctx, const void *rec, size_t sz)
{
	return sink__task(ctx, rec, 0, 0);
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

static int put_targets(struct synthesize_targets *feed, const struct synthesize *r,
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

int synthesize_targets__start(struct synthesize_targets *feed, struct sink *sink, bool with_maps,
			      const struct targets *targets, pid_t cmd_pid)
{
	struct synthesize r = {
		.names_only = !with_maps,
		.no_maps = cmd_pid,
		.fn = put,
		.ctx = sink,
	};
	int err = 0;

	if (!sink->wants_tasks)
		return 0;
	if (with_maps)
		err = synthesize__kernel(&r);
	if (with_maps && !err)
		err = bpf_symbols__each(put_function, &r);
	if (err)
		return err;
	return feed->only_targets ? put_targets(feed, &r, targets, cmd_pid) : synthesize__all(&r);
}

int synthesize_targets__task(struct synthesize_targets *feed, struct sink *sink,
			     const struct record *rec)
{
	const struct perf_event_header *hdr = rec->hdr;
	int32_t ids[2]; /* of all, the process's comes first; behind it, in FORK, its parent's */
	int err = 0;

	if (feed->only_targets && hdr->type != PERF_RECORD_KSYMBOL &&
	    hdr->size >= sizeof(*hdr) + sizeof(ids)) {
		memcpy(ids, hdr + 1, sizeof(ids));
		if (hdr->type == PERF_RECORD_FORK && is_watched(feed, ids[1]))
			err = watch(feed, ids[0]);
		if (err || !is_watched(feed, ids[0]))
			return err;
	}
	return sink__task(sink, hdr, rec->time_ns, rec->cpu);
}

void synthesize_targets__free(struct synthesize_targets *feed)
{
	u64map__free(&feed->pids);
}
