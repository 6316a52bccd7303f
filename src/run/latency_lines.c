// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/latency_lines.h"

#include <string.h>

#include "decode/sample.h"
#include "event/event.h"
#include "span/result.h"
#include "sym/named.h"

static void put_event_text(struct strbuf *out, const struct sample *s)
{
	strbuf__puts(out, s->event->name);
	strbuf__puts(out, ": ");
	strbuf__add(out, s->text, s->text_len);
}

static void put_function_text(struct strbuf *out, uint64_t addr, const struct sym_result *res,
			      unsigned int how)
{
	strbuf__putc(out, '\t');
	callstack__put_function(out, res);
	strbuf__puts(out, how & CALLSTACK_GUESSED ? CALLSTACK_MARK "\n" : "\n");
}

static void put_stack_text(struct callstack_printer *p, const char *title, const struct sample *s,
			   struct strbuf *out)
{
	strbuf__printf(out, "    %s:\n", title);
	if (s->names)
		callstack_printer__put(p, s->names, out);
	else
		strbuf__puts(out, s->stack_lost ? "\t[stack lost]\n" : "\t[no stack]\n");
}

static void put_text(struct latency_lines *l, const struct span_each *e, struct strbuf *out)
{
	const struct sample *to = e->to;
	struct strbuf comm = STRBUF_INIT;

	strbuf__put_escaped(&comm, to->comm, strlen(to->comm));
	strbuf__printf(out, "%16s %5d/%-5d [%03u] %llu.%09llu: %s ", strbuf__cstr(&comm), to->pid,
		       to->tid, to->cpu, (unsigned long long)to->time_ns / 1000000000,
		       (unsigned long long)to->time_ns % 1000000000, e->pair);
	span__put_ns(out, e->ns, 0);
	strbuf__puts(out, ": ");
	put_event_text(out, e->from);
	strbuf__puts(out, " => ");
	put_event_text(out, to);
	strbuf__putc(out, '\n');
	strbuf__free(&comm);
	if (!l->has_stacks)
		return;
	put_stack_text(&l->start, "start", e->from, out);
	put_stack_text(&l->end, "end", to, out);
	strbuf__putc(out, '\n');
}

static void put_function_json(struct strbuf *out, uint64_t addr, const struct sym_result *res,
			      unsigned int how)
{
	struct strbuf name = STRBUF_INIT;

	sym_result__put(res, &name);
	strbuf__puts(out, how & CALLSTACK_FIRST ? "" : ",");
	strbuf__put_json(out, strbuf__cstr(&name), name.len);
	strbuf__free(&name);
}

/* "from":{"event":"sched:sched_wakeup","fields":{…},"stack":["main"]}; null: it was lost. */
static void put_event_json(struct latency_lines *l, struct callstack_printer *p, const char *side,
			   const struct sample *s, struct strbuf *out)
{
	const struct field_plan *plan = field_plans__get(&l->plans, s->event->fmt);

	strbuf__printf(out, ",\"%s\":{\"event\":", side);
	strbuf__put_json(out, s->event->name, strlen(s->event->name));
	strbuf__puts(out, ",\"fields\":");
	if (plan)
		field_plan__json(plan, s->raw, s->raw_sz, out);
	else
		strbuf__puts(out, "{}");
	if (l->has_stacks && s->stack_lost) {
		strbuf__puts(out, ",\"stack\":null");
	} else if (l->has_stacks) {
		strbuf__puts(out, ",\"stack\":[");
		callstack_printer__put(p, s->names, out);
		strbuf__putc(out, ']');
	}
	strbuf__putc(out, '}');
}

static void put_json(struct latency_lines *l, const struct span_each *e, struct strbuf *out)
{
	const struct sample *to = e->to;

	strbuf__puts(out, "{\"pair\":");
	strbuf__put_json(out, e->pair, strlen(e->pair));
	strbuf__printf(out, ",\"time\":%llu,\"duration\":%llu,\"cpu\":%u,\"pid\":%d,\"tid\":%d",
		       (unsigned long long)to->time_ns, (unsigned long long)e->ns, to->cpu, to->pid,
		       to->tid);
	strbuf__puts(out, ",\"comm\":");
	strbuf__put_json(out, to->comm, strlen(to->comm));
	put_event_json(l, &l->start, "from", e->from, out);
	put_event_json(l, &l->end, "to", to, out);
	strbuf__puts(out, "}\n");
}

void latency_lines__init(struct latency_lines *l, bool is_json, bool has_stacks)
{
	*l = (struct latency_lines){
		.has_stacks = has_stacks,
		.needs = SAMPLE_KEEP | (is_json ? 0 : SAMPLE_NEEDS_TEXT) |
			 (has_stacks ? SAMPLE_NEEDS_NAMES : 0),
		.put = is_json ? put_json : put_text,
	};
	callstack_printer__init(&l->start, is_json ? put_function_json : put_function_text);
	callstack_printer__init(&l->end, l->start.put);
}

void latency_lines__free(struct latency_lines *l)
{
	field_plans__free(&l->plans);
	callstack_printer__free(&l->start);
	callstack_printer__free(&l->end);
}
