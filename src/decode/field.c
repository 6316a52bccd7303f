// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "decode/field.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "decode/print_net.h"

static bool is_number_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static uint64_t read_number(const void *p, unsigned int size, bool is_signed)
{
	uint64_t v = number__read(p, size);
	unsigned int shift = 64 - 8 * size;

	return is_signed ? (uint64_t)((int64_t)(v << shift) >> shift) : v;
}

int field__get_u64(const struct tp_field *f, const void *raw, uint32_t raw_sz, uint64_t *val)
{
	if (f->flags & (TP_FIELD_ARRAY | TP_FIELD_DYNAMIC) || !is_number_size(f->size))
		return -EINVAL;
	if ((uint32_t)f->off + f->size > raw_sz)
		return -ERANGE;
	*val = read_number((const char *)raw + f->off, f->size, f->flags & TP_FIELD_SIGNED);
	return 0;
}

const void *field__data(const struct tp_field *f, const void *raw, uint32_t raw_sz, uint32_t *len)
{
	uint32_t off = f->off, word;

	if (off + f->size > raw_sz)
		return NULL;
	*len = f->size;
	if (f->flags & TP_FIELD_DYNAMIC) {
		if (f->size != 4)
			return NULL;
		word = (uint32_t)number__read((const char *)raw + off, 4);
		off = (word & 0xffff) + (f->flags & TP_FIELD_REL ? off + 4 : 0);
		*len = word >> 16;
		if (off + *len > raw_sz)
			return NULL;
	} else if (f->flags & TP_FIELD_ARRAY && !f->size) {
		/* TYPE name[]: the rest of the record. */
		*len = raw_sz - off;
	}
	return (const char *)raw + off;
}

static void put_hex_string(struct strbuf *out, const uint8_t *data, uint32_t len)
{
	strbuf__putc(out, '"');
	print_net__hex(out, data, len, 0);
	strbuf__putc(out, '"');
}

static void put_number(struct strbuf *out, const uint8_t *p, unsigned int size, bool is_signed,
		       bool is_bool)
{
	uint64_t v = read_number(p, size, is_signed);

	if (is_bool)
		strbuf__puts(out, v ? "true" : "false");
	else if (is_signed)
		strbuf__put_s64(out, (int64_t)v);
	else
		strbuf__put_u64(out, v);
}

static void put_array(struct strbuf *out, const struct tp_field *f, const uint8_t *data,
		      uint32_t len)
{
	bool is_signed = f->flags & TP_FIELD_SIGNED;
	bool is_bool = !strncmp(f->type, "bool", 4);
	uint32_t i;

	strbuf__putc(out, '[');
	for (i = 0; i + f->elem_size <= len; i += f->elem_size) {
		if (i)
			strbuf__putc(out, ',');
		put_number(out, data + i, f->elem_size, is_signed, is_bool);
	}
	strbuf__putc(out, ']');
}

bool field__is_absent(const struct tp_format *fmt, const struct tp_field *f, const void *raw,
		      uint32_t raw_sz)
{
	unsigned int bit;
	const struct tp_field *marks = tp_format__marks(fmt, f, &bit);
	uint64_t bits;

	return marks && !field__get_u64(marks, raw, raw_sz, &bits) && bits >> bit & 1;
}

static bool put_float(struct strbuf *out, const struct tp_field *f, const uint8_t *data)
{
	float narrow;
	double val;

	if (f->size == sizeof(val) && !strcmp(f->type, "double")) {
		memcpy(&val, data, sizeof(val));
	} else if (f->size == sizeof(narrow) && !strcmp(f->type, "float")) {
		memcpy(&narrow, data, sizeof(narrow));
		val = (double)narrow;
	} else {
		return false;
	}
	if (isfinite(val))
		strbuf__printf(out, "%.*g", f->size == sizeof(val) ? 17 : 9, val);
	else
		strbuf__printf(out, "\"%g\"", val);
	return true;
}

void field__to_json(const struct tp_format *fmt, const struct tp_field *f, const void *raw,
		    uint32_t raw_sz, struct strbuf *out)
{
	uint32_t len;
	const uint8_t *data = field__data(f, raw, raw_sz, &len);

	if (!data) {
		strbuf__puts(out, "null");
	} else if (field__is_absent(fmt, f, raw, raw_sz)) {
		strbuf__puts(out, "\"<not in memory>\"");
	} else if (f->flags & TP_FIELD_STRING) {
		strbuf__put_json(out, (const char *)data, strnlen((const char *)data, len));
	} else if (f->flags & TP_FIELD_DYNAMIC && strstr(f->type, "cpumask_t")) {
		strbuf__putc(out, '"');
		print_net__cpulist(out, data, len);
		strbuf__putc(out, '"');
	} else if (f->flags & (TP_FIELD_ARRAY | TP_FIELD_DYNAMIC) && is_number_size(f->elem_size)) {
		put_array(out, f, data, len);
	} else if (put_float(out, f, data)) {
		return;
	} else if (!(f->flags & (TP_FIELD_ARRAY | TP_FIELD_DYNAMIC)) && is_number_size(f->size)) {
		put_number(out, data, f->size, f->flags & TP_FIELD_SIGNED,
			   !strcmp(f->type, "bool"));
	} else {
		put_hex_string(out, data, len);
	}
}
