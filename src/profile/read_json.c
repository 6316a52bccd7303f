// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Reads the JSON lines that profile_json.c writes. */
#include "profile/read_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_read.h"

static int read_event(struct head_reader *h, struct json_read *j, struct strbuf *s)
{
	struct profile_event ev = { 0 };
	int idx;

	ev.name = texts__add(&h->p->texts, "", 0);
	json_read__enter(j, '{');
	while (json_read__next(j)) {
		json_read__key(j, s);
		if (!strcmp(strbuf__cstr(s), "name")) {
			json_read__str(j, s);
			ev.name = texts__add_escaped(&h->p->texts, strbuf__cstr(s), s->len);
		} else if (!strcmp(strbuf__cstr(s), "unit")) {
			json_read__str(j, s);
			ev.is_ns = !strcmp(strbuf__cstr(s), "ns");
		} else if (!strcmp(strbuf__cstr(s), "kind")) {
			json_read__str(j, s);
			ev.kind =
				strcmp(strbuf__cstr(s), "off-cpu") ? SAMPLE_ON_CPU : SAMPLE_OFF_CPU;
		} else if (!strcmp(strbuf__cstr(s), "old")) {
			json_read__bool(j, &ev.old);
		} else {
			json_read__skip(j);
		}
	}
	if (j->bad)
		return -EINVAL;
	if (ev.name == TEXTS_NONE)
		return -ENOMEM;
	if (h->event_cnt == PROFILE_MAX_EVENTS)
		return -E2BIG;
	if (ev.old && h->part != PROFILE_PART_BOTH) {
		h->p->old_skipped = true;
		idx = -1;
	} else {
		ev.old |= h->part == PROFILE_PART_AS_OLD;
		idx = profile__add_event(h->p, &ev);
	}
	h->events[h->event_cnt++] = idx;
	return idx < -1 ? idx : 0;
}

static int read_events(struct head_reader *h, struct json_read *j, struct strbuf *s)
{
	int err = 0;

	json_read__enter(j, '[');
	while (json_read__next(j) && !err)
		err = read_event(h, j, s);
	return err;
}

static void read_lost(struct head_reader *h, struct json_read *j, struct strbuf *s)
{
	uint64_t lost;
	size_t i;

	json_read__enter(j, '{');
	while (json_read__next(j)) {
		json_read__key(j, s);
		for (i = 0; i < LOST_CAUSE_CNT; i++)
			if (!strcmp(lost_cause__name((enum lost_cause)i), strbuf__cstr(s)))
				break;
		if (json_read__u64(j, &lost))
			h->p->meta.lost[i < LOST_CAUSE_CNT ? i : LOST_OTHER] += lost;
	}
}

static int read_text(struct head_reader *h, struct json_read *j, struct strbuf *s,
		     const char **text)
{
	uint32_t idx;

	if (!json_read__str(j, s))
		return -EINVAL;
	idx = texts__add_escaped(&h->p->texts, strbuf__cstr(s), s->len);
	*text = idx == TEXTS_NONE ? NULL : profile__text(h->p, idx);
	return *text ? 0 : -ENOMEM;
}

int head_reader__member(struct head_reader *h, struct json_read *j, const char *key,
			struct strbuf *s)
{
	struct profile_meta *m = &h->p->meta;
	uint64_t version;
	size_t i;
	const struct {
		const char *key;
		uint64_t *u64;
		const char **text;
	} members[] = {
		{ "freq", &m->freq_hz, NULL },
		{ "period", &m->period, NULL },
		{ "begin_ns", &m->begin_real_ns, NULL },
		{ "duration_ns", &m->duration_ns, NULL },
		{ "command", NULL, &m->command },
		{ "host", NULL, &m->host },
		{ "kernel", NULL, &m->kernel },
		{ "throttled", &m->throttled, NULL },
		{ "throttled_ns", &m->throttled_ns, NULL },
	};

	if (!strcmp(key, "profile")) {
		h->is_profile = json_read__u64(j, &version) && version == 1;
		return h->is_profile ? 0 : -EINVAL;
	}
	if (!strcmp(key, "events"))
		return read_events(h, j, s);
	if (!strcmp(key, "lost_by") && h->part != PROFILE_PART_AS_OLD) {
		read_lost(h, j, s);
		return 0;
	}
	for (i = 0; i < sizeof(members) / sizeof(members[0]) && h->part != PROFILE_PART_AS_OLD;
	     i++) {
		if (strcmp(key, members[i].key) != 0)
			continue;
		if (members[i].text)
			return read_text(h, j, s, members[i].text);
		return json_read__u64(j, members[i].u64) ? 0 : -EINVAL;
	}
	json_read__skip(j);
	return 0;
}

/* State of one line's parser. */
struct line_reader {
	struct head_reader head;
	struct json_read j;
	struct strbuf key, s;
	/*
	 * From function lines: name (kernel's in the second map) → index into texts of the module.
	 */
	struct u64map modules[2];
	struct u64map kinds; /* name → enum frame_kind, of functions that are not native */
	struct strbuf stack; /* function names of a stack, outermost first, each with its NUL */
	uint32_t name_cnt;
	uint32_t *locs;
	size_t cap;
};

static int read_function(struct line_reader *r, const char *name, bool kern, const char *module,
			 enum frame_kind kind)
{
	struct texts *texts = &r->head.p->texts;
	uint32_t n = texts__add_escaped(texts, name, strlen(name));
	uint32_t m = texts__add_escaped(texts, module, strlen(module));
	uint32_t *slot = u64map__slot(&r->modules[kern], n);

	if (!slot || n == TEXTS_NONE || m == TEXTS_NONE)
		return -ENOMEM;
	if (*slot != U64MAP_NONE)
		return 0;
	*slot = m;
	if (kind == FRAME_NATIVE)
		return 0;
	slot = u64map__slot(&r->kinds, n);
	if (slot)
		*slot = kind;
	return slot ? 0 : -ENOMEM;
}

/* Returns the location of a name, with the module from its function line. */
static uint32_t loc_of(struct line_reader *r, const char *name, bool kern)
{
	struct profile *p = r->head.p;
	uint32_t n = texts__add_escaped(&p->texts, name, strlen(name)), m, kind;

	m = n == TEXTS_NONE ? U64MAP_NONE : u64map__get(&r->modules[kern], n);
	kind = n == TEXTS_NONE || kern ? U64MAP_NONE : u64map__get(&r->kinds, n);
	return profile__named_loc(p, name, m == U64MAP_NONE ? "" : profile__text(p, m), kern,
				  kind == U64MAP_NONE ? FRAME_NATIVE : kind);
}

static int add_stack(struct line_reader *r, struct profile_stack *st, uint64_t kern_cnt)
{
	const char *name = strbuf__cstr(&r->stack);
	uint32_t n = r->name_cnt, i, *bigger;

	if (n > PROFILE_MAX_DEPTH || kern_cnt > n)
		return -EINVAL;
	if (n > r->cap) {
		bigger = realloc(r->locs, n * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		r->locs = bigger;
		r->cap = n;
	}
	for (i = n; i-- > 0; name += strlen(name) + 1) {
		r->locs[i] = loc_of(r, name, i < kern_cnt);
		if (r->locs[i] == TEXTS_NONE)
			return -ENOMEM;
	}
	st->kern_cnt = (uint16_t)kern_cnt;
	st->user_cnt = (uint16_t)(n - kern_cnt);
	return profile__add_stack(r->head.p, st, r->locs) == TEXTS_NONE ? -ENOMEM : 0;
}

static int read_group(struct line_reader *r, struct profile_stack *st)
{
	int n = 0;

	json_read__enter(&r->j, '[');
	while (json_read__next(&r->j)) {
		if (n == 2 || !json_read__str(&r->j, &r->s))
			return -EINVAL;
		st->group[n] = texts__add_escaped(&r->head.p->texts, strbuf__cstr(&r->s), r->s.len);
		if (st->group[n++] == TEXTS_NONE)
			return -ENOMEM;
	}
	return n ? 0 : -EINVAL;
}

static void read_stack(struct line_reader *r)
{
	strbuf__reset(&r->stack);
	r->name_cnt = 0;
	json_read__enter(&r->j, '[');
	while (json_read__next(&r->j) && json_read__str(&r->j, &r->s)) {
		/* The name is stored with its NUL and ends at an embedded one. */
		strbuf__puts(&r->stack, strbuf__cstr(&r->s));
		strbuf__putc(&r->stack, '\0');
		r->name_cnt++;
	}
}

/* The first member shows whether a line is a head, a function or a stack. */
static int read_line(struct line_reader *r)
{
	struct profile_stack st = { .group = { TEXTS_NONE, TEXTS_NONE } };
	struct strbuf function = STRBUF_INIT, module = STRBUF_INIT;
	enum frame_kind kind = FRAME_NATIVE;
	uint64_t kern_cnt = 0, event = 0;
	bool is_stack = false, is_function = false, kern = false;
	struct json_read *j = &r->j;
	int err = 0;

	json_read__enter(j, '{');
	while (json_read__next(j) && !err) {
		const char *key;

		json_read__key(j, &r->key);
		key = strbuf__cstr(&r->key);
		if (!strcmp(key, "function")) {
			is_function = json_read__str(j, &function);
		} else if (!strcmp(key, "module")) {
			json_read__str(j, &module);
		} else if (is_function && !strcmp(key, "kernel")) {
			json_read__bool(j, &kern);
		} else if (is_function && !strcmp(key, "kind")) {
			if (json_read__str(j, &r->s))
				kind = frame_kind__of(strbuf__cstr(&r->s));
		} else if (!strcmp(key, "group")) {
			err = read_group(r, &st);
			is_stack = true;
		} else if (!is_stack) {
			err = head_reader__member(&r->head, j, key, &r->s);
		} else if (!strcmp(key, "stack")) {
			read_stack(r);
		} else if (!strcmp(key, "event")) {
			json_read__u64(j, &event);
		} else if (!strcmp(key, "kernel")) {
			json_read__u64(j, &kern_cnt);
		} else if (!strcmp(key, "samples")) {
			json_read__u64(j, &st.samples);
		} else if (!strcmp(key, "weight")) {
			json_read__u64(j, &st.weight);
		} else if (!strcmp(key, "truncated")) {
			json_read__bool(j, &st.truncated);
		} else {
			json_read__skip(j);
		}
	}
	if (!err && (j->bad || json_read__peek(j) || !r->head.is_profile))
		err = -EINVAL;
	if (!err && is_function)
		err = read_function(r, strbuf__cstr(&function), kern, strbuf__cstr(&module), kind);
	if (!err && is_stack && event >= r->head.event_cnt)
		err = -EINVAL;
	if (!err && is_stack && r->head.events[event] >= 0) {
		st.event = (uint8_t)r->head.events[event];
		err = add_stack(r, &st, kern_cnt);
	}
	strbuf__free(&function);
	strbuf__free(&module);
	return err;
}

int profile_read__json(struct profile *p, const char *text, size_t len, enum profile_part part,
		       size_t *bad_line)
{
	struct line_reader r = { .head = { .p = p, .part = part } };
	const char *at = text, *end = text + len;
	int err = 0;

	*bad_line = 0;
	while (at < end && !err) {
		const char *nl = memchr(at, '\n', (size_t)(end - at));

		++*bad_line;
		r.j = json_read__of(at, (size_t)((nl ? nl : end) - at));
		if (json_read__peek(&r.j))
			err = read_line(&r);
		at = nl ? nl + 1 : end;
	}
	u64map__free(&r.modules[0]);
	u64map__free(&r.modules[1]);
	u64map__free(&r.kinds);
	strbuf__free(&r.key);
	strbuf__free(&r.s);
	strbuf__free(&r.stack);
	free(r.locs);
	return err;
}
