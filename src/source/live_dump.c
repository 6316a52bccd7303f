// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The live source as a flight recorder. */
#include "source/flight.h"
#include "source/live_priv.h"

/*
 * A dump is to have what was committed before it: a busy CPU is asked this often, some microseconds
 * each.
 */
#define FLUSH_TRIES 1000

/*
 * Process records wait for the records that they name. More than this are not kept (some MiB): the
 * older half is taken as history, and records from before it get the names of after it.
 */
#define TASK_RECORDS_MAX 65536

struct taking {
	struct live_source *src;
	size_t slot;
};

static int on_record(void *ctx, const struct perf_event_header *hdr)
{
	struct taking *t = ctx;

	return live__push_data(t->src, t->slot, hdr);
}

/* Backward rings → queues. */
static int take_rings(struct live_source *src)
{
	struct taking t = { .src = src };
	int err = 0;

	for (; t.slot < src->cpu_cnt && !err; t.slot++)
		err = flight__take(src->flight, t.slot, &src->batches, on_record, &t);
	/* After them: a record's definition was sent before it. */
	return err ? err : live__fill_defs(src);
}

int live_source__dump(struct live_source *src, record_fn fn, void *ctx)
{
	size_t i;
	int err;

	for (i = 0; i < src->cpu_cnt; i++)
		live__flush(src, &src->slots[i], FLUSH_TRIES);
	err = src->err ? src->err : live__fill_task(src);
	if (!err)
		err = take_rings(src);
	src->last_time_ns = 0;
	/*
	 * All that was copied, or what waits for the next dump would be cut off from it by a gap.
	 */
	return err ? err : live__hand_on(src, true, UINT64_MAX, SIZE_MAX, fn, ctx);
}

static size_t waiting_tasks(const struct live_source *src)
{
	size_t i, cnt = 0;

	for (i = 0; i < src->cpu_cnt; i++)
		cnt += src->task.queues[i].end - src->task.queues[i].head;
	return cnt;
}

int live__drain_flight(struct live_source *src, bool all, record_fn fn, void *ctx)
{
	int err = live__fill_task(src);
	size_t waiting;

	/* These do not overwrite: room for new ones. */
	if (!err)
		err = live__fill_defs(src);
	if (err)
		return err;
	if (all) {
		err = take_rings(src);
		if (!err)
			err = live__fill_rest(src);
		src->last_time_ns = 0;
		return err ? err : live__hand_on(src, true, UINT64_MAX, SIZE_MAX, fn, ctx);
	}
	waiting = waiting_tasks(src);
	if (waiting > TASK_RECORDS_MAX)
		err = live__hand_on(src, false, UINT64_MAX, waiting / 2, fn, ctx);
	src->has_more = false;
	return err;
}
