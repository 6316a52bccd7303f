// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/trigger.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "cmd/trace_filter.h"
#include "util/log.h"

/* NULL where expr is; else what it says of the event. 0 or -errno (said). */
static int parse(struct filter **f, const struct event *ev, const char *expr)
{
	struct filter_fault fault = FILTER_FAULT_INIT;
	int err;

	*f = NULL;
	if (!expr)
		return 0;
	err = filter__parse(f, expr, ev->fmt, trace_filter__world(), &fault);
	if (err)
		filter_fault__tell(&fault, expr);
	filter_fault__free(&fault);
	return err ? -EINVAL : 0;
}

static void clear(struct trigger *at)
{
	filter__free(at->filter);
	free(at->expr);
	free(at->name);
}

/* The event is one already: either filter triggers. */
static int widen(struct trigger *at, const struct event *ev, const char *expr)
{
	struct filter *f = NULL;
	char *either = NULL;
	int err = 0;

	if (at->expr && expr) {
		if (asprintf(&either, "(%s) || (%s)", at->expr, expr) < 0)
			return -ENOMEM;
		err = parse(&f, ev, either);
	}
	if (err) {
		free(either);
		return err;
	}
	filter__free(at->filter);
	free(at->expr);
	at->filter = f;
	at->expr = either;
	return 0;
}

static struct trigger *trigger_of(struct triggers *t, uint16_t id)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		if (t->at[i].id == id)
			return &t->at[i];
	return NULL;
}

static int add(struct triggers *t, const struct event *ev, const char *expr)
{
	struct trigger *at = trigger_of(t, ev->fmt->id), new = { .id = ev->fmt->id };
	int err = parse(&new.filter, ev, expr);

	/* Only what is a filter by itself is joined with another. */
	if (err || at) {
		clear(&new);
		return err ? err : widen(at, ev, expr);
	}
	new.name = strdup(ev->name);
	new.expr = expr ? strdup(expr) : NULL;
	at = realloc(t->at, (t->cnt + 1) * sizeof(*at));
	if (at)
		t->at = at;
	if (!at || !new.name || (expr && !new.expr)) {
		clear(&new);
		return -ENOMEM;
	}
	at[t->cnt++] = new;
	return 0;
}

int triggers__add(struct triggers *t, const char *spec)
{
	const char *colon = strchr(spec, ':'), *second = colon ? strchr(colon + 1, ':') : NULL;
	char *name = second ? strndup(spec, (size_t)(second - spec)) : strdup(spec);
	struct event_list list = {};
	size_t i;
	int err;

	if (!name)
		return -ENOMEM;
	err = event_list__add(&list, name);
	for (i = 0; i < list.cnt && !err; i++) {
		if (list.events[i]->kind != EVENT_TRACEPOINT) {
			log_error("--trigger %s: only a tracepoint can trigger, such as "
				  "sched:sched_process_exit",
				  spec);
			err = -EINVAL;
			break;
		}
		err = add(t, list.events[i], second ? second + 1 : NULL);
	}
	event_list__free(&list);
	free(name);
	return err;
}

static bool is_traced(const struct event_list *events, size_t cnt, uint16_t id)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (events->events[i]->fmt && events->events[i]->fmt->id == id)
			return true;
	return false;
}

int triggers__join(struct triggers *t, struct event_list *events)
{
	size_t i, traced = events->cnt;
	int err = 0;

	for (i = 0; i < t->cnt && !err; i++) {
		t->at[i].only = !is_traced(events, traced, t->at[i].id);
		if (t->at[i].only && !is_traced(events, events->cnt, t->at[i].id))
			err = event_list__add(events, t->at[i].name);
	}
	return err;
}

/* Marks the record as one that triggers where the filter passes; all records go on. */
static void mark(const void *arg, struct code *c, code_label reject)
{
	const struct filter *f = arg;
	code_label yes = code__label(c), no = code__label(c);

	(void)reject;
	if (f)
		filter__compile(f, c, yes, no);
	code__bind(c, yes);
	code__insn(c, BPF_ST | BPF_MEM | BPF_W, CODE_R3, 0, offsetof(struct site_env, triggered),
		   1);
	code__bind(c, no);
}

void triggers__site(struct triggers *t, struct site_event *site, uint32_t *needs)
{
	size_t i;

	for (i = 0; i < t->cnt; i++) {
		struct trigger *at = &t->at[i];

		if (at->id != site->id)
			continue;
		if (at->filter)
			*needs |= filter__needs(at->filter);
		site->more = mark;
		site->more_arg = at->only ? NULL : at->filter;
		if (at->only) {
			site->filter = at->filter;
			at->filter = NULL;
		}
	}
}

void triggers__free(struct triggers *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		clear(&t->at[i]);
	free(t->at);
	*t = (struct triggers){};
}
