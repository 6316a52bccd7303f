// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* --format text: the columns of `perf script -F comm,pid,tid,cpu,time,event,trace`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/print.h"
#include "event/event.h"
#include "event/tracefs.h"
#include "sink/clock.h"
#include "sink/out.h"
#include "sink/resolver.h"
#include "sink/sink.h"
#include "util/digits.h"

#define NSEC_PER_SEC 1000000000ull

/* "            bash  4242/4242  " of a thread, made once as long as it is called so. */
struct who {
	int32_t pid, tid;
	char comm[16];
	uint32_t len; /* 0: free */
	char text[112]; /* and 15 bytes behind what digits__copy16() copies */
};
#define WHO_CNT 256 /* a power of two: by thread id */

struct text {
	struct printer *printer;
	uint64_t prev_ns;
	struct who *who;
	uint64_t sec; /* whose text is: */
	uint32_t sec_len;
	char sec_text[48];
	const struct event *event; /* of the record before; the length of its name */
	uint32_t event_len;
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
	t->sec = UINT64_MAX;
	t->who = calloc(WHO_CNT, sizeof(*t->who));
	t->printer = resolver__new_printer(sink->cfg.sym);
	return t->printer && t->who ? 0 : -ENOMEM;
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

/* Makes the text of a thread; NULL where it is longer than any name of a thread makes it. */
static const struct who *make_who(struct who *who, const struct sample *s)
{
	struct strbuf text = STRBUF_INIT;
	size_t len = strlen(s->comm);

	put_comm(&text, s->comm);
	strbuf__putc(&text, ' ');
	put_ids(&text, s->pid, s->tid);
	who->len = 0;
	if (len < sizeof(who->comm) && text.len && text.len + 15 < sizeof(who->text)) {
		who->pid = s->pid;
		who->tid = s->tid;
		memcpy(who->comm, s->comm, len + 1);
		memcpy(who->text, text.buf, text.len);
		who->len = (uint32_t)text.len;
	}
	strbuf__free(&text);
	return who->len ? who : NULL;
}

static const struct who *who_of(struct text *t, const struct sample *s)
{
	struct who *who = &t->who[(uint32_t)s->tid % WHO_CNT];

	if (who->len && who->tid == s->tid && who->pid == s->pid &&
	    strcmp(who->comm, s->comm) == 0)
		return who;
	return make_who(who, s);
}

/* The seconds, which change seldom, with the point behind them. */
static void make_sec(struct sink *sink, uint64_t ns)
{
	struct strbuf text = STRBUF_INIT;
	struct text *t = sink->priv;

	clock__print(&sink->cfg, ns, &text);
	/* Without the nine decimals. */
	t->sec_len = text.len > 9 && text.len < sizeof(t->sec_text) ? (uint32_t)text.len - 9 : 0;
	memcpy(t->sec_text, text.buf, t->sec_len);
	t->sec = ns / NSEC_PER_SEC;
	strbuf__free(&text);
}

/* " [001] " */
static char *put_cpu(char *p, uint32_t cpu)
{
	if (cpu > 999) {
		*p++ = ' ';
		*p++ = '[';
		p = digits__u64(p, cpu);
		memcpy(p, "] ", 2);
		return p + 2;
	}
	memcpy(p, " [000] ", 7);
	p[2] = (char)('0' + cpu / 100);
	memcpy(p + 3, digits__pairs + cpu % 100 * 2, 2);
	return p + 7;
}

/* Room for all that stands before the event's name. */
#define FRONT_SZ 256

/* " [001] 12345.678901234: "; cpu UINT32_MAX: unknown. */
static char *put_cpu_time(struct sink *sink, char *p, uint32_t cpu, uint64_t time_ns)
{
	struct text *t = sink->priv;
	uint64_t ns = clock__convert(&sink->cfg, time_ns, &t->prev_ns);

	if (cpu == UINT32_MAX) {
		memcpy(p, " [---] ", 7);
		p += 7;
	} else {
		p = put_cpu(p, cpu);
	}
	if (ns / NSEC_PER_SEC != t->sec)
		make_sec(sink, ns);
	p = digits__copy16(p, t->sec_text, t->sec_len);
	p = digits__ns(p, (uint32_t)(ns % NSEC_PER_SEC));
	memcpy(p, ": ", 2);
	return p + 2;
}

static int text_sample(struct sink *sink, const struct sample *s)
{
	struct strbuf *out = &sink->out->buf;
	struct text *t = sink->priv;
	const struct who *who = who_of(t, s);
	char *p;

	if (!who) {
		put_comm(out, s->comm);
		strbuf__putc(out, ' ');
		put_ids(out, s->pid, s->tid);
	}
	if (s->event != t->event) {
		t->event = s->event;
		t->event_len = (uint32_t)strlen(s->event->name);
	}
	if (strbuf__reserve(out, FRONT_SZ + t->event_len))
		return -ENOMEM;
	p = out->buf + out->len;
	if (who)
		p = digits__copy16(p, who->text, who->len);
	p = put_cpu_time(sink, p, s->cpu, s->time_ns);
	memcpy(p, s->event->name, t->event_len);
	p += t->event_len;
	*p++ = ':';
	*p++ = ' ';
	out->len = (size_t)(p - out->buf);
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
	if (strbuf__reserve(out, FRONT_SZ))
		return -ENOMEM;
	out->len = (size_t)(put_cpu_time(sink, out->buf + out->len, l->cpu, l->time_ns) - out->buf);
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
	free(t->who);
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
