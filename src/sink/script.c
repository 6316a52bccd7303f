// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script.h"

#include <errno.h>
#include <string.h>

#include "decode/perf_callchain.h"
#include "decode/perf_sample.h"
#include "decode/print.h"
#include "decode/sample_text.h"
#include "event/event.h"
#include "sink/out.h"
#include "sink/resolver.h"
#include "sink/script_addr.h"
#include "sink/script_regs.h"
#include "util/digits.h"

#define NSEC_PER_SEC 1000000000ull
/* Upper bound of an escaped thread name, the ids, the CPU and the time together. */
#define FRONT_ROOM 512

/* Slots for cached texts of threads and events: mostly those of the previous lines. */
#define SCRIPT_TASKS 256
#define SCRIPT_EVENTS 64

/* The cached front of a thread's line: comm and ids. */
struct script_task {
	int32_t pid, tid;
	uint32_t fields;
	bool is_padded;
	uint8_t comm_len, len; /* len 0: the slot is free */
	char comm[16], text[48];
};

/* The cached parts of a line that all samples of an event share. */
struct script_event {
	uint32_t idx; /* index + 1; 0: the slot is free */
	uint32_t fields;
	struct strbuf text;
};

struct script_printer {
	const struct script_config *cfg;
	struct out *out;
	struct printer *printer;
	unsigned int name_width; /* length of the longest event name */
	struct script_addrs addrs;
	struct script_task tasks[SCRIPT_TASKS]; /* slot by thread id */
	struct script_event events[SCRIPT_EVENTS]; /* slot by index of the event */
	uint64_t sec; /* second that sec_text shows; UINT64_MAX: none */
	struct strbuf sec_text;
};

static int script_begin(struct sink *sink)
{
	struct script_printer *p = sink->priv;
	const struct event_list *events = sink->cfg.events;
	size_t i, len;

	p->cfg = sink__extra(sink, SCRIPT_EXTRA);
	p->out = sink->out;
	p->sec = UINT64_MAX;
	script_addrs__init(&p->addrs, sink->cfg.sym);
	p->addrs.inlined = p->cfg->inlined;
	for (i = 0; i < events->cnt; i++) {
		len = strlen(events->events[i]->name);
		if (len > p->name_width)
			p->name_width = (unsigned int)len;
	}
	p->printer = resolver__new_recorded_printer(sink->cfg.sym, p->cfg->printk_formats);
	return p->printer ? 0 : -ENOMEM;
}

static void script_free(struct sink *sink)
{
	struct script_printer *p = sink->priv;
	size_t i;

	printer__free(p->printer);
	script_addrs__free(&p->addrs);
	strbuf__free(&p->sec_text);
	for (i = 0; i < SCRIPT_EVENTS; i++)
		strbuf__free(&p->events[i].text);
}

static bool has_chain(const struct script_config *cfg, const struct recorded_event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !cfg->no_callchain;
}

/* Returns the fields that perf script prints for an event, without those that its samples lack. */
static uint32_t fields_of(const struct script_config *cfg, const struct recorded_event *ev)
{
	const uint32_t front = SCRIPT_COMM | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_EVENT;
	const uint32_t code = SCRIPT_IP | SCRIPT_SYM | SCRIPT_SYMOFF | SCRIPT_DSO;
	uint64_t have = ev->attr.sample_type;
	uint32_t fields = cfg->fields;

	if (!fields && ev->attr.type == PERF_TYPE_TRACEPOINT)
		fields = front | SCRIPT_TRACE | (has_chain(cfg, ev) ? code : 0);
	else if (!fields)
		fields = front | SCRIPT_PERIOD | code;
	fields = (fields | cfg->more) & ~cfg->less;
	if (!(have & PERF_SAMPLE_TID))
		fields &= ~(uint32_t)(SCRIPT_PID | SCRIPT_TID);
	if (!(have & PERF_SAMPLE_CPU))
		fields &= ~(uint32_t)SCRIPT_CPU;
	if (!(have & PERF_SAMPLE_TIME))
		fields &= ~(uint32_t)SCRIPT_TIME;
	if (!(have & PERF_SAMPLE_ADDR))
		fields &= ~(uint32_t)SCRIPT_ADDR;
	if (!(have & PERF_SAMPLE_REGS_INTR))
		fields &= ~(uint32_t)SCRIPT_IREGS;
	if (!(have & PERF_SAMPLE_REGS_USER))
		fields &= ~(uint32_t)SCRIPT_UREGS;
	return fields;
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

static void put_task(struct strbuf *out, const struct sample *s, uint32_t fields, bool is_padded)
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
		while (out->len - start < 5)
			strbuf__putc(out, ' ');
	} else if (fields & SCRIPT_TID) {
		put_id(out, s->tid);
	}
	if (fields & (SCRIPT_PID | SCRIPT_TID))
		strbuf__putc(out, ' ');
}

/* Like put_task(), but copies the thread's cached text if it is still valid. */
static void put_task_again(struct script_printer *p, struct strbuf *out, const struct sample *s,
			   uint32_t fields, bool is_padded)
{
	struct script_task *task = &p->tasks[(uint32_t)s->tid % SCRIPT_TASKS];
	size_t start = out->len, comm_len = strlen(s->comm);

	if (task->len && s->tid == task->tid && s->pid == task->pid && fields == task->fields &&
	    is_padded == task->is_padded && comm_len == task->comm_len &&
	    !memcmp(s->comm, task->comm, comm_len)) {
		/* A copy of constant size is inlined, not a call. */
		memcpy(out->buf + start, task->text, sizeof(task->text));
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
	char text[6] = "[000] ";

	if (cpu > 999) {
		strbuf__printf(out, "[%03d] ", (int)cpu);
		return;
	}
	text[1] = (char)('0' + cpu / 100);
	memcpy(text + 2, digits__pairs + cpu % 100 * 2, 2);
	memcpy(out->buf + out->len, text, sizeof(text));
	out->len += sizeof(text);
}

/* ".123456: " */
static void put_micros(struct strbuf *out, uint32_t us)
{
	char text[9] = ".000000: ";

	memcpy(text + 1, digits__pairs + us / 10000 * 2, 2);
	memcpy(text + 3, digits__pairs + us / 100 % 100 * 2, 2);
	memcpy(text + 5, digits__pairs + us % 100 * 2, 2);
	memcpy(out->buf + out->len, text, sizeof(text));
	out->len += sizeof(text);
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

static enum script_side side_of(uint16_t cpumode)
{
	return cpumode == PERF_RECORD_MISC_KERNEL ? SCRIPT_KERNEL
	       : cpumode == PERF_RECORD_MISC_USER ? SCRIPT_USER
						  : SCRIPT_OTHER;
}

static int put_chain(struct script_printer *p, struct strbuf *out, const struct sample *s,
		     uint32_t fields)
{
	const struct perf_words *words = &s->perf->callchain;
	const struct perf_callchain *unwound = s->perf->stack;
	enum script_side side = side_of(s->perf->cpumode);
	uint32_t left = p->cfg->max_stack, pid = (uint32_t)s->pid;
	uint64_t i, addr;
	int err = 0;

	strbuf__putc(out, '\n');
	for (i = 0; i < words->cnt && left && !err; i++) {
		addr = perf_words__get(words, i);
		if (addr == PERF_CONTEXT_KERNEL)
			side = SCRIPT_KERNEL;
		else if (addr == PERF_CONTEXT_USER)
			side = SCRIPT_USER;
		else if (addr >= PERF_CONTEXT_MAX)
			side = SCRIPT_OTHER;
		else if (left--)
			err = script_addrs__put_frame(&p->addrs, out, pid, side, addr, fields,
						      false);
	}
	for (i = 0; i < unwound->cnt && !err; i++)
		err = script_addrs__put_frame(&p->addrs, out, pid, SCRIPT_USER, unwound->addrs[i],
					      fields, true);
	strbuf__putc(out, '\n');
	return err;
}

/* Texts are cached by event: most recordings have few events, with alternating samples. */
static struct script_event *event_of(struct script_printer *p, const struct sample *s)
{
	const struct recorded_event *ev = s->perf->event;
	struct script_event *e = &p->events[ev->idx % SCRIPT_EVENTS];

	if (e->idx == ev->idx + 1)
		return e;
	e->idx = ev->idx + 1;
	e->fields = fields_of(p->cfg, ev);
	strbuf__reset(&e->text);
	strbuf__put_escaped(&e->text, s->event->name, strlen(s->event->name));
	pad_left(&e->text, 0, p->name_width);
	strbuf__add(&e->text, ": ", 2);
	return e;
}

/* Puts registers on the sample's line. */
static void put_regs(const struct script_printer *p, struct strbuf *out,
		     const struct perf_sample *s, uint32_t fields)
{
	const struct perf_event_attr *attr = &s->event->attr;

	if (!(fields & (SCRIPT_IREGS | SCRIPT_UREGS)) || !out->len)
		return;
	out->len--;
	if (fields & SCRIPT_IREGS)
		script_regs__put(out, p->cfg->is_arm64, s->intr_abi, attr->sample_regs_intr,
				 &s->intr_regs);
	if (fields & SCRIPT_UREGS)
		script_regs__put(out, p->cfg->is_arm64, s->user_abi, attr->sample_regs_user,
				 &s->user_regs);
	strbuf__putc(out, '\n');
}

bool script_config__wants_stack(const struct script_config *cfg, const struct recorded_event *ev)
{
	return has_chain(cfg, ev) && fields_of(cfg, ev) & SCRIPT_IP;
}

/* Puts the columns before the event's name; `out` has FRONT_ROOM. */
static void put_front(struct script_printer *p, struct strbuf *out, const struct sample *s,
		      uint32_t fields, bool is_chain)
{
	size_t start;

	put_task_again(p, out, s, fields, !is_chain);
	if (fields & SCRIPT_CPU)
		put_cpu(out, s->cpu);
	if (fields & SCRIPT_TIME)
		put_time(p, out, s->time_ns);
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
	struct strbuf *out = &p->out->buf;
	const struct script_event *e = event_of(p, s);
	uint32_t fields = e->fields;
	bool is_chain = fields & SCRIPT_IP && has_chain(p->cfg, s->perf->event);
	size_t start;
	int err = 0;

	/* Reserves room for the whole front, so that no column has to check. */
	if (strbuf__reserve(out, FRONT_ROOM))
		return -ENOMEM;
	put_front(p, out, s, fields, is_chain);
	if (fields & SCRIPT_EVENT)
		strbuf__add(out, e->text.buf, e->text.len);
	if (fields & SCRIPT_TRACE)
		err = sample_text__put(p->printer, s, out);
	start = out->len;
	if (fields & SCRIPT_ADDR) {
		strbuf__put_hex(out, s->perf->addr);
		pad_left(out, start, 16);
		strbuf__putc(out, ' ');
	}
	if (!err && is_chain) {
		err = put_chain(p, out, s, fields);
	} else if (!err && fields & SCRIPT_IP) {
		strbuf__putc(out, ' ');
		err = script_addrs__put(&p->addrs, out, (uint32_t)s->pid, side_of(s->perf->cpumode),
					s->perf->ip, fields);
	} else {
		strbuf__putc(out, '\n');
	}
	if (!err)
		put_regs(p, out, s->perf, fields);
	return err ? err : out__commit(p->out);
}

const struct sink_ops script_sink = {
	.name = "text",
	.suffix = ".txt .log .out",
	.priv_sz = sizeof(struct script_printer),
	.begin = script_begin,
	.sample = script_sample,
	.free = script_free,
};
