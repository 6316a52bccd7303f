// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/regs.h"
#include "util/array.h"

#define FIELDS_MAX 64
#define FIELD_STEPS_MAX 64
#define FIELD_SZ_MAX 256

const char *place_literal__text(enum place_literal l)
{
	static const char *const texts[] = {
		[LITERAL_NONE] = "",
		[LITERAL_OPTIMIZED_OUT] = "<optimized out>",
		[LITERAL_VECTOR] = "<in a floating-point register>",
		[LITERAL_LARGE] = "<larger than 8 bytes>",
	};

	return l < LITERAL_CNT ? texts[l] : "";
}

struct place *places__add(struct places *ps)
{
	if (ps->cnt == PLACES_MAX) {
		ps->cut = true;
		return NULL;
	}
	if (array__reserve((void **)&ps->at, &ps->cap, ps->cnt + 1, sizeof(*ps->at)))
		return NULL;
	memset(&ps->at[ps->cnt], 0, sizeof(*ps->at));
	return &ps->at[ps->cnt++];
}

static struct place_field *add_field(struct place *p)
{
	struct place_field *fields = reallocarray(p->fields, p->field_cnt + 1, sizeof(*p->fields));

	if (!fields)
		return NULL;
	p->fields = fields;
	memset(&fields[p->field_cnt], 0, sizeof(*fields));
	return &fields[p->field_cnt++];
}

struct place_field *place__begin_field(struct place *p, const struct arg *arg)
{
	struct place_field *f = add_field(p);

	if (!f)
		return NULL;
	memcpy(f->name, arg->name, sizeof(f->name));
	f->at_return = arg->root == ARG_RETURN || arg->root == ARG_DURATION;
	return f;
}

static void free_field(struct place_field *f)
{
	size_t i;

	for (i = 0; i < f->enum_cnt; i++)
		free(f->enums[i].name);
	free(f->enums);
	free(f->steps);
}

void places__free(struct places *ps)
{
	size_t i, k;

	for (i = 0; i < ps->cnt; i++) {
		for (k = 0; k < ps->at[i].field_cnt; k++)
			free_field(&ps->at[i].fields[k]);
		free(ps->at[i].fields);
		free(ps->at[i].name);
		free(ps->at[i].where);
		free(ps->at[i].decl);
	}
	free(ps->at);
	*ps = (struct places){ NULL };
}

static void put_field(const struct place_field *f, struct strbuf *answer)
{
	uint64_t enum_cnt = f->enum_cnt;
	size_t i;

	strbuf__add(answer, f, sizeof(*f));
	answer__put_array(answer, f->steps, f->step_cnt, sizeof(*f->steps));
	strbuf__add(answer, &enum_cnt, sizeof(enum_cnt));
	for (i = 0; i < f->enum_cnt; i++) {
		strbuf__add(answer, &f->enums[i].value, sizeof(f->enums[i].value));
		answer__put_text(answer, f->enums[i].name);
	}
}

void places__put(const struct places *ps, struct strbuf *answer)
{
	uint64_t cnt = ps->cnt, field_cnt;
	size_t i, k;

	strbuf__add(answer, &cnt, sizeof(cnt));
	strbuf__add(answer, &ps->cut, sizeof(ps->cut));
	strbuf__add(answer, &ps->refused, sizeof(ps->refused));
	for (i = 0; i < ps->cnt; i++) {
		const struct place *p = &ps->at[i];

		field_cnt = p->field_cnt;
		strbuf__add(answer, &p->vaddr, sizeof(p->vaddr));
		strbuf__add(answer, &p->off, sizeof(p->off));
		strbuf__add(answer, &p->sem_off, sizeof(p->sem_off));
		strbuf__add(answer, &p->hit, sizeof(p->hit));
		strbuf__add(answer, &p->pushed, sizeof(p->pushed));
		strbuf__add(answer, &p->is_go, sizeof(p->is_go));
		answer__put_text(answer, p->name);
		answer__put_text(answer, p->where);
		answer__put_text(answer, p->decl);
		strbuf__add(answer, &field_cnt, sizeof(field_cnt));
		for (k = 0; k < p->field_cnt; k++)
			put_field(&p->fields[k], answer);
	}
}

static bool is_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Could the program that is generated from it be refused, or read beyond its context? */
static bool is_sane_step(const struct fetch_step *s)
{
	switch (s->op) {
	case FETCH_REG:
		return s->imm >= 0 && s->imm % 8 == 0 &&
		       (uint64_t)s->imm + 8 <= probe_regs__context_sz();
	case FETCH_READ:
		return is_size(s->size);
	case FETCH_SHIFT_LEFT:
	case FETCH_SHIFT_RIGHT:
		return s->imm >= 0 && s->imm < 64;
	case FETCH_CONST:
	case FETCH_ADD:
	case FETCH_DURATION:
	case FETCH_SAVE:
	case FETCH_PLUS_SAVED:
	case FETCH_IF:
	case FETCH_IF_NOT:
		return true;
	default:
		return false;
	}
}

bool place__is_name(const char *name, size_t sz)
{
	size_t i, len = strnlen(name, sz);

	if (!len || len == sz)
		return false;
	for (i = 0; i < len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
			    name[i]))
			return false;
	return true;
}

static bool is_sane_field(const struct place_field *f)
{
	size_t i;

	if (f->show > SHOW_TEXT || f->kind > FETCH_LITERAL || f->literal >= LITERAL_CNT ||
	    f->step_cnt > FIELD_STEPS_MAX || !place__is_name(f->name, sizeof(f->name)) ||
	    strnlen(f->type, sizeof(f->type)) == sizeof(f->type))
		return false;
	if (f->kind == FETCH_NUMBER && !is_size(f->size))
		return false;
	if (f->has_other > 1)
		return false;
	if (f->kind == FETCH_BYTES && (!f->size || f->size > FIELD_SZ_MAX))
		return false;
	for (i = 0; i < f->step_cnt; i++)
		if (!is_sane_step(&f->steps[i]))
			return false;
	/* Each value begins with a step that sets it. */
	return f->kind == FETCH_LITERAL ||
	       (f->step_cnt && (f->steps[0].op == FETCH_REG || f->steps[0].op == FETCH_CONST ||
				f->steps[0].op == FETCH_DURATION));
}

static int take_field(struct place *p, struct answer *a)
{
	struct place_field *f = add_field(p);
	uint64_t enum_cnt, i;

	if (!f)
		return -ENOMEM;
	answer__take(a, f, sizeof(*f));
	f->steps = NULL;
	f->enums = NULL;
	f->step_cnt = f->enum_cnt = 0;
	f->steps = answer__take_array(a, sizeof(*f->steps), &f->step_cnt);
	answer__take(a, &enum_cnt, sizeof(enum_cnt));
	if (a->is_bad || !is_sane_field(f) || enum_cnt > (size_t)(a->end - a->at) / 9)
		return -EPROTO;
	f->enums = calloc(enum_cnt + 1, sizeof(*f->enums));
	if (!f->enums)
		return -ENOMEM;
	for (i = 0; i < enum_cnt; i++) {
		struct place_enum *e = &f->enums[i];
		const char *name;

		answer__take(a, &e->value, sizeof(e->value));
		name = answer__take_text(a);
		if (!name || !place__is_name(name, PROBE_NAME_MAX * 4))
			return -EPROTO;
		e->name = strdup(name);
		f->enum_cnt++;
		if (!e->name)
			return -ENOMEM;
	}
	return f->has_other && !f->enum_cnt ? -EPROTO : 0;
}

static int take_place(struct places *ps, struct answer *a)
{
	struct place *p = places__add(ps);
	const char *name, *where, *decl;
	uint64_t field_cnt;
	int err = 0;

	if (!p)
		return -EPROTO;
	answer__take(a, &p->vaddr, sizeof(p->vaddr));
	answer__take(a, &p->off, sizeof(p->off));
	answer__take(a, &p->sem_off, sizeof(p->sem_off));
	answer__take(a, &p->hit, sizeof(p->hit));
	answer__take(a, &p->pushed, sizeof(p->pushed));
	answer__take(a, &p->is_go, sizeof(p->is_go));
	name = answer__take_text(a);
	where = answer__take_text(a);
	decl = answer__take_text(a);
	answer__take(a, &field_cnt, sizeof(field_cnt));
	if (a->is_bad || !name || field_cnt > FIELDS_MAX || p->hit >= HIT_KERNEL)
		return -EPROTO;
	p->name = strdup(name);
	p->where = where ? strdup(where) : NULL;
	p->decl = decl ? strdup(decl) : NULL;
	if (!p->name || (where && !p->where) || (decl && !p->decl))
		return -ENOMEM;
	for (; field_cnt && !err; field_cnt--)
		err = take_field(p, a);
	return err;
}

int places__take(struct places *ps, struct answer *a)
{
	uint64_t cnt;
	int err = 0;

	*ps = (struct places){ NULL };
	answer__take(a, &cnt, sizeof(cnt));
	answer__take(a, &ps->cut, sizeof(ps->cut));
	answer__take(a, &ps->refused, sizeof(ps->refused));
	if (a->is_bad || cnt > PLACES_MAX)
		return -EPROTO;
	for (; cnt && !err; cnt--)
		err = take_place(ps, a);
	if (err)
		places__free(ps);
	return err;
}
