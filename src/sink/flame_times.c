// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/flame_times.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "util/vlq.h"

/* A value of a node in a slice. */
struct node_time {
	uint32_t event, node; /* node: position in the page's order */
	uint32_t slice; /* from the first one */
	uint64_t samples, weight;
};

uint64_t flame_times__each(const struct profile_times *t, const struct profile *p, uint32_t event)
{
	uint64_t each = FLAME_EACH_ANY;
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		const struct profile_time *v = &t->values[i];

		if (p->stacks[v->stack].event != event)
			continue;
		if (each == FLAME_EACH_ANY)
			each = v->samples ? v->weight / v->samples : 0;
		if (!each || v->weight != v->samples * each)
			return 0;
	}
	return each;
}

/* Copies the values, sorted by a member that is below `end`; equal ones keep their order. */
static void sort_by(size_t member, const struct node_time *from, struct node_time *to, size_t cnt,
		    size_t *starts, size_t end)
{
	size_t i, at = 0, n;

	memset(starts, 0, end * sizeof(*starts));
	for (i = 0; i < cnt; i++)
		starts[*(const uint32_t *)((const char *)&from[i] + member)]++;
	for (i = 0; i < end; i++) {
		n = starts[i];
		starts[i] = at;
		at += n;
	}
	for (i = 0; i < cnt; i++)
		to[starts[*(const uint32_t *)((const char *)&from[i] + member)]++] = from[i];
}

/*
 * Sorts by event, node and slice. There may be a quarter of a million of values, and comparing them
 * would take longer than all else of the page. -ENOMEM, or 0.
 */
static int sort(const struct profile_tree *tree, struct node_time *v, size_t cnt, size_t slices)
{
	size_t most = tree->cnt > slices ? tree->cnt : slices;
	struct node_time *other = malloc(cnt * sizeof(*other));
	size_t *starts =
		malloc((most > tree->event_cnt ? most : tree->event_cnt) * sizeof(*starts));

	if (other && starts) {
		sort_by(offsetof(struct node_time, slice), v, other, cnt, starts, slices);
		sort_by(offsetof(struct node_time, node), other, v, cnt, starts, tree->cnt);
		sort_by(offsetof(struct node_time, event), v, other, cnt, starts, tree->event_cnt);
		memcpy(v, other, cnt * sizeof(*v));
	}
	free(starts);
	free(other);
	return other && starts ? 0 : -ENOMEM;
}

static bool are_equal(const struct node_time *x, const struct node_time *y)
{
	return x->event == y->event && x->node == y->node && x->slice == y->slice;
}

/* Sums up stacks of one node, which differ in their addresses. Returns the number of values. */
static size_t merge_equal(struct node_time *v, size_t cnt)
{
	size_t i, n = 0;

	for (i = 0; i < cnt; i++) {
		if (n && are_equal(&v[n - 1], &v[i])) {
			v[n - 1].samples += v[i].samples;
			v[n - 1].weight += v[i].weight;
		} else {
			v[n++] = v[i];
		}
	}
	return n;
}

/* Returns the values by event, node and slice; the caller frees them. NULL: no memory. */
static struct node_time *times_of(const struct profile_tree *tree, const uint32_t *order,
				  uint32_t cnt, size_t *time_cnt)
{
	const struct profile_times *t = &tree->profile->times;
	struct node_time *v = malloc(t->cnt * sizeof(*v));
	uint32_t *position = calloc(tree->cnt, sizeof(*position)), i;
	size_t k;

	if (!v || !position) {
		free(v);
		free(position);
		return NULL;
	}
	for (i = 0; i < cnt; i++)
		position[order[i]] = i;
	for (k = 0; k < t->cnt; k++)
		v[k] = (struct node_time){
			.event = tree->profile->stacks[t->values[k].stack].event,
			.node = position[tree->of_stack[t->values[k].stack]],
			.slice = (uint32_t)(t->values[k].slice - t->first),
			.samples = t->values[k].samples,
			.weight = t->values[k].weight,
		};
	free(position);
	if (sort(tree, v, t->cnt, t->last - t->first + 1)) {
		free(v);
		return NULL;
	}
	*time_cnt = merge_equal(v, t->cnt);
	return v;
}

/* Puts the values of one event, from v on; returns the first of the next event. */
static const struct node_time *put_event(struct strbuf *sb, const struct node_time *v,
					 const struct node_time *end, uint32_t event, uint64_t each)
{
	uint32_t before = UINT32_MAX, slice;
	const struct node_time *to;

	while (v < end && v->event == event) {
		for (to = v; to < end && to->event == event && to->node == v->node;)
			to++;
		vlq__put(sb, v->node - before);
		vlq__put(sb, (uint64_t)(to - v));
		before = v->node;
		for (slice = UINT32_MAX; v < to; slice = v++->slice) {
			vlq__put(sb, v->slice - slice);
			vlq__put(sb, v->samples);
			if (!each)
				vlq__put(sb, v->weight);
		}
	}
	return v;
}

int flame_times__put(const struct profile_tree *tree, const uint32_t *order, uint32_t cnt,
		     const uint64_t *each, struct strbuf *sb)
{
	const struct profile_times *t = &tree->profile->times;
	const struct node_time *at;
	struct node_time *v;
	size_t time_cnt;
	uint32_t e;

	if (!t->cnt || t->incomplete)
		return 0;
	v = times_of(tree, order, cnt, &time_cnt);
	if (!v)
		return -ENOMEM;
	strbuf__printf(sb, ",\n\"times\":{\"shift\":%u,\"first\":%llu,\"slices\":%llu,\"values\":[",
		       t->shift, (unsigned long long)t->first,
		       (unsigned long long)(t->last - t->first + 1));
	for (at = v, e = 0; e < tree->event_cnt; e++) {
		strbuf__puts(sb, e ? ",\"" : "\"");
		at = put_event(sb, at, v + time_cnt, e, each[e]);
		strbuf__putc(sb, '"');
	}
	strbuf__puts(sb, "]}");
	free(v);
	return 0;
}
