// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/trace_event.h"

/* Puts one object per line. */
static void separate(struct trace_event_writer *w)
{
	if (w->has_any)
		strbuf__add(w->out, ",\n", 2);
	w->has_any = true;
}

static void put_ids(struct strbuf *out, int64_t pid, int64_t tid)
{
	strbuf__puts(out, ",\"pid\":");
	strbuf__put_s64(out, pid);
	strbuf__puts(out, ",\"tid\":");
	strbuf__put_s64(out, tid);
}

void trace_event__begin(struct trace_event_writer *w, char ph, uint64_t ts_ns, int64_t pid,
			int64_t tid)
{
	struct strbuf *out = w->out;

	separate(w);
	strbuf__puts(out, "{\"ph\":\"");
	strbuf__putc(out, ph);
	strbuf__puts(out, "\",\"ts\":");
	strbuf__put_u64(out, ts_ns / 1000);
	strbuf__putc(out, '.');
	strbuf__put_u64_pad(out, ts_ns % 1000, 3, '0');
	put_ids(out, pid, tid);
}

void trace_event__dur(struct trace_event_writer *w, uint64_t ns)
{
	strbuf__puts(w->out, ",\"dur\":");
	strbuf__put_u64(w->out, ns / 1000);
	strbuf__putc(w->out, '.');
	strbuf__put_u64_pad(w->out, ns % 1000, 3, '0');
}

void trace_event__name(struct trace_event_writer *w, const char *name, const char *cat)
{
	strbuf__puts(w->out, ",\"name\":");
	strbuf__put_json(w->out, name, strlen(name));
	strbuf__puts(w->out, ",\"cat\":");
	strbuf__put_json(w->out, cat, strlen(cat));
}

void trace_event__end(struct trace_event_writer *w)
{
	strbuf__putc(w->out, '}');
}

static void begin_meta(struct trace_event_writer *w, const char *what, int64_t pid, int64_t tid)
{
	separate(w);
	strbuf__puts(w->out, "{\"ph\":\"M\"");
	put_ids(w->out, pid, tid);
	strbuf__puts(w->out, ",\"name\":\"");
	strbuf__puts(w->out, what);
	strbuf__puts(w->out, "\",\"args\":{");
}

void trace_event__meta_name(struct trace_event_writer *w, const char *what, int64_t pid,
			    int64_t tid, const char *name)
{
	begin_meta(w, what, pid, tid);
	strbuf__puts(w->out, "\"name\":");
	strbuf__put_json(w->out, name, strlen(name));
	strbuf__puts(w->out, "}}");
}

void trace_event__meta_index(struct trace_event_writer *w, const char *what, int64_t pid,
			     int64_t tid, int64_t index)
{
	begin_meta(w, what, pid, tid);
	strbuf__puts(w->out, "\"sort_index\":");
	strbuf__put_s64(w->out, index);
	strbuf__puts(w->out, "}}");
}
