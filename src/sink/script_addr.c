// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_addr.h"

#include <errno.h>
#include <string.h>

#include "sink/script.h"
#include "sink/text_memo.h"
#include "sym/sym.h"

/* Maximum size of the cached names; beyond it the cache is cleared. */
#define TEXTS_MAX_SZ (24u << 20)
#define ADDR_WIDTH 16

static const struct sym_frame unknown = { .module = "[unknown]" };

void script_addrs__init(struct script_addrs *sa, struct sym *sym)
{
	*sa = (struct script_addrs){ .sym = sym };
}

static void forget(struct script_addrs *sa)
{
	u64map__free(&sa->kernel_at);
	u64map__free(&sa->user_at);
	u64map__free(&sa->frames_at);
	sa->kernel_at = sa->user_at = sa->frames_at = (struct u64map)U64MAP_INIT;
	strbuf__reset(&sa->texts);
}

void script_addrs__free(struct script_addrs *sa)
{
	forget(sa);
	strbuf__free(&sa->texts);
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

/* Puts the text behind an address, formatted once for each place. */
static int put_place(struct script_addrs *sa, struct strbuf *out, bool is_kernel, uint64_t place,
		     uint32_t fields, uint32_t pid)
{
	uint32_t *slot;
	struct sym_frame f;
	uint32_t start;

	if (sa->texts.len > TEXTS_MAX_SZ)
		forget(sa);
	slot = u64map__slot(is_kernel ? &sa->kernel_at : &sa->user_at, place);
	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		sym__function(sa->sym, is_kernel, place, &f);
		start = text_memo__begin(&sa->texts);
		put_name(&sa->texts, &f, fields, pid);
		if (text_memo__end(&sa->texts, start))
			return -ENOMEM;
		*slot = start;
	}
	text_memo__put(&sa->texts, *slot, out);
	return 0;
}

/* Puts the lines of an unwound frame and of its inlined functions, which share the address. */
static int put_frames(struct script_addrs *sa, struct strbuf *out, uint64_t place, uint32_t fields,
		      uint32_t pid)
{
	struct sym_frame frames[SYM_FRAMES_MAX];
	uint32_t *slot, start;
	size_t cnt, i;

	if (sa->texts.len > TEXTS_MAX_SZ)
		forget(sa);
	slot = u64map__slot(&sa->frames_at, place);
	if (!slot)
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		cnt = sym__frames(sa->sym, false, place, frames, SYM_FRAMES_MAX);
		start = text_memo__begin(&sa->texts);
		for (i = 0; i < cnt; i++) {
			strbuf__putc(&sa->texts, '\t');
			put_addr(&sa->texts, sym__file_off(place));
			put_name(&sa->texts, &frames[i], fields, pid);
		}
		if (text_memo__end(&sa->texts, start))
			return -ENOMEM;
		*slot = start;
	}
	text_memo__put(&sa->texts, *slot, out);
	return 0;
}

static void put_unknown(struct strbuf *out, uint64_t addr, uint32_t fields, uint32_t pid)
{
	put_addr(out, addr);
	put_name(out, &unknown, fields, pid);
}

/* Returns the place of a user address; false: nothing was mapped there. */
static bool user_place(struct script_addrs *sa, uint32_t pid, uint64_t addr, uint64_t *place)
{
	*place = sym__place(sa->sym, (int32_t)pid, addr);
	return sym__file_idx(*place) != 0;
}

int script_addrs__put(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
		      enum script_side side, uint64_t addr, uint32_t fields)
{
	uint64_t place = 0;

	if (side == SCRIPT_KERNEL)
		place = sym__kernel_place(sa->sym, addr);
	else if (side == SCRIPT_OTHER || !user_place(sa, pid, addr, &place)) {
		put_unknown(out, addr, fields, pid);
		return 0;
	}
	put_addr(out, addr);
	return put_place(sa, out, side == SCRIPT_KERNEL, place, fields, pid);
}

int script_addrs__put_frame(struct script_addrs *sa, struct strbuf *out, uint32_t pid,
			    enum script_side side, uint64_t addr, uint32_t fields, bool unwound)
{
	uint64_t place;

	if (side != SCRIPT_USER || !user_place(sa, pid, addr, &place)) {
		strbuf__putc(out, '\t');
		return script_addrs__put(sa, out, pid, side == SCRIPT_USER ? SCRIPT_OTHER : side,
					 addr, fields);
	}
	if (unwound || sa->inlined)
		return put_frames(sa, out, place, fields, pid);
	strbuf__putc(out, '\t');
	put_addr(out, sym__file_off(place));
	return put_place(sa, out, false, place, fields, pid);
}
