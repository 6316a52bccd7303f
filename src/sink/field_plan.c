// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/field_plan.h"

#include <stdlib.h>
#include <string.h>

#include "decode/field.h"
#include "decode/sample.h"
#include "event/syscall_nr.h"
#include "util/digits.h"
#include "util/number.h"

/*
 * Offset of the number in syscalls:* and raw_syscalls:*, an int or a long; the result is behind it.
 */
#define SYSCALL_NR_OFF 8
#define SYSCALL_RET_OFF 16

static uint8_t kind_of(const struct tp_field *f)
{
	if (f->flags & TP_FIELD_STRING)
		return f->flags & TP_FIELD_DYNAMIC ? FIELD_DYN_CHARS
		       : f->size                   ? FIELD_CHARS
						   : FIELD_OTHER;
	if (f->flags & TP_FIELD_ARRAY && !(f->flags & (TP_FIELD_DYNAMIC | TP_FIELD_SIGNED)) &&
	    f->elem_size == 8 && f->size && f->size % 8 == 0)
		return FIELD_U64S;
	if (f->flags & (TP_FIELD_ARRAY | TP_FIELD_DYNAMIC) || !strcmp(f->type, "bool") ||
	    !strcmp(f->type, "double") || !strcmp(f->type, "float"))
		return FIELD_OTHER;
	switch (f->size) {
	case 1:
		return f->flags & TP_FIELD_SIGNED ? FIELD_S8 : FIELD_U8;
	case 2:
		return f->flags & TP_FIELD_SIGNED ? FIELD_S16 : FIELD_U16;
	case 4:
		return f->flags & TP_FIELD_SIGNED ? FIELD_S32 : FIELD_U32;
	case 8:
		return f->flags & TP_FIELD_SIGNED ? FIELD_S64 : FIELD_U64;
	default:
		return FIELD_OTHER;
	}
}

static void note_syscall(struct field_plan *plan)
{
	const struct tp_format *fmt = plan->fmt;

	if (strcmp(fmt->sys, "syscalls") != 0 && strcmp(fmt->sys, "raw_syscalls") != 0)
		return;
	if (!plan->step_cnt || plan->steps[0].off != SYSCALL_NR_OFF || plan->steps[0].size < 4)
		return;
	if (!strncmp(fmt->name, "sys_enter", 9))
		plan->syscall = SYSCALL_ENTER;
	else if (!strncmp(fmt->name, "sys_exit", 8) && plan->step_cnt > 1 &&
		 plan->steps[1].off == SYSCALL_RET_OFF && plan->steps[1].size == 8)
		plan->syscall = SYSCALL_EXIT;
	plan->ret_off = SYSCALL_RET_OFF;
}

static struct field_plan *new_plan(const struct tp_format *fmt)
{
	struct field_plan *plan = calloc(1, sizeof(*plan));
	bool may_be_absent = false;
	size_t i;

	if (!plan)
		return NULL;
	plan->fmt = fmt;
	plan->steps = calloc(fmt->field_cnt + 1, sizeof(*plan->steps));
	if (!plan->steps) {
		free(plan);
		return NULL;
	}
	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];
		struct field_step *step = &plan->steps[plan->step_cnt];

		/* The marks are no value: they say which ones of a probe's fields are missing. */
		may_be_absent |= tp_field__is_marks(f);
		if (f->flags & TP_FIELD_COMMON || tp_field__is_marks(f))
			continue;
		*step = (struct field_step){
			.kind = may_be_absent ? FIELD_OTHER : kind_of(f),
			.off = f->off,
			.size = f->size,
			.key = (uint32_t)plan->keys.len,
			.field = f,
		};
		if (plan->step_cnt++)
			strbuf__putc(&plan->keys, ',');
		strbuf__put_json(&plan->keys, f->name, strlen(f->name));
		strbuf__putc(&plan->keys, ':');
		step->key_len = (uint32_t)plan->keys.len - step->key;
		if ((uint32_t)f->off + f->size > plan->fixed_sz)
			plan->fixed_sz = (uint32_t)f->off + f->size;
	}
	/* Keys are copied in blocks of 16 bytes. */
	strbuf__reserve(&plan->keys, 16);
	note_syscall(plan);
	return plan;
}

struct field_plan *field_plans__make(struct field_plans *plans, const struct tp_format *fmt)
{
	if (fmt->id >= plans->cap) {
		uint32_t cap = (fmt->id + 256u) & ~255u;
		struct field_plan **by_id = realloc(plans->by_id, cap * sizeof(*by_id));

		if (!by_id)
			return NULL;
		memset(by_id + plans->cap, 0, (cap - plans->cap) * sizeof(*by_id));
		plans->by_id = by_id;
		plans->cap = cap;
	}
	plans->by_id[fmt->id] = new_plan(fmt);
	if (plans->by_id[fmt->id])
		plans->by_id[fmt->id]->idx = plans->cnt++;
	return plans->by_id[fmt->id];
}

void field_plans__free(struct field_plans *plans)
{
	uint32_t i;

	for (i = 0; i < plans->cap; i++) {
		struct field_plan *plan = plans->by_id[i];

		if (!plan)
			continue;
		strbuf__free(&plan->keys);
		free(plan->steps);
		free(plan);
	}
	free(plans->by_id);
	memset(plans, 0, sizeof(*plans));
}

/* Writes a number at *at, which has room for it. False: the kind is no plain number. */
static inline bool put_number(uint8_t kind, const uint8_t *p, char **at)
{
	switch ((enum field_kind)kind) {
	case FIELD_U8:
		*at = digits__u64(*at, *p);
		return true;
	case FIELD_U16:
		*at = digits__u64(*at, number__read(p, 2));
		return true;
	case FIELD_U32:
		*at = digits__u64(*at, number__read(p, 4));
		return true;
	case FIELD_U64:
		*at = digits__u64(*at, number__read(p, 8));
		return true;
	case FIELD_S8:
		*at = digits__s64(*at, (int8_t)*p);
		return true;
	case FIELD_S16:
		*at = digits__s64(*at, (int16_t)number__read(p, 2));
		return true;
	case FIELD_S32:
		*at = digits__s64(*at, (int32_t)number__read(p, 4));
		return true;
	case FIELD_S64:
		*at = digits__s64(*at, (int64_t)number__read(p, 8));
		return true;
	default:
		return false;
	}
}

/* Puts [1,2,…] for a fixed array of 8-byte numbers: the arguments of system calls. */
static void put_u64s(const uint8_t *p, uint32_t size, struct strbuf *out)
{
	uint32_t i, cnt = size / 8;
	char *at;

	if (strbuf__reserve(out, 2 + cnt * (DIGITS_U64_MAX + 1)))
		return;
	at = out->buf + out->len;
	*at++ = '[';
	for (i = 0; i < cnt; i++) {
		if (i)
			*at++ = ',';
		at = digits__u64(at, number__read(p + 8 * i, 8));
	}
	*at++ = ']';
	out->len = (size_t)(at - out->buf);
}

void field_plan__json(const struct field_plan *plan, const void *raw, uint32_t raw_sz,
		      struct strbuf *out)
{
	const struct field_step *step = plan->steps, *end = step + plan->step_cnt;
	bool is_whole = raw_sz >= plan->fixed_sz;

	strbuf__putc(out, '{');
	for (; step < end; step++) {
		const uint8_t *p = (const uint8_t *)raw + step->off;
		char *at;

		if (strbuf__reserve(out, step->key_len + 16u + DIGITS_U64_MAX + 1))
			return;
		at = digits__copy16(out->buf + out->len, plan->keys.buf + step->key, step->key_len);
		if (is_whole && put_number(step->kind, p, &at)) {
			out->len = (size_t)(at - out->buf);
			continue;
		}
		out->len = (size_t)(at - out->buf);
		if (is_whole && step->kind == FIELD_CHARS)
			strbuf__put_json(out, (const char *)p,
					 strnlen((const char *)p, step->size));
		else if (is_whole && step->kind == FIELD_U64S)
			put_u64s(p, step->size, out);
		else
			field__to_json(plan->fmt, step->field, raw, raw_sz, out);
	}
	strbuf__putc(out, '}');
}

void field_step__csv(const struct field_plan *plan, const struct field_step *step, const void *raw,
		     uint32_t raw_sz, struct strbuf *out)
{
	const uint8_t *p = (const uint8_t *)raw + step->off;
	size_t start = out->len;
	struct strbuf text = STRBUF_INIT;
	uint32_t len;
	char *at;

	if (strbuf__reserve(out, DIGITS_U64_MAX + 1))
		return;
	at = out->buf + out->len;
	if (raw_sz >= plan->fixed_sz && put_number(step->kind, p, &at)) {
		out->len = (size_t)(at - out->buf);
		return;
	}
	if (step->kind == FIELD_U64S && raw_sz >= plan->fixed_sz) {
		strbuf__putc(out, '"');
		put_u64s(p, step->size, out);
		strbuf__putc(out, '"');
		return;
	}
	if (step->kind == FIELD_CHARS || step->kind == FIELD_DYN_CHARS) {
		p = field__data(step->field, raw, raw_sz, &len);
		if (p)
			strbuf__put_csv(out, (const char *)p, strnlen((const char *)p, len));
		return;
	}
	field__to_json(plan->fmt, step->field, raw, raw_sz, out);
	/*
	 * null becomes an empty cell; a cpumask is a quoted string already; other values need
	 * quotes.
	 */
	if (out->len - start == 4 && !memcmp(out->buf + start, "null", 4)) {
		out->len = start;
	} else if (out->len > start + 1 && out->buf[start] == '"') {
		strbuf__add(&text, out->buf + start + 1, out->len - start - 2);
		out->len = start;
		strbuf__put_csv(out, text.buf, text.len);
	} else if (out->len > start && out->buf[start] == '[') {
		strbuf__add(&text, out->buf + start, out->len - start);
		out->len = start;
		strbuf__put_csv(out, text.buf, text.len);
	}
	strbuf__free(&text);
}

const char *field_plan__syscall_name(const struct field_plan *plan, const struct sample *s)
{
	int64_t nr;

	if (plan->syscall == SYSCALL_NONE || s->raw_sz < SYSCALL_NR_OFF + 4)
		return NULL;
	nr = (int32_t)number__read((const char *)s->raw + SYSCALL_NR_OFF, 4);
	return s->is_compat ? syscall_nr__compat_name(nr) : syscall_nr__name(nr);
}

const char *field_plan__syscall_error(const struct field_plan *plan, const void *raw,
				      uint32_t raw_sz)
{
	int64_t ret;

	if (plan->syscall != SYSCALL_EXIT || raw_sz < plan->ret_off + 8u)
		return NULL;
	ret = (int64_t)number__read((const char *)raw + plan->ret_off, 8);
	/* MAX_ERRNO; the kernel's internal errors (ERESTARTSYS and the like) have no name. */
	return ret < 0 && ret >= -4095 ? strerrorname_np((int)-ret) : NULL;
}
