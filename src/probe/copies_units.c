// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Entries are not walked through: the abbreviations tell with which bytes the entries begin that
 * name a function which is inlined somewhere, and these bytes are looked for. Where they stand by
 * chance, there is no name, or one too many, which does no harm.
 */
#include "probe/copies_units.h"

#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "probe/copies_abbrevs.h"
#include "unwind/elf_open.h"
#include "util/array.h"
#include "util/hash.h"

/*
 * Bytes of abbreviations and of names that are looked at, of all units: units may share
 * abbreviations, and entries names. Units behind that are looked through for each search.
 */
#define WORK_MAX (512u << 20)
/* Names that are kept. */
#define ENTRIES_MAX (4u << 20)
/* Bytes of a name with its NUL. A unit with a longer one is looked through for each search. */
#define NAME_SZ_MAX 4096

struct section {
	const uint8_t *at;
	size_t sz;
};

/* A file while its units are read. */
struct reading {
	struct copies_units *units;
	const struct dwarf_file *file;
	struct section info, abbrevs, strings;
	struct copies_abbrevs shapes; /* of the last unit */
	uint64_t abbrevs_off; /* where these are */
	bool has_shapes, shapes_of_all;
	bool is_big;
	uint64_t work;
	const char *producer; /* of the last unit; units of one compiler share the text */
	bool is_across_units;
};

static struct section find_section(Elf *elf, const char *name)
{
	struct elf_sections s = elf_sections__of(elf);
	Elf_Data *data = NULL;

	if (elf_sections__find(&s, name) && !(s.sh.sh_flags & SHF_COMPRESSED))
		data = elf_rawdata(s.scn, NULL);
	return data && data->d_buf ? (struct section){ data->d_buf, data->d_size }
				   : (struct section){ NULL };
}

/* GCC with -flto, and Rust, refer across units. */
static bool is_across_units(struct reading *r, Dwarf_Die *cu)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_attr(cu, DW_AT_producer, &attr)
				       ? dwarf_file__text(r->file, dwarf_formstring(&attr))
				       : NULL;

	if (producer != r->producer)
		r->is_across_units =
			producer && (strstr(producer, "lto") || strstr(producer, "rustc"));
	r->producer = producer;
	return r->is_across_units;
}

static uint64_t hash_of(const uint8_t *text, size_t len)
{
	return hash__table_bytes(HASH_INIT, text, len) | 1;
}

/* Adds a name to the last unit. 0, -ENOMEM, or -E2BIG: there are too many names. */
static int add_name(struct copies_units *units, uint64_t hash)
{
	const uint32_t unit = (uint32_t)units->cnt - 1;
	uint32_t *slot;

	if (units->entry_cnt >= ENTRIES_MAX)
		return -E2BIG;
	slot = u64map__slot(&units->by_hash, hash);
	if (!slot)
		return -ENOMEM;
	if (*slot != U64MAP_NONE && units->entries[*slot].unit == unit)
		return 0;
	if (array__reserve((void **)&units->entries, &units->entry_cap, units->entry_cnt + 1,
			   sizeof(*units->entries)))
		return -ENOMEM;
	units->entries[units->entry_cnt] = (struct copies_entry){ unit, *slot };
	*slot = (uint32_t)units->entry_cnt++;
	return 0;
}

static uint64_t offset_at(const uint8_t *at, const struct copies_sizes *sizes)
{
	uint32_t half;
	uint64_t whole;

	if (sizes->offset == 8) {
		memcpy(&whole, at, sizeof(whole));
		return sizes->is_big ? __builtin_bswap64(whole) : whole;
	}
	memcpy(&half, at, sizeof(half));
	return sizes->is_big ? __builtin_bswap32(half) : half;
}

/* The name of an entry of that shape, with what follows it; empty: there is no entry. */
static struct section name_at(const struct reading *r, const struct copies_shape *shape,
			      const struct copies_sizes *sizes, const uint8_t *at,
			      const uint8_t *end)
{
	uint64_t off;

	if ((size_t)(end - at) < (size_t)shape->name_at + sizes->offset ||
	    (shape->code_sz > 1 && at[1] != shape->code[1]))
		return (struct section){ NULL };
	at += shape->name_at;
	if (shape->is_text)
		return (struct section){ at, (size_t)(end - at) };
	off = offset_at(at, sizes);
	return off < r->strings.sz ? (struct section){ r->strings.at + off, r->strings.sz - off }
				   : (struct section){ NULL };
}

/*
 * Adds the name at the beginning of `rest`. 0, -ENOMEM, or -E2BIG: it is too long, or the file has
 * too many. A file may have an entry in each byte, and no NUL: what is read is limited for one name
 * and for all.
 */
static int add_name_at(struct reading *r, struct section rest)
{
	size_t max = rest.sz < NAME_SZ_MAX ? rest.sz : NAME_SZ_MAX, len;

	if (!max)
		return 0;
	len = strnlen((const char *)rest.at, max);
	if (r->work <= len)
		r->work = 0;
	else
		r->work -= len + 1;
	if (!r->work)
		return -E2BIG;
	if (len < max)
		return add_name(r->units, hash_of(rest.at, len));
	/* A text that the section's end cuts is no name. */
	return max == rest.sz ? 0 : -E2BIG;
}

/* Adds the names of the last unit. 0, -ENOMEM, or -E2BIG: not all are known. */
static int add_names(struct reading *r, const struct copies_sizes *sizes, const uint8_t *at,
		     const uint8_t *end)
{
	int err = 0;
	size_t i;

	for (i = 0; i < r->shapes.cnt && !err; i++) {
		const struct copies_shape *shape = &r->shapes.at[i];
		const uint8_t *from = at;

		while (!err && (from = memchr(from, shape->code[0], (size_t)(end - from)))) {
			err = add_name_at(r, name_at(r, shape, sizes, from, end));
			from++;
		}
	}
	return err;
}

/* Reads the abbreviations of a unit, unless they are those of the one before it. */
static void read_shapes(struct reading *r, uint64_t off, const struct copies_sizes *sizes, bool all)
{
	if (r->has_shapes && r->abbrevs_off == off && r->shapes_of_all == all)
		return;
	r->has_shapes = true;
	r->abbrevs_off = off;
	r->shapes_of_all = all;
	r->shapes = (struct copies_abbrevs){ .is_unclear = true };
	if (off < r->abbrevs.sz)
		copies_abbrevs__read(&r->shapes, r->abbrevs.at + off, r->abbrevs.at + r->abbrevs.sz,
				     sizes, all, &r->work);
}

/* The unit has `sz` bytes of entries, as it says itself. */
static int add_unit(struct reading *r, Dwarf_Die *die, uint64_t sz, uint64_t abbrevs_off,
		    const struct copies_sizes *sizes)
{
	const uint8_t *at = die->addr, *end = r->info.at + r->info.sz;
	struct copies_units *units = r->units;
	struct copies_unit *u;
	int err;

	if (array__reserve((void **)&units->at, &units->cap, units->cnt + 1, sizeof(*units->at)))
		return -ENOMEM;
	u = &units->at[units->cnt++];
	*u = (struct copies_unit){ .die = *die, .is_across_units = is_across_units(r, die) };
	read_shapes(r, abbrevs_off, sizes, u->is_across_units);
	u->is_always =
		r->shapes.is_unclear || at < r->info.at || at >= end || sz > (size_t)(end - at);
	/* Without copies, and without anything that others copy, nothing is to be found. */
	if (u->is_always || (!r->shapes.has_copies && !u->is_across_units))
		return 0;
	err = add_names(r, sizes, at, at + sz);
	u->is_always = err == -E2BIG;
	return u->is_always ? 0 : err;
}

static int read_units(struct reading *r)
{
	Dwarf_Off off = 0, next, abbrevs_off;
	struct copies_sizes sizes = { .is_big = r->is_big };
	Dwarf *dwarf = r->file->dwarf;
	size_t head_sz;
	Dwarf_Die die;
	int err = 0;

	for (; !err && !dwarf_next_unit(dwarf, off, &next, &head_sz, NULL, &abbrevs_off,
					&sizes.address, &sizes.offset, NULL, NULL);
	     off = next) {
		if (next < off + head_sz || !dwarf_offdie(dwarf, off + head_sz, &die) ||
		    (dwarf_tag(&die) != DW_TAG_compile_unit &&
		     dwarf_tag(&die) != DW_TAG_partial_unit))
			continue;
		err = add_unit(r, &die, next - off - head_sz, abbrevs_off, &sizes);
	}
	return err;
}

int copies_units__read(struct copies_units *units, const struct dwarf_file *file)
{
	struct reading r = {
		.units = units,
		.file = file,
		.info = find_section(file->elf, ".debug_info"),
		.abbrevs = find_section(file->elf, ".debug_abbrev"),
		.strings = find_section(file->elf, ".debug_str"),
		.work = WORK_MAX,
	};
	GElf_Ehdr eh;
	int err;

	*units = (struct copies_units){ .is_read = true };
	r.is_big = gelf_getehdr(file->elf, &eh) && eh.e_ident[EI_DATA] == ELFDATA2MSB;
	err = read_units(&r);
	if (err)
		copies_units__free(units);
	return err;
}

void copies_units__free(struct copies_units *units)
{
	free(units->at);
	free(units->entries);
	u64map__free(&units->by_hash);
	*units = (struct copies_units){ NULL };
}

void copies_units__find(const struct copies_units *units, const char *name, bool *is_candidate)
{
	const size_t len = strlen(name);
	uint32_t at = U64MAP_NONE;
	size_t i;

	if (len < NAME_SZ_MAX)
		at = u64map__get(&units->by_hash, hash_of((const uint8_t *)name, len));
	for (i = 0; i < units->cnt; i++)
		is_candidate[i] = units->at[i].is_always;
	for (; at != U64MAP_NONE; at = units->entries[at].next)
		is_candidate[units->entries[at].unit] = true;
}
