// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/aggr.h"

#include <errno.h>
#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
	const struct aggr_id *x = a, *y = b;

	return topology__compare(&x->id, &y->id);
}

static int aggr_ids__add(struct aggr_ids *p, int cpu)
{
	struct aggr_id place, *moved;
	size_t i;

	topology__find(cpu, p->level, &place.id);
	for (i = 0; i < p->cnt; i++)
		if (!topology__compare(&p->at[i].id, &place.id))
			return 0;
	moved = reallocarray(p->at, p->cnt + 1, sizeof(*moved));
	if (!moved)
		return -ENOMEM;
	p->at = moved;
	topology__label(&place.id, p->level, place.label, sizeof(place.label));
	p->at[p->cnt++] = place;
	return 0;
}

int aggr_ids__find(struct aggr_ids *p, const struct perf_counters *counters, size_t event_cnt,
		   enum topology_level level)
{
	size_t ev, i;
	int err = 0;

	p->level = level;
	for (ev = 0; ev < event_cnt; ev++)
		for (i = 0; i < perf_counters__cpu_cnt(counters, ev) && !err; i++)
			err = aggr_ids__add(p, perf_counters__cpu(counters, ev, i));
	if (!err && p->cnt)
		qsort(p->at, p->cnt, sizeof(*p->at), by_id);
	return err;
}

void aggr_ids__free(struct aggr_ids *p)
{
	free(p->at);
	*p = (struct aggr_ids){ 0 };
}

int aggr_ids__cpus(const struct aggr_ids *p, size_t at, const struct perf_counters *counters,
		   size_t event, int **cpus, size_t *cnt)
{
	size_t all = perf_counters__cpu_cnt(counters, event), i;
	struct topology_place id;

	*cnt = 0;
	*cpus = calloc(all ? all : 1, sizeof(**cpus));
	if (!*cpus)
		return -ENOMEM;
	for (i = 0; i < all; i++) {
		int cpu = perf_counters__cpu(counters, event, i);

		topology__find(cpu, p->level, &id);
		if (!topology__compare(&id, &p->at[at].id))
			(*cpus)[(*cnt)++] = cpu;
	}
	return 0;
}
