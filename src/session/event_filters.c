// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/event_filters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "host/kallsyms_walk.h"
#include "util/log.h"
#include "util/strbuf.h"

struct function {
	const char *name; /* NULL: by addr */
	uint64_t addr, start, end;
};

static int find_start(void *ctx, const struct kallsym *sym)
{
	struct function *fn = ctx;

	if (fn->name ? !fn->start && strcmp(sym->name, fn->name) == 0
		     : sym->addr <= fn->addr && sym->addr > fn->start)
		fn->start = sym->addr;
	return 0;
}

static int find_end(void *ctx, const struct kallsym *sym)
{
	struct function *fn = ctx;

	if (sym->addr > fn->start && sym->addr < fn->end)
		fn->end = sym->addr;
	return 0;
}

/* A function ends where the next symbol begins, like in kallsyms_lookup_size_offset(). */
static int find_function(void *ctx, const char *name, uint64_t addr, uint64_t *start, uint64_t *end)
{
	struct function fn = { .name = name, .addr = addr, .end = UINT64_MAX };

	kallsyms_walk(NULL, find_start, &fn);
	if (fn.start)
		kallsyms_walk(NULL, find_end, &fn);
	*start = fn.start;
	*end = fn.end;
	return fn.start ? 0 : -ENOENT;
}

const struct filter_env *event_filters__env(void)
{
	static struct filter_env env;

	if (!env.function) {
		int cnt = libbpf_num_possible_cpus();

		env.cpu_cnt = cnt > 0 ? (unsigned int)cnt : 1;
		env.function = find_function;
	}
	return &env;
}

/* One --filter while it is added to its events. */
struct adding {
	const char *expr;
	struct filter_fault fault;
	/* the text that an error refers to, joined with the event's earlier filter; NULL: expr */
	char *joined;
	bool hinted;
};

/* Logs a hint, once for all events of a glob. */
static void log_hint(struct adding *a, const struct filter *f)
{
	if (filter__hint(f) && !a->hinted)
		log_warn("--filter: %s", filter__hint(f));
	a->hinted |= filter__hint(f) != NULL;
}

/*
 * Joins the filter with the event's earlier one: both may be too large together, although each
 * fits.
 */
static int join_filter(struct adding *a, struct event *ev)
{
	char *both = filter__join(ev->filter, a->expr);
	struct filter *f;
	int err;

	if (!both)
		return -ENOMEM;
	err = filter__parse(&f, both, ev->fmt, event_filters__env(), &a->fault);
	if (err) {
		a->joined = both;
		return err;
	}
	filter__free(f);
	free(ev->filter);
	ev->filter = both;
	return 0;
}

static int set_filter(struct adding *a, struct event *ev)
{
	struct filter *f;
	int err = filter__parse(&f, a->expr, ev->fmt, event_filters__env(), &a->fault);

	if (err)
		return err;
	log_hint(a, f);
	filter__free(f);
	if (ev->filter)
		return join_filter(a, ev);
	ev->filter = strdup(a->expr);
	return ev->filter ? 0 : -ENOMEM;
}

static void log_without(const struct strbuf *names, size_t cnt, const char *expr)
{
	log_warn("--filter %s: %zu event%s no such field and pass%s unfiltered:%.*s%s", expr, cnt,
		 cnt == 1 ? " has" : "s have", cnt == 1 ? "es" : "", (int)names->len, names->buf,
		 cnt > 5 ? " …" : "");
}

int event_filters__add(struct event_list *events, int first_term, const char *expr)
{
	struct adding a = { .expr = expr, .fault = FILTER_FAULT_INIT };
	struct strbuf without = STRBUF_INIT;
	size_t i, set = 0, lacking = 0;
	int err = 0;

	for (i = 0; i < events->cnt && !err; i++) {
		struct event *ev = events->events[i];

		if (ev->term < first_term || ev->kind != EVENT_TRACEPOINT)
			continue;
		err = set_filter(&a, ev);
		set += !err;
		if (err != -ENOENT)
			continue;
		err = 0;
		if (lacking++ < 5)
			strbuf__printf(&without, " %s", ev->name);
	}
	if (!err && !set && !lacking) {
		log_error("--filter %s: no tracepoint precedes it; write it after the event that "
			  "it applies to: sched:sched_switch --filter 'prev_pid == 1'",
			  expr);
		err = -EINVAL;
	} else if (err || !set) {
		filter_fault__log(&a.fault, a.joined ? a.joined : expr);
		err = -EINVAL;
	} else if (lacking) {
		log_without(&without, lacking, expr);
	}
	filter_fault__free(&a.fault);
	strbuf__free(&without);
	free(a.joined);
	return err;
}

struct filter *event_filters__of(const struct event *ev)
{
	struct filter_fault fault = FILTER_FAULT_INIT;
	struct filter *f = NULL;

	errno = 0;
	if (ev->filter && filter__parse(&f, ev->filter, ev->fmt, event_filters__env(), &fault))
		errno = ENOMEM;
	filter_fault__free(&fault);
	return f;
}
