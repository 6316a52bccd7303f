// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A compiler describes a function that it inlines once in each unit, and each copy by a reference.
 * Most units do not know the function: they are recognised without looking at their entries, since
 * an entry refers to its name by an offset into .debug_str.
 */
#include "probe/copies.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/u64map.h"

#define NESTING_MAX 64
/* Entries that are visited: damaged DWARF can contain cycles. */
#define WORK_MAX (64u << 20)
/* Offsets of one name: a text may be the end of several longer ones. */
#define OFFSETS_MAX 64

struct finder {
	const struct dwarf_file *file;
	const struct func_pattern *pattern;
	struct u64map origins; /* offsets of entries of the function as it was written */
	size_t origin_cnt;
	struct copies_strings strings;
	uint32_t name_offs[OFFSETS_MAX];
	size_t name_off_cnt;
	bool across_units; /* link-time optimization: copies refer to other units */
	uint64_t work_left;
	int (*fn)(void *ctx, const struct inlined_copy *copy);
	void *ctx;
	Dwarf_Die func; /* the function of the walk's position */
};

static bool may_go_on(struct finder *f)
{
	return f->work_left && --f->work_left;
}

/* The part of the pattern that DWARF has as the function's name. */
static const char *plain_name(const struct func_pattern *p)
{
	const char *at, *last = p->text;

	for (at = strstr(p->text, "::"); at; at = strstr(last, "::"))
		last = at + 2;
	return last;
}

/*
 * Finds the offsets in .debug_str at which the name can be read: a text of its own, or else the end
 * of longer ones, which linkers let share their bytes.
 */
static void find_name(struct finder *f, const char *name)
{
	const char *from = f->strings.at, *end = from + f->strings.sz, *at;
	size_t want = strlen(name) + 1; /* with its NUL */

	for (at = from; at && f->name_off_cnt < OFFSETS_MAX; at++) {
		at = memmem(at, (size_t)(end - at), name, want);
		if (!at)
			return;
		if (at == from || !at[-1]) {
			f->name_offs[0] = (uint32_t)(at - from);
			f->name_off_cnt = 1;
			return;
		}
		f->name_offs[f->name_off_cnt++] = (uint32_t)(at - from);
	}
}

/* A unit's entries, as bytes. */
struct unit_bytes {
	const uint8_t *at;
	size_t sz;
};

typedef uint8_t lanes __attribute__((vector_size(16)));

static lanes load_lanes(const uint8_t *at)
{
	lanes v;

	memcpy(&v, at, sizeof(v));
	return v;
}

/* Is the number anywhere among the bytes? memmem() takes thrice as long. */
static bool has_number(const struct unit_bytes *u, uint32_t number)
{
	const uint8_t *at = u->at, *end = u->at + u->sz;
	uint8_t bytes[4];
	uint64_t any[2];
	lanes found;

	memcpy(bytes, &number, sizeof(bytes));
	for (; end - at >= 32; at += 16) {
		found = (lanes)((load_lanes(at) == bytes[0]) & (load_lanes(at + 1) == bytes[1]) &
				(load_lanes(at + 2) == bytes[2]) &
				(load_lanes(at + 3) == bytes[3]));
		memcpy(any, &found, sizeof(any));
		if (any[0] | any[1])
			return true;
	}
	return memmem(at, (size_t)(end - at), bytes, sizeof(bytes)) != NULL;
}

/* Can the unit know the name? */
static bool may_have(struct finder *f, Dwarf_Die *cu, const struct unit_bytes *u, const char *name)
{
	size_t i;

	/* Names by index are too short to be looked for. */
	if (dwarf_hasattr(cu, DW_AT_str_offsets_base) || f->file->alt)
		return true;
	for (i = 0; i < f->name_off_cnt; i++)
		if (has_number(u, f->name_offs[i]))
			return true;
	/* Names that are no longer than an offset stand in the entry itself. */
	return strlen(name) < 8 && memmem(u->at, u->sz, name, strlen(name) + 1);
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type;
}

static int keep_origin(struct finder *f, Dwarf_Die *die)
{
	uint32_t *slot = u64map__slot(&f->origins, dwarf_dieoffset(die));

	if (!slot)
		return -ENOMEM;
	*slot = 1;
	f->origin_cnt++;
	return 0;
}

/* Is it the function that is meant, with its scopes where the user has written them? */
static bool is_meant(const struct finder *f, Dwarf_Die *die, const char *name)
{
	const char *its = dwarf_file__text(f->file, dwarf_diename(die)), *linker = NULL;
	struct strbuf printed = STRBUF_INIT;
	Dwarf_Attribute attr;
	bool match;

	if (!its || strcmp(its, name) != 0)
		return false;
	if (!f->pattern->has_scope)
		return true;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		linker = dwarf_file__text(f->file, dwarf_formstring(&attr));
	match = !linker || func_pattern__match(f->pattern, linker, &printed);
	strbuf__free(&printed);
	return match;
}

/* Keeps the entries of the function as it was written, below a unit or a scope. */
static int find_origins(struct finder *f, Dwarf_Die *parent, const char *name, int nesting)
{
	Dwarf_Die die;
	int err = 0, end;

	if (nesting > NESTING_MAX)
		return 0;
	for (end = dwarf_child(parent, &die); !end && !err; end = dwarf_siblingof(&die, &die)) {
		if (!may_go_on(f))
			return 0;
		if (dwarf_tag(&die) == DW_TAG_subprogram && is_meant(f, &die, name))
			err = keep_origin(f, &die);
		else if (is_scope(dwarf_tag(&die)))
			err = find_origins(f, &die, name, nesting + 1);
	}
	return err;
}

static bool is_copy(struct finder *f, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin) &&
	       u64map__get(&f->origins, dwarf_dieoffset(&origin)) != U64MAP_NONE;
}

static int report(struct finder *f, Dwarf_Die *die)
{
	struct inlined_copy copy = { .die = *die, .func = f->func };
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;

	if (dwarf_attr(die, DW_AT_entry_pc, &attr) && !dwarf_formaddr(&attr, &copy.pc))
		return f->fn(f->ctx, &copy);
	if (dwarf_ranges(die, 0, &base, &start, &end) <= 0 || !start)
		return 0;
	copy.pc = start;
	return f->fn(f->ctx, &copy);
}

static int find_copies(struct finder *f, Dwarf_Die *parent, int nesting)
{
	Dwarf_Die die;
	int err = 0, end, tag;

	if (nesting > NESTING_MAX)
		return 0;
	for (end = dwarf_child(parent, &die); !end && !err; end = dwarf_siblingof(&die, &die)) {
		if (!may_go_on(f))
			return 0;
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram) {
			/* One without code has no copies in it. */
			if (!dwarf_hasattr(&die, DW_AT_low_pc) &&
			    !dwarf_hasattr(&die, DW_AT_ranges))
				continue;
			f->func = die;
		} else if (tag == DW_TAG_inlined_subroutine && is_copy(f, &die)) {
			err = report(f, &die);
		} else if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block &&
			   tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site &&
			   !is_scope(tag)) {
			continue;
		}
		if (!err)
			err = find_copies(f, &die, nesting + 1);
	}
	return err;
}

struct unit {
	Dwarf_Die die;
	struct unit_bytes bytes;
	bool is_candidate;
};

struct units {
	struct unit *at;
	size_t cnt, cap;
};

static int read_units(struct finder *f, struct units *units)
{
	Dwarf_CU *cu = NULL;
	struct unit *u;
	Dwarf_Die die;
	uint8_t type;

	while (may_go_on(f) && !dwarf_get_units(f->file->dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if (type != DW_UT_compile && type != DW_UT_partial)
			continue;
		if (array__reserve((void **)&units->at, &units->cap, units->cnt + 1,
				   sizeof(*units->at)))
			return -ENOMEM;
		/* A unit ends where the next one begins; the last one is always looked at. */
		u = &units->at[units->cnt];
		if (units->cnt && (const uint8_t *)die.addr > u[-1].bytes.at)
			u[-1].bytes.sz = (size_t)((const uint8_t *)die.addr - u[-1].bytes.at);
		*u = (struct unit){ .die = die, .bytes = { die.addr, 0 } };
		units->cnt++;
	}
	return 0;
}

/* GCC with -flto, and Rust, refer across units. */
static bool is_across_units(const struct dwarf_file *file, Dwarf_Die *cu)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_attr(cu, DW_AT_producer, &attr)
				       ? dwarf_file__text(file, dwarf_formstring(&attr))
				       : NULL;

	return producer && (strstr(producer, "lto") || strstr(producer, "rustc"));
}

static int walk_units(struct finder *f, struct units *units, const char *name)
{
	int err = 0;
	size_t i;

	for (i = 0; i < units->cnt && !err; i++) {
		struct unit *u = &units->at[i];

		f->across_units |= is_across_units(f->file, &u->die);
		u->is_candidate = !u->bytes.sz || may_have(f, &u->die, &u->bytes, name);
		if (u->is_candidate)
			err = find_origins(f, &u->die, name, 0);
	}
	for (i = 0; i < units->cnt && !err && f->origin_cnt; i++)
		if (units->at[i].is_candidate || f->across_units)
			err = find_copies(f, &units->at[i].die, 0);
	return err;
}

struct copies_strings copies__strings(const struct dwarf_file *file)
{
	struct copies_strings s = { dwarf_getstring(file->dwarf, 0, NULL), 0 };
	size_t len;

	/* libdw tells the strings, not the size of their section. */
	while (s.at && dwarf_getstring(file->dwarf, s.sz, &len))
		s.sz += len + 1;
	return s;
}

int copies__each(const struct dwarf_file *file, const struct copies_strings *strings,
		 const struct func_pattern *pattern,
		 int (*fn)(void *ctx, const struct inlined_copy *copy), void *ctx)
{
	struct finder f = {
		.file = file,
		.strings = *strings,
		.pattern = pattern,
		.fn = fn,
		.ctx = ctx,
		.work_left = WORK_MAX,
	};
	const char *name = plain_name(pattern);
	struct units units = { NULL };
	int err;

	if (pattern->is_glob || !*name)
		return 0;
	find_name(&f, name);
	err = read_units(&f, &units);
	if (!err)
		err = walk_units(&f, &units, name);
	u64map__free(&f.origins);
	free(units.at);
	return err;
}
