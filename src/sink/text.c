// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* --format text: the columns of `perf script -F comm,pid,tid,cpu,time,event,trace`. */
#include <errno.h>
#include <string.h>

#include "event/event.h"
#include "sink/callstack.h"
#include "sink/clock.h"
#include "sink/counter_text.h"
#include "sink/out.h"
#include "sink/sink.h"
#include "sink/task_text.h"
#include "sym/named.h"
#include "util/digits.h"

#define NSEC_PER_SEC 1000000000ull

struct text {
	uint64_t prev_ns;
	struct task_text_cache tasks; /* "            bash  4242/4242 " */
	uint64_t sec; /* second that sec_text shows: */
	uint32_t sec_len;
	char sec_text[48];
	const struct event *event; /* event of the previous record; length of its name */
	uint32_t event_len;
	struct callstack_printer callstacks;
};

/* Puts the name right-aligned to 16, the longest name of a thread. */
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

/* Puts " 4242/4242 ": both as %5d, aligned away from the slash. */
static void put_ids(struct strbuf *out, int32_t pid, int32_t tid)
{
	size_t start;

	/* Tasks outside of bpfperf's pid namespace have the id -1. */
	if (pid < 0)
		strbuf__puts(out, "   -1");
	else
		strbuf__put_u64_pad(out, (uint32_t)pid, 5, ' ');
	strbuf__putc(out, '/');
	start = out->len;
	strbuf__put_s64(out, tid);
	strbuf__pad(out, start, 5);
}

static void put_task(const struct sample *s, struct strbuf *out)
{
	put_comm(out, s->comm);
	strbuf__putc(out, ' ');
	put_ids(out, s->pid, s->tid);
}

/* Formats the seconds, which change rarely, with the decimal point. */
static void make_sec(struct sink *sink, uint64_t ns)
{
	struct strbuf text = STRBUF_INIT;
	struct text *t = sink->priv;

	clock__print(&sink->cfg, ns, &text);
	/* The nine decimals are cut off. */
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

/* Room for the columns before the event's name. */
#define FRONT_SZ 256

/* Puts " [001] 12345.678901234: "; cpu UINT32_MAX: unknown. */
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

/* Puts " 7f12345678 read+0x12 (/usr/lib/libc.so.6)" */
static void put_function(struct strbuf *out, uint64_t addr, const struct sym_result *res,
			 unsigned int how)
{
	strbuf__putc(out, '\t');
	if (frame_kind__is_interpreted(res->kind))
		strbuf__printf(out, "%16s", frame_kinds[res->kind]);
	else
		strbuf__put_hex_pad(out, addr, 16, ' ');
	strbuf__putc(out, ' ');
	callstack__put_function(out, res);
	strbuf__puts(out, how & CALLSTACK_GUESSED ? CALLSTACK_MARK "\n" : "\n");
}

/* An empty line ends the callchain. */
static int put_callstack(struct text *t, const struct sample *s, struct strbuf *out)
{
	int err = 0;

	if (s->stack_lost)
		strbuf__puts(out, "\t                 [stack lost]\n");
	else if (s->stack_id)
		err = callstack_printer__put(&t->callstacks, s->names, out);
	strbuf__putc(out, '\n');
	return err;
}

static int text_sample(struct sink *sink, const struct sample *s)
{
	struct strbuf *out = &sink->out->buf;
	struct text *t = sink->priv;
	char *p;

	task_text_cache__put(&t->tasks, s, out);
	if (s->event != t->event) {
		t->event = s->event;
		t->event_len = (uint32_t)strlen(s->event->name);
	}
	if (strbuf__reserve(out, FRONT_SZ + t->event_len + s->text_len))
		return -ENOMEM;
	p = put_cpu_time(sink, out->buf + out->len, s->cpu, s->time_ns);
	memcpy(p, s->event->name, t->event_len);
	p += t->event_len;
	*p++ = ':';
	*p++ = ' ';
	if (s->text_len)
		memcpy(p, s->text, s->text_len);
	out->len = (size_t)(p - out->buf) + s->text_len;
	if (s->counters)
		counter_text__put_text(sink->cfg.counters, s->counters, out);
	strbuf__putc(out, '\n');
	if (sink->cfg.callstacks && put_callstack(t, s, out))
		return -ENOMEM;
	return out__commit(sink->out);
}

/*
 * Puts comments: the start in both clocks, so that the file's times can be related to real time,
 * and the events.
 */
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
	if (sink->cfg.callstacks)
		sink->needs |= SAMPLE_NEEDS_NAMES;
	t->sec = UINT64_MAX;
	callstack_printer__init(&t->callstacks, put_function);
	return task_text_cache__init(&t->tasks, put_task);
}

/*
 * A ring that is full reports again and again: its lines do not have "EVENT: ", by which a record
 * of the event is recognised.
 */
static int text_lost(struct sink *sink, const struct lost *l)
{
	const bool is_of_ring = l->cause < LOST_CPU_CAUSES;
	struct strbuf *out = &sink->out->buf;

	put_comm(out, "[lost]");
	strbuf__puts(out, "     -/-    ");
	if (strbuf__reserve(out, FRONT_SZ))
		return -ENOMEM;
	out->len = (size_t)(put_cpu_time(sink, out->buf + out->len, l->cpu, l->time_ns) - out->buf);
	strbuf__puts(out, "lost ");
	strbuf__put_u64(out, l->cnt);
	strbuf__puts(out, l->cnt == 1 ? " record" : " records");
	if (l->event && !is_of_ring) {
		strbuf__puts(out, " of ");
		strbuf__puts(out, l->event->name);
	}
	strbuf__puts(out, ": ");
	strbuf__puts(out, lost_cause__name(l->cause));
	if (l->event && is_of_ring) {
		strbuf__puts(out, " (");
		strbuf__puts(out, l->event->name);
		strbuf__putc(out, ')');
	}
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

static int text_row(struct sink *sink, const struct counter_row *row)
{
	struct strbuf *out = &sink->out->buf;

	put_comm(out, "[counters]");
	strbuf__puts(out, "     -/-    ");
	if (strbuf__reserve(out, FRONT_SZ))
		return -ENOMEM;
	out->len = (size_t)(put_cpu_time(sink, out->buf + out->len, row->cpu, row->time_ns) -
			    out->buf - 1);
	counter_text__put_text(sink->cfg.counters, row->counters, out);
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

/* # dump 2: SIGUSR2, 2026-11-21T16:22:01.123456789+0000, CLOCK_MONOTONIC 12345.678901234 */
static int text_dump(struct sink *sink, const struct dump *d)
{
	struct strbuf *out = &sink->out->buf;
	struct sink_config real = sink->cfg, mono = sink->cfg;

	real.time = TIME_REAL;
	mono.time = TIME_MONO;
	strbuf__printf(out, "# dump %u: %s, ", d->nr, d->why);
	clock__print(&real, clock__convert(&real, d->time_ns, NULL), out);
	strbuf__puts(out, ", CLOCK_MONOTONIC ");
	clock__print(&mono, d->time_ns, out);
	strbuf__putc(out, '\n');
	return out__commit(sink->out);
}

static void text_free(struct sink *sink)
{
	struct text *t = sink->priv;

	task_text_cache__free(&t->tasks);
	callstack_printer__free(&t->callstacks);
}

extern const struct sink_ops text_sink;
const struct sink_ops text_sink = {
	.name = "text",
	.suffix = ".txt .log .out",
	.priv_sz = sizeof(struct text),
	.begin = text_begin,
	.needs = SAMPLE_NEEDS_TEXT,
	.sample = text_sample,
	.lost = text_lost,
	.row = text_row,
	.dump = text_dump,
	.free = text_free,
};
