// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Go's runtime/symtab.go and symtabinl.go read the same tables. */
#include "sym/go_inlines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sym/go_table.h"
#include "util/texts.h"

/* Bytes that are read at once: addresses come in any order. */
#define STEP_SZ 512
/* Names of generic functions are long. */
#define NAME_MAX_SZ 4096
/* Steps of a table of values: a function has one for each change of its line. */
#define STEPS_MAX (1u << 18)
#define NONE UINT32_MAX

/* Tables of a function that are looked at, by their numbers. */
enum { PCDATA_INLINES = 2, FUNCDATA_INLINES = 3 };

struct go_inlines {
	int fd; /* owned */
	struct elf_image img;
	struct elf_file file;
	struct go_table t;
	struct go_window values;
	uint64_t trees_addr; /* that functions' trees are counted from; 0: unknown */
	bool lines;
	struct texts texts;
};

/* A function's record. */
struct go_func {
	uint64_t start, end; /* addresses */
	uint64_t info; /* offset of the record in the section */
	uint64_t values_cnt, trees_cnt; /* tables that it has */
	uint64_t arrays; /* offset of their offsets in the section */
};

/* A call that was inlined. */
struct go_call {
	uint32_t name; /* offset of the function's name */
	uint64_t caller; /* an address at which the caller's line and own inlining are found */
};

static bool get_u32(struct go_inlines *g, uint64_t at, uint32_t *v)
{
	uint64_t word;

	if (!go_table__uint(&g->t, g->t.infos, at, 4, &word))
		return false;
	*v = (uint32_t)word;
	return true;
}

static bool get_byte(struct go_inlines *g, uint64_t at, uint64_t *v)
{
	return go_table__uint(&g->t, g->t.infos, at, 1, v);
}

static bool read_func(struct go_inlines *g, uint64_t i, struct go_func *f)
{
	uint64_t info, flags, name;
	uint32_t cnt;

	if (!go_table__func(&g->t, i, &f->start, &info) ||
	    !go_table__func(&g->t, i + 1, &f->end, NULL) ||
	    !go_table__name(&g->t, f->start, info, &name))
		return false;
	f->info = g->t.info_off + info;
	/* An id, flags, a byte without a meaning, and the number of trees, behind the words. */
	flags = f->info + (g->t.has_start_line ? 40 : 36);
	if (!get_u32(g, f->info + 28, &cnt) || !get_byte(g, flags + 3, &f->trees_cnt))
		return false;
	f->values_cnt = cnt;
	f->arrays = flags + 4;
	return true;
}

static bool find_func(struct go_inlines *g, uint64_t vaddr, struct go_func *f)
{
	uint64_t low = 0, high = g->t.cnt, mid, addr;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (!go_table__func(&g->t, mid, &addr, NULL))
			return false;
		if (addr <= vaddr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && read_func(g, low - 1, f) && vaddr - f->start < f->end - f->start;
}

/* Reads a number of seven bits a byte. */
static bool get_varint(struct go_inlines *g, uint64_t *at, uint64_t *v)
{
	uint64_t byte = 0x80;
	unsigned int shift;

	*v = 0;
	for (shift = 0; byte & 0x80 && shift < 35; shift += 7) {
		if (!go_table__uint(&g->t, &g->values, (*at)++, 1, &byte))
			return false;
		*v |= (byte & 0x7f) << shift;
	}
	return !(byte & 0x80);
}

/* The value that a table has at an address of its function: -1 if it has none. */
static int32_t value_at(struct go_inlines *g, const struct go_func *f, uint32_t table, uint64_t pc)
{
	uint64_t at = g->t.values_off + table, addr = f->start, step, distance;
	int32_t value = -1;
	uint32_t i;

	for (i = 0; table && i < STEPS_MAX; i++) {
		/* Only the first change may be none. */
		if (!get_varint(g, &at, &step) || (!step && i) || !get_varint(g, &at, &distance))
			return -1;
		value = (int32_t)((uint32_t)value +
				  (uint32_t)(step & 1 ? ~(step >> 1) : step >> 1));
		addr += distance * g->t.quantum;
		if (pc < addr)
			return value;
	}
	return -1;
}

static int32_t value_of(struct go_inlines *g, const struct go_func *f, unsigned int word,
			uint64_t pc)
{
	uint32_t table;

	return get_u32(g, f->info + word, &table) ? value_at(g, f, table, pc) : -1;
}

/* Reads a text at this offset of the section. NULL: damaged. */
static const char *text_at(struct go_inlines *g, uint64_t off)
{
	const struct go_table *t = &g->t;
	char text[NAME_MAX_SZ];
	uint32_t idx;
	ssize_t n;

	if (off >= t->sec->sz)
		return NULL;
	n = elf_image__read(&g->img, text,
			    t->sec->sz - off < sizeof(text) ? t->sec->sz - off : sizeof(text),
			    t->sec->off + off);
	if (n <= 0 || !memchr(text, '\0', (size_t)n) || !*text)
		return NULL;
	idx = texts__add(&g->texts, text, strlen(text));
	return idx == TEXTS_NONE ? NULL : texts__get(&g->texts, idx);
}

/* The file's number counts from the first one of the compilation unit. */
static void add_line(struct go_inlines *g, const struct go_func *f, uint64_t pc,
		     struct inline_frame *frame)
{
	int32_t file = value_of(g, f, 20, pc), line = value_of(g, f, 24, pc);
	uint32_t unit, off;

	if (file < 0 || line <= 0 || !get_u32(g, f->info + 32, &unit) ||
	    !get_u32(g, g->t.units_off + 4 * ((uint64_t)unit + (uint32_t)file), &off) ||
	    off == NONE)
		return;
	frame->file = text_at(g, g->t.files_off + off);
	frame->line = frame->file ? (uint32_t)line : 0;
}

/* Reads bytes of the program at an address. */
static bool read_at(struct go_inlines *g, uint64_t addr, void *to, size_t sz)
{
	size_t i;

	for (i = 1; i < g->file.section_cnt; i++) {
		const struct elf_section *sec = &g->file.sections[i];

		if (sec->type == SHT_PROGBITS && sec->addr && addr >= sec->addr &&
		    addr - sec->addr < sec->sz && sec->sz - (addr - sec->addr) >= sz)
			return elf_image__read(&g->img, to, sz, sec->off + (addr - sec->addr)) ==
			       (ssize_t)sz;
	}
	return false;
}

/* Reads an entry of the tree that the run time finds `trees` bytes from trees_addr. */
static bool read_call(struct go_inlines *g, const struct go_func *f, uint64_t trees_addr,
		      uint32_t trees, uint32_t nr, struct go_call *call)
{
	bool is_new = g->t.has_start_line;
	uint32_t words[5];
	size_t sz = is_new ? 16 : 20;

	if (!read_at(g, trees_addr + trees + (uint64_t)nr * sz, words, sz))
		return false;
	call->name = is_new ? words[1] : words[3];
	call->caller = f->start + (is_new ? words[2] : words[4]);
	return call->name < g->t.sec->sz - g->t.names_off && call->caller >= f->start &&
	       call->caller < f->end && !(is_new && words[0] >> 8);
}

static bool get_trees(struct go_inlines *g, const struct go_func *f, uint32_t *trees)
{
	return f->trees_cnt > FUNCDATA_INLINES && f->values_cnt > PCDATA_INLINES &&
	       f->values_cnt < 64 &&
	       get_u32(g, f->arrays + 4 * (f->values_cnt + FUNCDATA_INLINES), trees) &&
	       *trees != NONE;
}

static bool find_call(struct go_inlines *g, const struct go_func *f, uint64_t pc,
		      struct go_call *call)
{
	uint32_t trees, table;
	int32_t nr;

	if (!g->trees_addr || !get_trees(g, f, &trees) ||
	    !get_u32(g, f->arrays + 4 * PCDATA_INLINES, &table))
		return false;
	nr = value_at(g, f, table, pc);
	return nr >= 0 && read_call(g, f, g->trees_addr, trees, (uint32_t)nr, call);
}

/* Functions that are tried with a guess, of those that are looked at. */
#define TRIED_MAX 64
#define LOOKED_AT_MAX 2048

static bool is_trees_addr(struct go_inlines *g, uint64_t addr)
{
	uint32_t trees, tried = 0;
	struct go_func f;
	struct go_call call;
	uint64_t i;

	for (i = 0; i < g->t.cnt && i < LOOKED_AT_MAX && tried < TRIED_MAX; i++) {
		if (!read_func(g, i, &f) || !get_trees(g, &f, &trees))
			continue;
		if (!read_call(g, &f, addr, trees, 0, &call))
			return false;
		tried++;
	}
	return tried;
}

/*
 * The linker's record of the program (runtime.moduledata) begins with the table's address and that
 * of its names. The address that trees are counted from is a word of it, which one differs by
 * version: the first one of these that leads to sound trees.
 */
enum { RECORD_TREES_FIRST = 36, RECORD_WORDS = 52 };
#define RECORDS_MAX 8

struct record {
	uint64_t addr;
	uint64_t words[RECORD_WORDS];
};

struct records {
	struct go_inlines *g;
	struct record at[RECORDS_MAX];
	size_t cnt;
};

static void add_record(struct records *r, uint64_t addr)
{
	struct record *record = &r->at[r->cnt];

	if (r->cnt == RECORDS_MAX || !read_at(r->g, addr, record->words, sizeof(record->words)))
		return;
	record->addr = addr;
	r->cnt++;
}

static bool find_relocated_record(void *ctx, uint64_t field, uint64_t value)
{
	struct records *r = ctx;

	if (value == r->g->t.sec->addr)
		add_record(r, field);
	return false;
}

static bool fill_record(void *ctx, uint64_t field, uint64_t value)
{
	struct record *record = ctx;
	uint64_t nth = (field - record->addr) / 8;

	if (field >= record->addr && nth < RECORD_WORDS)
		record->words[nth] = value;
	return false;
}

static void find_record_in(struct records *r, const struct elf_section *sec)
{
	uint64_t words[512], at = 0;
	ssize_t n;
	size_t i;

	for (; at < sec->sz && r->cnt < RECORDS_MAX; at += sizeof(words)) {
		n = elf_image__read(&r->g->img, words, sizeof(words), sec->off + at);
		for (i = 0; n > 0 && i < (size_t)n / 8; i++)
			if (words[i] == r->g->t.sec->addr)
				add_record(r, sec->addr + at + 8 * i);
	}
}

static void find_records(struct records *r)
{
	const struct elf_file *file = &r->g->file;
	size_t i;

	go_table__each_relocation(file, find_relocated_record, r);
	for (i = 1; i < file->section_cnt && !r->cnt; i++)
		if (file->sections[i].type == SHT_PROGBITS && file->sections[i].flags & SHF_WRITE &&
		    file->sections[i].addr)
			find_record_in(r, &file->sections[i]);
}

static void find_trees(struct go_inlines *g)
{
	struct records r = { .g = g };
	size_t i, nth;

	find_records(&r);
	for (i = 0; i < r.cnt && !g->trees_addr; i++) {
		go_table__each_relocation(&g->file, fill_record, &r.at[i]);
		if (r.at[i].words[1] != g->t.sec->addr + g->t.names_off)
			continue;
		for (nth = RECORD_TREES_FIRST; nth < RECORD_WORDS && !g->trees_addr; nth++)
			if (r.at[i].words[nth] && is_trees_addr(g, r.at[i].words[nth]))
				g->trees_addr = r.at[i].words[nth];
	}
}

struct go_inlines *go_inlines__open(const struct elf_image *img, bool lines)
{
	struct go_inlines *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->fd = -1;
	g->img = *img;
	g->lines = lines;
	if (!elf_file__open(&g->file, &g->img) && g->file.is64 && !g->file.swapped &&
	    !go_table__open(&g->t, &g->file, STEP_SZ) && g->t.is_relative) {
		find_trees(g);
		g->fd = img->fd;
		return g;
	}
	go_inlines__close(g);
	return NULL;
}

void go_inlines__close(struct go_inlines *g)
{
	if (!g)
		return;
	if (g->t.sec)
		go_table__close(&g->t);
	if (g->file.elf)
		elf_file__close(&g->file);
	if (g->fd >= 0)
		close(g->fd);
	texts__free(&g->texts);
	free(g);
}

size_t go_inlines__find(struct go_inlines *g, uint64_t vaddr, struct inline_frame *frames,
			size_t max, struct inline_entries *entries)
{
	struct go_call call;
	struct go_func f;
	size_t cnt = 0;

	if (!max || !find_func(g, vaddr, &f))
		return 0;
	entries->is_linkers = true;
	for (;;) {
		frames[cnt] = (struct inline_frame){ .name = NULL };
		if (g->lines)
			add_line(g, &f, vaddr, &frames[cnt]);
		if (cnt + 1 == max || !find_call(g, &f, vaddr, &call))
			return cnt + 1;
		frames[cnt].name = frames[cnt].plain = text_at(g, g->t.names_off + call.name);
		cnt++;
		vaddr = call.caller;
	}
}
