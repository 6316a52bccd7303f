// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/python_wire.h"
#include "lang/python_lines.h"
#include "util/array.h"
#include "util/strbuf.h"

#define LINE_MAX ((1u << CODES_LINE_BITS) - 1)

void codes__free(struct codes *c)
{
	while (c->code_cnt)
		free(c->codes[--c->code_cnt].lines);
	free(c->codes);
	free(c->funcs);
	u64map__free(&c->by_func);
	u64map__free(&c->by_id);
	texts__free(&c->texts);
	*c = (struct codes){ .func_cnt = 0 };
}

static void put_utf8(struct strbuf *sb, uint32_t c)
{
	if (c < 0x80) {
		strbuf__putc(sb, (char)c);
	} else if (c < 0x800) {
		strbuf__putc(sb, (char)(0xc0 | c >> 6));
		strbuf__putc(sb, (char)(0x80 | (c & 63)));
	} else if (c < 0x10000) {
		strbuf__putc(sb, (char)(0xe0 | c >> 12));
		strbuf__putc(sb, (char)(0x80 | (c >> 6 & 63)));
		strbuf__putc(sb, (char)(0x80 | (c & 63)));
	} else {
		strbuf__putc(sb, (char)(0xf0 | (c >> 18 & 7)));
		strbuf__putc(sb, (char)(0x80 | (c >> 12 & 63)));
		strbuf__putc(sb, (char)(0x80 | (c >> 6 & 63)));
		strbuf__putc(sb, (char)(0x80 | (c & 63)));
	}
}

/* Surrogates, which Python's file names may have for bytes that are no UTF-8, are no characters. */
static uint32_t char_of(const uint8_t *at, uint8_t width)
{
	uint32_t c = at[0];

	if (width >= 2)
		c |= (uint32_t)at[1] << 8;
	if (width == 4)
		c |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
	return c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || !c ? 0xfffd : c;
}

/* Interns a text of Python as UTF-8. TEXTS_NONE: there is none, or no memory. */
static uint32_t intern(struct codes *c, const struct python_text *t, const uint8_t *data)
{
	struct strbuf sb = STRBUF_INIT;
	size_t sz = t->sz, i;
	uint32_t idx;

	if ((!sz && t->cnt) || (t->width != 1 && t->width != 2 && t->width != 4))
		return TEXTS_NONE;
	for (i = 0; i + t->width <= sz; i += t->width)
		put_utf8(&sb, char_of(data + i, t->width));
	if ((uint64_t)t->cnt * t->width > sz)
		strbuf__puts(&sb, "...");
	idx = texts__add(&c->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return idx;
}

/* Returns the function with this name and file, added if it is new; 0: unknown, or no memory. */
static uint32_t func_of(struct codes *c, uint32_t name, uint32_t file, int32_t first_line)
{
	uint64_t key =
		u64map__mix(((uint64_t)name << 32 | file) ^ u64map__mix((uint32_t)first_line));
	uint32_t *slot;

	if (name == TEXTS_NONE || file == TEXTS_NONE)
		return 0;
	while ((slot = u64map__slot(&c->by_func, key)) && *slot != U64MAP_NONE) {
		if (c->funcs[*slot].name == name && c->funcs[*slot].file == file)
			return *slot;
		key++;
	}
	if (!slot || c->func_cnt >= CODES_PLACE_MAX >> CODES_LINE_BITS ||
	    array__reserve((void **)&c->funcs, &c->func_cap, c->func_cnt + 2, sizeof(*c->funcs)))
		return 0;
	/* 0 is not known. */
	if (!c->func_cnt)
		c->funcs[c->func_cnt++] = (struct code_func){ TEXTS_NONE, TEXTS_NONE };
	c->funcs[c->func_cnt] = (struct code_func){ name, file };
	return *slot = (uint32_t)c->func_cnt++;
}

int codes__define(struct codes *c, const void *def, size_t sz)
{
	const struct python_def *d = def;
	struct code code = { 0 };
	uint32_t *slot;

	if (sz < offsetof(struct python_def, data) || !d->id ||
	    (uint64_t)d->name.sz + d->path.sz + d->lines_sz >
		    sz - offsetof(struct python_def, data))
		return -EINVAL;
	slot = u64map__slot(&c->by_id, d->id);
	if (!slot ||
	    array__reserve((void **)&c->codes, &c->code_cap, c->code_cnt + 1, sizeof(*c->codes)))
		return -ENOMEM;
	code.first_line = d->first_line;
	code.lines_sz = d->lines_sz;
	code.lines = malloc(d->lines_sz + 1ul);
	if (!code.lines)
		return -ENOMEM;
	memcpy(code.lines, d->data + d->name.sz + d->path.sz, d->lines_sz);
	code.func = func_of(c, intern(c, &d->name, d->data),
			    intern(c, &d->path, d->data + d->name.sz), d->first_line);
	/* An id that is defined again, after 2^25 others, means the new code from now on. */
	*slot = (uint32_t)c->code_cnt;
	c->codes[c->code_cnt++] = code;
	return 0;
}

uint64_t codes__recorded(struct codes *c, const char *map)
{
	const char *name = map + strlen(CODES_RECORDED), *colon = strchr(name, ':');
	uint32_t func;

	/* A file may have a colon in its name; a function has none. */
	if (!colon)
		return 0;
	func = func_of(c, texts__add(&c->texts, name, (size_t)(colon - name)),
		       texts__add(&c->texts, colon + 1, strlen(colon + 1)), 0);
	return (uint64_t)func << CODES_LINE_BITS;
}

uint64_t codes__place(struct codes *c, uint64_t word)
{
	uint64_t id = (word & (PYTHON_FRAME - 1)) >> PYTHON_INSTR_BITS;
	uint32_t idx = u64map__get(&c->by_id, id), line;
	const struct code *code;

	/* The definition is in the ring, even if it was not read yet. */
	if (idx == U64MAP_NONE && id && c->fill) {
		c->fill(c, c->fill_ctx);
		idx = u64map__get(&c->by_id, id);
	}
	if (idx == U64MAP_NONE)
		return 0;
	code = &c->codes[idx];
	line = python_lines__find(code->lines, code->lines_sz, code->first_line,
				  (uint32_t)(word & PYTHON_INSTR_MASK));
	return (uint64_t)code->func << CODES_LINE_BITS | (line < LINE_MAX ? line : 0);
}

void codes__name(const struct codes *c, uint64_t place, struct code_name *name)
{
	uint64_t func = place >> CODES_LINE_BITS;

	*name = (struct code_name){ .line = (uint32_t)(place & LINE_MAX) };
	if (!func || func >= c->func_cnt)
		return;
	name->name = texts__get(&c->texts, c->funcs[func].name);
	name->file = texts__get(&c->texts, c->funcs[func].file);
}
