// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_addr.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "decode/named.h"
#include "sink/script.h"
#include "util/path.h"

#define ADDR_WIDTH 16

static const struct sym_frame unknown = { .module = "[unknown]" };

void script_addrs__free(struct script_addrs *sa)
{
	text_memo__free(&sa->memo);
}

/* Eight digits of hex, as they stand in memory. */
static uint64_t hex_digits(uint32_t v)
{
	const uint64_t lows = 0x0f0f0f0f0f0f0f0full;
	uint64_t x = v, letters;

	x = (x | x << 16) & 0x0000ffff0000ffffull;
	x = (x | x << 8) & 0x00ff00ff00ff00ffull;
	x = (x | x << 4) & lows;
	/* From 10 on they are letters. */
	letters = (x + 0x0606060606060606ull) >> 4 & 0x0101010101010101ull;
	return htobe64(x + 0x3030303030303030ull + letters * ('a' - '0' - 10));
}

static void put_addr(struct strbuf *out, uint64_t addr)
{
	uint64_t digits[2] = { hex_digits((uint32_t)(addr >> 32)), hex_digits((uint32_t)addr) };
	unsigned int blanks = addr ? (unsigned int)__builtin_clzll(addr) / 4 : ADDR_WIDTH - 1;

	if (strbuf__reserve(out, ADDR_WIDTH))
		return;
	memcpy(out->buf + out->len, digits, ADDR_WIDTH);
	memset(out->buf + out->len, ' ', blanks);
	out->len += ADDR_WIDTH;
}

void script_addrs__put_file(struct strbuf *out, const struct sym_frame *f, uint32_t pid)
{
	/* Anonymous memory is named like the symbol file of a JIT compiler. */
	if (!strcmp(f->module, "[anon]"))
		strbuf__printf(out, "/tmp/perf-%d.map", (int)pid);
	else if (f->name && !strcmp(f->module, "[bpf]"))
		strbuf__put_escaped(out, f->name, strlen(f->name));
	else if (f->path)
		strbuf__put_escaped(out, f->path, strlen(f->path));
	else
		strbuf__put_escaped(out, f->module, strlen(f->module));
}

static bool is_stub(const struct sym_frame *f)
{
	return f->name && strstr(f->name, "@plt");
}

void script_addrs__put_source(struct strbuf *out, const struct sym_frame *f, uint64_t fields)
{
	const char *path = f->file && f->line ? f->file : f->module;
	const char *base = fields & SCRIPT_FULL_PATH ? path : path__base(path);

	if (f->file && f->line) {
		strbuf__put_escaped(out, base, strlen(base));
		strbuf__printf(out, ":%u", f->line);
	} else if (f->module[0] != '[' && f->name && !is_stub(f)) {
		strbuf__puts(out, "??:0");
	} else {
		strbuf__put_escaped(out, base, strlen(base));
		strbuf__printf(out, "[%llx]", (unsigned long long)f->addr);
	}
}

/*
 * Puts the line of the source below the name. Without one perf has the answer of addr2line, which
 * it prints of a line of inlined functions alone; where that knows nothing, the file and its
 * address.
 */
static void put_srcline(struct strbuf *out, const struct sym_frame *f, bool is_plain,
			uint64_t fields)
{
	bool is_file = f->module[0] != '[';

	if (f == &unknown || (is_plain && is_file && f->name && !is_stub(f) && !f->file))
		return;
	strbuf__puts(out, "\n  ");
	script_addrs__put_source(out, f, fields);
}

/* Puts " name+0xoff (module)", limited to the chosen fields. */
static void put_name(struct strbuf *out, const struct sym_frame *f, bool is_plain, uint64_t fields,
		     uint32_t pid)
{
	if (fields & SCRIPT_SYM) {
		strbuf__putc(out, ' ');
		if (f->name)
			strbuf__put_escaped(out, f->name, strlen(f->name));
		else
			strbuf__puts(out, "[unknown]");
		if (f->name && fields & SCRIPT_SYMOFF) {
			strbuf__puts(out, "+0x");
			strbuf__put_hex(out, f->off);
		}
	}
	if (fields & SCRIPT_DSO && !f->is_inlined) {
		strbuf__puts(out, " (");
		script_addrs__put_file(out, f, pid);
		strbuf__putc(out, ')');
	}
	if (fields & SCRIPT_SRCLINE)
		put_srcline(out, f, is_plain, fields);
	if (f->is_inlined)
		strbuf__puts(out, " (inlined)");
	strbuf__putc(out, '\n');
}

/* Puts the text behind an address, or with has_inlined the lines of all functions there. */
static void make(struct strbuf *out, const struct named_line *line, uint64_t fields, uint32_t pid)
{
	const struct named_place *place = line->place;
	uint32_t i;

	for (i = 0; i < place->cnt; i++) {
		if (place->has_inlined) {
			strbuf__putc(out, '\t');
			put_addr(out, line->addr);
		}
		put_name(out, &place->frames[i], !place->has_inlined, fields, pid);
	}
}

/* Formats the text of a place once. */
static int put_place(struct script_addrs *sa, struct strbuf *out, const struct named_line *line,
		     uint64_t fields, uint32_t pid)
{
	const struct named_place *place = line->place;
	struct text_memo *memo = &sa->memo;

	if (!text_memo__has(memo, place->epoch, place->idx)) {
		if (text_memo__begin(memo, place->epoch, place->idx))
			return -ENOMEM;
		make(&memo->texts, line, fields, pid);
		text_memo__end(memo, place->idx);
	}
	text_memo__put(memo, place->idx, out);
	return 0;
}

int script_addrs__put(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
		      const struct named_line *line, uint64_t fields)
{
	put_addr(out, line->addr);
	if (line->place)
		return put_place(sa, out, line, fields, pid);
	put_name(out, &unknown, true, fields, pid);
	return 0;
}

int script_addrs__put_frame(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
			    const struct named_line *line, uint64_t fields)
{
	if (line->place && line->place->has_inlined)
		return put_place(sa, out, line, fields, pid);
	strbuf__putc(out, '\t');
	return script_addrs__put(sa, out, pid, line, fields);
}
