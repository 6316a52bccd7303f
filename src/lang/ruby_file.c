// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "lang/ruby_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "lang/elf_bytes.h"
#include "unwind/elf_open.h"
#include "unwind/section.h"
#include "util/array.h"
#include "util/partition.h"

/*
 * The loop jumps by a table of labels, one for each instruction: 202 in 3.1, 204 in 3.3. The
 * matcher of regular expressions has a table of 98.
 */
#define LABELS_MIN 150
/* The walker looks at so many thread-local words. */
#define TLS_WORDS_MAX 8
/* Words of packed relocations that are read of a file: the libruby of 3.1 would have 55. */
#define PACKED_MAX (1u << 16)

/* Layouts by version: vm_core.h, iseq.h, internal/core/rstring.h of 3.1.2 and 3.3.8, 64 bits. */
static const struct ruby_file tables[] = {
	{
		.version = 0x030100,
		.frame_sz = 64,
		.body_insns = 120,
		.has_old_texts = 1,
		.has_old_line = 1,
	},
	{ .version = 0x030300, .frame_sz = 56, .body_insns = 112 },
};

/* A function, by its virtual addresses. */
struct func {
	uint64_t start, end;
};

/* Virtual addresses; 0: not found. */
struct found {
	uint64_t version;
	uint64_t tls_module;
	uint16_t tls_off, tls_cnt;
	struct func *funcs; /* by start */
	size_t func_cnt, func_cap;
	struct func loop; /* the function with the largest table of labels */
	uint32_t label_cnt;
	uint32_t packed_cnt; /* words of packed relocations so far */
};

static void read_symbols(Elf *elf, const struct elf_sections *s, struct found *f)
{
	Elf_Data *data = elf_getdata(s->scn, NULL);
	size_t i, cnt = data && s->sh.sh_entsize ? data->d_size / s->sh.sh_entsize : 0;
	const char *name;
	GElf_Sym sym;

	for (i = 0; i < cnt && gelf_getsym(data, (int)i, &sym); i++) {
		name = sym.st_shndx ? elf_strptr(elf, s->sh.sh_link, sym.st_name) : NULL;
		if (!name || name[0] != 'r' || name[1] != 'u')
			continue;
		if (!strcmp(name, "ruby_version")) {
			f->version = sym.st_value;
		} else if (!strcmp(name, "ruby_current_ec") && sym.st_value <= UINT16_MAX &&
			   GELF_ST_TYPE(sym.st_info) == STT_TLS) {
			f->tls_off = (uint16_t)sym.st_value;
			f->tls_cnt = 1;
		}
	}
}

static int add_func(void *priv, const struct cfi_fde *fde)
{
	struct found *f = priv;

	if (array__reserve((void **)&f->funcs, &f->func_cap, f->func_cnt + 1, sizeof(*f->funcs)))
		return -ENOMEM;
	f->funcs[f->func_cnt++] = (struct func){ fde->start, fde->end };
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int read_funcs(Elf *elf, struct found *f)
{
	struct elf_sections s = elf_sections__of(elf);
	struct cfi_section sec = { 0 };
	uint64_t bad;
	Elf_Data *data;

	int err;

	if (!elf_sections__find(&s, ".eh_frame"))
		return 0;
	data = elf_getdata(s.scn, NULL);
	if (!data || !data->d_buf)
		return 0;
	sec.data = data->d_buf;
	sec.sz = data->d_size;
	sec.addr = s.sh.sh_addr;
	err = cfi_section__each(&sec, NULL, add_func, f, &bad);
	if (f->func_cnt)
		qsort(f->funcs, f->func_cnt, sizeof(*f->funcs), by_start);
	return err;
}

/* Returns the function that has the address, but not at its start; NULL: none. */
static const struct func *func_within(const struct found *f, uint64_t addr)
{
	size_t low = partition_point(0, f->func_cnt, i, f->funcs[i].start < addr);

	return low && addr < f->funcs[low - 1].end ? &f->funcs[low - 1] : NULL;
}

/* A table of labels: words side by side that are relocated to places within one function. */
struct labels {
	uint64_t slot; /* of the last word */
	const struct func *func; /* NULL: the last word is no label */
	uint32_t cnt;
};

static void add_label(struct found *f, struct labels *l, uint64_t slot, uint64_t to)
{
	const struct func *func = func_within(f, to);
	bool goes_on = func && func == l->func && slot == l->slot + 8;

	*l = (struct labels){ slot, func, goes_on ? l->cnt + 1 : 1 };
	if (func && l->cnt >= LABELS_MIN && l->cnt > f->label_cnt) {
		f->loop = *func;
		f->label_cnt = l->cnt;
	}
}

static void read_relocations(const struct elf_sections *s, struct found *f)
{
	Elf_Data *data = elf_getdata(s->scn, NULL);
	size_t i, cnt = data && s->sh.sh_entsize ? data->d_size / s->sh.sh_entsize : 0;
	struct labels l = { 0 };
	GElf_Rela rela;

	for (i = 0; i < cnt && gelf_getrela(data, (int)i, &rela); i++) {
		if (GELF_R_TYPE(rela.r_info) == R_X86_64_RELATIVE)
			add_label(f, &l, rela.r_offset, (uint64_t)rela.r_addend);
		/* Without a symbol the word has the number of the file's own block. */
		else if (GELF_R_TYPE(rela.r_info) == R_X86_64_DTPMOD64 && !GELF_R_SYM(rela.r_info))
			f->tls_module = rela.r_offset;
	}
}

/*
 * Packed relocations, DT_RELR: a word that is even is the address of a slot, one that is odd has a
 * bit for each of the 63 slots that follow. The file has the addends in the slots.
 */
static void read_packed(Elf *elf, int fd, const struct elf_sections *s, struct found *f)
{
	Elf_Data *data = elf_getdata(s->scn, NULL);
	size_t i, bit, read, cnt = data && data->d_buf ? data->d_size / 8 : 0;
	uint64_t word, bits, next = 0, slots[63];
	struct labels l = { 0 };

	for (i = 0; i < cnt && f->packed_cnt < PACKED_MAX; i++, f->packed_cnt++) {
		memcpy(&word, (const char *)data->d_buf + 8 * i, sizeof(word));
		if (!(word & 1))
			next = word;
		bits = word & 1 ? word >> 1 : 1;
		read = elf_bytes__read(elf, fd, next, slots, word & 1 ? sizeof(slots) : 8) / 8;
		for (bit = 0; bit < read; bit++)
			if (bits >> bit & 1)
				add_label(f, &l, next + 8 * bit, slots[bit]);
		next += word & 1 ? sizeof(slots) : 8;
	}
}

static void find_tls_words(Elf *elf, struct found *f)
{
	size_t cnt, i;
	GElf_Phdr ph;

	if (f->tls_cnt || elf_getphdrnum(elf, &cnt))
		return;
	for (i = 0; i < cnt && gelf_getphdr(elf, (int)i, &ph); i++)
		if (ph.p_type == PT_TLS)
			f->tls_cnt = ph.p_memsz / 8 < TLS_WORDS_MAX ? (uint16_t)(ph.p_memsz / 8)
								    : TLS_WORDS_MAX;
}

/* Returns the version as 0x030102, or 0. */
static uint32_t version_of(Elf *elf, int fd, uint64_t addr)
{
	unsigned int major, minor, teeny;
	char text[16] = "";

	elf_bytes__read(elf, fd, addr, text, sizeof(text) - 1);
	if (sscanf(text, "%2u.%2u.%2u", &major, &minor, &teeny) != 3)
		return 0;
	return major << 16 | minor << 8 | teeny;
}

static bool take_table(struct ruby_file *file, uint32_t version)
{
	size_t i;

	file->version = version;
	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (tables[i].version >> 8 != version >> 8)
			continue;
		*file = tables[i];
		file->version = version;
		return true;
	}
	return false;
}

int ruby_file__read(Elf *elf, int fd, struct ruby_file *file, const char **missing)
{
	struct elf_sections s = elf_sections__of(elf);
	struct found f = { 0 };
	uint64_t base;
	GElf_Ehdr eh;
	int err;

	if (!gelf_getehdr(elf, &eh))
		return -ENOENT;
	while (elf_sections__next(&s))
		if (s.sh.sh_type == SHT_DYNSYM)
			read_symbols(elf, &s, &f);
	if (!f.version || !elf_bytes__base(elf, &base))
		return -ENOENT;
	*missing = "its version is not known";
	if (!take_table(file, version_of(elf, fd, f.version)))
		return -ENOTSUP;
	*missing = "it is not for x86-64";
	if (eh.e_machine != EM_X86_64)
		return -ENOTSUP;
	err = read_funcs(elf, &f);
	s = elf_sections__of(elf);
	while (elf_sections__next(&s))
		if (s.sh.sh_type == SHT_RELA)
			read_relocations(&s, &f);
		else if (s.sh.sh_type == SHT_RELR)
			read_packed(elf, fd, &s, &f);
	free(f.funcs);
	if (err)
		return err;
	*missing = "the loop of its interpreter was not found";
	if (!f.label_cnt)
		return -ENOTSUP;
	find_tls_words(elf, &f);
	*missing = "its thread-local data was not found";
	if (!f.tls_module || !f.tls_cnt)
		return -ENOTSUP;
	file->loop = f.loop.start - base;
	file->loop_sz = (uint32_t)(f.loop.end - f.loop.start);
	file->tls_module = f.tls_module - base;
	file->tls_off = f.tls_off;
	file->tls_cnt = f.tls_cnt;
	return 0;
}
