// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/trace_predicates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "session/event_filters.h"
#include "event/weight.h"
#include "util/log.h"

bool agg_opts__any(const struct agg_opts *o)
{
	return o->count || o->hist || o->sum || o->by;
}

bool agg_opts__by_stack(const struct agg_opts *o)
{
	const char *at = o->by;
	size_t len;

	for (; at && *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		if (len == 5 && !strncmp(at, "stack", 5))
			return true;
	}
	return false;
}

static int open_filters(struct trace_predicates *code)
{
	size_t i;

	for (i = 0; i < code->events->cnt; i++) {
		struct filter *f = event_filters__of(code->events->events[i]);

		if (!f && errno == ENOMEM)
			return -ENOMEM;
		code->patches[i].id = code->events->events[i]->fmt->id;
		code->patches[i].filter = f;
		if (f)
			code->needs |= filter__needs(f);
	}
	return 0;
}

static bool has_weight(const struct event *ev)
{
	return event_weight__field(ev->fmt);
}

/* Adds the predicates that the options require. */
static int check_opts(struct trace_predicates *code, const struct agg_opts *o)
{
	unsigned int i;

	if (o->hist && o->sum && strcmp(o->hist, o->sum) != 0) {
		log_error("--hist %s --sum %s: both apply to one field; name the same field, or "
			  "run twice",
			  o->hist, o->sum);
		return -EINVAL;
	}
	code->plan.period = o->period;
	code->plan.value = o->hist ? o->hist : o->sum;
	code->plan.weights =
		!code->plan.value && (o->period || event_list__any(code->events, has_weight));
	if (o->period) {
		code->agg.mode = WIRE_AGG_PERIOD;
		return 0;
	}
	code->agg.mode = WIRE_AGG_ON | (o->hist ? WIRE_AGG_HIST : 0) | (o->sum ? WIRE_AGG_SUM : 0) |
			 (code->plan.weights ? WIRE_AGG_SUM : 0) | (o->by ? WIRE_AGG_BY : 0);
	if (o->by && agg_plan__parse_by(&code->plan, o->by))
		return -EINVAL;
	for (i = 0; i < code->plan.part_cnt; i++) {
		const struct agg_part *part = &code->plan.parts[i];

		code->part_names[i] = strndup(part->name, part->name_len);
		if (!code->part_names[i])
			return -ENOMEM;
	}
	return 0;
}

/* Has events that are counted alike share their code: there may be thousands. */
static void share_code(struct trace_predicates *code, size_t i)
{
	struct patch_event *p = &code->patches[i];

	if (!p->first && !p->filter && !p->never)
		p->is_shared = agg_event__share(code->agg_events[i], p->id, &p->shift);
}

static int open_agg(struct trace_predicates *code, const struct agg_opts *o)
{
	size_t i;
	int err = check_opts(code, o);

	if (err)
		return err;
	code->agg_events = calloc(code->events->cnt, sizeof(struct agg_event *));
	if (!code->agg_events)
		return -ENOMEM;
	for (i = 0; i < code->events->cnt; i++) {
		struct agg_event *e = agg_event__new(&code->plan, code->events->events[i]->fmt,
						     (unsigned int)i, event_filters__env());

		if (!e)
			return -errno;
		code->agg_events[i] = e;
		code->patches[i].more = agg_event__code;
		code->patches[i].more_arg = e;
		share_code(code, i);
		code->needs |= agg_event__needs(e);
	}
	if (agg_plan__lay_out(&code->plan))
		return -EINVAL;
	if (agg_plan__has_stack(&code->plan))
		code->agg.mode |= WIRE_AGG_STACK;
	code->agg.key_words = code->plan.key_words;
	code->agg.event_cnt = (unsigned int)code->events->cnt;
	return 0;
}

int trace_predicates__open(struct trace_predicates *code, const struct event_list *events,
			   const struct agg_opts *opts, struct triggers *triggers)
{
	bool any = agg_opts__any(opts) || opts->period || triggers->cnt;
	size_t i;
	int err;

	code->events = events;
	for (i = 0; i < events->cnt; i++)
		any |= events->events[i]->filter != NULL;
	if (!any)
		return 0;
	code->patches = calloc(events->cnt, sizeof(*code->patches));
	err = code->patches ? open_filters(code) : -ENOMEM;
	for (i = 0; !err && i < events->cnt; i++)
		triggers__patch(triggers, &code->patches[i], &code->needs);
	if (!err && (agg_opts__any(opts) || opts->period))
		err = open_agg(code, opts);
	if (err == -ENOMEM)
		log_error("out of memory");
	return err;
}

void trace_predicates__free(struct trace_predicates *code)
{
	size_t i;

	for (i = 0; code->patches && i < code->events->cnt; i++)
		filter__free((struct filter *)code->patches[i].filter);
	for (i = 0; code->agg_events && i < code->events->cnt; i++)
		agg_event__free(code->agg_events[i]);
	for (i = 0; i < AGG_PARTS_MAX; i++)
		free(code->part_names[i]);
	free(code->agg_events);
	free(code->patches);
	memset(code, 0, sizeof(*code));
}
