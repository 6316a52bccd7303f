// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script.h"

#include <errno.h>
#include <string.h>

#include "decode/print.h"
#include "decode/sample_text.h"
#include "sink/script_regs.h"
#include "util/digits.h"

#define NSEC_PER_SEC 1000000000ull
/* A thread's name escaped and its ids, the CPU, the time: more than any has. */
#define FRONT_ROOM 512

void script_printer__init(struct script_printer *p, const struct script_config *cfg)
{
	*p = (struct script_printer){ .cfg = *cfg, .sec = UINT64_MAX };
	script_addrs__init(&p->addrs, cfg->sym);
	p->addrs.inlined = cfg->inlined;
}

void script_printer__free(struct script_printer *p)
{
	size_t i;

	script_addrs__free(&p->addrs);
	strbuf__free(&p->raw);
	strbuf__free(&p->sec_text);
	for (i = 0; i < SCRIPT_EVENTS; i++)
		strbuf__free(&p->events[i].text);
}

static bool has_chain(const struct script_printer *p, const struct recorded_event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !p->cfg.no_callchain;
}

/* What perf script prints of an event's samples, less what they do not carry. */
static uint32_t fields_of(const struct script_printer *p, const struct recorded_event *ev)
{
	const uint32_t front = SCRIPT_COMM | SCRIPT_TID | SCRIPT_CPU | SCRIPT_TIME | SCRIPT_EVENT;
	const uint32_t code = SCRIPT_IP | SCRIPT_SYM | SCRIPT_SYMOFF | SCRIPT_DSO;
	uint64_t have = ev->attr.sample_type;
	uint32_t fields = p->cfg.fields;

	if (!fields && ev->attr.type == PERF_TYPE_TRACEPOINT)
		fields = front | SCRIPT_TRACE | (has_chain(p, ev) ? code : 0);
	else if (!fields)
		fields = front | SCRIPT_PERIOD | code;
	fields = (fields | p->cfg.more) & ~p->cfg.less;
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

static void put_id(struct strbuf *out, uint32_t id)
{
	size_t start = out->len;

	/* Unknown ids are -1. */
	strbuf__put_s64(out, (int32_t)id);
	pad_left(out, start, 5);
}

static void put_who(struct strbuf *out, const struct perf_sample *s, uint32_t fields,
		    const char *comm, bool is_padded)
{
	size_t start = out->len;

	if (fields & SCRIPT_COMM) {
		strbuf__put_escaped(out, comm, strlen(comm));
		if (is_padded)
			pad_left(out, start, 16);
		strbuf__putc(out, ' ');
	}
	if (fields & SCRIPT_PID)
		put_id(out, s->pid);
	if (fields & SCRIPT_PID && fields & SCRIPT_TID) {
		strbuf__putc(out, '/');
		start = out->len;
		strbuf__put_s64(out, (int32_t)s->tid);
		while (out->len - start < 5)
			strbuf__putc(out, ' ');
	} else if (fields & SCRIPT_TID) {
		put_id(out, s->tid);
	}
	if (fields & (SCRIPT_PID | SCRIPT_TID))
		strbuf__putc(out, ' ');
}

static void put_who_again(struct script_printer *p, struct strbuf *out, const struct perf_sample *s,
			  uint32_t fields, const char *comm, bool is_padded)
{
	struct script_who *who = &p->whos[s->tid % SCRIPT_WHOS];
	size_t start = out->len, comm_len = strlen(comm);

	if (who->len && s->tid == who->tid && s->pid == who->pid && fields == who->fields &&
	    is_padded == who->is_padded && comm_len == who->comm_len &&
	    !memcmp(comm, who->comm, comm_len)) {
		/* One size for all, which takes no call. */
		memcpy(out->buf + start, who->text, sizeof(who->text));
		out->len = start + who->len;
		return;
	}
	put_who(out, s, fields, comm, is_padded);
	who->len = 0;
	if (comm_len > sizeof(who->comm) || out->len - start > sizeof(who->text))
		return;
	who->pid = s->pid;
	who->tid = s->tid;
	who->fields = fields;
	who->is_padded = is_padded;
	who->comm_len = (uint8_t)comm_len;
	memcpy(who->comm, comm, comm_len);
	who->len = (uint8_t)(out->len - start);
	memcpy(who->text, out->buf + start, who->len);
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
	if (!p->cfg.nanoseconds) {
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

static int put_chain(struct script_printer *p, struct strbuf *out,
		     const struct script_sample *sample, uint32_t fields)
{
	enum script_side side = side_of(sample->cpumode);
	const struct perf_sample *s = sample->s;
	uint32_t left = p->cfg.max_stack;
	uint64_t i, addr;
	int err = 0;

	strbuf__putc(out, '\n');
	for (i = 0; i < s->callchain.cnt && left && !err; i++) {
		addr = perf_words__get(&s->callchain, i);
		if (addr == PERF_CONTEXT_KERNEL)
			side = SCRIPT_KERNEL;
		else if (addr == PERF_CONTEXT_USER)
			side = SCRIPT_USER;
		else if (addr >= PERF_CONTEXT_MAX)
			side = SCRIPT_OTHER;
		else if (left--)
			err = script_addrs__put_frame(&p->addrs, out, s->pid, side, addr, fields,
						      false);
	}
	for (i = 0; i < sample->unwound_cnt && !err; i++)
		err = script_addrs__put_frame(&p->addrs, out, s->pid, SCRIPT_USER,
					      sample->unwound[i], fields, true);
	strbuf__putc(out, '\n');
	return err;
}

/* Kept for each event: most recordings have a few, whose samples alternate. */
static struct script_event *event_of(struct script_printer *p, const struct recorded_event *ev)
{
	struct script_event *e = &p->events[ev->idx % SCRIPT_EVENTS];

	if (e->idx == ev->idx + 1)
		return e;
	e->idx = ev->idx + 1;
	e->fields = fields_of(p, ev);
	strbuf__reset(&e->text);
	strbuf__put_escaped(&e->text, ev->name, strlen(ev->name));
	pad_left(&e->text, 0, p->cfg.name_width);
	strbuf__add(&e->text, ": ", 2);
	return e;
}

/* On the line of the sample. */
static void put_regs(const struct script_printer *p, struct strbuf *out,
		     const struct perf_sample *s, uint32_t fields)
{
	const struct perf_event_attr *attr = &s->event->attr;

	if (!(fields & (SCRIPT_IREGS | SCRIPT_UREGS)) || !out->len)
		return;
	out->len--;
	if (fields & SCRIPT_IREGS)
		script_regs__put(out, p->cfg.is_arm64, s->intr_abi, attr->sample_regs_intr,
				 &s->intr_regs);
	if (fields & SCRIPT_UREGS)
		script_regs__put(out, p->cfg.is_arm64, s->user_abi, attr->sample_regs_user,
				 &s->user_regs);
	strbuf__putc(out, '\n');
}

bool script_printer__wants_chain(const struct script_printer *p, const struct perf_sample *s)
{
	return fields_of(p, s->event) & SCRIPT_IP && has_chain(p, s->event);
}

int script_printer__sample(struct script_printer *p, const struct script_sample *sample)
{
	const struct perf_sample *s = sample->s;
	struct strbuf *out = &p->cfg.out->buf;
	const struct script_event *e = event_of(p, s->event);
	uint32_t fields = e->fields;
	bool is_chain = fields & SCRIPT_IP && has_chain(p, s->event);
	size_t start;
	int err = 0;

	/* Room for all of the front, so that nothing in it has to ask for more. */
	if (strbuf__reserve(out, FRONT_ROOM))
		return -ENOMEM;
	put_who_again(p, out, s, fields, sample->comm, !is_chain);
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
	if (fields & SCRIPT_EVENT)
		strbuf__add(out, e->text.buf, e->text.len);
	if (fields & SCRIPT_TRACE)
		err = sample_text__put(p->cfg.printer, s, &p->raw, out);
	start = out->len;
	if (fields & SCRIPT_ADDR) {
		strbuf__put_hex(out, s->addr);
		pad_left(out, start, 16);
		strbuf__putc(out, ' ');
	}
	if (!err && is_chain) {
		err = put_chain(p, out, sample, fields);
	} else if (!err && fields & SCRIPT_IP) {
		strbuf__putc(out, ' ');
		err = script_addrs__put(&p->addrs, out, s->pid, side_of(sample->cpumode), s->ip,
					fields);
	} else {
		strbuf__putc(out, '\n');
	}
	if (!err)
		put_regs(p, out, s, fields);
	return err ? err : out__commit(p->cfg.out);
}
