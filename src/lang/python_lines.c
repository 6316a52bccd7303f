// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/python_lines.h"

#include <stdbool.h>

/* Kinds of an entry, bits 3 to 6 of its first byte; the lower ones are short forms of one line. */
enum {
	KIND_ONE_LINE = 10, /* and the two behind it: so many lines further */
	KIND_NO_COLUMNS = 13,
	KIND_LONG = 14,
	KIND_NONE = 15,
};

struct reading {
	const uint8_t *at, *end;
};

static uint32_t read_byte(struct reading *r)
{
	return r->at < r->end ? *r->at++ : 0;
}

/* Groups of six bits, the lowest first; bit 6 says that another one follows. */
static uint32_t read_varint(struct reading *r)
{
	uint32_t byte = read_byte(r), value = byte & 63, shift = 0;

	while (byte & 64 && shift < 24) {
		shift += 6;
		byte = read_byte(r);
		value |= (byte & 63) << shift;
	}
	return value;
}

static int32_t read_signed(struct reading *r)
{
	uint32_t value = read_varint(r);

	return value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
}

/* Reads what follows the first byte of an entry. Returns whether its instructions have a line. */
static bool read_entry(struct reading *r, uint32_t kind, int64_t *line)
{
	switch (kind) {
	case KIND_NONE:
		return false;
	case KIND_LONG:
		*line += read_signed(r);
		read_varint(r);
		read_varint(r);
		read_varint(r);
		return true;
	case KIND_NO_COLUMNS:
		*line += read_signed(r);
		return true;
	case KIND_ONE_LINE:
	case KIND_ONE_LINE + 1:
	case KIND_ONE_LINE + 2:
		*line += kind - KIND_ONE_LINE;
		read_byte(r);
		read_byte(r);
		return true;
	default:
		read_byte(r);
		return true;
	}
}

uint32_t python_lines__find(const uint8_t *table, size_t sz, int32_t first_line, uint32_t instr)
{
	struct reading r = { table, sz ? table + sz : table };
	int64_t line = first_line;
	uint64_t at = 0;

	while (r.at < r.end) {
		uint32_t byte = read_byte(&r);
		bool has_line = read_entry(&r, byte >> 3 & 15, &line);

		at += (byte & 7) + 1;
		if (instr < at)
			return has_line && line > 0 && line < INT32_MAX ? (uint32_t)line : 0;
	}
	return 0;
}
