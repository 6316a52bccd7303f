// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/raw_swap.h"

#include <string.h>

static void swap_array(uint8_t *p, uint32_t sz, uint32_t each)
{
	uint32_t i, at;

	if (each != 2 && each != 4 && each != 8)
		return;
	for (at = 0; at + each <= sz; at += each)
		for (i = 0; i < each / 2; i++) {
			uint8_t b = p[at + i];

			p[at + i] = p[at + each - 1 - i];
			p[at + each - 1 - i] = b;
		}
}

static void swap_dynamic(const struct tp_field *f, uint8_t *raw, uint32_t raw_sz)
{
	uint32_t word, off, len;

	swap_array(raw + f->off, 4, 4);
	memcpy(&word, raw + f->off, 4);
	off = (word & 0xffff) + (f->flags & TP_FIELD_REL ? f->off + 4u : 0);
	len = word >> 16;
	/* The data must be behind the fixed fields, so that nothing is swapped twice. */
	if (off > raw_sz || len > raw_sz - off || off < f->off + 4u)
		return;
	swap_array(raw + off, len, f->elem_size);
}

void raw_swap(const struct tp_format *fmt, uint8_t *raw, uint32_t raw_sz)
{
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];

		if ((uint32_t)f->off + f->size > raw_sz)
			continue;
		if (f->flags & TP_FIELD_DYNAMIC && f->size == 4)
			swap_dynamic(f, raw, raw_sz);
		else if (f->flags & TP_FIELD_ARRAY)
			swap_array(raw + f->off, f->size, f->elem_size);
		else
			swap_array(raw + f->off, f->size, f->size);
	}
}
