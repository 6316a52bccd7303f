// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/go_table.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "sym/elf_syms.h"

/* The table begins with its layout's magic number, two zeros, instruction and pointer sizes. */
#define HEADER_SZ 8
enum { MAGIC_1_2 = 0xfffffffb, MAGIC_1_16 = 0xfffffffa };
enum { MAGIC_1_18 = 0xfffffff0u, MAGIC_1_20 = 0xfffffff1u };

/* Function of a program's entry point, for every system: _rt0_amd64_linux. */
#define ENTRY_PREFIX "_rt0_"

bool go_table__uint(const struct go_table *t, struct go_window *w, uint64_t at, unsigned int sz,
		    uint64_t *v)
{
	bool is_little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != t->file->swapped;
	unsigned int i;
	ssize_t n;

	if (at > t->sec->sz || t->sec->sz - at < sz)
		return false;
	if (at < w->at || at - w->at > w->sz || w->sz - (at - w->at) < sz) {
		uint64_t want = t->sec->sz - at < t->step_sz ? t->sec->sz - at : t->step_sz;

		n = elf_image__read(&t->file->img, w->buf, want, t->sec->off + at);
		w->at = at;
		w->sz = n > 0 ? (uint64_t)n : 0;
		if (w->sz < sz)
			return false;
	}
	*v = 0;
	for (i = 0; i < sz; i++)
		*v |= (uint64_t)w->buf[at - w->at + i] << 8 * (is_little ? i : sz - 1 - i);
	return true;
}

/* Reads the word number `idx` behind the header. */
static bool get_word(const struct go_table *t, unsigned int idx, uint64_t *v)
{
	return go_table__uint(t, t->funcs, HEADER_SZ + (uint64_t)idx * t->ptr_sz, t->ptr_sz, v);
}

bool go_table__is_code(const struct elf_file *file, uint64_t addr)
{
	size_t i;

	for (i = 0; i < file->segment_cnt; i++)
		if (addr - file->segments[i].vaddr < file->segments[i].filesz)
			return true;
	return false;
}

void go_table__each_relocation(const struct elf_file *file,
			       bool (*fn)(void *ctx, uint64_t field, uint64_t value), void *ctx)
{
	const struct elf_section *sec = elf_file__section(file, ".rela.dyn");
	uint64_t at, left = sec ? sec->sz / sizeof(Elf64_Rela) : 0;
	Elf64_Rela r[64];
	ssize_t n;
	size_t i;

	/* 32-bit programs keep the addend in the field itself. */
	if (!file->is64 || file->swapped)
		return;
	for (at = sec ? sec->off : 0; left; left -= i, at += i * sizeof(*r)) {
		n = elf_image__read(&file->img, r, sizeof(r), at);
		if (n < (ssize_t)sizeof(*r))
			return;
		for (i = 0; i < left && (i + 1) * sizeof(*r) <= (size_t)n; i++)
			if (fn(ctx, r[i].r_offset, (uint64_t)r[i].r_addend))
				return;
	}
}

struct field {
	uint64_t at, value;
	bool is_found;
};

static bool take_field(void *ctx, uint64_t field, uint64_t value)
{
	struct field *f = ctx;

	if (field != f->at)
		return false;
	f->value = value;
	return f->is_found = true;
}

/* The text's address in the table of a position-independent program: its relocation has it. */
static bool find_relocated(const struct elf_file *file, uint64_t field, uint64_t *text)
{
	struct field f = { .at = field };

	go_table__each_relocation(file, take_field, &f);
	if (f.is_found)
		*text = f.value;
	return f.is_found && go_table__is_code(file, *text);
}

static bool name_begins(const struct go_table *t, uint64_t name_off, const char *prefix)
{
	char name[8];
	size_t len = strlen(prefix);

	if (name_off > t->sec->sz - t->names_off)
		return false;
	return elf_image__read(&t->file->img, name, len, t->sec->off + t->names_off + name_off) ==
		       (ssize_t)len &&
	       !memcmp(name, prefix, len);
}

bool go_table__func(const struct go_table *t, uint64_t i, uint64_t *addr, uint64_t *info)
{
	unsigned int sz = t->is_relative ? 4 : t->ptr_sz;

	if (!go_table__uint(t, t->funcs, t->list_off + 2 * sz * i, sz, addr))
		return false;
	if (t->is_relative)
		*addr += t->text;
	/* The last address ends the last function and has no record. */
	return !info || go_table__uint(t, t->funcs, t->list_off + 2 * sz * i + sz, sz, info);
}

bool go_table__name(const struct go_table *t, uint64_t addr, uint64_t info, uint64_t *name_off)
{
	unsigned int sz = t->is_relative ? 4 : t->ptr_sz;
	uint64_t again;

	if (info > t->sec->sz - t->info_off ||
	    !go_table__uint(t, t->infos, t->info_off + info, sz, &again) ||
	    !go_table__uint(t, t->infos, t->info_off + info + sz, 4, name_off))
		return false;
	return again + (t->is_relative ? t->text : 0) == addr;
}

/* Checks a guess of the text's address: the program begins in Go's function for that. */
static bool has_entry(const struct go_table *t)
{
	uint64_t lo = 0, hi = t->cnt, addr, info, name_off;
	GElf_Ehdr eh;

	if (!gelf_getehdr(t->file->elf, &eh))
		return false;
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (!go_table__func(t, mid, &addr, &info))
			return false;
		if (addr == eh.e_entry)
			return go_table__name(t, addr, info, &name_off) &&
			       name_begins(t, name_off, ENTRY_PREFIX);
		if (addr < eh.e_entry)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

/* Finds the address that functions count from (layouts of 1.18 and 1.20). */
static bool find_text(struct go_table *t)
{
	const struct elf_section *sec;

	if (!get_word(t, 2, &t->text))
		return false;
	if (go_table__is_code(t->file, t->text) ||
	    find_relocated(t->file, t->sec->addr + HEADER_SZ + 2ull * t->ptr_sz, &t->text))
		return true;
	sec = elf_file__section(t->file, ".text");
	t->text = sec ? sec->addr : 0;
	return sec && has_entry(t);
}

/* Reads the header. false: the table is damaged, or has an unknown layout. */
static bool read_header(struct go_table *t)
{
	uint64_t magic, zeros, quantum, ptr_sz;

	if (!go_table__uint(t, t->funcs, 0, 4, &magic) ||
	    !go_table__uint(t, t->funcs, 4, 2, &zeros) ||
	    !go_table__uint(t, t->funcs, 6, 1, &quantum) ||
	    !go_table__uint(t, t->funcs, 7, 1, &ptr_sz))
		return false;
	if (zeros || (quantum != 1 && quantum != 2 && quantum != 4) || (ptr_sz != 4 && ptr_sz != 8))
		return false;
	t->ptr_sz = (unsigned int)ptr_sz;
	t->quantum = (unsigned int)quantum;
	if (!get_word(t, 0, &t->cnt))
		return false;
	switch (magic) {
	case MAGIC_1_2:
		/* Records and names lie at offsets from the table's begin. */
		t->list_off = HEADER_SZ + t->ptr_sz;
		return true;
	case MAGIC_1_16:
		return get_word(t, 2, &t->names_off) && get_word(t, 6, &t->list_off);
	case MAGIC_1_18:
	case MAGIC_1_20:
		t->is_relative = true;
		t->has_start_line = magic == MAGIC_1_20;
		return get_word(t, 3, &t->names_off) && get_word(t, 4, &t->units_off) &&
		       get_word(t, 5, &t->files_off) && get_word(t, 6, &t->values_off) &&
		       get_word(t, 7, &t->list_off);
	default:
		return false;
	}
}

/* Checks that offsets and the number of functions fit into the section. */
static bool is_in_bounds(struct go_table *t)
{
	uint64_t sz = t->sec->sz, entry_sz = 2ull * (t->is_relative ? 4 : t->ptr_sz);

	if (t->names_off >= sz || t->list_off >= sz || t->cnt > (sz - t->list_off) / entry_sz)
		return false;
	/* Since 1.16 records lie behind the list, at offsets from its begin. */
	if (t->names_off)
		t->info_off = t->list_off;
	return t->cnt && t->cnt <= SYMS_MAX;
}

const struct elf_section *go_table__section(const struct elf_file *file)
{
	const struct elf_section *sec = elf_file__section(file, ".gopclntab");

	return sec ? sec : elf_file__section(file, ".data.rel.ro.gopclntab");
}

int go_table__open(struct go_table *t, const struct elf_file *file, uint32_t step_sz)
{
	*t = (struct go_table){ .file = file, .sec = go_table__section(file), .step_sz = step_sz };
	if (!t->sec)
		return -ENOENT;
	t->funcs = calloc(1, sizeof(*t->funcs));
	t->infos = calloc(1, sizeof(*t->infos));
	if (!t->funcs || !t->infos) {
		go_table__close(t);
		return -ENOMEM;
	}
	if (read_header(t) && is_in_bounds(t) && (!t->is_relative || find_text(t)))
		return 0;
	go_table__close(t);
	return -EBADMSG;
}

void go_table__close(struct go_table *t)
{
	free(t->funcs);
	free(t->infos);
	t->funcs = t->infos = NULL;
}
