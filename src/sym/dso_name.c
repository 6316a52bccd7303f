// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dso_name.h"

#include <stdlib.h>
#include <string.h>

#include "reader/files.h"
#include "sym/demangle.h"
#include "sym/dso_image.h"
#include "sym/read_elf.h"
#include "util/array.h"

/* Announcements that are kept; names beyond are asked for one by one. */
#define WANTED_MAX 65536

/* In a run that does not end, the addresses are announced for each interval. */
static bool is_named(const struct dso *dso, uint64_t file_off)
{
	const struct symtab_entry *e;
	uint64_t vaddr;

	if (!dso->read || !elf_syms__to_vaddr(&dso->syms, file_off, &vaddr))
		return false;
	e = symtab__find(&dso->syms.tab, vaddr);
	return e && u64map__get(&dso->named, e->addr) != U64MAP_NONE;
}

void dso_name__want(struct dso *dso, uint64_t file_off)
{
	if (dso->kind == DSO_FILE && dso->wanted_cnt < WANTED_MAX && !is_named(dso, file_off) &&
	    !array__reserve((void **)&dso->wanted_offs, &dso->wanted_cap, dso->wanted_cnt + 1,
			    sizeof(*dso->wanted_offs)))
		dso->wanted_offs[dso->wanted_cnt++] = file_off;
}

static bool put_linker_name(struct dsos *dsos, const struct dso *dso, const struct symtab_entry *e,
			    struct strbuf *sb)
{
	enum elf_names where = elf_syms__where(e);
	struct elf_image img = { .fd = -1 };
	bool ok;

	if (where == NAMES_DEBUG)
		img = dso_image__get_debug(dsos, dso);
	else if (where != NAMES_MEMORY)
		img = dso_image__get(dsos, dso);
	ok = elf_syms__put_name(&dso->syms, e, &img, sb);
	dso_image__put(dso, &img);
	return ok;
}

/* Names that are read together. */
struct batch {
	struct dsos *dsos;
	struct dso *dso;
	struct strbuf raw; /* the linker's names, each with its NUL */
	struct batch_name {
		const struct symtab_entry *entry;
		size_t at; /* in raw */
	} * names;
	size_t cnt, cap;
	struct strbuf mangled; /* those that the reader prints */
	size_t *which; /* their numbers among names */
	size_t mangled_cnt;
};

/* Reads an entry's name. Returns it, valid until the next call, or NULL. */
static const char *add_name(struct batch *b, const struct symtab_entry *e)
{
	size_t at = b->raw.len;

	if (u64map__get(&b->dso->named, e->addr) != U64MAP_NONE ||
	    array__reserve((void **)&b->names, &b->cap, b->cnt + 1, sizeof(*b->names)))
		return NULL;
	if (!put_linker_name(b->dsos, b->dso, e, &b->raw)) {
		b->raw.len = at;
		return NULL;
	}
	strbuf__putc(&b->raw, '\0');
	b->names[b->cnt++] = (struct batch_name){ e, at };
	return b->raw.buf + at;
}

static void add_wanted(struct batch *b)
{
	struct dso *dso = b->dso;
	const struct symtab_entry *e;
	uint64_t vaddr;
	size_t i;

	for (i = 0; i < dso->wanted_cnt; i++) {
		if (!elf_syms__to_vaddr(&dso->syms, dso->wanted_offs[i], &vaddr))
			continue;
		e = symtab__find(&dso->syms.tab, vaddr);
		if (e)
			add_name(b, e);
	}
	dso->wanted_cnt = 0;
}

static void keep_name(struct batch *b, const struct symtab_entry *e, const char *printed)
{
	uint32_t *slot = u64map__slot(&b->dso->named, e->addr), idx;
	struct strbuf name = STRBUF_INIT;

	strbuf__puts(&name, printed);
	if (elf_syms__is_plt(e))
		strbuf__puts(&name, "@plt");
	idx = texts__add(&b->dsos->names, strbuf__cstr(&name), name.len);
	strbuf__free(&name);
	if (slot)
		*slot = idx;
}

static void keep_printed(void *ctx, size_t nr, const char *printed)
{
	struct batch *b = ctx;

	keep_name(b, b->names[b->which[nr]].entry, printed);
}

/* A JIT compiler writes names in their printed form. */
static bool is_mangled(const struct batch *b, const char *raw)
{
	return !b->dsos->raw_names && b->dso->kind != DSO_JIT && b->dso->kind != DSO_DUMP &&
	       demangle__is_mangled(raw);
}

/* A name that the reader does not print stays as the linker's. */
static void keep_all(struct batch *b)
{
	size_t i;

	b->which = calloc(b->cnt, sizeof(*b->which));
	for (i = 0; i < b->cnt; i++) {
		const char *raw = b->raw.buf + b->names[i].at;

		keep_name(b, b->names[i].entry, raw);
		if (!b->which || !is_mangled(b, raw))
			continue;
		strbuf__add(&b->mangled, raw, strlen(raw) + 1);
		b->which[b->mangled_cnt++] = i;
	}
	if (b->mangled_cnt)
		reader__report("printed forms of names", b->dso->path,
			       read_elf__demangle(READER_NAMES, b->dso->file_uid, &b->mangled,
						  b->mangled_cnt, keep_printed, b));
}

/*
 * Reads an entry's name, and, if it is mangled, those that were announced: the reader is asked
 * once. Checking the file after reading names suffices: if it is unchanged now, it was also
 * unchanged when the table was read.
 */
static void read_names(struct dsos *dsos, struct dso *dso, const struct symtab_entry *e)
{
	struct batch b = { .dsos = dsos, .dso = dso };
	const char *raw = add_name(&b, e);

	if (raw && is_mangled(&b, raw) && dso->fd >= 0)
		add_wanted(&b);
	if (b.cnt && !dso__check_lost(dso))
		keep_all(&b);
	strbuf__free(&b.raw);
	strbuf__free(&b.mangled);
	free(b.names);
	free(b.which);
}

const char *dso_name__of(struct dsos *dsos, struct dso *dso, const struct symtab_entry *e)
{
	uint32_t idx = u64map__get(&dso->named, e->addr);

	if (idx == U64MAP_NONE && !dso->lost) {
		read_names(dsos, dso, e);
		idx = u64map__get(&dso->named, e->addr);
	}
	return idx == U64MAP_NONE ? NULL : texts__get(&dsos->names, idx);
}
