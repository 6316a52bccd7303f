// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* --format text: the columns of `perf script -F comm,pid,tid,cpu,time,event,trace`. */
#include <errno.h>
#include <string.h>

#include "decode/print.h"
#include "event/event.h"
#include "event/tracefs.h"
#include "sink/clock.h"
#include "sink/out.h"
#include "sink/resolver.h"
#include "sink/sink.h"

struct text {
	struct printer *printer;
	uint64_t prev_ns;
};

/* Comments: the start by both clocks, so that the file's times can be placed; and the events. */
static void put_header(struct sink *sink)
{
	const struct event_list *events = sink->cfg.events;
	struct strbuf *out = &sink->out->buf;
	struct sink_config real = sink->cfg, mono = sink->cfg;
	size_t i;

	real.time = TIME_REAL;
	mono.time = TIME_MONO;
	strbuf__puts(out, "# started: ");
	clock__print(&real, clock__convert(&real, real.start_mono_ns, NULL), out);
	strbuf__puts(out, ", CLOCK_MONOTONIC ");
	clock__print(&mono, mono.start_mono_ns, out);
	strbuf__puts(out, "\n# events:");
	for (i = 0; events && i < events->cnt; i++) {
		strbuf__putc(out, ' ');
		strbuf__puts(out, events->events[i]->name);
	}
	strbuf__putc(out, '\n');
}

static int text_begin(struct sink *sink)
{
	struct text *t = sink->priv;

	if (sink->cfg.header)
		put_header(sink);
	t->printer = resolver__new_printer(sink->cfg.sym);
	return t->printer ? 0 : -ENOMEM;
}

/* Right-aligned to 16, the longest a thread's name can be. */
static void put_comm(struct strbuf *out, const char *comm)
{
	size_t start = out->len, len;

	strbuf__put_escaped(out, comm, strlen(comm));
	len = out->len - start;
	if (len >= 16 || strbuf__reserve(out, 16))
		return;
	memmove(out->buf + start + 16 - len, out->buf + start, len);
	memset(out->buf + start, ' ', 16 - len);
	out->len = start + 16;
}

/* "  4242/4242  ": each as %5d, to the outside of the slash. */
static void put_ids(struct strbuf *out, int32_t pid, int32_t tid)
{
	size_t start;

	strbuf__put_u64_pad(out, (uint32_t)pid, 5, ' ');
	strbuf__putc(out, '/');
	start = out->len;
	strbuf__put_u64(out, (uint32_t)tid);
	while (out->len - start < 5)
		strbuf__putc(out, ' ');
}

static void put_cpu_time(struct sink *sink, uint32_t cpu, uint64_t time_ns)
{
	struct strbuf *out = &sink->out->buf;
	struct text *t = sink->priv;

	if (cpu == UINT32_MAX) {
		strbuf__puts(out, " [---] ");
	} else {
		strbuf__puts(out, " [");
		strbuf__put_u64_pad(out, cpu, 3, '0');
		strbuf__puts(out, "] ");
	}
	clock__print(&sink->cfg, clock__convert(&sink->cfg, time_ns, &t->prev_ns), out);
	strbuf__puts(out, ": ");
}

static int text_sample(struct sink *sink, const struct sample *s)
{
	struct strbuf *out = &sink->out->buf;
	struct text *t = sink->priv;

	put_comm(out, s->comm);
	strbuf__putc(out, ' ');
	put_ids(out, s->pid, s->tid);
	put_cpu_time(sink, s->cpu, s->time_ns);
	strbuf__puts(out, s->event->name);
	strbuf__puts(out, ": ");
	if (s->raw)
		printer__print(t->printer, s->event->fmt, s->raw, s->raw_sz, out);
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

static int text_lost(struct sink *sink, const struct lost *l)
{
	struct strbuf *out = &sink->out->buf;

	put_comm(out, "[lost]");
	strbuf__puts(out, "     -/-    ");
	put_cpu_time(sink, l->cpu, l->time_ns);
	strbuf__puts(out, "lost ");
	strbuf__put_u64(out, l->cnt);
	strbuf__puts(out, l->cnt == 1 ? " record" : " records");
	if (l->event) {
		strbuf__puts(out, " of ");
		strbuf__puts(out, l->event->name);
	}
	strbuf__puts(out, ": ");
	strbuf__puts(out, lost_cause__name(l->cause));
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

static void text_free(struct sink *sink)
{
	struct text *t = sink->priv;

	printer__free(t->printer);
}

extern const struct sink_ops text_sink;
const struct sink_ops text_sink = {
	.name = "text",
	.suffix = ".txt .log .out",
	.priv_sz = sizeof(struct text),
	.begin = text_begin,
	.sample = text_sample,
	.lost = text_lost,
	.free = text_free,
};
