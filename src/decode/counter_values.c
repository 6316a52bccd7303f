// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/counter_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "util/array.h"

int counter_values__init(struct counter_values *cv, size_t cnt, bool by_task)
{
	*cv = (struct counter_values){ .cnt = cnt, .by_task = by_task, .by_owner = U64MAP_INIT };
	cv->growth = calloc(cnt + 1, sizeof(*cv->growth));
	return cv->growth ? 0 : -ENOMEM;
}

void counter_values__free(struct counter_values *cv)
{
	u64map__free(&cv->by_owner);
	free(cv->last);
	free(cv->growth);
	free(cv->ended);
	free(cv->ended_at);
	free(cv->unused);
	*cv = (struct counter_values){ .by_owner = U64MAP_INIT };
}

static uint32_t owner_of(const struct counter_values *cv, uint32_t cpu, int32_t tid)
{
	if (!cv->by_task)
		return cpu;
	return tid ? (uint32_t)tid : WIRE_COUNTER_IDLE | cpu;
}

/* Makes room for one more set in all arrays that have an element for each. */
static int grow_sets(struct counter_values *cv)
{
	size_t caps[] = { cv->set_cap, cv->set_cap, cv->set_cap }, cnt = cv->set_cnt + 1;

	if (array__reserve((void **)&cv->last, &caps[0], cnt, cv->cnt * sizeof(*cv->last)) ||
	    array__reserve((void **)&cv->ended_at, &caps[1], cnt, sizeof(*cv->ended_at)) ||
	    array__reserve((void **)&cv->unused, &caps[2], cnt, sizeof(*cv->unused)))
		return -ENOMEM;
	cv->set_cap = caps[0];
	return 0;
}

/* Returns the owner's set, added with zeros if it is new. */
static struct counter_growth *set_of(struct counter_values *cv, uint32_t owner)
{
	uint32_t *slot = u64map__slot(&cv->by_owner, owner);

	if (!slot)
		return NULL;
	if (*slot != U64MAP_NONE)
		return cv->last + *slot * cv->cnt;
	if (!cv->unused_cnt && cv->set_cnt == cv->set_cap && grow_sets(cv))
		return NULL;
	*slot = cv->unused_cnt ? cv->unused[--cv->unused_cnt] : (uint32_t)cv->set_cnt++;
	cv->ended_at[*slot] = 0;
	return memset(cv->last + *slot * cv->cnt, 0, cv->cnt * sizeof(*cv->last));
}

/* Forgets the thread, unless its id has another one that lives, or has ended later. */
static void forget(struct counter_values *cv, int32_t tid, uint64_t ended_at)
{
	uint32_t set = u64map__get(&cv->by_owner, (uint32_t)tid), *slot;

	if (set == U64MAP_NONE || cv->ended_at[set] != ended_at)
		return;
	slot = u64map__slot(&cv->by_owner, (uint32_t)tid);
	if (!slot)
		return;
	*slot = U64MAP_NONE;
	cv->unused[cv->unused_cnt++] = set;
}

void counter_values__ended(struct counter_values *cv, int32_t tid)
{
	uint32_t set = u64map__get(&cv->by_owner, (uint32_t)tid);
	int32_t *oldest;

	if (!cv->by_task || set == U64MAP_NONE)
		return;
	if (!cv->ended)
		cv->ended = calloc(WIRE_COUNTER_TASKS, sizeof(*cv->ended));
	if (!cv->ended)
		return;
	oldest = &cv->ended[cv->ended_cnt++ % WIRE_COUNTER_TASKS];
	if (cv->ended_cnt > WIRE_COUNTER_TASKS)
		forget(cv, *oldest, cv->ended_cnt - WIRE_COUNTER_TASKS);
	*oldest = tid;
	/* It may have been the oldest, too. */
	set = u64map__get(&cv->by_owner, (uint32_t)tid);
	if (set != U64MAP_NONE)
		cv->ended_at[set] = cv->ended_cnt;
}

/* The thread has its id on, or again: one that calls exec takes that of the first thread. */
static void live_on(struct counter_values *cv, int32_t tid)
{
	uint32_t set = u64map__get(&cv->by_owner, (uint32_t)tid);

	if (set != U64MAP_NONE)
		cv->ended_at[set] = 0;
}

int counter_values__begin(struct counter_values *cv, uint32_t cpu, size_t i,
			  const struct wire_counter *at)
{
	struct counter_growth *last = cv->by_task ? NULL : set_of(cv, cpu);

	if (cv->by_task)
		return 0;
	if (!last)
		return -ENOMEM;
	last[i] = (struct counter_growth){ at->value, at->enabled_ns, at->running_ns };
	return 0;
}

void counter_values__new_thread(struct counter_values *cv, int32_t tid)
{
	struct counter_growth *last;

	if (!cv->by_task || u64map__get(&cv->by_owner, (uint32_t)tid) == U64MAP_NONE)
		return;
	live_on(cv, tid);
	last = set_of(cv, (uint32_t)tid);
	if (last)
		memset(last, 0, cv->cnt * sizeof(*last));
}

static int on_event(void *ctx, const struct proc_event *ev, const struct record *rec)
{
	if (ev->kind == PROC_FORK || ev->kind == PROC_THREAD)
		counter_values__new_thread(ctx, ev->tid);
	else if (ev->kind == PROC_EXIT || ev->kind == PROC_THREAD_EXIT)
		counter_values__ended(ctx, ev->tid);
	else if (ev->kind == PROC_EXEC)
		live_on(ctx, ev->tid);
	return 0;
}

void counter_values__subscribe(struct counter_values *cv, struct machine *machine)
{
	cv->subscriber = (struct machine_subscriber){ .fn = on_event, .ctx = cv };
	machine__subscribe(machine, &cv->subscriber);
}

/*
 * The kernel side keeps the counters of the 32768 tasks that ran last. A dropped task that runs
 * again restarts at 0: its time is then lower by more than this, while an interrupt makes a record
 * older than the previous one by less.
 */
#define RESTART_NS 10000000ull

static bool begins_anew(const struct counter_values *cv, const struct counter_growth *last,
			const struct wire_counter *now)
{
	size_t i;

	for (i = 0; cv->by_task && i < cv->cnt; i++)
		if (now[i].enabled_ns + RESTART_NS < last[i].enabled_ns)
			return true;
	return false;
}

/* Returns the growth of *last up to now; *last never shrinks. */
static uint64_t grow(uint64_t *last, uint64_t now)
{
	uint64_t by = now > *last ? now - *last : 0;

	*last += by;
	return by;
}

const struct counter_growth *counter_values__advance(struct counter_values *cv, uint32_t cpu,
						     int32_t tid, const struct wire_counter *now)
{
	struct counter_growth *last = set_of(cv, owner_of(cv, cpu, tid));
	size_t i;

	if (!last)
		return NULL;
	if (begins_anew(cv, last, now)) {
		memset(last, 0, cv->cnt * sizeof(*last));
		cv->restarts++;
	}
	for (i = 0; i < cv->cnt; i++)
		cv->growth[i] = (struct counter_growth){
			.value = grow(&last[i].value, now[i].value),
			.enabled_ns = grow(&last[i].enabled_ns, now[i].enabled_ns),
			.running_ns = grow(&last[i].running_ns, now[i].running_ns),
		};
	return cv->growth;
}
