// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A group that was waited for this seldom is not said to be waited for: a third of its time. */
#define WAITED_PART 3

/* A CPU limit counts with what it covers from this part of the time on. */
#define LIMIT_PART 20

/* The state that parts have in common: all time on a CPU but that of interrupts is one. */
static unsigned int state_of(const struct why_cause *k)
{
	return k->kind <= WHY_SPIN ? WHY_USER : k->kind == WHY_WOKEN ? WHY_PREEMPTED : k->kind;
}

/* Does the cause belong to the group of cause b? The delay of an idle CPU is a part of the wait. */
static bool is_alike(const struct why_cause *a, const struct why_cause *b)
{
	if (why_cause__is_delay_of(a, b))
		return true;
	if (a->after != WHY_USER || a->comm != b->comm || state_of(a) != state_of(b))
		return false;
	return !why_kind__is_blocked(a->kind) || (a->function == b->function && a->file == b->file);
}

static bool has_waiter(const struct why_cause *a, const struct why_cause *b)
{
	return a->waiter_kind == b->waiter_kind && a->waiter_function == b->waiter_function &&
	       a->waiter_call == b->waiter_call;
}

static bool has_place(const struct why_cause *a, const struct why_cause *b)
{
	return a->function == b->function && a->caller == b->caller;
}

/* Sums up the members of the group that are like `of` in one respect. */
static uint64_t sum_up(const struct why_causes *c, const struct why_cause *of,
		       bool (*is_part)(const struct why_cause *a, const struct why_cause *b))
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < c->cnt; i++)
		if (is_alike(&c->at[i], of) && is_part(&c->at[i], of))
			ns += c->at[i].ns;
	return ns;
}

static void add_member(struct why_cause *g, const struct why_cause *k)
{
	size_t i;

	g->ns += k->ns;
	g->covered_ns += k->covered_ns;
	g->late_ns += k->after == WHY_USER ? 0 : k->ns;
	g->step_cnt += k->step_cnt;
	g->has_more_threads |= k->has_more_threads || k->thread != g->thread;
	g->sample_cnt += k->sample_cnt;
	g->memory_samples += k->memory_samples;
	for (i = 0; i <= WHY_SPIN; i++)
		g->samples[i] += k->samples[i];
	for (i = 0; i < WHY_CALLS && k->calls[i].name; i++)
		why_calls__add(g->calls, k->calls[i].name, k->calls[i].cnt);
	if (!*g->syscall)
		g->syscall = k->syscall;
}

static void take_place(struct why_cause *g, const struct why_cause *k)
{
	g->function = k->function;
	g->caller = k->caller;
	g->call = k->call;
}

static void take_waiter(struct why_cause *g, const struct why_cause *k)
{
	g->waiter_kind = k->waiter_kind;
	g->waiter_comm = k->waiter_comm;
	g->waiter_function = k->waiter_function;
	g->waiter_caller = k->waiter_caller;
	g->waiter_call = k->waiter_call;
}

/*
 * Makes the group of the cause `first`, the longest of it. Its place and its waiter are those of
 * most of its time.
 */
static void make_group(struct why_cause *g, const struct why_causes *c, size_t first)
{
	uint64_t place_ns = 0, waited_ns = 0, ns;
	size_t i;

	*g = c->at[first];
	for (i = 0; i < c->cnt; i++)
		if (i != first && is_alike(&c->at[i], &c->at[first]))
			add_member(g, &c->at[i]);
	if (why_kind__is_on_cpu(g->kind))
		g->syscall = why_calls__most(g, "");
	g->waiter_kind = WHY_UNKNOWN;
	for (i = first; i < c->cnt; i++) {
		const struct why_cause *k = &c->at[i];

		/* Less than a twentieth is not the most. */
		if (k->after != WHY_USER || !is_alike(k, &c->at[first]) || k->ns * 20 < g->ns)
			continue;
		ns = sum_up(c, k, has_place);
		if (ns > place_ns) {
			place_ns = ns;
			take_place(g, k);
		}
		ns = k->waiter_kind == WHY_UNKNOWN ? 0 : sum_up(c, k, has_waiter);
		if (ns > waited_ns) {
			waited_ns = ns;
			if (ns * WAITED_PART >= g->ns)
				take_waiter(g, k);
		}
	}
	g->place_percent = g->ns ? (unsigned int)(100.0 * (double)place_ns / (double)g->ns) : 0;
}

/* Without a limit, its time and the time that it covers would have been less. */
static int compare(const void *a, const void *b)
{
	const struct why_cause *x = a, *y = b;
	uint64_t x_ns = x->ns + x->covered_ns, y_ns = y->ns + y->covered_ns;

	return x_ns < y_ns ? 1 : x_ns > y_ns ? -1 : 0;
}

/* Causes of less than a thousandth of the time begin no group: there may be many. */
int why_groups__make(struct why_groups *g, const struct why_causes *causes)
{
	size_t i, k;

	*g = (struct why_groups){};
	g->at = calloc(causes->cnt + 1, sizeof(*g->at));
	if (!g->at)
		return -ENOMEM;
	for (i = 0; i < causes->cnt; i++) {
		const struct why_cause *cause = &causes->at[i];

		if (cause->ns * 1000 < causes->total_ns)
			break;
		if (cause->after != WHY_USER)
			continue;
		for (k = 0; k < g->cnt && !is_alike(&g->at[k], cause); k++)
			;
		if (k == g->cnt)
			make_group(&g->at[g->cnt++], causes, i);
		/* A limit that is seldom reached is not what matters. */
		if (g->at[k].ns * LIMIT_PART < causes->total_ns)
			g->at[k].covered_ns = 0;
	}
	if (g->cnt)
		qsort(g->at, g->cnt, sizeof(*g->at), compare);
	return 0;
}

void why_groups__free(struct why_groups *g)
{
	free(g->at);
	*g = (struct why_groups){};
}
