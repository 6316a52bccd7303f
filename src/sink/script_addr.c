// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_addr.h"

#include <errno.h>
#include <string.h>

#include "decode/named.h"
#include "sink/script.h"

#define ADDR_WIDTH 16

static const struct sym_frame unknown = { .module = "[unknown]" };

void script_addrs__free(struct script_addrs *sa)
{
	text_memo__free(&sa->memo);
}

static void put_addr(struct strbuf *out, uint64_t addr)
{
	static const char digits[] = "0123456789abcdef";
	char *to;
	int i;

	if (strbuf__reserve(out, ADDR_WIDTH))
		return;
	to = out->buf + out->len;
	for (i = ADDR_WIDTH; i--; addr >>= 4)
		to[i] = addr || i == ADDR_WIDTH - 1 ? digits[addr & 15] : ' ';
	out->len += ADDR_WIDTH;
}

static void put_dso(struct strbuf *out, const struct sym_frame *f, uint32_t pid)
{
	strbuf__puts(out, " (");
	/* Anonymous memory is named like the symbol file of a JIT compiler. */
	if (!strcmp(f->module, "[anon]"))
		strbuf__printf(out, "/tmp/perf-%d.map", (int)pid);
	else if (f->name && !strcmp(f->module, "[bpf]"))
		strbuf__put_escaped(out, f->name, strlen(f->name));
	else
		strbuf__put_escaped(out, f->module, strlen(f->module));
	strbuf__putc(out, ')');
}

/* Puts " name+0xoff (module)", limited to the chosen fields. */
static void put_name(struct strbuf *out, const struct sym_frame *f, uint32_t fields, uint32_t pid)
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
	if (fields & SCRIPT_DSO && !f->is_inlined)
		put_dso(out, f, pid);
	if (f->is_inlined)
		strbuf__puts(out, " (inlined)");
	strbuf__putc(out, '\n');
}

/* Puts the text behind an address, or with has_inlined the lines of all functions there. */
static void make(struct strbuf *out, const struct named_line *line, uint32_t fields, uint32_t pid)
{
	const struct named_place *place = line->place;
	uint32_t i;

	for (i = 0; i < place->cnt; i++) {
		if (place->has_inlined) {
			strbuf__putc(out, '\t');
			put_addr(out, line->addr);
		}
		put_name(out, &place->frames[i], fields, pid);
	}
}

/* Formats the text of a place once. */
static int put_place(struct script_addrs *sa, struct strbuf *out, const struct named_line *line,
		     uint32_t fields, uint32_t pid)
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
		      const struct named_line *line, uint32_t fields)
{
	put_addr(out, line->addr);
	if (line->place)
		return put_place(sa, out, line, fields, pid);
	put_name(out, &unknown, fields, pid);
	return 0;
}

int script_addrs__put_frame(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
			    const struct named_line *line, uint32_t fields)
{
	if (line->place && line->place->has_inlined)
		return put_place(sa, out, line, fields, pid);
	strbuf__putc(out, '\t');
	return script_addrs__put(sa, out, pid, line, fields);
}
