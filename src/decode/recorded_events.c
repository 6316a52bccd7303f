// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/recorded_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "data/attrs.h"
#include "util/array.h"

static enum event_kind kind_of(uint32_t type)
{
	switch (type) {
	case PERF_TYPE_TRACEPOINT:
		return EVENT_TRACEPOINT;
	case PERF_TYPE_SOFTWARE:
		return EVENT_SOFTWARE;
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		return EVENT_HARDWARE;
	case PERF_TYPE_RAW:
		return EVENT_RAW;
	case PERF_TYPE_BREAKPOINT:
		return EVENT_BREAKPOINT;
	default:
		return EVENT_PMU;
	}
}

static struct event *convert_attr(const struct recorded_event *from)
{
	const struct perf_event_attr *attr = &from->attr;
	struct event *ev = event__new(kind_of(attr->type), from->name);

	if (!ev)
		return NULL;
	ev->type = attr->type;
	ev->config = attr->config;
	ev->config1 = attr->config1;
	ev->config2 = attr->config2;
	ev->bp_type = attr->bp_type;
	ev->exclude_user = attr->exclude_user;
	ev->exclude_kernel = attr->exclude_kernel;
	ev->exclude_hv = attr->exclude_hv;
	ev->exclude_host = attr->exclude_host;
	ev->exclude_guest = attr->exclude_guest;
	ev->exclude_idle = attr->exclude_idle;
	ev->pinned = attr->pinned;
	ev->exclusive = attr->exclusive;
	ev->precise_ip = attr->precise_ip;
	ev->read_group = attr->read_format & PERF_FORMAT_GROUP;
	return ev;
}

/*
 * event_list__push() would merge two attrs of one tracepoint; a recording keeps them apart, so the
 * index of an event stays the index of its attr.
 */
static int append_event(struct event_list *list, struct event *ev)
{
	if (!ev || array__reserve((void **)&list->events, &list->cap, list->cnt + 1,
				  sizeof(*list->events))) {
		event__free(ev);
		return -ENOMEM;
	}
	list->events[list->cnt++] = ev;
	return 0;
}

int recorded_events__update(struct recorded_events *re, const struct attrs *attrs)
{
	int err = 0;

	while (re->list.cnt < attrs->cnt && !err) {
		const struct recorded_event *from = &attrs->events[re->list.cnt];
		struct event *ev = convert_attr(from);

		err = append_event(&re->list, ev);
		if (!err)
			ev->fmt = from->fmt;
	}
	return err;
}

void recorded_events__free(struct recorded_events *re)
{
	size_t i;

	for (i = 0; i < re->list.cnt; i++)
		re->list.events[i]->fmt = NULL;
	event_list__free(&re->list);
}
