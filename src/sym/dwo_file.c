// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwo_file.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

#include "unwind/elf_open.h"
#include "unwind/reader.h"

/* Bytes of all sections, inflated. */
#define SECTIONS_SZ_MAX (512u << 20)
/* Columns of a package's index; there are eight kinds of sections. */
#define COLUMNS_MAX 16

/*
 * The sections, and their columns in a package's index: of the format before DWARF 5, and of
 * DWARF 5. 0: none.
 */
static const struct {
	const char *name, *dwo_name;
	uint8_t gnu_column, column;
} sections[] = {
	[DWO_INFO] = { ".debug_info", ".debug_info.dwo", 1, 1 },
	[DWO_TYPES] = { ".debug_types", ".debug_types.dwo", 2, 0 },
	[DWO_ABBREV] = { ".debug_abbrev", ".debug_abbrev.dwo", 3, 3 },
	[DWO_LINE] = { ".debug_line", ".debug_line.dwo", 4, 4 },
	[DWO_LOC] = { ".debug_loc", ".debug_loc.dwo", 5, 0 },
	[DWO_LOCLISTS] = { ".debug_loclists", ".debug_loclists.dwo", 0, 5 },
	[DWO_RNGLISTS] = { ".debug_rnglists", ".debug_rnglists.dwo", 0, 8 },
	[DWO_STR_OFFSETS] = { ".debug_str_offsets", ".debug_str_offsets.dwo", 6, 6 },
	[DWO_STR] = { ".debug_str", ".debug_str.dwo", 0, 0 },
	[DWO_ADDR] = { ".debug_addr", NULL, 0, 0 },
	[DWO_RANGES] = { ".debug_ranges", NULL, 0, 0 },
};

const char *dwo_part__name(enum dwo_part part)
{
	return sections[part].name;
}

/* The reason for an error of libelf, before which errno was 0. */
static int error_of_elf(void)
{
	return errno == ENOMEM ? -ENOMEM : -ENOEXEC;
}

/* Inflates the section if it is compressed. *left: bytes that sections may still have. */
static int inflate_section(struct dwo_file *file, Elf_Scn *scn, const GElf_Shdr *sh, size_t *left)
{
	uint64_t sz;

	if (!elf_section__data_sz(scn, sh->sh_flags, sh->sh_size, &sz))
		return -ENOEXEC;
	if (sz > *left)
		return -EFBIG;
	*left -= sz;
	if (!(sh->sh_flags & SHF_COMPRESSED))
		return 0;
	file->inflated_sz += sz;
	errno = 0;
	return elf_compress(scn, 0, 0) < 0 ? error_of_elf() : 0;
}

static int read_section(struct dwo_file *file, Elf_Scn *scn, const GElf_Shdr *sh, size_t *left,
			struct dwo_bytes *bytes)
{
	Elf_Data *data;
	int err;

	if (sh->sh_type == SHT_NOBITS)
		return 0;
	err = inflate_section(file, scn, sh, left);
	if (err)
		return err;
	errno = 0;
	data = elf_getdata(scn, NULL);
	if (!data)
		return error_of_elf();
	*bytes = (struct dwo_bytes){ data->d_buf, data->d_buf ? data->d_size : 0 };
	return 0;
}

static struct dwo_bytes *bytes_of(struct dwo_file *file, const char *name)
{
	int i;

	if (!strcmp(name, ".debug_cu_index"))
		return &file->index;
	if (!strcmp(name, ".debug_tu_index"))
		return &file->type_index;
	for (i = 0; i < DWO_OWN_CNT; i++)
		if (!strcmp(name, sections[i].dwo_name))
			return &file->whole.part[i];
	return NULL;
}

/* Units of types stand in sections of their own until a file is linked: they are joined. */
static int join(struct dwo_file *file, struct dwo_bytes *bytes, const struct dwo_bytes *more)
{
	struct strbuf *sb = bytes == &file->whole.part[DWO_INFO]    ? &file->units
			    : bytes == &file->whole.part[DWO_TYPES] ? &file->types
								    : NULL;

	if (!sb)
		return 0;
	if (!sb->len)
		strbuf__add(sb, bytes->at, bytes->sz);
	strbuf__add(sb, more->at, more->sz);
	*bytes = (struct dwo_bytes){ (uint8_t *)sb->buf, sb->len };
	return strbuf__has_failed() ? -ENOMEM : 0;
}

static int read_sections(struct dwo_file *file)
{
	struct elf_sections s = elf_sections__of(file->elf);
	const struct dwo_bytes *info = &file->whole.part[DWO_INFO];
	const struct dwo_bytes *str = &file->whole.part[DWO_STR];
	size_t left = SECTIONS_SZ_MAX;
	int err = 0;

	while (!err && elf_sections__next(&s)) {
		struct dwo_bytes *bytes = bytes_of(file, s.name), more = { NULL };

		if (!bytes)
			continue;
		err = read_section(file, s.scn, &s.sh, &left, &more);
		if (!err && more.sz && bytes->sz)
			err = join(file, bytes, &more);
		else if (!err)
			*bytes = more;
	}
	/* libdw reads a text to its NUL, wherever that is. */
	if (!err && (!info->sz || (str->sz && str->at[str->sz - 1])))
		err = -ENOEXEC;
	return err;
}

int dwo_file__open(struct dwo_file *file, int fd)
{
	int err;

	*file = (struct dwo_file){ .units = STRBUF_INIT, .types = STRBUF_INIT };
	errno = 0;
	file->elf = elf_open(fd, ELF_C_READ_MMAP_PRIVATE);
	if (!file->elf)
		return error_of_elf();
	err = read_sections(file);
	if (err)
		dwo_file__close(file);
	else
		elf_cntl(file->elf, ELF_C_FDDONE);
	return err;
}

size_t dwo_file__mem_sz(const struct dwo_file *file)
{
	return file->inflated_sz + file->units.cap + file->types.cap;
}

void dwo_file__close(struct dwo_file *file)
{
	elf_end(file->elf);
	strbuf__free(&file->units);
	strbuf__free(&file->types);
	*file = (struct dwo_file){ NULL };
}

/* The index of a package: a table of hashed ids, and one of offsets and sizes. */
struct index {
	uint32_t column_cnt, unit_cnt, slot_cnt;
	bool is_gnu;
	struct cfi_reader ids, rows, columns, offs, sizes;
};

static bool read_index(const struct dwo_bytes *bytes, struct index *x)
{
	struct cfi_reader r = { .at = bytes->at, .end = bytes->at + bytes->sz };
	uint32_t version = (uint32_t)cfi_reader__uint(&r, 4);
	uint64_t table_sz;

	/* DWARF 5: two bytes of version, two that are not used. */
	x->is_gnu = version == 2;
	x->column_cnt = (uint32_t)cfi_reader__uint(&r, 4);
	x->unit_cnt = (uint32_t)cfi_reader__uint(&r, 4);
	x->slot_cnt = (uint32_t)cfi_reader__uint(&r, 4);
	if (r.bad || (!x->is_gnu && (version & 0xffff) != 5) || x->column_cnt > COLUMNS_MAX ||
	    !x->slot_cnt || x->slot_cnt & (x->slot_cnt - 1))
		return false;
	table_sz = 4ull * x->column_cnt * x->unit_cnt;
	x->ids = cfi_reader__sub(&r, 8ull * x->slot_cnt);
	x->rows = cfi_reader__sub(&r, 4ull * x->slot_cnt);
	x->columns = cfi_reader__sub(&r, 4ull * x->column_cnt);
	x->offs = cfi_reader__sub(&r, table_sz);
	x->sizes = cfi_reader__sub(&r, table_sz);
	return !r.bad;
}

/* The number at this index, of a table of numbers. */
static uint64_t number_at(struct cfi_reader table, uint64_t nr, unsigned int sz)
{
	cfi_reader__skip(&table, nr * sz);
	return cfi_reader__uint(&table, sz);
}

/* The row of the unit, from 1 on; 0: there is none. */
static uint32_t find_row(const struct index *x, uint64_t id)
{
	uint32_t mask = x->slot_cnt - 1, slot = (uint32_t)id & mask;
	uint32_t step = ((uint32_t)(id >> 32) & mask) | 1, tries, row;

	for (tries = 0; tries < x->slot_cnt; tries++) {
		row = (uint32_t)number_at(x->rows, slot, 4);
		if (!row || row > x->unit_cnt)
			return 0;
		if (number_at(x->ids, slot, 8) == id)
			return row;
		slot = (slot + step) & mask;
	}
	return 0;
}

/* The unit's part of a section. false: it is not in the section. */
static bool take_part(const struct dwo_file *file, const struct index *x, uint32_t row, int part,
		      struct dwo_bytes *bytes)
{
	const struct dwo_bytes *whole = &file->whole.part[part];
	uint8_t column = x->is_gnu ? sections[part].gnu_column : sections[part].column;
	uint64_t off, sz, at;
	uint32_t i;

	for (i = 0; column && i < x->column_cnt; i++) {
		if (number_at(x->columns, i, 4) != column)
			continue;
		at = (uint64_t)(row - 1) * x->column_cnt + i;
		off = number_at(x->offs, at, 4);
		sz = number_at(x->sizes, at, 4);
		if (off > whole->sz || sz > whole->sz - off)
			return false;
		*bytes = (struct dwo_bytes){ whole->at + off, sz };
		return true;
	}
	return true;
}

/* The parts of the unit that has this id in the index. */
static bool take_parts(const struct dwo_file *file, const struct dwo_bytes *index, uint64_t id,
		       struct dwo_parts *parts)
{
	struct index x;
	uint32_t row;
	int i;

	if (!read_index(index, &x))
		return false;
	row = find_row(&x, id);
	if (!row)
		return false;
	memset(parts, 0, sizeof(*parts));
	parts->part[DWO_STR] = file->whole.part[DWO_STR];
	for (i = 0; i < DWO_OWN_CNT; i++)
		if (!take_part(file, &x, row, i, &parts->part[i]))
			return false;
	return true;
}

bool dwo_file__unit(const struct dwo_file *file, uint64_t id, struct dwo_parts *parts)
{
	*parts = file->whole;
	return !file->index.sz || take_parts(file, &file->index, id, parts);
}

bool dwo_file__type(const struct dwo_file *file, uint64_t signature, struct dwo_parts *parts)
{
	return file->type_index.sz && take_parts(file, &file->type_index, signature, parts);
}
