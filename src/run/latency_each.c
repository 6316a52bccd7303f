// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/latency_each.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "decode/field.h"
#include "machine/machine.h"
#include "session/trace_session.h"
#include "sink/sink.h"
#include "source/source.h"
#include "target/threads.h"
#include "util/log.h"

/* Ids of made-up records; those of probes begin below. */
#define FIRST_ID 60000
/* Each has a format text, and a search of all for each duration is short. */
#define MADE_MAX 500
_Static_assert(FIRST_ID + MADE_MAX <= UINT16_MAX, "ids are of 16 bits");

static uint64_t combinations(const struct latency_pairs *pairs)
{
	uint64_t cnt = 0;
	unsigned int i;

	for (i = 0; i < pairs->cnt; i++)
		cnt += latency_pairs__combinations(pairs, i);
	return cnt;
}

int latency_each__check(const struct latency_pairs *pairs, const char *format)
{
	uint64_t cnt = combinations(pairs);

	if (cnt <= MADE_MAX)
		return 0;
	log_error(
		"--each: format %s has an event for each start and end, at most %d, and these are "
		"%llu; name fewer events, or give --format json",
		format, MADE_MAX, (unsigned long long)cnt);
	return -EINVAL;
}

int latency_each__init(struct latency_each *each, const struct latency_pairs *pairs,
		       struct machine *machine, bool has_stacks)
{
	each->pairs = pairs;
	each->tgids = (struct u64map)U64MAP_INIT;
	each->has_stacks = has_stacks;
	if (trace_decoder__init(&each->decoder, &pairs->events, machine->tasks) ||
	    presenter__init(&each->from, machine->sym) || presenter__init(&each->to, machine->sym))
		return -ENOMEM;
	each->decoder.ext_sz = sizeof(struct wire_span_ext);
	callstacks__init(&each->callstacks, machine, TRACE_STACK_DEPTH);
	if (has_stacks)
		each->decoder.stacks = &each->callstacks.stacks;
	return 0;
}

/* The events that start a pair, or end it; others: it has more than one start and one end. */
static int make_pair(struct latency_each *each, unsigned int pair, bool others)
{
	const struct latency_pairs *p = each->pairs;
	size_t i, k;

	for (i = 0; i < p->events.cnt; i++) {
		if (!p->starts[i].role || p->starts[i].pair != pair)
			continue;
		for (k = 0; k < p->events.cnt; k++) {
			struct each_event *made = &each->made[each->made_cnt];

			if (!p->ends[k].role || p->ends[k].pair != pair)
				continue;
			each->made_cnt++;
			if (each_event__init(made, p->pairs[pair].name, p->events.events[i],
					     p->events.events[k], others,
					     (uint16_t)(FIRST_ID + each->made_cnt)) ||
			    event_list__push(&each->events, made->ev))
				return -ENOMEM;
		}
	}
	return 0;
}

int latency_each__use_events(struct latency_each *each)
{
	const struct latency_pairs *p = each->pairs;
	unsigned int i;
	int err = 0;

	each->made = calloc(combinations(p) + 1, sizeof(*each->made));
	if (!each->made)
		return -ENOMEM;
	for (i = 0; i < p->cnt && !err; i++)
		err = make_pair(each, i, latency_pairs__combinations(p, i) > 1);
	return err;
}

void latency_each__free(struct latency_each *each)
{
	size_t i;

	trace_decoder__free(&each->decoder);
	presenter__free(&each->from);
	presenter__free(&each->to);
	latency_lines__free(&each->lines);
	callstacks__free(&each->callstacks);
	u64map__free(&each->tgids);
	for (i = 0; i < each->made_cnt; i++)
		each_event__free(&each->made[i]);
	free(each->made);
	event_list__free(&each->events);
}

/* Texts that go on behind the bytes that are kept of an entry are cut: a part says something. */
static void cut_texts(char *entry, uint32_t sz, const struct tp_format *fmt)
{
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];
		uint32_t loc, from;

		if (!(f->flags & TP_FIELD_DYNAMIC) || !(f->flags & TP_FIELD_STRING) ||
		    f->size != sizeof(loc) || f->off + sizeof(loc) > sz)
			continue;
		memcpy(&loc, entry + f->off, sizeof(loc));
		from = (loc & 0xffff) + (f->flags & TP_FIELD_REL ? f->off + 4u : 0);
		if (from >= sz || from + (loc >> 16) <= sz)
			continue;
		loc = (loc & 0xffff) | (sz - from) << 16;
		memcpy(entry + f->off, &loc, sizeof(loc));
		entry[sz - 1] = 0;
	}
}

/* The start has left its entry alone: the common fields have its event and its thread. */
static bool decode_start(struct latency_each *each, const struct wire_span_ext *ext,
			 const struct sample *to, struct sample *from)
{
	const struct wire_entry *entry = (const void *)each->start;

	memcpy(each->start, ext->start, sizeof(each->start));
	if (ext->start_sz < sizeof(*entry) || ext->start_sz > sizeof(ext->start) ||
	    entry->type >= each->decoder.id_cnt || !each->decoder.by_id[entry->type])
		return false;
	cut_texts((char *)each->start, ext->start_sz, each->decoder.by_id[entry->type]->fmt);
	*from = (struct sample){
		.time_ns = to->time_ns - ext->ns,
		.tid = entry->pid,
		.pid = (int32_t)ext->start_tgid,
		.comm = "",
		.event = each->decoder.by_id[entry->type],
		.raw = entry,
		.raw_sz = ext->start_sz,
	};
	if (each->has_stacks)
		stacks__set(&each->callstacks.stacks, ext->start_stack, from);
	return true;
}

static uint64_t number(const struct sample *s, const char *name)
{
	const struct tp_field *f = tp_format__field(s->event->fmt, name);
	uint64_t val = 0;

	return f && !field__get_u64(f, s->raw, s->raw_sz, &val) ? val : 0;
}

/*
 * The end of a wait for a CPU is a record of the thread that leaves it: the duration is of the one
 * that comes. Each thread tells its process when it leaves; before that, /proc does.
 */
static int take_thread(struct latency_each *each, const struct pair *pair, struct sample *to)
{
	uint32_t *tgid = u64map__slot(&each->tgids, (uint32_t)to->tid), sz = 0;
	const struct tp_field *comm;
	const char *text;

	if (!tgid)
		return -ENOMEM;
	*tgid = (uint32_t)to->pid;
	to->tid = (int32_t)number(to, pair->thread);
	tgid = u64map__slot(&each->tgids, (uint32_t)to->tid);
	if (!tgid)
		return -ENOMEM;
	if (*tgid == U64MAP_NONE)
		*tgid = (uint32_t)threads__process_of(to->tid);
	to->pid = (int32_t)*tgid;
	comm = tp_format__field(to->event->fmt, pair->comm);
	text = comm ? field__data(comm, to->raw, to->raw_sz, &sz) : NULL;
	snprintf(each->comm, sizeof(each->comm), "%.*s", (int)sz, text ? text : "");
	to->comm = each->comm;
	return 0;
}

static int put_line(struct latency_each *each, struct sample *from, struct sample *to,
		    const struct span_each *e, struct strbuf *out)
{
	if (presenter__complete(&each->from, from, each->lines.needs) ||
	    presenter__complete(&each->to, to, each->lines.needs))
		return -ENOMEM;
	latency_lines__put(&each->lines, e, out);
	return 1;
}

static int put_event(struct latency_each *each, const struct span_each *e, struct sink *sink)
{
	struct sample s;
	size_t i;
	int err;

	for (i = 0; i < each->made_cnt; i++) {
		const struct each_event *made = &each->made[i];

		if (made->from != e->from->event || made->to != e->to->event)
			continue;
		each_event__sample(made, e, each->buf, &s);
		if (presenter__complete(&each->to, &s, sink__needs(sink, &s)))
			return -ENOMEM;
		err = sink__sample(sink, &s);
		return err ? err : 1;
	}
	return 0;
}

int latency_each__put(struct latency_each *each, const struct record *rec, struct sink *sink,
		      struct strbuf *out)
{
	const struct wire_span_ext *ext = (const void *)(rec->wire + 1);
	const struct pair *pair;
	struct sample from, to;
	struct span_each e = { .from = &from, .to = &to };

	if (!trace_decoder__sample(&each->decoder, rec->wire, rec->cpu, &to) ||
	    ext->pair >= each->pairs->cnt || !decode_start(each, ext, &to, &from))
		return 0;
	if (each->has_stacks) {
		callstacks__complete(&each->callstacks, &from);
		callstacks__complete(&each->callstacks, &to);
	}
	pair = &each->pairs->pairs[ext->pair];
	if (pair->thread && take_thread(each, pair, &to))
		return -ENOMEM;
	e.pair = pair->name;
	e.ns = ext->ns;
	if (each->row) {
		each->row(each->row_ctx, &e);
		return 1;
	}
	return each->made ? put_event(each, &e, sink) : put_line(each, &from, &to, &e, out);
}
