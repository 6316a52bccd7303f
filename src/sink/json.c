// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* --format json: one object a line, fields typed as in the tracefs format. */
#include <string.h>

#include "decode/field.h"
#include "event/event.h"
#include "sink/clock.h"
#include "sink/out.h"
#include "sink/sink.h"

struct json {
	uint64_t prev_ns;
};

static void put_time_cpu(struct sink *sink, uint64_t time_ns, uint32_t cpu)
{
	struct strbuf *out = &sink->out->buf;
	struct json *j = sink->priv;

	strbuf__puts(out, "{\"time\":");
	strbuf__put_u64(out, clock__convert(&sink->cfg, time_ns, &j->prev_ns));
	if (cpu != UINT32_MAX) {
		strbuf__puts(out, ",\"cpu\":");
		strbuf__put_u64(out, cpu);
	}
}

static int json_sample(struct sink *sink, const struct sample *s)
{
	struct strbuf *out = &sink->out->buf;
	const struct tp_format *fmt = s->event->fmt;
	const char *sep = "";
	size_t i;

	put_time_cpu(sink, s->time_ns, s->cpu);
	strbuf__puts(out, ",\"pid\":");
	strbuf__put_s64(out, s->pid);
	strbuf__puts(out, ",\"tid\":");
	strbuf__put_s64(out, s->tid);
	strbuf__puts(out, ",\"comm\":");
	strbuf__put_json(out, s->comm, strlen(s->comm));
	strbuf__puts(out, ",\"event\":");
	strbuf__put_json(out, s->event->name, strlen(s->event->name));
	strbuf__puts(out, ",\"fields\":{");
	for (i = 0; fmt && i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];

		if (f->flags & TP_FIELD_COMMON)
			continue;
		strbuf__puts(out, sep);
		strbuf__put_json(out, f->name, strlen(f->name));
		strbuf__putc(out, ':');
		field__to_json(fmt, f, s->raw, s->raw_sz, out);
		sep = ",";
	}
	strbuf__puts(out, "}}\n");
	return out__commit(sink->out);
}

/* {"time":…,"cpu":…,"lost":N,"cause":"ring full"}: no event, no fields. */
static int json_lost(struct sink *sink, const struct lost *l)
{
	struct strbuf *out = &sink->out->buf;

	put_time_cpu(sink, l->time_ns, l->cpu);
	strbuf__puts(out, ",\"lost\":");
	strbuf__put_u64(out, l->cnt);
	strbuf__puts(out, ",\"cause\":");
	strbuf__put_json(out, lost_cause__name(l->cause), strlen(lost_cause__name(l->cause)));
	if (l->event) {
		strbuf__puts(out, ",\"lost_event\":");
		strbuf__put_json(out, l->event->name, strlen(l->event->name));
	}
	strbuf__puts(out, "}\n");
	return out__commit(sink->out);
}

extern const struct sink_ops json_sink;
const struct sink_ops json_sink = {
	.name = "json",
	.suffix = ".json",
	.priv_sz = sizeof(struct json),
	.sample = json_sample,
	.lost = json_lost,
};
