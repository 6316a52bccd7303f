// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format csv (RFC 4180, but lines end with a line feed): one header, one row per record. Each
 * field name of any event has a column, so a cell's type follows from event and column; if that
 * would exceed COLUMNS_MAX, one column of JSON holds the fields instead.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "sink/callstack.h"
#include "sink/clock.h"
#include "sink/field_plan.h"
#include "sink/out.h"
#include "sink/plan_heads.h"
#include "sink/sample_value.h"
#include "sink/sink.h"
#include "sink/task_text.h"
#include "sym/named.h"

#define COLUMNS_MAX 256

struct csv {
	struct field_plans plans;
	struct plan_heads cells; /* priv: the column of each step, struct cell */
	const char **columns; /* names of all fields */
	size_t column_cnt;
	bool as_json; /* there are too many columns: fields are one JSON column */
	bool has_syscalls;
	bool has_stacks;
	bool has_values; /* some recorded events have no fields: columns period and ip are added */
	struct task_text_cache tasks; /* 4242,4242,bash, */
	struct callstack_printer callstacks;
	struct strbuf stack; /* reused buffer */
	uint64_t prev_ns;
};

/* Returns the column of a name, added if it is new. */
static uint16_t column_of(struct csv *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->column_cnt; i++)
		if (strcmp(c->columns[i], name) == 0)
			return (uint16_t)i;
	if (c->column_cnt == COLUMNS_MAX) {
		c->as_json = true;
		return 0;
	}
	c->columns[c->column_cnt] = name;
	return (uint16_t)c->column_cnt++;
}

struct cell {
	uint16_t column, step;
};

static int by_column(const void *a, const void *b)
{
	return ((const struct cell *)a)->column - ((const struct cell *)b)->column;
}

/* Adds a column for each field of the event. */
static int add_event(struct csv *c, const struct event *ev)
{
	struct field_plan *plan = field_plans__get(&c->plans, ev->fmt);
	struct plan_head *head = plan ? plan_heads__get(&c->cells, plan) : NULL;
	struct cell *cells;
	size_t i;

	if (!head || head->priv)
		return head ? 0 : -ENOMEM;
	c->has_syscalls |= plan->syscall != SYSCALL_NONE;
	cells = calloc(plan->step_cnt + 1, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	for (i = 0; i < plan->step_cnt; i++)
		cells[i] = (struct cell){ column_of(c, plan->steps[i].field->name), (uint16_t)i };
	qsort(cells, plan->step_cnt, sizeof(*cells), by_column);
	head->priv = cells;
	return 0;
}

/* A field with the name of one of the fixed columns gets a mark. */
static bool is_own_column(const struct csv *c, const char *name)
{
	static const char *const own[] = { "time",  "real", "cpu",   "pid",     "tid",   "comm",
					   "event", "lost", "cause", "syscall", "error", "stack" };
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(own[i], name) == 0)
			return true;
	return c->has_values && (!strcmp(name, "period") || !strcmp(name, "ip"));
}

static void put_task(const struct sample *s, struct strbuf *out)
{
	strbuf__put_s64(out, s->pid);
	strbuf__putc(out, ',');
	strbuf__put_s64(out, s->tid);
	strbuf__putc(out, ',');
	strbuf__put_csv(out, s->comm, strlen(s->comm));
	strbuf__putc(out, ',');
}

/* Puts read+0x12;main+0x1f: innermost first. A semicolon in a name becomes a colon. */
static void put_function(struct strbuf *out, uint64_t addr, const struct sym_result *res,
			 unsigned int how)
{
	size_t start;

	if (!(how & CALLSTACK_FIRST))
		strbuf__putc(out, ';');
	start = out->len;
	sym_result__put(res, out);
	if (how & CALLSTACK_GUESSED)
		strbuf__puts(out, CALLSTACK_MARK);
	for (; start < out->len; start++)
		if (out->buf[start] == ';')
			out->buf[start] = ':';
}

/* Puts one cell; it is empty if the record has no stack or the stack was lost. */
static int put_callstack(struct csv *c, const struct sample *s, struct strbuf *out)
{
	int err;

	strbuf__reset(&c->stack);
	err = callstack_printer__put(&c->callstacks, s->names, &c->stack);
	strbuf__putc(out, ',');
	strbuf__put_csv(out, c->stack.buf, c->stack.len);
	return err;
}

static int csv_begin(struct sink *sink)
{
	const struct event_list *events = sink->cfg.events;
	struct strbuf *out = &sink->out->buf;
	struct csv *c = sink->priv;
	int err = task_text_cache__init(&c->tasks, put_task);
	size_t i;

	callstack_printer__init(&c->callstacks, put_function);
	c->columns = calloc(COLUMNS_MAX, sizeof(*c->columns));
	if (err || !c->columns)
		return -ENOMEM;
	for (i = 0; i < events->cnt && !err; i++)
		if (events->events[i]->fmt)
			err = add_event(c, events->events[i]);
		else
			c->has_values = true;
	c->has_stacks = sink->cfg.callstacks || c->has_values;
	if (c->has_stacks)
		sink->needs |= SAMPLE_NEEDS_NAMES;
	if (err)
		return err;
	strbuf__puts(out, "time,real,cpu,pid,tid,comm,event,lost,cause");
	if (c->has_syscalls)
		strbuf__puts(out, ",syscall,error");
	if (c->has_stacks)
		strbuf__puts(out, ",stack");
	if (c->has_values)
		strbuf__puts(out, ",period,ip");
	if (c->as_json)
		strbuf__puts(out, ",fields");
	for (i = 0; !c->as_json && i < c->column_cnt; i++) {
		strbuf__putc(out, ',');
		if (is_own_column(c, c->columns[i]))
			strbuf__puts(out, "field_");
		strbuf__put_csv(out, c->columns[i], strlen(c->columns[i]));
	}
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

/* time,real,cpu, */
static void put_time_cpu(struct sink *sink, uint64_t time_ns, uint32_t cpu)
{
	struct strbuf *out = &sink->out->buf;
	struct csv *c = sink->priv;

	strbuf__put_u64(out, clock__convert(&sink->cfg, time_ns, &c->prev_ns));
	strbuf__putc(out, ',');
	if (!sink->cfg.is_recorded)
		strbuf__put_u64(out, time_ns + (uint64_t)sink->cfg.mono_to_real_ns);
	strbuf__putc(out, ',');
	if (cpu != UINT32_MAX)
		strbuf__put_u64(out, cpu);
	strbuf__putc(out, ',');
}

/* ,openat,ENOENT */
static void put_syscall(struct strbuf *out, const struct field_plan *plan, const struct sample *s)
{
	const char *name = field_plan__syscall_name(plan, s);
	const char *error = field_plan__syscall_error(plan, s->raw, s->raw_sz);

	strbuf__putc(out, ',');
	if (name)
		strbuf__puts(out, name);
	strbuf__putc(out, ',');
	if (error)
		strbuf__puts(out, error);
}

static void put_commas(struct strbuf *out, size_t n)
{
	if (!n || strbuf__reserve(out, n))
		return;
	memset(out->buf + out->len, ',', n);
	out->len += n;
}

static void put_fields(struct csv *c, const struct field_plan *plan, const struct cell *cells,
		       const struct sample *s, struct strbuf *out)
{
	size_t i, at = 0; /* number of columns begun */

	if (c->as_json) {
		struct strbuf json = STRBUF_INIT;

		field_plan__json(plan, s->raw, s->raw_sz, &json);
		strbuf__putc(out, ',');
		strbuf__put_csv(out, json.buf, json.len);
		strbuf__free(&json);
		return;
	}
	for (i = 0; i < plan->step_cnt; i++) {
		put_commas(out, cells[i].column + 1u - at);
		at = cells[i].column + 1u;
		field_step__csv(plan, &plan->steps[cells[i].step], s->raw, s->raw_sz, out);
	}
	put_commas(out, c->column_cnt - at);
}

static int csv_sample(struct sink *sink, const struct sample *s)
{
	struct strbuf *out = &sink->out->buf;
	struct csv *c = sink->priv;
	const struct field_plan *plan = NULL;
	const struct plan_head *head = NULL;

	if (s->event->fmt) {
		plan = field_plans__get(&c->plans, s->event->fmt);
		head = plan ? plan_heads__get(&c->cells, plan) : NULL;
		if (!head)
			return -ENOMEM;
	}
	put_time_cpu(sink, s->time_ns, s->cpu);
	task_text_cache__put(&c->tasks, s, out);
	if (sink->cfg.is_recorded)
		strbuf__put_csv(out, s->event->name, strlen(s->event->name));
	else
		strbuf__puts(out, s->event->name);
	put_commas(out, 2);
	if (plan && plan->syscall && c->has_syscalls)
		put_syscall(out, plan, s);
	else if (c->has_syscalls)
		put_commas(out, 2);
	if (c->has_stacks && put_callstack(c, s, out))
		return -ENOMEM;
	if (c->has_values && !plan)
		sample_value__put_csv(s, out);
	else if (c->has_values)
		put_commas(out, 2);
	/* The columns were fixed before a pipe delivered this event. */
	if (head && head->priv)
		put_fields(c, plan, head->priv, s, out);
	else
		put_commas(out, c->as_json ? 1 : c->column_cnt);
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

/* Returns the number of cells behind the fixed columns. */
static size_t fields_cnt(const struct sink *sink)
{
	const struct csv *c = sink->priv;

	return (c->has_syscalls ? 2 : 0) + (c->has_values ? 2 : 0) + c->has_stacks +
	       (c->as_json ? 1 : c->column_cnt);
}

static int csv_lost(struct sink *sink, const struct lost *l)
{
	struct strbuf *out = &sink->out->buf;

	put_time_cpu(sink, l->time_ns, l->cpu);
	put_commas(out, 3);
	if (l->event)
		strbuf__puts(out, l->event->name);
	strbuf__putc(out, ',');
	strbuf__put_u64(out, l->cnt);
	strbuf__putc(out, ',');
	strbuf__puts(out, lost_cause__name(l->cause));
	put_commas(out, fields_cnt(sink));
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

/* Puts a row for the dump: only the time column and the cause, "dump 2: SIGUSR2". */
static int csv_dump(struct sink *sink, const struct dump *d)
{
	struct strbuf *out = &sink->out->buf;

	put_time_cpu(sink, d->time_ns, UINT32_MAX);
	put_commas(out, 5);
	strbuf__printf(out, "dump %u: %s", d->nr, d->why);
	put_commas(out, fields_cnt(sink));
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

static void csv_free(struct sink *sink)
{
	struct csv *c = sink->priv;

	field_plans__free(&c->plans);
	plan_heads__free(&c->cells, free);
	task_text_cache__free(&c->tasks);
	callstack_printer__free(&c->callstacks);
	strbuf__free(&c->stack);
	free(c->columns);
}

extern const struct sink_ops csv_sink;
const struct sink_ops csv_sink = {
	.name = "csv",
	.suffix = ".csv",
	.priv_sz = sizeof(struct csv),
	.begin = csv_begin,
	.needs = SAMPLE_NEEDS_STACK,
	.sample = csv_sample,
	.lost = csv_lost,
	.dump = csv_dump,
	.free = csv_free,
};
