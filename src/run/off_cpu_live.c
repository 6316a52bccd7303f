// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/off_cpu_live.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "run/off_cpu.h"
#include "session/stack_session.h"
#include "sink/top.h"
#include "util/array.h"
#include "util/mono.h"

struct absence {
	uint32_t tid;
	bool ended; /* its record has arrived */
	struct wire_offcpu_entry away;
};

/*
 * The kernel begins again with the first thread when the one it was asked to go on from is back.
 * After this many threads that were met before, an update is complete enough.
 */
#define AGAIN_MAX 10000

static void forget(struct absences *a)
{
	u64map__free(&a->by_tid);
	free(a->at);
	*a = (struct absences){ .by_tid = U64MAP_INIT };
}

void off_cpu_live__free(struct off_cpu_live *live)
{
	forget(&live->now);
	forget(&live->before);
}

static struct absence *find(const struct absences *a, uint32_t tid, uint64_t start_ns)
{
	uint32_t i = u64map__get(&a->by_tid, tid);

	return i != U64MAP_NONE && a->at[i].away.start_ns == start_ns ? &a->at[i] : NULL;
}

void off_cpu_live__ended(struct off_cpu_live *live, uint32_t tid, uint64_t start_ns)
{
	struct absence *a = find(&live->now, tid, start_ns);

	if (a)
		a->ended = true;
}

static int note(void *ctx, uint32_t tid, const struct wire_offcpu_entry *away)
{
	struct absences *now = &((struct off_cpu_live *)ctx)->now;
	uint32_t *slot = u64map__slot(&now->by_tid, tid);

	if (!slot || array__reserve((void **)&now->at, &now->cap, now->cnt + 1, sizeof(*now->at)))
		return -ENOMEM;
	if (*slot != U64MAP_NONE)
		return ++now->again == AGAIN_MAX;
	*slot = (uint32_t)now->cnt;
	now->at[now->cnt++] = (struct absence){ .tid = tid, .away = *away };
	return 0;
}

/* A thread without its stack is not shown: the stack's record is still on its way. */
static int to_top(void *ctx, const struct sample *s)
{
	return s->stack_lost ? 0 : top__add_ongoing(ctx, s);
}

static int add(struct off_cpu_live *live, const struct absence *a, uint64_t end_ns)
{
	struct offcpu off = {
		.time_ns = end_ns, .end_ns = end_ns, .tid = a->tid, .away = &a->away
	};

	if (end_ns <= a->away.start_ns || !off_cpu__wants(live->off, end_ns - a->away.start_ns))
		return 0;
	return off_cpu__each(live->off, &off, a->away.cpu, to_top, live->top);
}

/* Adds those that the kernel has no more, and whose records have not come, up to when it had. */
static int add_returned(struct off_cpu_live *live, uint64_t end_ns)
{
	size_t i;
	int err = 0;

	for (i = 0; i < live->before.cnt && !err; i++) {
		const struct absence *a = &live->before.at[i];

		if (!a->ended && !find(&live->now, a->tid, a->away.start_ns))
			err = add(live, a, end_ns);
	}
	return err;
}

int off_cpu_live__refresh(struct off_cpu_live *live)
{
	uint64_t before_ns = live->time_ns;
	size_t i;
	int err;

	forget(&live->before);
	live->before = live->now;
	live->now = (struct absences){ .by_tid = U64MAP_INIT };
	live->time_ns = mono_ns();
	err = stack_session__away(live->session, note, live);
	top__begin_ongoing(live->top);
	for (i = 0; i < live->now.cnt && err >= 0; i++) {
		struct absence *a = &live->now.at[i];
		const struct absence *was = find(&live->before, a->tid, a->away.start_ns);

		/* The record was made before the kernel removed the thread. */
		a->ended = was && was->ended;
		if (!a->ended)
			err = add(live, a, live->time_ns);
	}
	return err < 0 ? err : add_returned(live, before_ns);
}
