// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_raw.h"

#include <stdbool.h>
#include <string.h>

#define LINE_SZ 8
#define HEAD_WIDTH 17

/* perf takes bytes for ISO 8859-1. */
static bool is_printed(uint8_t c)
{
	return (c >= ' ' && c < 0x7f) || c >= 0xa0;
}

/* Returns whether it is a text behind which nothing stands but NULs. */
static bool is_text(const uint8_t *raw, uint32_t sz)
{
	const uint8_t *end = memchr(raw, 0, sz), *p;

	if (!end)
		return false;
	for (p = raw; p < end; p++)
		if (!is_printed(*p))
			return false;
	for (; p < raw + sz; p++)
		if (*p)
			return false;
	return true;
}

static void put_line(struct strbuf *out, const uint8_t *raw, uint32_t at, uint32_t cnt)
{
	uint32_t i;

	strbuf__printf(out, "%*s %04x:", HEAD_WIDTH, at ? "" : "BPF output:", at);
	for (i = 0; i < LINE_SZ; i++)
		if (i < cnt)
			strbuf__printf(out, " %02x", raw[at + i]);
		else
			strbuf__puts(out, "   ");
	strbuf__puts(out, "  ");
	for (i = 0; i < LINE_SZ; i++)
		strbuf__putc(out, i >= cnt                  ? ' '
				  : is_printed(raw[at + i]) ? (char)raw[at + i]
							    : '.');
	strbuf__putc(out, '\n');
}

void script_raw__put(struct strbuf *out, const uint8_t *raw, uint32_t sz)
{
	uint32_t at;

	strbuf__putc(out, '\n');
	for (at = 0; at < sz; at += LINE_SZ)
		put_line(out, raw, at, sz - at < LINE_SZ ? sz - at : LINE_SZ);
	if (sz && is_text(raw, sz))
		strbuf__printf(out, "%*s \"%s\"\n", HEAD_WIDTH, "BPF string:", (const char *)raw);
}
