// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/value_pieces.h"

#include <string.h>

/* Narrows the value to several whole pieces, from number `first` on, of `size` bytes. */
static bool narrow_to_pieces(struct value *v, size_t first, uint64_t size)
{
	size_t end = first;
	uint64_t sum = 0;

	while (end < v->loc.cnt && v->loc.pieces[end].size && sum < size)
		sum += v->loc.pieces[end++].size;
	if (sum != size || end == first)
		return false;
	v->loc.cnt = end - first;
	memmove(v->loc.pieces, v->loc.pieces + first, v->loc.cnt * sizeof(*v->loc.pieces));
	return true;
}

void value__narrow(struct value *v, uint64_t off, uint64_t bits)
{
	struct piece *whole = &v->loc.pieces[0];
	const uint64_t size = (bits + 7) / 8;
	uint64_t at = 0;
	size_t i;

	for (i = 0; i < v->loc.cnt && v->loc.pieces[i].size; i++) {
		if (off >= at && off + size <= at + v->loc.pieces[i].size)
			break;
		if (off == at && narrow_to_pieces(v, i, size))
			return;
		at += v->loc.pieces[i].size;
	}
	if (i == v->loc.cnt) {
		/* It is spread over several. */
		memset(whole, 0, sizeof(*whole));
	} else {
		*whole = v->loc.pieces[i];
		off -= at;
		if (whole->bits && 8 * off + bits > whole->bits)
			whole->kind = PIECE_NONE;
		if (whole->kind == PIECE_MEMORY && off)
			steps__add(&whole->steps, FETCH_ADD, 8, false, (int64_t)off);
		else if (whole->kind == PIECE_VALUE && off >= 8)
			whole->kind = PIECE_NONE;
		else if (whole->kind == PIECE_VALUE && off)
			steps__add(&whole->steps, FETCH_SHIFT_RIGHT, 8, false, (int64_t)off * 8);
	}
	whole->size = whole->bits = 0;
	v->loc.cnt = 1;
}

void value__load(struct value *v, uint8_t size, bool is_signed)
{
	struct piece *p = &v->loc.pieces[0];

	if (v->loc.cnt > 1 || p->bits)
		value__narrow(v, 0, 8 * (uint64_t)size);
	if (p->kind != PIECE_MEMORY)
		return;
	steps__add(&p->steps, FETCH_READ, size, is_signed, 0);
	p->kind = PIECE_VALUE;
}

void value__take_number(struct value *v, const struct type_member *m)
{
	Dwarf_Die type = m->type;
	const uint64_t sz = type__size(&type);
	struct piece *p = &v->loc.pieces[0];
	bool is_loaded;

	value__narrow(v, m->off, 8 * sz);
	is_loaded = p->kind == PIECE_MEMORY;
	value__load(v, field_make__load_sz(&v->bits, sz), false);
	/* The rest of a register may be anything. */
	if (p->kind != PIECE_VALUE || is_loaded || sz >= 8)
		return;
	steps__add(&p->steps, FETCH_SHIFT_LEFT, 8, false, 64 - 8 * (int64_t)sz);
	steps__add(&p->steps, FETCH_SHIFT_RIGHT, 8, false, 64 - 8 * (int64_t)sz);
}

void value__put_before(struct value *v, const struct steps *first)
{
	size_t i, k;

	for (i = 0; i < v->loc.cnt; i++) {
		struct steps *s = &v->loc.pieces[i].steps, sum = *first;

		for (k = 0; k < s->cnt; k++)
			steps__add(&sum, s->at[k].op, s->at[k].size, s->at[k].is_signed,
				   s->at[k].imm);
		sum.overflow |= s->overflow;
		*s = sum;
	}
}
