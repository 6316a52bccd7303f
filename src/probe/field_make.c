// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/field_make.h"

#include <errno.h>
#include <stdlib.h>

static uint8_t power_of_two(uint64_t sz)
{
	return sz <= 1 ? 1 : sz <= 2 ? 2 : sz <= 4 ? 4 : 8;
}

uint8_t field_make__load_sz(const struct field_bits *bits, uint64_t sz)
{
	return power_of_two(bits->cnt ? (bits->off + bits->cnt + 7) / 8 : sz);
}

int field_make__literal(struct place_field *f, enum place_literal literal)
{
	f->kind = FETCH_LITERAL;
	f->show = SHOW_TEXT;
	f->literal = (uint8_t)literal;
	return 0;
}

/* Appends the steps to those of the field. */
static int keep(struct place_field *f, const struct steps *steps)
{
	struct fetch_step *at;
	size_t i;

	if (steps->overflow || !steps->cnt)
		return field_make__literal(f, LITERAL_OPTIMIZED_OUT);
	at = reallocarray(f->steps, f->step_cnt + steps->cnt, sizeof(*f->steps));
	if (!at)
		return -ENOMEM;
	f->steps = at;
	for (i = 0; i < steps->cnt; i++) {
		at[f->step_cnt++] = steps->at[i];
		f->may_be_absent |= steps->at[i].op == FETCH_READ || steps->at[i].op == FETCH_IF ||
				    steps->at[i].op == FETCH_IF_NOT;
	}
	return 0;
}

static int make(struct place_field *f, enum fetch_kind kind, enum place_show show,
		const struct steps *steps)
{
	f->kind = (uint8_t)kind;
	f->show = (uint8_t)show;
	return keep(f, steps);
}

int field_make__number(struct place_field *f, struct steps *steps, const struct field_bits *bits,
		       uint64_t sz, bool is_signed, enum place_show show)
{
	if (bits->cnt) {
		steps__add(steps, FETCH_SHIFT_LEFT, 8, false,
			   64 - (int64_t)bits->off - (int64_t)bits->cnt);
		steps__add(steps, FETCH_SHIFT_RIGHT, 8, is_signed, 64 - (int64_t)bits->cnt);
	}
	f->size = power_of_two(sz);
	f->is_signed = is_signed;
	return make(f, FETCH_NUMBER, show, steps);
}

int field_make__text(struct place_field *f, const struct steps *steps)
{
	return make(f, FETCH_TEXT, SHOW_TEXT, steps);
}

int field_make__counted_text(struct place_field *f, struct steps *len, const struct steps *text)
{
	int err;

	steps__add(len, FETCH_SAVE, 8, false, 0);
	if (len->overflow || text->overflow)
		return field_make__literal(f, LITERAL_OPTIMIZED_OUT);
	err = make(f, FETCH_TEXT_LEN, SHOW_TEXT, len);
	return err ? err : keep(f, text);
}

int field_make__bytes(struct place_field *f, const struct steps *steps, uint16_t sz)
{
	f->size = sz;
	f->may_be_absent = true;
	return make(f, FETCH_BYTES, SHOW_TEXT, steps);
}
