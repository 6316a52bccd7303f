// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Chooses metrics by name, and adds their events. */
#include "stat/metric_set.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/event.h"
#include "stat/metric_env.h"
#include "stat/metric_events.h"
#include "stat/metric_set_priv.h"
#include "util/log.h"
#include "util/suggest.h"

#define METRICS_MAX 2048

/* The search for a definition that this machine has. */
struct search {
	struct metric_set *set;
	char why[256]; /* of the last definition that it lacks */
};

/* Finds the first definition of a name for this CPU. */
static struct metric_def *find_def(const struct metric_set *set, const char *name)
{
	size_t i;

	for (i = 0; i < set->defs.cnt; i++)
		if (!strcasecmp(set->defs.at[i].name, name) &&
		    metric_def__is_for(&set->defs.at[i], set->cpuid))
			return &set->defs.at[i];
	return NULL;
}

/* Is there a metric of this name, on whatever CPU? */
static bool is_name(const struct metric_set *set, const char *name)
{
	size_t i;

	for (i = 0; i < set->defs.cnt; i++)
		if (!strcasecmp(set->defs.at[i].name, name))
			return true;
	return false;
}

/* A metric hides no event: the name of both is the event's in expressions. */
static const char *metric_text(void *ctx, const char *name)
{
	struct metric_def *def = find_def(ctx, name);

	if (!def)
		return NULL;
	if (!def->has_asked)
		def->is_event = metric_env__has_event(name, NULL, NULL);
	def->has_asked = true;
	return def->is_event ? NULL : def->expr;
}

static bool literal(void *ctx, const char *name, double *value)
{
	const struct metric_set *set = ctx;

	return metric_env__literal(name, set->by_cpu, value);
}

static bool has_event(void *ctx, const char *name)
{
	return metric_env__has_event(name, NULL, NULL);
}

static bool is_cpu(void *ctx, const char *cpuid)
{
	const struct metric_set *set = ctx;

	return !strncasecmp(set->cpuid, cpuid, strlen(cpuid));
}

/* Parses a definition, and looks for its events. NULL: this machine lacks it, and why is set. */
static struct metric_expr *try_def(struct search *s, const struct metric_def *def)
{
	const struct expr_env env = { metric_text, literal, has_event, is_cpu, s->set };
	struct expr_error err;
	struct metric_expr *e = metric_expr__parse(def->expr, &env, &err);
	size_t i;

	if (!e) {
		snprintf(s->why, sizeof(s->why), "%s (at character %zu of its expression)",
			 err.text, err.off + 1);
		return NULL;
	}
	for (i = 0; i < e->id_cnt; i++) {
		if (metric_env__has_event(e->ids[i], NULL, NULL))
			continue;
		snprintf(s->why, sizeof(s->why),
			 "it needs the event %.160s, which this machine "
			 "does not have",
			 e->ids[i]);
		metric_expr__free(e);
		return NULL;
	}
	if (e->id_cnt)
		return e;
	snprintf(s->why, sizeof(s->why), "no event is in its expression");
	metric_expr__free(e);
	return NULL;
}

static bool is_chosen(const struct metric_set *set, const char *name)
{
	size_t i;

	for (i = 0; i < set->cnt; i++)
		if (!strcasecmp(set->at[i].def->name, name))
			return true;
	return false;
}

/* Has an earlier definition this one's name? group: one of this group; NULL: any. */
static bool is_repeated(const struct metric_defs *defs, size_t i, const char *group)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (!strcasecmp(defs->at[j].name, defs->at[i].name) &&
		    (!group || metric_def__in_group(&defs->at[j], group)))
			return true;
	return false;
}

/* Adds the first definition of the name that this machine has. 1: there is none, and why is set. */
static int choose_name(struct search *s, const char *name)
{
	struct metric_set *set = s->set;
	struct metric *more;
	size_t i;

	if (is_chosen(set, name))
		return 0;
	for (i = 0; i < set->defs.cnt; i++) {
		struct metric m = { .def = &set->defs.at[i] };

		if (strcasecmp(m.def->name, name) || !metric_def__is_for(m.def, set->cpuid))
			continue;
		m.expr = try_def(s, m.def);
		if (!m.expr && m.def->is_users)
			return 1;
		if (!m.expr)
			continue;
		more = set->cnt < METRICS_MAX ? reallocarray(set->at, set->cnt + 1, sizeof(m))
					      : NULL;
		if (!more) {
			metric_expr__free(m.expr);
			if (set->cnt < METRICS_MAX)
				return -ENOMEM;
			log_error("-M: more than %d metrics are chosen; give fewer", METRICS_MAX);
			return -E2BIG;
		}
		set->at = more;
		set->at[set->cnt++] = m;
		return 0;
	}
	return 1;
}

/* Adds the metrics of a group that this machine has. 1: it has none of them; -ENOENT: no group. */
static int choose_group(struct search *s, const char *group)
{
	const size_t before = s->set->cnt;
	bool is_group = false;
	size_t i;
	int err = 0;

	for (i = 0; i < s->set->defs.cnt && err >= 0; i++) {
		if (!metric_def__in_group(&s->set->defs.at[i], group))
			continue;
		is_group = true;
		if (metric_def__is_for(&s->set->defs.at[i], s->set->cpuid) &&
		    !is_repeated(&s->set->defs, i, group))
			err = choose_name(s, s->set->defs.at[i].name);
	}
	if (err < 0)
		return err;
	return !is_group ? -ENOENT : s->set->cnt == before;
}

static int log_missing(const struct search *s, const char *name)
{
	log_error("-M %s: %s", name,
		  *s->why ? s->why : "this CPU has no such metric; -M list prints those it has");
	return -EINVAL;
}

/* Offers the metrics for this CPU, and their groups. */
static void offer_all(const struct metric_set *set, struct suggest *sg)
{
	size_t i;

	for (i = 0; i < set->defs.cnt; i++) {
		const struct metric_def *def = &set->defs.at[i];
		char *groups, *rest, *group;

		if (!metric_def__is_for(def, set->cpuid))
			continue;
		suggest__offer(sg, def->name);
		groups = rest = strdup(def->group ? def->group : "");
		while (rest && (group = strsep(&rest, "; ")))
			if (*group)
				suggest__offer(sg, group);
		free(groups);
	}
}

static void log_unknown(const struct metric_set *set, const char *item)
{
	struct strbuf near = STRBUF_INIT;
	struct suggest sg;

	if (metric_env__has_event(item, NULL, NULL)) {
		log_error("-M %s: this is an event, not a metric; give it to -e", item);
		return;
	}
	if (suggest__init(&sg, item))
		return;
	offer_all(set, &sg);
	if (suggest__put(&sg, &near))
		log_error("-M %s: there is no such metric or group; %s See: -M list", item,
			  strbuf__cstr(&near));
	else
		log_error("-M %s: there is no such metric or group; -M list prints them, and "
			  "NAME=EXPRESSION defines one",
			  item);
	strbuf__free(&near);
	suggest__free(&sg);
}

/* Adds the metric or the group of one item of the list. */
static int choose_item(struct search *s, const char *item)
{
	int err;

	if (!*item) {
		log_error("-M: a name is missing; give a metric or a group that -M list prints, or "
			  "NAME=EXPRESSION");
		return -EINVAL;
	}
	s->why[0] = '\0';
	err = is_name(s->set, item) ? choose_name(s, item) : choose_group(s, item);
	if (err == -ENOENT)
		log_unknown(s->set, item);
	else if (err == 1)
		return log_missing(s, item);
	return err;
}

/* Returns the length of the item at `at`: up to a comma outside of parentheses. */
static size_t item_len(const char *at)
{
	size_t n;
	int depth = 0;

	for (n = 0; at[n] && (at[n] != ',' || depth > 0); n++) {
		depth += (at[n] == '(') - (at[n] == ')');
		if (at[n] == '\\' && at[n + 1])
			n++;
	}
	return n;
}

/* Returns the length of the name in `name=expression`; 0: it is none. */
static size_t inline_name_len(const char *item)
{
	size_t n = 0;

	while (isalnum((unsigned char)item[n]) || (item[n] && strchr("_.-", item[n])))
		n++;
	return item[n] == '=' ? n : 0;
}

static int for_each_item(const char *list, int (*fn)(struct search *s, const char *item),
			 struct search *s)
{
	const char *at = list;
	int err = 0;

	while (!err && at && *at) {
		size_t len = item_len(at);
		char *item = strndup(at, len);

		err = item ? fn(s, item) : -ENOMEM;
		free(item);
		at = at[len] ? at + len + 1 : NULL;
	}
	return err;
}

static int define_item(struct search *s, const char *item)
{
	size_t len = inline_name_len(item);

	return len ? metric_defs__add(&s->set->defs, item, len, item + len + 1) : 0;
}

static int choose_defined(struct search *s, const char *item)
{
	size_t len = inline_name_len(item);
	char *name = len ? strndup(item, len) : strdup(item);
	int err = name ? choose_item(s, name) : -ENOMEM;

	free(name);
	return err;
}

/* --topdown: the groups of the levels, of which the PMU may have fewer if all are wanted. */
static int choose_levels(struct search *s, unsigned int levels)
{
	char group[32];
	unsigned int i;
	int err;

	for (i = 1; i <= levels; i++) {
		snprintf(group, sizeof(group), "TopdownL%u", i);
		err = choose_group(s, group);
		if (err < 0 && err != -ENOENT)
			return err;
		if (!err || (levels == TOPDOWN_ALL && i > 1))
			continue;
		if (i == 1)
			log_error("--topdown: this machine's PMU has no events of top-down "
				  "analysis; omit --topdown, or give -M with a metric that -M "
				  "list prints");
		else
			log_error("--td-level %u: the metrics of this machine's PMU end at level "
				  "%u; give --td-level %u, or omit it",
				  levels, i - 1, i - 1);
		return -EINVAL;
	}
	return 0;
}

/* Chooses all metrics that this machine has. */
static int choose_all(struct search *s)
{
	size_t i;
	int err;

	for (i = 0; i < s->set->defs.cnt; i++) {
		/* A name is tried with all of its definitions at once. */
		err = is_repeated(&s->set->defs, i, NULL) ? 0
							  : choose_name(s, s->set->defs.at[i].name);
		if (err < 0)
			return err;
	}
	return 0;
}

/* Prints a line for each metric that this machine has. */
static int print_list(struct search *s)
{
	int err = choose_all(s);
	size_t i;

	for (i = 0; i < s->set->cnt && !err; i++) {
		const struct metric_def *def = s->set->at[i].def;

		printf("%-32s %-24s %s\n", def->name, def->group ? def->group : "",
		       def->description ? def->description : def->expr);
	}
	if (err)
		return err;
	return fflush(stdout) ? -errno : 1;
}

int metric_set__choose_all(struct metric_set *set)
{
	struct search s = { .set = set };
	int err = metric_defs__add_own(&set->defs);

	metric_defs__cpuid(set->cpuid, sizeof(set->cpuid));
	return err ? err : choose_all(&s);
}

int metric_set__choose(struct metric_set *set, const char *list, unsigned int levels,
		       const char *file, bool by_cpu, struct event_list *events)
{
	struct search s = { .set = set };
	int err = 0;

	set->by_cpu = by_cpu;
	metric_defs__cpuid(set->cpuid, sizeof(set->cpuid));
	err = for_each_item(list, define_item, &s);
	if (!err && file)
		err = metric_defs__add_file(&set->defs, file);
	if (!err)
		err = metric_defs__add_own(&set->defs);
	if (!err && list && !strcmp(list, "list"))
		return print_list(&s);
	if (!err)
		err = choose_levels(&s, levels);
	if (!err)
		err = for_each_item(list, choose_defined, &s);
	return err ? err : metric_events__add(set, events);
}

void metric_set__free(struct metric_set *set)
{
	size_t i;

	for (i = 0; i < set->cnt; i++)
		metric_expr__free(set->at[i].expr);
	for (i = 0; i < set->input_cnt; i++) {
		free(set->inputs[i]);
		free(set->input_events[i].events);
	}
	free(set->at);
	free(set->inputs);
	free(set->input_events);
	free(set->named);
	metric_defs__free(&set->defs);
	*set = (struct metric_set){ 0 };
}
