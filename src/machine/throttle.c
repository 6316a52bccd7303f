// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "machine/throttle.h"

#include <errno.h>
#include <stdlib.h>

#include "machine/proc_event.h"

static struct throttled *throttled_of(struct throttle *t, uint64_t id)
{
	struct throttled *bigger;
	size_t i;

	for (i = 0; i < t->of_cnt; i++)
		if (t->of[i].id == id)
			return &t->of[i];
	bigger = realloc(t->of, (t->of_cnt + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	t->of = bigger;
	t->of[t->of_cnt] = (struct throttled){ .id = id };
	return &t->of[t->of_cnt++];
}

static void go_on(struct throttled *of, uint64_t time_ns)
{
	if (of->since_ns && time_ns > of->since_ns)
		of->total_ns += time_ns - of->since_ns;
	of->since_ns = 0;
}

int throttle__on_event(struct throttle *t, const struct proc_event *ev, uint64_t time_ns)
{
	struct throttled *of;

	if (ev->kind != PROC_THROTTLE && ev->kind != PROC_UNTHROTTLE)
		return 0;
	of = throttled_of(t, ev->id);
	if (!of)
		return -ENOMEM;
	go_on(of, time_ns);
	if (ev->kind == PROC_THROTTLE) {
		of->cnt++;
		of->since_ns = time_ns;
	}
	return 0;
}

void throttle__end(struct throttle *t, uint64_t end_ns)
{
	size_t i;

	for (i = 0; i < t->of_cnt; i++)
		go_on(&t->of[i], end_ns);
}

void throttle__sum(const struct throttle *t, uint64_t *cnt, uint64_t *total_ns)
{
	size_t i;

	*cnt = *total_ns = 0;
	for (i = 0; i < t->of_cnt; i++) {
		*cnt += t->of[i].cnt;
		*total_ns += t->of[i].total_ns;
	}
}

void throttle__free(struct throttle *t)
{
	free(t->of);
	*t = (struct throttle){ 0 };
}
