// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/trigger.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "event/probe_source.h"
#include "session/event_filters.h"
#include "util/log.h"

/* Parses expr for the event; *f is NULL if expr is. Returns 0 or -errno (logged). */
static int parse(struct filter **f, const struct event *ev, const char *expr)
{
	struct filter_fault fault = FILTER_FAULT_INIT;
	int err;

	*f = NULL;
	if (!expr)
		return 0;
	err = filter__parse(f, expr, ev->fmt, event_filters__env(), &fault);
	if (err)
		filter_fault__log(&fault, expr);
	filter_fault__free(&fault);
	return err ? -EINVAL : 0;
}

static void clear(struct trigger *at)
{
	filter__free(at->filter);
	free(at->expr);
	event__free(at->ev);
}

/* For an event that is a trigger already: a record triggers if either filter takes it. */
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

static bool is_same(const struct event *a, const struct event *b)
{
	return (a->fmt && b->fmt && a->fmt->id == b->fmt->id) || event__is_same_probe(a, b);
}

static struct trigger *trigger_of(struct triggers *t, const struct event *ev)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		if (is_same(t->at[i].ev, ev))
			return &t->at[i];
	return NULL;
}

/* Takes *ev over if it is a new trigger, and leaves NULL. */
static int add_trigger(struct triggers *t, struct event **evp, const char *expr)
{
	struct event *ev = *evp;
	struct trigger *at = trigger_of(t, ev), new = { .id = ev->fmt->id };
	int err = parse(&new.filter, ev, expr);

	/* Filters are joined only if the new one parses by itself. */
	if (err || at) {
		clear(&new);
		return err ? err : widen(at, ev, expr);
	}
	new.expr = expr ? strdup(expr) : NULL;
	at = realloc(t->at, (t->cnt + 1) * sizeof(*at));
	if (at)
		t->at = at;
	if (!at || (expr && !new.expr)) {
		clear(&new);
		return -ENOMEM;
	}
	new.ev = ev;
	*evp = NULL;
	at[t->cnt++] = new;
	return 0;
}

/* The colon before the filter; NULL: there is none. */
static const char *find_filter(const char *spec)
{
	const char *colon = strchr(spec, ':');

	if (probe_source__is_term(spec, strlen(spec)))
		return probe_source__filter(spec);
	return colon ? strchr(colon + 1, ':') : NULL;
}

int triggers__add(void *triggers, const char *spec)
{
	struct triggers *t = triggers;
	const char *colon = find_filter(spec);
	char *name = colon ? strndup(spec, (size_t)(colon - spec)) : strdup(spec);
	struct event_list list = {};
	size_t i;
	int err;

	if (!name)
		return -ENOMEM;
	err = event_list__add(&list, name);
	for (i = 0; i < list.cnt && !err; i++) {
		if (list.events[i]->kind != EVENT_TRACEPOINT) {
			log_error("--trigger %s: only a tracepoint or a probe can trigger, such as "
				  "sched:sched_process_exit",
				  spec);
			err = -EINVAL;
			break;
		}
		err = add_trigger(t, &list.events[i], colon ? colon + 1 : NULL);
	}
	event_list__free(&list);
	free(name);
	return err;
}

static struct event *find_event(const struct event_list *events, const struct event *ev)
{
	size_t i;

	for (i = 0; i < events->cnt; i++)
		if (is_same(events->events[i], ev))
			return events->events[i];
	return NULL;
}

/* Adds an event that is not traced otherwise, limited to its triggering records. */
static int trace_too(struct trigger *at, struct event_list *events)
{
	struct event *ev = at->ev;

	ev->from_glob = false;
	ev->term = events->term_cnt++;
	if (at->expr)
		ev->filter = strdup(at->expr);
	if (at->expr && !ev->filter) {
		log_error("out of memory");
		return -ENOMEM;
	}
	at->ev = NULL;
	return event_list__push(events, ev);
}

int triggers__join(struct triggers *t, struct event_list *events)
{
	size_t i;
	int err = 0;

	for (i = 0; i < t->cnt && !err; i++) {
		struct trigger *at = &t->at[i];
		struct event *ev = find_event(events, at->ev);

		at->only = !ev;
		if (at->only) {
			err = trace_too(at, events);
			continue;
		}
		at->id = ev->fmt->id;
		if (!at->expr) {
			/* All of its records trigger, and must be in the dump. */
			free(ev->filter);
			ev->filter = NULL;
		}
	}
	return err;
}

static void mark(struct code *c)
{
	code__insn(c, BPF_ST | BPF_MEM | BPF_W, CODE_R3, 0, offsetof(struct patch_env, triggered),
		   1);
}

/* Marks every record that has passed as triggering. */
static void mark_all(const void *arg, struct code *c, code_label reject)
{
	(void)arg;
	(void)reject;
	mark(c);
}

/* A record that the trigger's filter takes passes, whatever the event's own filter decides. */
static void pass_marked(const void *filter, struct code *c, code_label pass)
{
	code_label yes = code__label(c), no = code__label(c);

	filter__compile(filter, c, yes, no);
	code__bind(c, yes);
	mark(c);
	code__goto(c, pass);
	code__bind(c, no);
}

static void add_code(const struct trigger *at, struct patch_event *patch_point, uint32_t *needs)
{
	if (at->only || !at->filter) {
		patch_point->more = mark_all;
		return;
	}
	*needs |= filter__needs(at->filter);
	patch_point->first = pass_marked;
	patch_point->first_arg = at->filter;
}

void triggers__patch(const struct triggers *t, struct patch_event *patch_point, uint32_t *needs)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		if (t->at[i].id == patch_point->id)
			add_code(&t->at[i], patch_point, needs);
}

void triggers__free(struct triggers *t)
{
	size_t i;

	for (i = 0; i < t->cnt; i++)
		clear(&t->at[i]);
	free(t->at);
	*t = (struct triggers){};
}
