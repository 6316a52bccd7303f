// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The live source as a flight recorder. */
#include "source/flight.h"
#include "source/live_priv.h"

/*
 * A dump must contain each record committed before it: attempts to flush a busy CPU, a few
 * microseconds each.
 */
#define FLUSH_TRIES 1000

/*
 * Process records wait for the records that depend on them. At most this many are kept (some MiB):
 * beyond it the older half is applied at once, and earlier records show the later names.
 */
#define TASK_RECORDS_MAX 65536

struct taking {
	struct live_source *src;
	size_t slot;
};

static int push_record(void *ctx, const struct perf_event_header *hdr)
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
		err = flight__take(src->flight, t.slot, &src->batches, push_record, &t);
	/* After the data rings: a record's definition was sent before the record. */
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
	 * Hand on all copied records, otherwise a gap would separate those waiting for the next
	 * dump from it.
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

	/* These rings do not overwrite: make room for new records. */
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
