// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "span/each.h"

#include <string.h>

#include "decode/field.h"
#include "decode/sample.h"
#include "event/event.h"
#include "span/result.h"

static void put_event_text(struct strbuf *out, const struct sample *s)
{
	strbuf__puts(out, s->event->name);
	strbuf__puts(out, ": ");
	strbuf__add(out, s->text, s->text_len);
}

void span_each__put_text(struct strbuf *out, const struct span_each *e)
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
}

void span_each__put_fields(struct strbuf *out, const struct sample *s)
{
	const struct tp_format *fmt = s->event->fmt;
	const char *sep = "";
	size_t i;

	strbuf__putc(out, '{');
	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];

		if (f->flags & TP_FIELD_COMMON)
			continue;
		strbuf__puts(out, sep);
		strbuf__put_json(out, f->name, strlen(f->name));
		strbuf__putc(out, ':');
		field__to_json(fmt, f, s->raw, s->raw_sz, out);
		sep = ",";
	}
	strbuf__putc(out, '}');
}

/* "from":{"event":"sched:sched_wakeup","fields":{…}} */
static void put_event_json(struct strbuf *out, const char *side, const struct sample *s)
{
	strbuf__printf(out, ",\"%s\":{\"event\":", side);
	strbuf__put_json(out, s->event->name, strlen(s->event->name));
	strbuf__puts(out, ",\"fields\":");
	span_each__put_fields(out, s);
	strbuf__putc(out, '}');
}

void span_each__put_json(struct strbuf *out, const struct span_each *e)
{
	const struct sample *to = e->to;

	strbuf__puts(out, "{\"pair\":");
	strbuf__put_json(out, e->pair, strlen(e->pair));
	strbuf__printf(out, ",\"time\":%llu,\"duration\":%llu,\"cpu\":%u,\"pid\":%d,\"tid\":%d",
		       (unsigned long long)to->time_ns, (unsigned long long)e->ns, to->cpu, to->pid,
		       to->tid);
	strbuf__puts(out, ",\"comm\":");
	strbuf__put_json(out, to->comm, strlen(to->comm));
	put_event_json(out, "from", e->from);
	put_event_json(out, "to", to);
	strbuf__puts(out, "}\n");
}
