// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/metric_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "host/sysctl.h"
#include "stat/metric_env.h"
#include "stat/metric_set_priv.h"
#include "util/strbuf.h"

/* Events of one metric that are counted together: indexes of the set's inputs. */
struct id_group {
	unsigned int at[EXPR_IDS + 1];
	size_t cnt;
	bool is_alone; /* no group is formed */
};

/* Adds an input, also if there is one of that name. */
static int add_input(struct metric_set *set, const char *name, unsigned int *input)
{
	char **inputs = reallocarray(set->inputs, set->input_cnt + 1, sizeof(*inputs));
	struct metric_input *events;

	if (inputs)
		set->inputs = inputs;
	events = reallocarray(set->input_events, set->input_cnt + 1, sizeof(*events));
	if (events)
		set->input_events = events;
	if (!inputs || !events)
		return -ENOMEM;
	inputs[set->input_cnt] = strdup(name);
	if (!inputs[set->input_cnt])
		return -ENOMEM;
	events[set->input_cnt] = (struct metric_input){ 0 };
	*input = (unsigned int)set->input_cnt++;
	return 0;
}

static int find_input(struct metric_set *set, const char *name, unsigned int *input)
{
	size_t i;

	for (i = 0; i < set->input_cnt; i++) {
		*input = (unsigned int)i;
		if (!strcmp(set->inputs[i], name))
			return 0;
	}
	return add_input(set, name, input);
}

/* May the events of the metric form a group? (kernel: tools/perf/util/metricgroup.c) */
static bool may_group(const struct metric_def *def)
{
	const char *c = def->constraint;
	long on = 0;
	double smt = 0;

	if (!c)
		return true;
	if (!strcmp(c, "NO_GROUP_EVENTS"))
		return false;
	if (!strcmp(c, "NO_NMI_WATCHDOG") || !strcmp(c, "NO_GROUP_EVENTS_NMI"))
		return sysctl__nmi_watchdog(&on) || on != 1;
	/* NO_THRESHOLD_AND_NMI is about thresholds, which stat does not compute. */
	if (!strcmp(c, "NO_GROUP_EVENTS_SMT"))
		return !metric_env__literal("#smt_on", false, &smt) || smt == 0;
	return true;
}

/* The kernel wants slots as the leader of the metrics events of Intel's PMUs. */
static const char *slots_of(const char *name)
{
	static const char *const events[] = {
		"retiring",  "bad-spec",      "fe-bound",  "be-bound",
		"heavy-ops", "br-mispredict", "fetch-lat", "mem-bound"
	};
	const char *at = strstr(name, "topdown-");
	size_t i;

	for (i = 0; at && i < sizeof(events) / sizeof(*events); i++)
		if (!strncmp(at + 8, events[i], strlen(events[i])))
			return !strncmp(name, "cpu_core/", 9) ? "cpu_core/slots/" : "cpu/slots/";
	return NULL;
}

static int add_to_group(struct metric_set *set, struct id_group *g, const char *name)
{
	const char *slots = slots_of(name);
	unsigned int input, i, slot;
	int err = find_input(set, name, &input);

	for (i = 0; i < g->cnt && !err; i++)
		if (g->at[i] == input)
			return 0;
	if (!err)
		g->at[g->cnt++] = input;
	if (err || !slots || !metric_env__has_event(slots, NULL, NULL))
		return err;
	err = find_input(set, slots, &slot);
	for (i = 0; i < g->cnt && g->at[i] != slot;)
		i++;
	/* slots leads, whether it was there or not. */
	if (!err && i == g->cnt && g->cnt <= EXPR_IDS)
		g->cnt++;
	if (!err && i < g->cnt) {
		memmove(&g->at[1], &g->at[0], i * sizeof(*g->at));
		g->at[0] = slot;
	}
	return err;
}

static bool has_all(const struct id_group *big, const struct id_group *small)
{
	size_t i, j;

	for (i = 0; i < small->cnt; i++) {
		for (j = 0; j < big->cnt && big->at[j] != small->at[i];)
			j++;
		if (j == big->cnt)
			return false;
	}
	return true;
}

/* Fills the group of one metric, of its events on counters of the CPU. */
static int fill_group(struct metric_set *set, struct metric *m, struct id_group *g)
{
	size_t i;
	int err = 0;

	g->is_alone = !may_group(m->def);
	for (i = 0; i < m->expr->id_cnt && !err; i++) {
		const char *name = m->expr->ids[i];
		unsigned int cnt = 1;
		bool is_hw = false;

		metric_env__has_event(name, &is_hw, &cnt);
		err = is_hw && cnt == 1 ? add_to_group(set, g, name) : 0;
		if (!err)
			err = find_input(set, name, &m->inputs[i]);
	}
	return err;
}

/* Has the group nothing but slots and the metrics that the kernel reads beside it? */
static bool is_of_metrics(const struct metric_set *set, const struct id_group *g)
{
	const char *slots = g->cnt > 1 && !g->is_alone ? slots_of(set->inputs[g->at[1]]) : NULL;
	size_t i;

	if (!slots || strcmp(set->inputs[g->at[0]], slots))
		return false;
	for (i = 1; i < g->cnt; i++)
		if (!slots_of(set->inputs[g->at[i]]))
			return false;
	return true;
}

/* Adds the members of `from` that `g` has not. */
static void join(struct id_group *g, const struct id_group *from)
{
	size_t i, j;

	for (i = 0; i < from->cnt; i++) {
		for (j = 0; j < g->cnt && g->at[j] != from->at[i];)
			j++;
		if (j == g->cnt && g->cnt <= EXPR_IDS)
			g->at[g->cnt++] = from->at[i];
	}
}

/*
 * Groups of metrics take turns, since each has slots, which one counter counts; yet all metrics fit
 * beside one slots: they need no counter.
 */
static void join_metrics(const struct metric_set *set, struct id_group *groups)
{
	size_t i, j;

	for (i = 0; i < set->cnt; i++)
		for (j = 0; j < set->cnt && is_of_metrics(set, &groups[i]); j++)
			if (j != i && is_of_metrics(set, &groups[j]) &&
			    groups[j].at[0] == groups[i].at[0])
				join(&groups[i], &groups[j]);
}

/* Appends one input, or more in a group, and notes the events. */
static int append(struct metric_set *set, struct event_list *events, const unsigned int *at,
		  size_t cnt)
{
	struct strbuf spec = STRBUF_INIT;
	size_t i, before = events->cnt, each;
	int err;

	strbuf__puts(&spec, cnt > 1 ? "{" : "");
	for (i = 0; i < cnt; i++)
		strbuf__printf(&spec, "%s%s", i ? "," : "", set->inputs[at[i]]);
	strbuf__puts(&spec, cnt > 1 ? "}:W" : "");
	err = event_list__add(events, strbuf__cstr(&spec));
	strbuf__free(&spec);
	if (err)
		return err;
	each = cnt > 1 ? 1 : events->cnt - before;
	if (cnt > 1 && events->cnt - before != cnt)
		return -EINVAL;
	for (i = 0; i < cnt; i++) {
		struct metric_input *in = &set->input_events[at[i]];
		size_t j;

		if (in->cnt)
			continue;
		in->events = calloc(each ? each : 1, sizeof(*in->events));
		if (!in->events)
			return -ENOMEM;
		in->cnt = each;
		for (j = 0; j < each; j++)
			in->events[j] = events->events[before + i + j];
		/* A tracepoint that -e names as well is in the list already. */
		for (j = 0; !in->cnt && j < before; j++)
			if (!strcmp(events->events[j]->name, set->inputs[at[i]]))
				in->events[in->cnt++] = events->events[j];
	}
	return 0;
}

/* Has the metric its events in a group that another metric forms? */
static bool is_in_other(const struct metric_set *set, const struct id_group *groups, size_t i)
{
	const struct id_group *g = &groups[i];
	size_t j;

	for (j = 0; j < set->cnt; j++)
		if (j != i && !groups[j].is_alone && has_all(&groups[j], g) &&
		    (groups[j].cnt > g->cnt || j < i))
			return true;
	return false;
}

/*
 * An event that an earlier group has, too, is counted in this group once more: a metric reads the
 * events of one group, which count at one time. The metrics that read group i are told.
 */
static int own_inputs(struct metric_set *set, const struct id_group *groups, size_t i,
		      bool *is_placed, bool *is_member, struct id_group *own)
{
	size_t j, k, id;
	int err = 0;

	*own = groups[i];
	for (j = 0; j < set->cnt; j++) {
		is_member[j] =
			!is_placed[j] && !groups[j].is_alone && has_all(&groups[i], &groups[j]);
		is_placed[j] |= is_member[j];
	}
	for (k = 0; k < own->cnt && !err; k++) {
		unsigned int before = own->at[k];

		if (!set->input_events[before].cnt)
			continue;
		err = add_input(set, set->inputs[before], &own->at[k]);
		for (j = 0; j < set->cnt && !err; j++)
			for (id = 0; is_member[j] && id < set->at[j].expr->id_cnt; id++)
				if (set->at[j].inputs[id] == before)
					set->at[j].inputs[id] = own->at[k];
	}
	return err;
}

static int append_groups(struct metric_set *set, struct event_list *events,
			 const struct id_group *groups)
{
	/* By metric: it reads a group that was appended; it reads the one that is being made. */
	bool *is_placed = calloc(2 * set->cnt + 1, sizeof(*is_placed));
	bool *is_member = is_placed ? is_placed + set->cnt : NULL;
	struct id_group own;
	int err = is_placed ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < set->cnt && !err; i++) {
		if (groups[i].is_alone || !groups[i].cnt || is_in_other(set, groups, i))
			continue;
		err = own_inputs(set, groups, i, is_placed, is_member, &own);
		if (!err)
			err = append(set, events, own.at, own.cnt);
	}
	free(is_placed);
	return err;
}

/* The events that no group has: alone. */
static int append_rest(struct metric_set *set, struct event_list *events)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < set->input_cnt && !err; i++)
		if (!set->input_events[i].cnt)
			err = append(set, events, &i, 1);
	return err;
}

static const struct event *anchor_of(const struct metric_set *set, const struct metric *m)
{
	const struct event *first = NULL;
	size_t i;

	for (i = 0; i < m->expr->id_cnt; i++) {
		const struct metric_input *in = &set->input_events[m->inputs[i]];

		if (in->cnt && in->events[0]->kind != EVENT_TOOL)
			return in->events[0];
		if (in->cnt && !first)
			first = in->events[0];
	}
	return first;
}

int metric_events__add(struct metric_set *set, struct event_list *events)
{
	struct id_group *groups = calloc(set->cnt ? set->cnt : 1, sizeof(*groups));
	size_t i;
	int err = groups ? 0 : -ENOMEM;

	for (i = 0; i < set->cnt && !err; i++)
		err = fill_group(set, &set->at[i], &groups[i]);
	if (!err) {
		join_metrics(set, groups);
		err = append_groups(set, events, groups);
	}
	if (!err)
		err = append_rest(set, events);
	for (i = 0; i < set->cnt && !err; i++)
		set->at[i].anchor = anchor_of(set, &set->at[i]);
	free(groups);
	return err;
}
