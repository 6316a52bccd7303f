// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/interp_wire.h"
#include "lang/python_lines.h"
#include "lang/ruby_lines.h"
#include "util/array.h"
#include "util/strbuf.h"

#define LINE_MAX ((1u << CODES_LINE_BITS) - 1)

void codes__free(struct codes *c)
{
	free(c->codes);
	blobs__free(&c->lines);
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

/* Interns a text as UTF-8. TEXTS_NONE: there is none, or no memory. */
static uint32_t intern(struct codes *c, const struct interp_text *t, const uint8_t *data)
{
	struct strbuf sb = STRBUF_INIT;
	bool is_utf8 = t->width == INTERP_UTF8;
	uint8_t width = is_utf8 ? 1 : t->width;
	size_t sz = t->sz, i;
	uint32_t idx;

	if ((!sz && t->cnt) || (width != 1 && width != 2 && width != 4))
		return TEXTS_NONE;
	if (is_utf8)
		strbuf__add(&sb, data, strnlen((const char *)data, sz));
	for (i = 0; !is_utf8 && i + width <= sz; i += width)
		put_utf8(&sb, char_of(data + i, width));
	if ((uint64_t)t->cnt * width > sz)
		strbuf__puts(&sb, "...");
	idx = texts__add(&c->texts, strbuf__cstr(&sb), sb.len);
	strbuf__free(&sb);
	return idx;
}

/* Returns the function with this name and file, added if it is new; 0: unknown, or no memory. */
static uint32_t func_of(struct codes *c, const struct code_func *func, int32_t first_line)
{
	uint64_t key = u64map__mix(((uint64_t)func->name << 32 | func->file) ^
				   u64map__mix((uint32_t)first_line) ^ func->language);
	uint32_t *slot;

	if (func->name == TEXTS_NONE || func->file == TEXTS_NONE)
		return 0;
	while ((slot = u64map__slot(&c->by_func, key)) && *slot != U64MAP_NONE) {
		if (!memcmp(&c->funcs[*slot], func, sizeof(*func)))
			return *slot;
		key++;
	}
	if (!slot || c->func_cnt >= CODES_PLACE_MAX >> CODES_LINE_BITS ||
	    array__reserve((void **)&c->funcs, &c->func_cap, c->func_cnt + INTERP_RUBY + 2,
			   sizeof(*c->funcs)))
		return 0;
	while (c->func_cnt <= INTERP_RUBY) {
		c->funcs[c->func_cnt] =
			(struct code_func){ TEXTS_NONE, TEXTS_NONE, (uint32_t)c->func_cnt };
		c->func_cnt++;
	}
	c->funcs[c->func_cnt] = *func;
	return *slot = (uint32_t)c->func_cnt++;
}

static void forget_older(struct codes *c)
{
	size_t i, half = c->code_cnt / 2;
	uint32_t *slot;

	memmove(c->codes, c->codes + half, (c->code_cnt - half) * sizeof(*c->codes));
	c->code_cnt -= half;
	u64map__free(&c->by_id);
	for (i = 0; i < c->code_cnt; i++) {
		slot = u64map__slot(&c->by_id, c->codes[i].id);
		if (slot)
			*slot = (uint32_t)i;
	}
}

int codes__define(struct codes *c, const void *def, size_t sz)
{
	const struct interp_def *d = def;
	struct code code = { 0 };
	struct code_func func;
	uint32_t *slot;

	if (sz < offsetof(struct interp_def, data) || !d->id || !d->language ||
	    d->language > INTERP_RUBY ||
	    (uint64_t)d->name.sz + d->path.sz + d->lines_sz >
		    sz - offsetof(struct interp_def, data))
		return -EINVAL;
	if (c->code_cnt >= CODES_KEPT)
		forget_older(c);
	slot = u64map__slot(&c->by_id, d->id);
	if (!slot ||
	    array__reserve((void **)&c->codes, &c->code_cap, c->code_cnt + 1, sizeof(*c->codes)))
		return -ENOMEM;
	code.id = d->id;
	code.first_line = d->first_line;
	code.lines = blobs__add(&c->lines, d->data + d->name.sz + d->path.sz, d->lines_sz);
	if (code.lines == BLOBS_NONE)
		return -ENOMEM;
	code.language = d->language;
	func.name = intern(c, &d->name, d->data);
	func.file = intern(c, &d->path, d->data + d->name.sz);
	func.language = d->language;
	code.func = func_of(c, &func, d->first_line);
	if (!code.func)
		code.func = d->language;
	/* An id that is defined again, after 2^25 others, means the new code from now on. */
	*slot = (uint32_t)c->code_cnt;
	c->codes[c->code_cnt++] = code;
	return 0;
}

const char *const codes_recorded[] = { [INTERP_PYTHON] = "py::", [INTERP_RUBY] = "rb::" };

/* Returns the language that a recorded mapping begins with; INTERP_NONE: it is another one. */
static uint32_t language_of(const char *map)
{
	uint32_t i;

	for (i = INTERP_PYTHON; i <= INTERP_RUBY; i++)
		if (!strncmp(map, codes_recorded[i], strlen(codes_recorded[i])))
			return i;
	return INTERP_NONE;
}

bool codes__is_recorded(const char *map)
{
	return language_of(map) != INTERP_NONE;
}

uint64_t codes__recorded(struct codes *c, const char *map)
{
	struct code_func func = { .language = language_of(map) };
	const char *name, *colon;

	if (!func.language)
		return 0;
	name = map + strlen(codes_recorded[func.language]);
	/* A file may have a colon in its name; a function of Python has none. */
	colon = func.language == INTERP_PYTHON ? strchr(name, ':') : strstr(name, ":/");
	if (!colon)
		colon = strrchr(name, ':');
	if (!colon)
		return 0;
	func.name = texts__add(&c->texts, name, (size_t)(colon - name));
	func.file = texts__add(&c->texts, colon + 1, strlen(colon + 1));
	return (uint64_t)func_of(c, &func, 0) << CODES_LINE_BITS;
}

uint64_t codes__place(struct codes *c, uint64_t word)
{
	uint64_t id = (word & (INTERP_FRAME - 1)) >> INTERP_INSTR_BITS;
	uint32_t idx, line, insn;
	const struct code *code;
	const uint8_t *lines;
	size_t sz;

	if (id < INTERP_ID_FIRST)
		return id <= INTERP_RUBY ? id << CODES_LINE_BITS : 0;
	idx = u64map__get(&c->by_id, id);
	/* The definition is in the ring, even if it was not read yet. */
	if (idx == U64MAP_NONE && c->fill) {
		c->fill(c, c->fill_ctx);
		idx = u64map__get(&c->by_id, id);
	}
	if (idx == U64MAP_NONE)
		return 0;
	code = &c->codes[idx];
	insn = (uint32_t)(word & INTERP_INSTR_MASK);
	lines = (const uint8_t *)blobs__get(&c->lines, code->lines, &sz);
	line = code->language == INTERP_RUBY
		       ? ruby_lines__find(lines, sz, insn)
		       : python_lines__find(lines, sz, code->first_line, insn);
	return (uint64_t)code->func << CODES_LINE_BITS | (line < LINE_MAX ? line : 0);
}

void codes__name(const struct codes *c, uint64_t place, struct code_name *name)
{
	uint64_t func = place >> CODES_LINE_BITS;

	*name = (struct code_name){ .line = (uint32_t)(place & LINE_MAX),
				    .language = INTERP_PYTHON };
	if (func && func <= INTERP_RUBY)
		name->language = (enum interp_language)func;
	if (func <= INTERP_RUBY || func >= c->func_cnt)
		return;
	name->name = texts__get(&c->texts, c->funcs[func].name);
	name->file = texts__get(&c->texts, c->funcs[func].file);
	name->language = c->funcs[func].language;
}
