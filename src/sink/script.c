// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script.h"

#include <errno.h>
#include <string.h>

#include "data/perf_sample.h"
#include "decode/named.h"
#include "event/event.h"
#include "sink/out.h"
#include "sink/script_addr.h"
#include "sink/script_events.h"
#include "sink/script_insn.h"
#include "sink/script_mem.h"
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
	unsigned int needs; /* enum sample_need, without the stack */
	bool is_chain; /* samples have a callchain that is printed */
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
	size_t source_width; /* of the longest source of data so far */
};

static int script_begin(struct sink *sink)
{
	struct script_printer *p = sink->priv;
	const struct event_list *events = sink->cfg.events;
	size_t i, len;

	p->cfg = sink__extra(sink, SCRIPT_EXTRA);
	p->out = sink->out;
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
	for (i = 0; i < SCRIPT_EVENTS; i++)
		strbuf__free(&p->events[i].text);
}

static bool has_chain(const struct script_config *cfg, const struct recorded_event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !cfg->no_callchain;
}

/* Fields, and what a sample must have for them. */
static const struct {
	uint32_t field;
	uint64_t needs; /* any of these PERF_SAMPLE_* */
} needed[] = {
	{ SCRIPT_PID | SCRIPT_TID, PERF_SAMPLE_TID },
	{ SCRIPT_CPU, PERF_SAMPLE_CPU },
	{ SCRIPT_TIME, PERF_SAMPLE_TIME },
	{ SCRIPT_ADDR, PERF_SAMPLE_ADDR },
	{ SCRIPT_IREGS, PERF_SAMPLE_REGS_INTR },
	{ SCRIPT_UREGS, PERF_SAMPLE_REGS_USER },
	{ SCRIPT_DATA_SRC, PERF_SAMPLE_DATA_SRC },
	{ SCRIPT_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT },
	{ SCRIPT_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT },
	{ SCRIPT_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR },
	{ SCRIPT_DATA_PAGE_SZ, PERF_SAMPLE_DATA_PAGE_SIZE },
	{ SCRIPT_CODE_PAGE_SZ, PERF_SAMPLE_CODE_PAGE_SIZE },
	{ SCRIPT_BRSTACK, PERF_SAMPLE_BRANCH_STACK },
};

/* Returns the fields that perf script prints for an event, without those that its samples lack. */
static uint32_t fields_of(const struct script_config *cfg, const struct recorded_event *ev)
{
	const uint32_t front = SCRIPT_COMM | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_EVENT;
	const uint32_t code = SCRIPT_IP | SCRIPT_SYM | SCRIPT_SYMOFF | SCRIPT_DSO;
	/* Events of `perf mem` and `perf c2c`. */
	const uint32_t memory = SCRIPT_ADDR | SCRIPT_DATA_SRC | SCRIPT_WEIGHT | SCRIPT_INS_LAT |
				SCRIPT_PHYS_ADDR | SCRIPT_DATA_PAGE_SZ | SCRIPT_CODE_PAGE_SZ;
	uint64_t have = ev->attr.sample_type;
	uint32_t fields = cfg->fields;
	size_t i;

	if (!fields && ev->attr.type == PERF_TYPE_TRACEPOINT)
		fields = front | SCRIPT_TRACE | (has_chain(cfg, ev) ? code : 0);
	else if (!fields)
		fields = front | SCRIPT_PERIOD | code |
			 (ev->is_made                      ? SCRIPT_ADDR
			  : ev->attr.type == PERF_TYPE_RAW ? memory
							   : 0);
	fields = (fields | cfg->more) & ~cfg->less;
	if (!ev->is_made)
		fields &= ~(uint32_t)(SCRIPT_FLAGS | SCRIPT_INSN | SCRIPT_INSN_LEN);
	for (i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!(have & needed[i].needs))
			fields &= ~needed[i].field;
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
		strbuf__pad(out, start, 5);
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

static int put_chain(struct script_printer *p, struct strbuf *out, const struct sample *s,
		     uint32_t fields)
{
	size_t i;
	int err = 0;

	strbuf__putc(out, '\n');
	for (i = 0; i < s->lines->cnt && !err; i++)
		err = script_addrs__put_frame(&p->addrs, out, (uint32_t)s->pid, &s->lines->at[i],
					      fields);
	strbuf__putc(out, '\n');
	return err;
}

/* Puts the sample's address; behind it the target of a branch of a processor's trace. */
static int put_addr(struct script_printer *p, struct strbuf *out, const struct sample *s,
		    uint32_t fields)
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
	e->fields = fields_of(p->cfg, ev);
	e->is_chain = e->fields & SCRIPT_IP && has_chain(p->cfg, ev);
	e->needs = SAMPLE_KEEP | (e->fields & SCRIPT_TRACE ? SAMPLE_NEEDS_TEXT : 0);
	if (e->fields & SCRIPT_IP)
		e->needs |= e->is_chain ? SAMPLE_NEEDS_LINES : SAMPLE_NEEDS_IP;
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
static void put_tail(const struct script_printer *p, struct strbuf *out,
		     const struct perf_sample *s, uint32_t fields)
{
	const uint32_t tail = SCRIPT_IREGS | SCRIPT_UREGS | SCRIPT_PHYS_ADDR | SCRIPT_DATA_PAGE_SZ |
			      SCRIPT_CODE_PAGE_SZ | SCRIPT_BRSTACK | SCRIPT_INSN | SCRIPT_INSN_LEN;
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
	if (fields & SCRIPT_BRSTACK)
		script_insn__put_branches(out, s);
	if (fields & SCRIPT_INSN_LEN)
		script_insn__put_len(out, s);
	if (fields & SCRIPT_INSN)
		script_insn__put_bytes(out, s);
	if (fields & SCRIPT_PHYS_ADDR)
		strbuf__printf(out, "%16llx", (unsigned long long)s->phys_addr);
	if (fields & SCRIPT_DATA_PAGE_SZ)
		script_mem__put_page_size(out, s->data_page_sz);
	if (fields & SCRIPT_CODE_PAGE_SZ)
		script_mem__put_page_size(out, s->code_page_sz);
	strbuf__putc(out, '\n');
}

/* Puts the access of memory in front of the address. */
static void put_memory(struct script_printer *p, struct strbuf *out, const struct perf_sample *s,
		       uint32_t fields)
{
	uint64_t weight = s->weight;
	size_t start = out->len;

	if (fields & SCRIPT_ADDR && (!s->event->is_made || !(fields & SCRIPT_IP))) {
		strbuf__put_hex(out, s->addr);
		pad_left(out, start, 16);
	}
	if (fields & SCRIPT_DATA_SRC)
		script_mem__put_source(out, s->data_src, &p->source_width);
	if (s->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		weight = (uint32_t)weight;
	if (fields & SCRIPT_WEIGHT)
		strbuf__printf(out, "%16llu", (unsigned long long)weight);
	if (fields & SCRIPT_INS_LAT)
		strbuf__printf(out, "%16u", (unsigned int)(s->weight >> 32 & 0xffff));
}

static unsigned int script_needs_of(const struct sink *sink, const struct sample *s)
{
	const struct script_event *e = event_of(sink->priv, s);

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
		      uint32_t fields, bool is_chain)
{
	size_t start;

	put_task_again(p, out, s, fields, !is_chain);
	if (fields & SCRIPT_CPU)
		put_cpu(out, s->cpu);
	if (fields & SCRIPT_MISC)
		script_events__put_misc(out, s->perf->cpumode, p->record);
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
	struct strbuf *out = &p->out->buf;
	const struct script_event *e = event_of(p, s);
	uint32_t fields = e->fields;
	bool is_chain = e->is_chain;
	int err = 0;

	/* Reserves room for the whole front, so that no column has to check. */
	if (strbuf__reserve(out, FRONT_ROOM))
		return -ENOMEM;
	put_front(p, out, s, fields, is_chain);
	if (fields & SCRIPT_EVENT)
		strbuf__add(out, e->text.buf, e->text.len);
	if (fields & SCRIPT_TRACE)
		strbuf__add(out, s->text, s->text_len);
	if (fields & SCRIPT_FLAGS)
		script_insn__put_flags(out, s->perf->insn_flags);
	put_memory(p, out, s->perf, fields);
	if (!err && is_chain) {
		err = put_chain(p, out, s, fields);
	} else if (!err && fields & SCRIPT_IP) {
		strbuf__putc(out, ' ');
		err = put_addr(p, out, s, fields);
	} else {
		strbuf__putc(out, '\n');
	}
	if (!err)
		put_tail(p, out, s->perf, fields);
	return err ? err : out__commit(p->out);
}

int script__record(struct sink *sink, const struct sample *s, const struct perf_event_header *hdr)
{
	struct script_printer *p = sink->priv;
	const struct recorded_event *ev = s->perf->event;
	struct strbuf *out;
	uint32_t fields;

	/* Records of processes come before the first sample, at which the sink begins. */
	if (!p->cfg)
		script_begin(sink);
	out = &p->out->buf;
	fields = fields_of(p->cfg, ev) & ~(uint32_t)SCRIPT_PERIOD;
	if (strbuf__reserve(out, FRONT_ROOM))
		return -ENOMEM;
	p->record = hdr;
	put_front(p, out, s, fields, fields & SCRIPT_IP && has_chain(p->cfg, ev));
	p->record = NULL;
	script_events__put(out, hdr);
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
