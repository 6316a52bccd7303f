// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script.h"

#include <errno.h>
#include <string.h>

#include "data/perf_sample.h"
#include "decode/named.h"
#include "event/event.h"
#include "sink/event_outs.h"
#include "sink/out.h"
#include "sink/script_addr.h"
#include "sink/script_branches.h"
#include "sink/script_calls.h"
#include "sink/script_code.h"
#include "sink/script_events.h"
#include "sink/script_fields.h"
#include "sink/script_insn.h"
#include "sink/script_mem.h"
#include "sink/script_raw.h"
#include "sink/script_regs.h"
#include "sink/script_source.h"
#include "sink/script_synth.h"
#include "sink/script_tod.h"
#include "util/digits.h"
#include "util/name_list.h"

#define NSEC_PER_SEC 1000000000ull
/* Upper bound of an escaped thread name, the ids, the CPU and the time together. */
#define FRONT_ROOM 512

/* Slots for cached texts of threads and events: mostly those of the previous lines. */
#define SCRIPT_TASKS 256
#define SCRIPT_EVENTS 64

/* The cached front of a thread's line: comm and ids. */
struct script_task {
	int32_t pid, tid;
	uint64_t fields;
	bool is_padded;
	uint8_t comm_len, len; /* len 0: the slot is free */
	char comm[16], text[48];
};

/* The cached parts of a line that all samples of an event share. */
struct script_event {
	uint32_t idx; /* index + 1; 0: the slot is free */
	uint64_t fields;
	unsigned int needs; /* enum sample_need, without the stack */
	bool is_omitted;
	bool is_chain; /* samples have a callchain that is printed */
	struct event_out *to; /* of its own; NULL: the sink's */
	struct strbuf text;
};

struct script_printer {
	const struct script_config *cfg;
	struct out *out;
	unsigned int name_width; /* length of the longest event name */
	struct script_addrs addrs;
	struct script_task tasks[SCRIPT_TASKS]; /* slot by thread id */
	struct script_event events[SCRIPT_EVENTS]; /* slot by index of the event */
	uint64_t sec; /* second that sec_text shows; UINT64_MAX: none */
	struct strbuf sec_text;
	uint64_t first_ns, last_ns; /* times of the first sample and of the last; 0: none yet */
	const struct perf_event_header *record; /* that is printed; NULL: a sample */
	struct script_calls calls;
	struct script_graph graph;
	struct script_source source;
	size_t source_width; /* of the longest source of data so far */
};

static int script_begin(struct sink *sink)
{
	struct script_printer *p = sink->priv;
	const struct event_list *events = sink->cfg.events;
	size_t i, len;

	p->cfg = sink__extra(sink, SCRIPT_EXTRA);
	p->out = sink->out;
	p->calls.file_width = p->cfg->file_width;
	p->source.texts = p->cfg->texts;
	p->sec = UINT64_MAX;
	for (i = 0; i < events->cnt; i++) {
		len = strlen(events->events[i]->name);
		if (len > p->name_width)
			p->name_width = (unsigned int)len;
	}
	return 0;
}

static void script_free(struct sink *sink)
{
	struct script_printer *p = sink->priv;
	size_t i;

	script_addrs__free(&p->addrs);
	strbuf__free(&p->sec_text);
	script_source__free(&p->source);
	script_graph__free(&p->graph);
	for (i = 0; i < SCRIPT_EVENTS; i++)
		strbuf__free(&p->events[i].text);
}

static void pad_left(struct strbuf *out, size_t start, size_t width)
{
	size_t len = out->len - start;

	if (len >= width || strbuf__reserve(out, width))
		return;
	memmove(out->buf + start + width - len, out->buf + start, len);
	memset(out->buf + start, ' ', width - len);
	out->len = start + width;
}

static void put_id(struct strbuf *out, int32_t id)
{
	size_t start = out->len;

	/* Unknown ids are -1. */
	strbuf__put_s64(out, id);
	pad_left(out, start, 5);
}

static void put_task(struct strbuf *out, const struct sample *s, uint64_t fields, bool is_padded)
{
	size_t start = out->len;

	if (fields & SCRIPT_COMM) {
		strbuf__put_escaped(out, s->comm, strlen(s->comm));
		if (is_padded)
			pad_left(out, start, 16);
		strbuf__putc(out, ' ');
	}
	if (fields & SCRIPT_PID)
		put_id(out, s->pid);
	if (fields & SCRIPT_PID && fields & SCRIPT_TID) {
		strbuf__putc(out, '/');
		start = out->len;
		strbuf__put_s64(out, s->tid);
		strbuf__pad(out, start, 5);
	} else if (fields & SCRIPT_TID) {
		put_id(out, s->tid);
	}
	if (fields & (SCRIPT_PID | SCRIPT_TID))
		strbuf__putc(out, ' ');
}

/* Like put_task(), but copies the thread's cached text if it is still valid. */
static void put_task_again(struct script_printer *p, struct strbuf *out, const struct sample *s,
			   uint64_t fields, bool is_padded)
{
	struct script_task *task = &p->tasks[(uint32_t)s->tid % SCRIPT_TASKS];
	size_t start = out->len, comm_len = strlen(s->comm), i;

	if (task->len && s->tid == task->tid && s->pid == task->pid && fields == task->fields &&
	    is_padded == task->is_padded && comm_len == task->comm_len &&
	    !memcmp(s->comm, task->comm, comm_len)) {
		/* Copies of a small constant size are inlined as moves of registers. */
		for (i = 0; i < sizeof(task->text); i += 16)
			memcpy(out->buf + start + i, task->text + i, 16);
		out->len = start + task->len;
		return;
	}
	put_task(out, s, fields, is_padded);
	task->len = 0;
	if (comm_len > sizeof(task->comm) || out->len - start > sizeof(task->text))
		return;
	task->pid = s->pid;
	task->tid = s->tid;
	task->fields = fields;
	task->is_padded = is_padded;
	task->comm_len = (uint8_t)comm_len;
	memcpy(task->comm, s->comm, comm_len);
	task->len = (uint8_t)(out->len - start);
	memcpy(task->text, out->buf + start, task->len);
}

/* "[003] "; unknown CPUs are -1. */
static void put_cpu(struct strbuf *out, uint32_t cpu)
{
	char text[] = "[000] ";

	if (cpu > 999) {
		strbuf__printf(out, "[%03d] ", (int)cpu);
		return;
	}
	text[1] = (char)('0' + cpu / 100);
	memcpy(text + 2, digits__pairs + cpu % 100 * 2, 2);
	memcpy(out->buf + out->len, text, sizeof(text) - 1);
	out->len += sizeof(text) - 1;
}

/* ".123456: " */
static void put_micros(struct strbuf *out, uint32_t us)
{
	char text[] = ".000000: ";

	memcpy(text + 1, digits__pairs + us / 10000 * 2, 2);
	memcpy(text + 3, digits__pairs + us / 100 % 100 * 2, 2);
	memcpy(text + 5, digits__pairs + us % 100 * 2, 2);
	memcpy(out->buf + out->len, text, sizeof(text) - 1);
	out->len += sizeof(text) - 1;
}

static void put_time(struct script_printer *p, struct strbuf *out, uint64_t ns)
{
	if (ns / NSEC_PER_SEC != p->sec) {
		p->sec = ns / NSEC_PER_SEC;
		strbuf__reset(&p->sec_text);
		strbuf__put_u64(&p->sec_text, p->sec);
		pad_left(&p->sec_text, 0, 5);
	}
	strbuf__add(out, p->sec_text.buf, p->sec_text.len);
	if (!p->cfg->nanoseconds) {
		put_micros(out, (uint32_t)(ns % NSEC_PER_SEC / 1000));
		return;
	}
	strbuf__putc(out, '.');
	strbuf__put_u64_pad(out, ns % NSEC_PER_SEC, 9, '0');
	strbuf__add(out, ": ", 2);
}

/* Does the stack end at this line? */
static bool is_stop(const struct script_printer *p, const struct named_line *line)
{
	uint32_t i;

	for (i = 0; line->place && i < line->place->cnt; i++)
		if (line->place->frames[i].name &&
		    name_list__has(p->cfg->stop_bt, line->place->frames[i].name))
			return true;
	return false;
}

static int put_chain(struct script_printer *p, struct strbuf *out, const struct sample *s,
		     uint64_t fields)
{
	size_t i;
	int err = 0;

	strbuf__putc(out, '\n');
	for (i = 0; i < s->lines->cnt && !err; i++) {
		err = script_addrs__put_frame(&p->addrs, out, (uint32_t)s->pid, &s->lines->at[i],
					      fields);
		if (p->cfg->stop_bt && is_stop(p, &s->lines->at[i]))
			break;
	}
	strbuf__putc(out, '\n');
	return err;
}

/* Puts the sample's address; behind it the target of a branch of a processor's trace. */
static int put_addr(struct script_printer *p, struct strbuf *out, const struct sample *s,
		    uint64_t fields)
{
	const struct named_lines *lines = s->lines;
	int err = script_addrs__put(&p->addrs, out, (uint32_t)s->pid, &lines->at[0], fields);

	if (err || !(fields & SCRIPT_ADDR) || lines->cnt < 2 || !out->len)
		return err;
	out->len--;
	strbuf__puts(out, " => ");
	return script_addrs__put(&p->addrs, out, (uint32_t)s->pid, &lines->at[1], fields);
}

static void make_event(struct script_printer *p, const struct sample *s, struct script_event *e)
{
	const struct recorded_event *ev = s->perf->event;

	e->idx = ev->idx + 1;
	e->fields = script_fields__of(p->cfg, ev);
	e->is_chain = e->fields & SCRIPT_IP && script_fields__has_chain(p->cfg, ev);
	e->is_omitted = script_fields__omits(p->cfg, ev);
	e->needs = SAMPLE_KEEP | (e->fields & SCRIPT_TRACE ? SAMPLE_NEEDS_TEXT : 0);
	if (e->fields & SCRIPT_IP)
		e->needs |= e->is_chain ? SAMPLE_NEEDS_LINES : SAMPLE_NEEDS_IP;
	if (e->fields & SCRIPT_CALLINDENT || p->cfg->graph_functions)
		e->needs |= SAMPLE_NEEDS_IP;
	if (script_branches__are_named(e->fields))
		e->needs |= SAMPLE_NEEDS_BRANCHES;
	if (e->fields & SCRIPT_CODE)
		e->needs |= SAMPLE_NEEDS_CODE;
	if (e->fields & SCRIPT_SRCCODE)
		e->needs |= SAMPLE_NEEDS_PLACE;
	e->to = p->cfg->outs ? p->cfg->outs->get(p->cfg->outs, s->event->name) : NULL;
	strbuf__reset(&e->text);
	strbuf__put_escaped(&e->text, s->event->name, strlen(s->event->name));
	pad_left(&e->text, 0, p->name_width);
	strbuf__add(&e->text, ": ", 2);
}

/* Texts are cached by event: most recordings have few events, with alternating samples. */
static inline const struct script_event *event_of(struct script_printer *p, const struct sample *s)
{
	uint32_t idx = s->perf->event->idx;
	struct script_event *e = &p->events[idx % SCRIPT_EVENTS];

	if (e->idx != idx + 1)
		make_event(p, s, e);
	return e;
}

/* Puts what stands behind the address, on the sample's line. */
static void put_tail(struct script_printer *p, struct strbuf *out, const struct sample *sample,
		     uint64_t fields)
{
	const uint64_t tail = SCRIPT_IREGS | SCRIPT_UREGS | SCRIPT_PHYS_ADDR | SCRIPT_DATA_PAGE_SZ |
			      SCRIPT_CODE_PAGE_SZ | SCRIPT_BRANCHES | SCRIPT_BPF_OUTPUT |
			      SCRIPT_INSN | SCRIPT_INSN_LEN | SCRIPT_CODE;
	const struct perf_sample *s = sample->perf;
	const struct perf_event_attr *attr = &s->event->attr;

	if (!(fields & tail) || !out->len)
		return;
	out->len--;
	if (fields & SCRIPT_IREGS)
		script_regs__put(out, p->cfg->is_arm64, s->intr_abi, attr->sample_regs_intr,
				 &s->intr_regs);
	if (fields & SCRIPT_UREGS)
		script_regs__put(out, p->cfg->is_arm64, s->user_abi, attr->sample_regs_user,
				 &s->user_regs);
	if (fields & SCRIPT_BRANCHES)
		script_branches__put(out, s, sample->branches, fields);
	if (fields & SCRIPT_BPF_OUTPUT)
		script_raw__put(out, s->raw, s->raw_sz);
	if (fields & SCRIPT_INSN_LEN)
		script_insn__put_len(out, s);
	if (fields & SCRIPT_INSN)
		script_insn__put_bytes(out, s);
	if (fields & SCRIPT_CODE && s->branches.cnt)
		script_code__put(out, sample, fields, &p->source);
	if (fields & SCRIPT_PHYS_ADDR)
		strbuf__printf(out, "%16llx", (unsigned long long)s->phys_addr);
	if (fields & SCRIPT_DATA_PAGE_SZ)
		script_mem__put_page_size(out, s->data_page_sz);
	if (fields & SCRIPT_CODE_PAGE_SZ)
		script_mem__put_page_size(out, s->code_page_sz);
	strbuf__putc(out, '\n');
}

static unsigned int script_needs_of(const struct sink *sink, const struct sample *s)
{
	const struct script_event *e = event_of(sink->priv, s);

	if (e->is_omitted)
		return 0;
	return e->needs | (s->perf->user_stack_sz && e->is_chain ? SAMPLE_NEEDS_STACK : 0);
}

/* The time that is printed: of the recording's clock, or since another sample. */
static uint64_t shown_time(struct script_printer *p, uint64_t ns)
{
	uint64_t from = p->cfg->is_delta ? p->last_ns : p->first_ns;

	if (!p->cfg->is_relative && !p->cfg->is_delta)
		return ns;
	if (!p->first_ns)
		from = p->first_ns = ns;
	p->last_ns = ns;
	return ns > from ? ns - from : 0;
}

/* Puts the columns before the event's name; `out` has FRONT_ROOM. */
static void put_front(struct script_printer *p, struct strbuf *out, const struct sample *s,
		      uint64_t fields, bool is_chain)
{
	size_t start;

	put_task_again(p, out, s, fields, !is_chain);
	if (fields & SCRIPT_CPU)
		put_cpu(out, s->cpu);
	if (fields & SCRIPT_MISC)
		script_events__put_misc(out, s->perf->cpumode, p->record);
	if (fields & SCRIPT_TOD)
		script_tod__put(out, s->time_ns + p->cfg->real_off_ns, p->cfg->nanoseconds);
	if (fields & SCRIPT_TIME)
		put_time(p, out, shown_time(p, s->time_ns));
	start = out->len;
	if (fields & SCRIPT_PERIOD) {
		strbuf__put_u64(out, s->period);
		pad_left(out, start, 10);
		strbuf__putc(out, ' ');
	}
}

static int script_sample(struct sink *sink, const struct sample *s)
{
	struct script_printer *p = sink->priv;
	const struct script_event *e = event_of(p, s);
	struct out *to = e->to ? &e->to->out : p->out;
	struct strbuf *out = &to->buf;
	uint64_t fields = e->fields;
	int err = 0;

	if (p->cfg->outs && !e->to)
		return -EIO;
	if (!script_graph__shows(&p->graph, p->cfg->graph_functions, s))
		return 0;
	/* Reserves room for the whole front, so that no column has to check. */
	if (strbuf__reserve(out, FRONT_ROOM))
		return -ENOMEM;
	put_front(p, out, s, fields, e->is_chain);
	if (fields & SCRIPT_EVENT)
		strbuf__add(out, e->text.buf, e->text.len);
	if (fields & SCRIPT_TRACE)
		strbuf__add(out, s->text, s->text_len);
	if (fields & SCRIPT_FLAGS)
		script_insn__put_flags(out, s->perf->insn_flags);
	if (fields & SCRIPT_CALLINDENT)
		script_calls__put(&p->calls, out, s, fields);
	if (fields & SCRIPT_SYNTH)
		script_synth__put(out, s->perf);
	script_mem__put(out, s->perf, fields, &p->source_width);
	if (!err && e->is_chain) {
		err = put_chain(p, out, s, fields);
	} else if (!err && fields & SCRIPT_IP) {
		strbuf__putc(out, ' ');
		err = put_addr(p, out, s, fields);
	} else {
		strbuf__putc(out, '\n');
	}
	if (!err)
		put_tail(p, out, s, fields);
	if (!err && fields & SCRIPT_SRCCODE)
		err = script_source__put(&p->source, out, s->tid, s->place);
	if (e->to)
		e->to->samples++;
	return err ? err : out__commit(to);
}

int script__record(struct sink *sink, const struct sample *s, const struct perf_event_header *hdr)
{
	struct script_printer *p = sink->priv;
	const struct recorded_event *ev = s->perf->event;
	struct strbuf *out;
	uint64_t fields;

	/* Records of processes come before the first sample, at which the sink begins. */
	if (!p->cfg)
		script_begin(sink);
	out = &p->out->buf;
	fields = script_fields__of(p->cfg, ev) & ~SCRIPT_PERIOD;
	if (strbuf__reserve(out, FRONT_ROOM))
		return -ENOMEM;
	p->record = hdr;
	put_front(p, out, s, fields, fields & SCRIPT_IP && script_fields__has_chain(p->cfg, ev));
	p->record = NULL;
	script_events__put(out, hdr, s->text ?: "");
	return out__commit(p->out);
}

/* Gaps of a processor's trace alone: perf script prints no other losses in their place. */
static int script_lost(struct sink *sink, const struct lost *l)
{
	struct script_printer *p = sink->priv;
	struct strbuf *out = &p->out->buf;

	if (!lost_cause__is_trace(l->cause))
		return 0;
	strbuf__printf(out, " trace gap: time %llu.%09llu cpu %d: %s",
		       (unsigned long long)(l->time_ns / NSEC_PER_SEC),
		       (unsigned long long)(l->time_ns % NSEC_PER_SEC), (int)l->cpu,
		       lost_cause__name(l->cause));
	if (l->cause != LOST_TRACE_ABSENT)
		strbuf__printf(out, ", %llu bytes skipped", (unsigned long long)l->cnt);
	else if (l->cnt)
		strbuf__printf(out, ", %llu bytes are missing", (unsigned long long)l->cnt);
	strbuf__putc(out, '\n');
	return out__commit(p->out);
}

const struct sink_ops script_sink = {
	.name = "text",
	.suffix = ".txt .log .out",
	.priv_sz = sizeof(struct script_printer),
	.begin = script_begin,
	.needs_of = script_needs_of,
	.sample = script_sample,
	.lost = script_lost,
	.free = script_free,
};
