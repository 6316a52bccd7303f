// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "span/each_event.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "event/event.h"
#include "util/strbuf.h"

#define COMMON_SZ 8
#define COMMON_PID_AT 4
#define DURATION_AT COMMON_SZ

/* A field of one side: where it is in that record, and in the made-up one. */
struct each_field {
	const struct tp_field *f;
	bool is_of_end;
	uint16_t to;
};

static const char common[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 duration;\toffset:8;\tsize:8;\tsigned:0;\n";

static bool is_dynamic(const struct tp_field *f)
{
	return f->flags & (TP_FIELD_DYNAMIC | TP_FIELD_REL);
}

static const char *prefix_of(const struct each_field *ef)
{
	return ef->is_of_end ? "to_" : "from_";
}

/* The type is written before the name but for the bounds of an array: "char from_comm[16]". */
static void put_field(struct strbuf *sb, const struct each_field *ef)
{
	const struct tp_field *f = ef->f;
	size_t len = is_dynamic(f) ? strlen(f->type) : strcspn(f->type, "[");

	strbuf__printf(sb, "\tfield:%.*s %s%s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", (int)len,
		       f->type, prefix_of(ef), f->name, f->type + len, ef->to, f->size,
		       f->flags & TP_FIELD_SIGNED ? 1 : 0);
}

/* How a field is printed; NULL: it is not. */
static const char *conversion(const struct tp_field *f)
{
	if (f->flags & TP_FIELD_STRING)
		return "%s";
	if (f->flags & (TP_FIELD_ARRAY | TP_FIELD_DYNAMIC | TP_FIELD_REL))
		return NULL;
	if (f->flags & TP_FIELD_POINTER)
		return "0x%llx";
	if (f->size == 8)
		return f->flags & TP_FIELD_SIGNED ? "%lld" : "%llu";
	return f->flags & TP_FIELD_SIGNED ? "%d" : "%u";
}

static void put_argument(struct strbuf *sb, const struct each_field *ef)
{
	const char *get = ef->f->flags & TP_FIELD_REL ? "__get_rel_str(" : "__get_str(";

	if (is_dynamic(ef->f))
		strbuf__printf(sb, ", %s%s%s)", get, prefix_of(ef), ef->f->name);
	else
		strbuf__printf(sb, ", REC->%s%s", prefix_of(ef), ef->f->name);
}

static void put_print_fmt(struct strbuf *sb, const struct each_event *e)
{
	size_t i;

	strbuf__puts(sb, "\nprint fmt: \"duration=%llu");
	for (i = 0; i < e->field_cnt; i++)
		if (conversion(e->fields[i].f))
			strbuf__printf(sb, " %s%s=%s", prefix_of(&e->fields[i]),
				       e->fields[i].f->name, conversion(e->fields[i].f));
	strbuf__puts(sb, "\", REC->duration");
	for (i = 0; i < e->field_cnt; i++)
		if (conversion(e->fields[i].f))
			put_argument(sb, &e->fields[i]);
	strbuf__putc(sb, '\n');
}

/* The fields keep their distances, so that each is aligned as it was. */
static void place_fields(struct each_event *e, const struct tp_format *fmt, bool is_of_end)
{
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];

		if (f->flags & TP_FIELD_COMMON || f->off < COMMON_SZ ||
		    e->fixed_sz + f->off + f->size > EACH_RECORD_MAX / 2)
			continue;
		e->fields[e->field_cnt++] = (struct each_field){
			.f = f,
			.is_of_end = is_of_end,
			.to = (uint16_t)(e->fixed_sz + f->off - COMMON_SZ),
		};
	}
	if (fmt->fixed_sz > COMMON_SZ)
		e->fixed_sz += (fmt->fixed_sz - COMMON_SZ + 7u) & ~7u;
	if (e->fixed_sz > EACH_RECORD_MAX / 2)
		e->fixed_sz = EACH_RECORD_MAX / 2;
}

/* Appends a name as one of a tracepoint: letters, digits and _. */
static void put_word(struct strbuf *sb, const char *text)
{
	for (; *text; text++)
		strbuf__putc(sb, isalnum((unsigned char)*text) ? *text : '_');
}

static const char *bare(const struct event *ev)
{
	return ev->fmt->name;
}

static int make_event(struct each_event *e, const char *pair, bool others, uint16_t id)
{
	struct strbuf sb = STRBUF_INIT, word = STRBUF_INIT, name = STRBUF_INIT;
	size_t i;

	put_word(&word, pair);
	strbuf__printf(&name, "latency:%s", pair);
	if (others) {
		strbuf__printf(&word, "_%s_%s", bare(e->from), bare(e->to));
		strbuf__printf(&name, ":%s:%s", bare(e->from), bare(e->to));
	}
	strbuf__printf(&sb, "name: %s\nID: %u\nformat:\n%s", strbuf__cstr(&word), id, common);
	for (i = 0; i < e->field_cnt; i++)
		put_field(&sb, &e->fields[i]);
	put_print_fmt(&sb, e);
	e->ev = event__new(EVENT_TRACEPOINT, strbuf__cstr(&name));
	if (e->ev) {
		e->ev->fmt =
			tp_format__parse("latency", strbuf__cstr(&word), strbuf__cstr(&sb), sb.len);
		e->ev->type = PERF_TYPE_TRACEPOINT;
		e->ev->config = id;
		e->ev->is_made_up = true;
	}
	strbuf__free(&sb);
	strbuf__free(&word);
	strbuf__free(&name);
	if (e->ev && e->ev->fmt)
		return 0;
	event__free(e->ev);
	e->ev = NULL;
	return -ENOMEM;
}

int each_event__init(struct each_event *e, const char *pair, const struct event *from,
		     const struct event *to, bool others, uint16_t id)
{
	*e = (struct each_event){ .from = from, .to = to, .fixed_sz = DURATION_AT + 8 };
	e->fields = calloc(from->fmt->field_cnt + to->fmt->field_cnt + 1, sizeof(*e->fields));
	if (!e->fields)
		return -ENOMEM;
	place_fields(e, from->fmt, false);
	place_fields(e, to->fmt, true);
	return make_event(e, pair, others, id);
}

void each_event__free(struct each_event *e)
{
	free(e->fields);
	e->fields = NULL;
}

/* Copies the data of a dynamic field behind the record, and tells its new place. */
static uint32_t put_dynamic(const struct each_field *ef, const struct sample *s, uint32_t loc,
			    char *buf, uint32_t used)
{
	bool is_rel = ef->f->flags & TP_FIELD_REL;
	uint32_t from = (loc & 0xffff) + (is_rel ? ef->f->off + 4u : 0), sz = loc >> 16;
	uint32_t at = used;

	if (from > s->raw_sz || sz > s->raw_sz - from || sz > EACH_RECORD_MAX - used)
		sz = 0; /* it was cut, or does not fit */
	memcpy(buf + used, (const char *)s->raw + from, sz);
	if (is_rel)
		at -= ef->to + 4u;
	loc = at | sz << 16;
	memcpy(buf + ef->to, &loc, sizeof(loc));
	return used + sz;
}

void each_event__sample(const struct each_event *e, const struct span_each *each, void *buf,
			struct sample *s)
{
	uint32_t used = e->fixed_sz, loc;
	char *rec = buf;
	size_t i;

	memset(rec, 0, e->fixed_sz);
	memcpy(rec, each->to->raw, COMMON_SZ);
	memcpy(rec, &e->ev->fmt->id, sizeof(e->ev->fmt->id));
	memcpy(rec + COMMON_PID_AT, &each->to->tid, sizeof(each->to->tid));
	memcpy(rec + DURATION_AT, &each->ns, sizeof(each->ns));
	for (i = 0; i < e->field_cnt; i++) {
		const struct each_field *ef = &e->fields[i];
		const struct sample *side = ef->is_of_end ? each->to : each->from;

		if (ef->f->off + ef->f->size > side->raw_sz)
			continue;
		memcpy(rec + ef->to, (const char *)side->raw + ef->f->off, ef->f->size);
		memcpy(&loc, rec + ef->to, sizeof(loc));
		if (is_dynamic(ef->f))
			used = put_dynamic(ef, side, loc, rec, used);
	}
	*s = *each->to;
	s->kind = SAMPLE_SPAN;
	s->event = e->ev;
	s->raw = rec;
	s->raw_sz = used;
	s->period = each->ns;
}
