// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/hit_report.h"

#include <string.h>

#include "util/log.h"
#include "util/thread.h"

void hit_report__open(struct hit_report *r, const struct event_list *events)
{
	const unsigned int kernel = 1u << HIT_KERNEL;
	size_t i;

	*r = (struct hit_report){ .events = NULL };
	for (i = 0; i < events->cnt; i++) {
		const struct probe *p = events->events[i]->probe;

		if (!p || p->hit == HIT_UNKNOWN)
			continue;
		r->classes |= 1u << p->hit;
		r->with_return |= p->is_pair;
	}
	if (!r->classes)
		return;
	r->events = events;
	hit_meter__open(&r->meter, r->classes & ~kernel, r->classes & kernel);
}

static void *measure(void *report)
{
	struct hit_report *r = report;

	/* The loop that started it is urgent. */
	thread__set_nice(0);
	hit_meter__measure(&r->meter, r->classes, r->with_return, &r->costs);
	atomic_store(&r->is_done, true);
	return NULL;
}

int hit_report__start(void *report)
{
	struct hit_report *r = report;

	if (r->events && !r->is_started)
		r->is_started = !thread__start(&r->thread, measure, r);
	return 0;
}

uint32_t hit_report__ns(const struct hit_report *r, const struct event *ev)
{
	const struct probe *p = ev->probe;

	if (!p || !atomic_load(&r->is_done) || !r->costs.ns[p->hit])
		return 0;
	return r->costs.ns[p->hit] + (p->is_pair ? r->costs.return_ns[p->in_kernel] : 0);
}

/* The events of one class, with their returns or without. */
static void report_class(const struct hit_report *r, enum hit_class hit, bool is_pair)
{
	const struct event *first = NULL;
	size_t cnt = 0, i;

	for (i = 0; i < r->events->cnt; i++) {
		const struct event *ev = r->events->events[i];

		if (!ev->probe || ev->probe->hit != hit || ev->probe->is_pair != is_pair)
			continue;
		first = first ? first : ev;
		cnt++;
	}
	if (!first || !hit_report__ns(r, first))
		return;
	if (cnt == 1)
		log_note("a hit of %s costs about %.2f us (%s%s)", first->name,
			 hit_report__ns(r, first) / 1e3, hit_class__name(hit),
			 is_pair ? ", and its return" : "");
	else
		log_note("hits of %s and %zu more cost about %.2f us each (%s%s)", first->name,
			 cnt - 1, hit_report__ns(r, first) / 1e3, hit_class__name(hit),
			 is_pair ? ", and its return" : "");
}

void hit_report__summary(struct hit_report *r)
{
	unsigned int hit;

	if (!r->is_started)
		return;
	pthread_join(r->thread, NULL);
	r->is_started = false;
	for (hit = HIT_UNKNOWN + 1; hit < HIT_CLASS_CNT; hit++) {
		report_class(r, (enum hit_class)hit, false);
		report_class(r, (enum hit_class)hit, true);
	}
	if (r->classes & 1u << HIT_NOP5 && r->costs.red_zone)
		log_warn("at a nop of five bytes this kernel's probes overwrite what a function "
			 "has below its stack pointer: see bpfperf doctor");
}

void hit_report__close(struct hit_report *r)
{
	if (r->is_started)
		pthread_join(r->thread, NULL);
	r->is_started = false;
	hit_meter__close(&r->meter);
}
