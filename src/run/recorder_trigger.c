// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder_trigger.h"

#include <errno.h>
#include <stdlib.h>

#include "perf/sampling.h"
#include "run/recorder_rings.h"
#include "session/prog_sync.h"

/* A ring holds some hundred samples: each wakes the reader. */
#define TRIGGER_RING_SZ 16384

static int open_rings(struct recorder_trigger *t)
{
	struct kernel_rings_config cfg = {
		.ring_sz = TRIGGER_RING_SZ,
		.track_ring_sz = TRIGGER_RING_SZ,
		.settle = prog_sync__all_cpus,
	};
	struct kernel_ring_event *events = recorder_rings__events(t->sampling, &cfg.event_cnt);
	int err;

	if (!events)
		return -ENOMEM;
	cfg.events = events;
	err = kernel_rings__open(&t->rings, &cfg);
	t->is_open = true;
	free(events);
	return err;
}

int recorder_trigger__open(struct recorder_trigger *t, const struct event_list *events,
			   const struct sampling_config *cfg)
{
	struct sampling_config own = *cfg;
	int err;

	own.events = events;
	own.how = (struct sampling_how){ .period = 1, .no_buffering = true, .no_bpf = true };
	own.ring_sz = own.track_ring_sz = TRIGGER_RING_SZ;
	own.aux_sz = 0;
	err = sampling_events__open(&t->sampling, &own);
	return err ? err : open_rings(t);
}

int recorder_trigger__enable(struct recorder_trigger *t)
{
	return t->is_open ? sampling_events__enable(t->sampling) : 0;
}

int recorder_trigger__fd(const struct recorder_trigger *t)
{
	return t->is_open ? t->rings.epoll_fd : -1;
}

static int drop_record(void *ctx, const struct record *rec)
{
	return 0;
}

int64_t recorder_trigger__take(struct recorder_trigger *t)
{
	struct perf_ring_counts before = kernel_rings__counts(&t->rings, false), after;
	int err = kernel_rings__wait(&t->rings, 0);

	if (!err)
		err = source__drain(&t->rings.base, true, drop_record, NULL);
	after = kernel_rings__counts(&t->rings, false);
	/* A ring that overflowed had events, too. */
	return err ? err : (int64_t)(after.samples + after.lost - before.samples - before.lost);
}

void recorder_trigger__free(struct recorder_trigger *t)
{
	if (t->is_open)
		kernel_rings__free(&t->rings);
	sampling_events__free(t->sampling);
	*t = (struct recorder_trigger){ 0 };
}
