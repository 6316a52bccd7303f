// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/elf_syms.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "sym/name_reader.h"
#include "util/log.h"

/* symtab_entry.name: table, a flag, and the offset in the table. */
#define NAME_WHERE_SHIFT 30
#define NAME_PLT (1u << 29)
#define NAME_OFF_MASK (NAME_PLT - 1)

/* Number of symbols per read. */
#define CHUNK_CNT 2048
/* Maximum number of symbols read: a sparse file can claim any number. */
#define LOOK_MAX (16u << 20)

/* Code first: what a damaged file has as data, too, is still code. */
void elf_syms__take_segments(struct elf_syms *syms, struct elf_file *file)
{
	size_t cnt = 0, pass, i;

	free(syms->segments);
	syms->segments = calloc(file->segment_cnt + 1, sizeof(*syms->segments));
	for (pass = 0; syms->segments && pass <= syms->with_data; pass++)
		for (i = 0; i < file->segment_cnt; i++)
			if (file->segments[i].is_code == !pass)
				syms->segments[cnt++] = file->segments[i];
	syms->segment_cnt = cnt;
}

int elf_syms__add(struct elf_syms *syms, uint64_t addr, uint64_t sz, uint8_t rank,
		  enum elf_names where, uint64_t name_at, bool plt)
{
	if (name_at > NAME_OFF_MASK)
		return 0;
	if (syms->tab.cnt >= SYMS_MAX) {
		syms->cut = true;
		return 0;
	}
	return symtab__add(&syms->tab, addr, sz, rank,
			   (uint32_t)where << NAME_WHERE_SHIFT | (plt ? NAME_PLT : 0) |
				   (uint32_t)name_at);
}

/* True for local labels of assemblers, and the mapping symbols of ARM ("$x"). */
static bool is_label(const char *name)
{
	return name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

static bool in_code(const struct elf_file *file, uint16_t shndx)
{
	return shndx != SHN_UNDEF && shndx < file->section_cnt &&
	       file->sections[shndx].flags & SHF_EXECINSTR;
}

static int add_symbol(struct elf_syms *syms, const struct elf_file *file, const Elf64_Sym *s,
		      enum elf_names where, struct name_reader *names)
{
	int type = ELF64_ST_TYPE(s->st_info), bind = ELF64_ST_BIND(s->st_info);
	const char *name;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE &&
	    !(syms->with_data && type == STT_OBJECT))
		return 0;
	if (s->st_shndx == SHN_UNDEF || !s->st_value || !s->st_name)
		return 0;
	if (type == STT_NOTYPE && !in_code(file, s->st_shndx))
		return 0;
	name = name_reader__get(names, s->st_name);
	if (!name || !*name || (type == STT_NOTYPE && is_label(name)))
		return 0;
	return elf_syms__add(syms, s->st_value, s->st_size,
			     symtab__rank(s->st_size, bind == STB_WEAK, bind != STB_LOCAL, name),
			     where, s->st_name, false);
}

static Elf64_Sym widen(const Elf32_Sym *s)
{
	return (Elf64_Sym){ .st_name = s->st_name,
			    .st_info = s->st_info,
			    .st_other = s->st_other,
			    .st_shndx = s->st_shndx,
			    .st_value = s->st_value,
			    .st_size = s->st_size };
}

/* Read in chunks: a symbol table may be larger than the memory we want to use. */
static int add_table(struct elf_syms *syms, const struct elf_file *file,
		     const struct elf_section *sec, enum elf_names where)
{
	size_t sym_sz = file->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym), i, cnt;
	uint64_t off = sec->off, left = sec->sz / sym_sz;
	const struct elf_section *str = &file->sections[sec->link];
	struct name_reader *names;
	Elf64_Sym *buf;
	int err = -ENOMEM;

	if (left > LOOK_MAX)
		left = LOOK_MAX;
	syms->names[where].off = str->off;
	syms->names[where].sz = str->sz;
	names = name_reader__new(&file->img, str->off, str->sz);
	buf = malloc(CHUNK_CNT * sizeof(*buf));
	for (err = names && buf ? 0 : -ENOMEM; left && !err; left -= cnt, off += cnt * sym_sz) {
		Elf_Data data = { .d_buf = buf, .d_type = ELF_T_SYM, .d_version = EV_CURRENT };
		ssize_t n;

		cnt = left < CHUNK_CNT ? left : CHUNK_CNT;
		n = elf_image__read(&file->img, buf, cnt * sym_sz, off);
		cnt = n > 0 ? (size_t)n / sym_sz : 0;
		if (!cnt)
			break;
		data.d_size = cnt * sym_sz;
		if (!gelf_xlatetom(file->elf, &data, &data,
				   (unsigned char)elf_getident(file->elf, NULL)[EI_DATA]))
			break;
		for (i = 0; i < cnt && !err; i++) {
			Elf64_Sym s = file->is64 ? buf[i] : widen((Elf32_Sym *)buf + i);

			err = add_symbol(syms, file, &s, where, names);
		}
	}
	/* Kept until the end, to choose among several names of one address. */
	name_reader__free(syms->readers[where]);
	syms->readers[where] = names;
	free(buf);
	return err;
}

static int add_tables(struct elf_syms *syms, const struct elf_file *file, uint32_t type,
		      enum elf_names where)
{
	size_t i;

	for (i = 1; i < file->section_cnt; i++) {
		const struct elf_section *sec = &file->sections[i];

		/*
		 * A file has one table of each kind; names in a second one could not be
		 * distinguished.
		 */
		if (sec->type == type && sec->link < file->section_cnt &&
		    file->sections[sec->link].type == SHT_STRTAB)
			return add_table(syms, file, sec, where);
	}
	return 0;
}

int elf_syms__add_file(struct elf_syms *syms, const struct elf_file *file)
{
	int err = add_tables(syms, file, SHT_SYMTAB, NAMES_SYMTAB);

	return err ? err : add_tables(syms, file, SHT_DYNSYM, NAMES_DYNSYM);
}

int elf_syms__add_debug(struct elf_syms *syms, const struct elf_file *file, enum elf_names where)
{
	return add_tables(syms, file, SHT_SYMTAB, where);
}

/* Returns the end of the section of an address: the limit for a function without a size. */
static uint64_t section_end(const void *ctx, uint64_t addr)
{
	const struct elf_file *file = ctx;
	size_t i;

	for (i = 1; i < file->section_cnt; i++) {
		const struct elf_section *s = &file->sections[i];

		if (s->flags & SHF_ALLOC && addr >= s->addr && addr - s->addr < s->sz)
			return s->addr + s->sz;
	}
	return addr;
}

void elf_syms__forget_reader(struct elf_syms *syms, enum elf_names where)
{
	name_reader__free(syms->readers[where]);
	syms->readers[where] = NULL;
}

static size_t name_len(const struct elf_syms *syms, const struct symtab_entry *e)
{
	struct name_reader *names = syms->readers[elf_syms__where(e)];
	const char *name = names ? name_reader__get(names, e->name & NAME_OFF_MASK) : NULL;

	return name ? strlen(name) : 0;
}

/* perf takes the longest of names with equal rank. */
static bool is_longer(const void *ctx, const struct symtab_entry *a, const struct symtab_entry *b)
{
	return name_len(ctx, a) > name_len(ctx, b);
}

void elf_syms__finish(struct elf_syms *syms, const struct elf_file *file)
{
	const struct symtab_choice choice = { .limit = file ? section_end : NULL,
					      .limit_ctx = file,
					      .is_better = is_longer,
					      .better_ctx = syms };
	int i;

	symtab__finish(&syms->tab, &choice);
	for (i = 0; i < NAMES_CNT; i++) {
		name_reader__free(syms->readers[i]);
		syms->readers[i] = NULL;
	}
}

bool elf_syms__to_vaddr(const struct elf_syms *syms, uint64_t file_off, uint64_t *vaddr)
{
	size_t i;

	for (i = 0; i < syms->segment_cnt; i++) {
		const struct elf_segment *s = &syms->segments[i];

		if (file_off - s->off < s->filesz) {
			*vaddr = file_off - s->off + s->vaddr;
			return true;
		}
	}
	return false;
}

enum elf_names elf_syms__where(const struct symtab_entry *e)
{
	return e->name >> NAME_WHERE_SHIFT;
}

uint32_t elf_syms__name_at(const struct symtab_entry *e)
{
	return e->name & NAME_OFF_MASK;
}

bool elf_syms__is_plt(const struct symtab_entry *e)
{
	return e->name & NAME_PLT;
}

/* The file was readable when its table was read: once is enough. */
static void report_unread(int err)
{
	static bool is_reported;

	if (!__atomic_exchange_n(&is_reported, true, __ATOMIC_RELAXED))
		log_warn("cannot read the names of functions in their file: %s; some functions "
			 "stay unnamed: %s",
			 strerror(err),
			 err == ENOMEM ? "free memory, and run this again"
				       : "see what `dmesg` has of the file system or its disk");
}

bool elf_syms__put_name(const struct elf_syms *syms, const struct symtab_entry *e,
			const struct elf_image *img, struct strbuf *sb)
{
	enum elf_names where = elf_syms__where(e);
	uint64_t at = e->name & NAME_OFF_MASK, sz = syms->names[where].sz;
	size_t left = sz > at ? sz - at : 0, want = 128, max, len;
	struct elf_image mem = { -1, syms->names[where].mem, sz };
	uint64_t base = where == NAMES_MEMORY ? 0 : syms->names[where].off;
	ssize_t n;

	if (where == NAMES_MEMORY)
		img = &mem;
	max = left < SYM_NAME_MAX_SZ ? left : SYM_NAME_MAX_SZ;
	/* Most names are short; the few long ones are read again with a larger buffer. */
	for (;; want = max) {
		want = want < max ? want : max;
		if (!want || strbuf__reserve(sb, want))
			return false;
		n = elf_image__read(img, sb->buf + sb->len, want, base + at);
		if (n < 0)
			report_unread(errno);
		if (n <= 0)
			return false;
		len = strnlen(sb->buf + sb->len, (size_t)n);
		if (len < (size_t)n) {
			sb->len += len;
			return len > 0;
		}
		if (want == max)
			return false;
	}
}

size_t elf_syms__mem_sz(const struct elf_syms *syms)
{
	return syms->tab.cap * sizeof(*syms->tab.entries) +
	       (syms->names[NAMES_MEMORY].mem ? syms->names[NAMES_MEMORY].sz : 0) +
	       syms->segment_cnt * sizeof(*syms->segments);
}

void elf_syms__free(struct elf_syms *syms)
{
	int i;

	for (i = 0; i < NAMES_CNT; i++)
		name_reader__free(syms->readers[i]);
	free(syms->names[NAMES_MEMORY].mem);
	free(syms->segments);
	symtab__free(&syms->tab);
	*syms = (struct elf_syms){ 0 };
}
