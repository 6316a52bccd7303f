// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The events of pairs, of the running kernel or of a recording, and their roles. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/tracefs.h"
#include "run/latency_pairs.h"
#include "session/event_filters.h"
#include "util/log.h"

/* Makes room for the roles of events that were added. */
static int grow_roles(struct latency_pairs *p)
{
	size_t cnt = p->events.cnt;
	struct pair_role *ends, *starts;

	if (cnt <= p->role_cap)
		return 0;
	ends = reallocarray(p->ends, cnt, sizeof(*ends));
	if (ends)
		p->ends = ends;
	starts = reallocarray(p->starts, cnt, sizeof(*starts));
	if (starts)
		p->starts = starts;
	if (!ends || !starts)
		return -ENOMEM;
	memset(ends + p->role_cap, 0, (cnt - p->role_cap) * sizeof(*ends));
	memset(starts + p->role_cap, 0, (cnt - p->role_cap) * sizeof(*starts));
	p->role_cap = cnt;
	return 0;
}

static int parse_filter(struct filter **f, const char *expr, const struct tp_format *fmt)
{
	struct filter_fault fault = FILTER_FAULT_INIT;
	int err = filter__parse(f, expr, fmt, event_filters__env(), &fault);

	if (err == -ENOMEM)
		return err;
	if (err)
		filter_fault__log(&fault, expr);
	filter_fault__free(&fault);
	return err ? -EINVAL : 0;
}

static uint32_t flags_of(const struct pair *pair, bool is_start)
{
	bool by_task = pair->is_of_task || is_start != pair->is_of_ender;

	return (pair->stays ? WIRE_SPAN_STAYS : 0) | (pair->first ? WIRE_SPAN_FIRST : 0) |
	       (by_task ? WIRE_SPAN_TASK : 0) | (pair->counts_calls ? WIRE_SPAN_CALL : 0);
}

/* Gives an event its role in a pair. */
static int add_role(struct latency_pairs *p, unsigned int pair, bool is_start, size_t event,
		    const struct pair_event *pe)
{
	struct pair_role *r = is_start ? &p->starts[event] : &p->ends[event];
	const struct event *ev = p->events.events[event];
	const struct span_role_config cfg = {
		.pair = pair,
		.flags = flags_of(&p->pairs[pair], is_start),
		.is_start = is_start,
		.fmt = ev->fmt,
		.env = event_filters__env(),
	};
	const char *key = pe->key;
	int err = 0;

	if (r->role) {
		log_error("%s %s both %s and %s; measure them one by one", ev->name,
			  is_start ? "starts" : "ends", p->pairs[r->pair].name,
			  p->pairs[pair].name);
		return -EINVAL;
	}
	r->pair = pair;
	r->role = span_role__new(&cfg);
	if (!r->role)
		return -ENOMEM;
	while (*key && !err) {
		size_t len = strcspn(key, ",");

		err = span_role__add_key(r->role, key, len);
		key += len + (key[len] == ',');
	}
	return err || !pe->filter ? err : parse_filter(&r->filter, pe->filter, ev->fmt);
}

/* Does this kernel have the tracepoint? */
static bool has_event(const char *name)
{
	char path[256];
	int len = (int)strcspn(name, ":");

	snprintf(path, sizeof(path), "%s/events/%.*s/%s", tracefs__dir(), len, name,
		 name + len + (name[len] == ':'));
	return access(path, F_OK) == 0;
}

/* Adds an event of the recording, which stays its owner, in its role. */
static int add_recorded(struct latency_pairs *p, struct event *ev, unsigned int pair, bool is_start,
			const struct pair_event *pe)
{
	size_t i;
	int err;

	for (i = 0; i < p->events.cnt && p->events.events[i] != ev; i++)
		;
	err = i == p->events.cnt ? event_list__push(&p->events, ev) : 0;
	if (!err)
		err = grow_roles(p);
	return err ? err : add_role(p, pair, is_start, i, pe);
}

static int resolve_recorded(struct latency_pairs *p, unsigned int pair, bool is_start,
			    const struct pair_event *pe)
{
	bool found = false;
	int err = 0;
	size_t i;

	for (i = 0; i < p->recorded->cnt && !err; i++) {
		struct event *ev = p->recorded->events[i];

		if (!ev->fmt || fnmatch(pe->name, ev->name, 0))
			continue;
		found = true;
		err = add_recorded(p, ev, pair, is_start, pe);
	}
	if (found || pe->is_optional)
		return err;
	log_error("%s: the recording has no %s; record it, too: bpfperf record -a -e %s",
		  p->pairs[pair].name, pe->name, pe->name);
	return -EINVAL;
}

static int resolve_event(struct latency_pairs *p, unsigned int pair, bool is_start,
			 const struct pair_event *pe)
{
	int first_term = p->events.term_cnt, err;
	size_t i;

	if (p->recorded)
		return resolve_recorded(p, pair, is_start, pe);
	if (pe->is_optional && !has_event(pe->name))
		return 0;
	err = event_list__add(&p->events, pe->name);
	if (!err)
		err = grow_roles(p);
	for (i = 0; i < p->events.cnt && !err; i++) {
		const struct event *ev = p->events.events[i];

		if (ev->term < first_term)
			continue;
		if (ev->kind != EVENT_TRACEPOINT) {
			log_error("%s is not a tracepoint; latency joins tracepoints, which "
				  "`bpfperf list tracepoint` shows",
				  ev->name);
			return -EINVAL;
		}
		err = add_role(p, pair, is_start, i, pe);
	}
	return err;
}

int latency_pairs__resolve(struct latency_pairs *p, unsigned int pair)
{
	const struct pair *def = &p->pairs[pair];
	int err = 0, i;

	for (i = 0; i < PAIR_EVENTS_MAX && def->from[i].name && !err; i++)
		err = resolve_event(p, pair, true, &def->from[i]);
	for (i = 0; i < PAIR_EVENTS_MAX && def->to[i].name && !err; i++)
		err = resolve_event(p, pair, false, &def->to[i]);
	return err;
}
