// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/log.h"

/* A tracepoint's id is 16 bits wide: it is the common_type of its records. */
#define TP_ID_CNT 65536

struct event *event__new(enum event_kind kind, const char *name)
{
	struct event *ev = calloc(1, sizeof(*ev));

	if (!ev)
		return NULL;
	ev->name = strdup(name);
	if (!ev->name) {
		free(ev);
		errno = ENOMEM;
		return NULL;
	}
	ev->kind = kind;
	ev->group = -1;
	ev->scale = 1.0;
	return ev;
}

void event__free(struct event *ev)
{
	if (!ev)
		return;
	tp_format__free(ev->fmt);
	probe__free(ev->probe);
	free(ev->name);
	free(ev->pmu);
	free(ev->cpus);
	free(ev->unit);
	free(ev->filter);
	free(ev->group_mods);
	free(ev);
}

bool event__is_hw(const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_HARDWARE:
		return true;
	case EVENT_RAW:
		return ev->type == PERF_TYPE_RAW;
	case EVENT_PMU:
		/* Agrees with pmu->is_core: core PMUs other than PERF_TYPE_RAW list their CPUs. */
		return ev->type == PERF_TYPE_RAW || (ev->cpus && !ev->system_wide);
	default:
		return false;
	}
}

bool event__is_clock(const struct event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE &&
	       (ev->config == PERF_COUNT_SW_CPU_CLOCK || ev->config == PERF_COUNT_SW_TASK_CLOCK);
}

int event__weigh(struct event *ev, const char *field)
{
	const struct tp_field *f = ev->probe ? tp_format__field(ev->fmt, field) : NULL;
	size_t i;

	for (i = 0; f && i < ev->probe->field_cnt; i++)
		if (ev->probe->fields[i].off == f->off &&
		    ev->probe->fields[i].kind == FETCH_NUMBER &&
		    ev->probe->fields[i].steps[0].op != FETCH_DURATION) {
			ev->probe->weight = (int)i;
			return 0;
		}
	return -ENOENT;
}

bool event__is_same_probe(const struct event *a, const struct event *b)
{
	const struct probe *x = a->probe, *y = b->probe;
	const char *body_x, *body_y;

	if (!x || !y || x->in_kernel != y->in_kernel || x->off != y->off ||
	    x->is_pair != y->is_pair)
		return false;
	if (x->in_kernel ? strcmp(x->func, y->func) : strcmp(x->path, y->path))
		return false;
	/* The text tells the fields' types, and the printed form; the head has the number. */
	body_x = strstr(a->fmt->text, "\nformat:");
	body_y = strstr(b->fmt->text, "\nformat:");
	return body_x && body_y && !strcmp(body_x, body_y);
}

int event__set_name(struct event *ev, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	free(ev->name);
	ev->name = copy;
	return 0;
}

int event__extend_name(struct event *ev, const char *suffix)
{
	size_t sz = strlen(ev->name) + strlen(suffix) + 1;
	char *name = malloc(sz);

	if (!name) {
		log_error("out of memory");
		return -ENOMEM;
	}
	snprintf(name, sz, "%s%s", ev->name, suffix);
	free(ev->name);
	ev->name = name;
	return 0;
}

bool event__has_options(const struct event *ev)
{
	const struct event_sampling *s = &ev->sampling;

	return s->chain || s->stack_sz || s->max_stack || s->time || s->inherit || s->has_branches;
}

static bool is_modified(const struct event *ev)
{
	return event__has_options(ev) || ev->sampling.period || ev->sampling.freq_hz ||
	       ev->exclude_user || ev->exclude_kernel || ev->exclude_hv || ev->exclude_host ||
	       ev->exclude_guest || ev->exclude_idle || ev->pinned || ev->exclusive ||
	       ev->read_group || ev->weak_group || ev->by_bpf || ev->precise_ip || ev->precise_max;
}

static bool can_be_shared(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT && ev->group < 0 && !is_modified(ev);
}

/*
 * Returns the event of this tracepoint in the list; NULL if it is new, and marks it in the bitmap.
 */
static struct event *find_twin(struct event_list *list, const struct event *ev)
{
	uint64_t bit = 1ULL << (ev->config % 64);
	uint64_t *word = &list->tp_seen[ev->config / 64 % (TP_ID_CNT / 64)];
	size_t i;

	if (!(*word & bit)) {
		*word |= bit;
		return NULL;
	}
	for (i = 0; i < list->cnt; i++)
		if (can_be_shared(list->events[i]) && list->events[i]->config == ev->config)
			return list->events[i];
	return NULL;
}

int event_list__push(struct event_list *list, struct event *ev)
{
	struct event *twin;

	if (array__reserve((void **)&list->events, &list->cap, list->cnt + 1,
			   sizeof(*list->events)))
		goto no_mem;
	if (!list->tp_seen)
		list->tp_seen = calloc(TP_ID_CNT / 64, sizeof(*list->tp_seen));
	if (!list->tp_seen)
		goto no_mem;
	twin = can_be_shared(ev) ? find_twin(list, ev) : NULL;
	if (twin) {
		twin->from_glob &= ev->from_glob;
		twin->term = ev->term;
		event__free(ev);
		return 0;
	}
	list->events[list->cnt++] = ev;
	return 0;
no_mem:
	event__free(ev);
	return -ENOMEM;
}

int event_list__join(struct event_list *list)
{
	size_t i;

	if (list->group_cnt) {
		log_error("--group makes one group of all events, and some are in braces; omit "
			  "either");
		return -EINVAL;
	}
	for (i = 0; i < list->cnt; i++)
		list->events[i]->group = 0;
	list->group_cnt = 1;
	return 0;
}

void event_list__free(struct event_list *list)
{
	size_t i;

	for (i = 0; i < list->cnt; i++)
		event__free(list->events[i]);
	free(list->events);
	free(list->tp_seen);
	memset(list, 0, sizeof(*list));
}

bool event_list__any(const struct event_list *list, bool (*is)(const struct event *ev))
{
	size_t i;

	for (i = 0; i < list->cnt; i++)
		if (is(list->events[i]))
			return true;
	return false;
}

bool event__takes_each(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT || ev->kind == EVENT_BREAKPOINT;
}

bool event__is_function(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT && !strcmp(ev->name, "ftrace:function");
}
