// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dwarf_units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "sym/dwarf_aranges.h"
#include "util/array.h"
#include "util/partition.h"

/* About 100 ns each: one profile of the largest known programs needs fewer in total. */
#define WORK_MAX (20u << 20)
/* Maximum nesting of namespaces. */
#define NESTING_MAX 32
/* Number of ranges tried before the nearest one: ranges may be nested. */
#define OVERLAP_MAX 8

bool dwarf_units__may_go_on(struct dwarf_units *units)
{
	if (!units->work_left)
		return false;
	units->work_left--;
	return true;
}

static int cmp_range(const void *a, const void *b)
{
	const struct dwarf_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

static void sort(struct dwarf_ranges *r)
{
	if (r->cnt)
		qsort(r->ranges, r->cnt, sizeof(*r->ranges), cmp_range);
}

static const struct dwarf_range *range_at(const struct dwarf_ranges *r, uint64_t addr)
{
	size_t lo = partition_point(0, r->cnt, i, r->ranges[i].start <= addr), tries;

	for (tries = 0; lo && tries < OVERLAP_MAX; tries++)
		if (addr < r->ranges[--lo].end)
			return &r->ranges[lo];
	return NULL;
}

/* Adds all ranges of a DIE. */
static int add_ranges(struct dwarf_units *units, struct dwarf_ranges *r, Dwarf_Die *die,
		      uint64_t ref)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (dwarf_units__may_go_on(units) &&
	       (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		/* A function that the linker dropped begins at 0. */
		if (!start || start >= end)
			continue;
		if (array__reserve((void **)&r->ranges, &r->cap, r->cnt + 1, sizeof(*r->ranges)))
			return -ENOMEM;
		r->ranges[r->cnt++] = (struct dwarf_range){ start, end, ref };
	}
	return 0;
}

/* with_ranges: the entry that has the unit's addresses. */
static int add_unit(struct dwarf_units *units, Dwarf_Die *die, Dwarf_Die *with_ranges)
{
	if (array__reserve((void **)&units->units, &units->cap, units->cnt + 1,
			   sizeof(*units->units)))
		return -ENOMEM;
	units->units[units->cnt] = (struct dwarf_unit){ .die_off = dwarf_dieoffset(die) };
	return add_ranges(units, &units->ranges, with_ranges, units->cnt++);
}

/* libdw reads the compilation directory itself, as a text. */
static bool is_sound(const struct dwarf_file *file, Dwarf_Die *cu)
{
	Dwarf_Attribute attr;
	const char *dir = dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attr));

	return !dir || dwarf_file__text(file, dir);
}

/* Finds the units by walking from one to the next. */
static int read_all(struct dwarf_units *units, struct dwarf_file *file)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	int err = dwarf_file__inflate(file, UINT64_MAX);

	while (!err && dwarf_units__may_go_on(units) &&
	       !dwarf_get_units(file->dwarf, cu, &cu, NULL, &type, &die, NULL))
		if ((type == DW_UT_compile || type == DW_UT_skeleton) && is_sound(file, &die))
			err = add_unit(units, &die, &die);
	sort(&units->ranges);
	return err ? err : units->ranges.cnt ? 0 : -ENOENT;
}

static int add_arange(void *priv, uint64_t unit_off, uint64_t start, uint64_t end)
{
	struct dwarf_units *units = priv;
	struct dwarf_ranges *r = &units->ranges;

	if (!dwarf_units__may_go_on(units))
		return -ENOENT;
	/* The ranges of a unit stand together. */
	if (!units->cnt || units->units[units->cnt - 1].head_off != unit_off) {
		if (array__reserve((void **)&units->units, &units->cap, units->cnt + 1,
				   sizeof(*units->units)))
			return -ENOMEM;
		units->units[units->cnt++] = (struct dwarf_unit){ .head_off = unit_off };
	}
	if (array__reserve((void **)&r->ranges, &r->cap, r->cnt + 1, sizeof(*r->ranges)))
		return -ENOMEM;
	r->ranges[r->cnt++] = (struct dwarf_range){ start, end, units->cnt - 1 };
	return 0;
}

/* Forgets what .debug_aranges said. */
static int read_all_again(struct dwarf_units *units, struct dwarf_file *file)
{
	size_t i;

	for (i = 0; i < units->cnt; i++)
		free(units->units[i].functions.ranges);
	units->cnt = units->ranges.cnt = units->functions_sz = 0;
	units->is_partial = false;
	return read_all(units, file);
}

int dwarf_units__read(struct dwarf_units *units, struct dwarf_file *file)
{
	*units = (struct dwarf_units){ .work_left = WORK_MAX };
	if (!file->info.data)
		return read_all(units, file);
	if (dwarf_aranges__each(file->elf, add_arange, units) || !units->ranges.cnt)
		return read_all_again(units, file);
	sort(&units->ranges);
	units->is_partial = true;
	return 0;
}

/* Returns whether the unit may refer to entries of others, which may stand behind it. */
static bool refers_to_others(Dwarf_Die *cu)
{
	unsigned int name, form;
	Dwarf_Off off = 0;
	size_t len, i;

	for (;; off += len) {
		Dwarf_Abbrev *abbrev = dwarf_getabbrev(cu, off, &len);

		if (abbrev == DWARF_END_ABBREV)
			return false;
		if (!abbrev)
			return true;
		/* dwarf_getattrcnt() of 0.188 counts values of DW_FORM_implicit_const, too. */
		for (i = 0; !dwarf_getabbrevattr(abbrev, i, &name, &form, NULL); i++)
			if (form == DW_FORM_ref_addr || form == DW_FORM_ref_sig8 ||
			    form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 ||
			    form == DW_FORM_ref_sup8 || form == DW_FORM_indirect)
				return true;
	}
}

/* The largest header of a unit, of DWARF 5 with 64-bit offsets and a type's signature. */
#define HEADER_MAX 40

/* Inflates the unit, and finds its first entry. */
static bool find_die(struct dwarf_unit *unit, struct dwarf_file *file)
{
	Dwarf_Die die, first;
	Dwarf_Off next;
	size_t head_sz;
	uint8_t type;

	/* libdw walks to the unit through all before it, and to no other. */
	if (dwarf_file__inflate(file, unit->head_off + HEADER_MAX) ||
	    dwarf_next_unit(file->dwarf, unit->head_off, &next, &head_sz, NULL, NULL, NULL, NULL,
			    NULL, NULL) ||
	    dwarf_file__inflate(file, next) ||
	    !dwarf_offdie(file->dwarf, unit->head_off + head_sz, &die) ||
	    !dwarf_diecu(&die, &first, NULL, NULL) ||
	    dwarf_dieoffset(&first) != dwarf_dieoffset(&die) ||
	    dwarf_cu_info(die.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
	    (type != DW_UT_compile && type != DW_UT_skeleton) || !is_sound(file, &die))
		return false;
	if (refers_to_others(&die) && dwarf_file__inflate(file, UINT64_MAX))
		return false;
	unit->die_off = dwarf_dieoffset(&die);
	return true;
}

int dwarf_units__read_split(struct dwarf_units *units, Dwarf_Die *cu, Dwarf_Die *skeleton)
{
	int err;

	*units = (struct dwarf_units){ .work_left = WORK_MAX };
	err = add_unit(units, cu, skeleton);
	sort(&units->ranges);
	return err;
}

void dwarf_units__free(struct dwarf_units *units)
{
	size_t i;

	for (i = 0; i < units->cnt; i++)
		free(units->units[i].functions.ranges);
	free(units->units);
	free(units->ranges.ranges);
	u64map__free(&units->scopes);
	*units = (struct dwarf_units){ 0 };
}

size_t dwarf_units__mem_sz(const struct dwarf_units *units)
{
	return units->functions_sz + units->cap * sizeof(*units->units) +
	       units->ranges.cap * sizeof(*units->ranges.ranges);
}

/* State while the functions of one unit are read. */
struct unit_reader {
	struct dwarf_units *units;
	struct dwarf_ranges *functions;
	const struct dwarf_file *file;
	struct texts *names;
	struct strbuf scope; /* scope at the current position of the walk: "app::engine::" */
};

/* A linker's name contains its scopes; a function without one needs the scopes of the walk. */
static void keep_scope(struct unit_reader *r, Dwarf_Die *die)
{
	uint32_t *slot;

	if (!r->scope.len || dwarf_hasattr_integrate(die, DW_AT_linkage_name))
		return;
	slot = u64map__slot(&r->units->scopes, dwarf_dieoffset(die));
	if (slot)
		*slot = texts__add(r->names, r->scope.buf, r->scope.len);
}

bool dwarf_units__is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type;
}

static int add_functions(struct unit_reader *r, Dwarf_Die *parent, int nesting);

static int enter(struct unit_reader *r, Dwarf_Die *die, int nesting)
{
	const char *name = dwarf_file__text(r->file, dwarf_diename(die));
	size_t len = r->scope.len;
	int err;

	strbuf__puts(&r->scope, name ? name : "(anonymous namespace)");
	strbuf__puts(&r->scope, "::");
	err = add_functions(r, die, nesting + 1);
	r->scope.len = len;
	return err;
}

/* Functions are children of a unit, or of the namespaces and types in which they are defined. */
static int add_functions(struct unit_reader *r, Dwarf_Die *parent, int nesting)
{
	Dwarf_Die die;
	int err = 0, end, tag;

	if (nesting > NESTING_MAX)
		return 0;
	for (end = dwarf_child(parent, &die); !end && !err; end = dwarf_siblingof(&die, &die)) {
		if (!dwarf_units__may_go_on(r->units))
			return 0;
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram) {
			keep_scope(r, &die);
			err = add_ranges(r->units, r->functions, &die, dwarf_dieoffset(&die));
		} else if (dwarf_units__is_scope(tag)) {
			err = enter(r, &die, nesting);
		}
	}
	return err;
}

/*
 * Functions of functions: lambdas, methods of local classes, and those of C's extensions. Their
 * linker's names have all their scopes, or they have none.
 */
static int add_nested(struct unit_reader *r, Dwarf_Die *parent, bool is_nested, int nesting)
{
	Dwarf_Die die;
	int err = 0, end, tag;

	if (nesting > NESTING_MAX)
		return 0;
	for (end = dwarf_child(parent, &die); !end && !err; end = dwarf_siblingof(&die, &die)) {
		if (!dwarf_units__may_go_on(r->units))
			return 0;
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram && is_nested)
			err = add_ranges(r->units, r->functions, &die, dwarf_dieoffset(&die));
		if (!err && (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			     tag == DW_TAG_inlined_subroutine || dwarf_units__is_scope(tag)))
			err = add_nested(r, &die, is_nested || tag == DW_TAG_subprogram,
					 nesting + 1);
	}
	return err;
}

/* Most functions have no other ones in them, and each entry of each function is looked at here. */
static const struct dwarf_range *find_nested(struct dwarf_units *units,
					     const struct dwarf_file *file, struct texts *names,
					     struct dwarf_unit *unit, Dwarf_Die *cu, uint64_t vaddr)
{
	struct unit_reader r = { units, &unit->functions, file, names, STRBUF_INIT };

	if (unit->read_nested)
		return NULL;
	unit->read_nested = true;
	units->functions_sz -= unit->functions.cap * sizeof(*unit->functions.ranges);
	add_nested(&r, cu, false, 0);
	sort(&unit->functions);
	units->functions_sz += unit->functions.cap * sizeof(*unit->functions.ranges);
	return range_at(&unit->functions, vaddr);
}

static void read_unit(struct dwarf_units *units, const struct dwarf_file *file, struct texts *names,
		      struct dwarf_unit *unit, Dwarf_Die *cu)
{
	struct unit_reader r = { units, &unit->functions, file, names, STRBUF_INIT };

	unit->read = true;
	add_functions(&r, cu, 0);
	sort(&unit->functions);
	units->functions_sz += unit->functions.cap * sizeof(*unit->functions.ranges);
	strbuf__free(&r.scope);
}

static const struct dwarf_range *find_unit(struct dwarf_units *units, struct dwarf_file *file,
					   uint64_t vaddr)
{
	const struct dwarf_range *r = range_at(&units->ranges, vaddr);

	if (r || !units->is_partial || dwarf_file__is_plt(file, vaddr))
		return r;
	return read_all_again(units, file) ? NULL : range_at(&units->ranges, vaddr);
}

/* The unit at vaddr, and its DIE; NULL: none. */
static struct dwarf_unit *unit_at(struct dwarf_units *units, struct dwarf_file *file,
				  uint64_t vaddr, Dwarf_Die *cu)
{
	const struct dwarf_range *r = find_unit(units, file, vaddr);
	struct dwarf_unit *unit;

	if (!r)
		return NULL;
	unit = &units->units[r->ref];
	if (!unit->die_off && !unit->is_bad)
		unit->is_bad = !find_die(unit, file);
	return unit->is_bad || !dwarf_offdie(file->dwarf, unit->die_off, cu) ? NULL : unit;
}

bool dwarf_units__find_unit(struct dwarf_units *units, struct dwarf_file *file, uint64_t vaddr,
			    Dwarf_Die *cu)
{
	return unit_at(units, file, vaddr, cu);
}

bool dwarf_units__find(struct dwarf_units *units, struct dwarf_file *file, struct texts *names,
		       uint64_t vaddr, Dwarf_Die *cu, uint64_t *die_off)
{
	struct dwarf_unit *unit = unit_at(units, file, vaddr, cu);
	const struct dwarf_range *r;

	if (!unit)
		return false;
	if (!unit->read)
		read_unit(units, file, names, unit, cu);
	r = range_at(&unit->functions, vaddr);
	if (!r)
		r = find_nested(units, file, names, unit, cu, vaddr);
	if (!r)
		return false;
	*die_off = r->ref;
	return true;
}
