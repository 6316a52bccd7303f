// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/variant.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/field_make.h"

/* The most variants before the one for all other values: each is compared when it is printed. */
#define COMPARED_MAX 64

/* Goes to the first child with this tag, or to the next one from *die on. */
static bool find_tag(Dwarf_Die *die, int tag)
{
	while (dwarf_tag(die) != tag)
		if (dwarf_siblingof(die, die))
			return false;
	return true;
}

static bool find_part(Dwarf_Die *type, Dwarf_Die *part)
{
	return !dwarf_child(type, part) && find_tag(part, DW_TAG_variant_part);
}

bool variant__discriminant(Dwarf_Die *type, struct type_member *m)
{
	Dwarf_Attribute attr;
	Dwarf_Die part, discr;

	/* An enum with one variant has none. */
	return find_part(type, &part) && dwarf_attr(&part, DW_AT_discr, &attr) &&
	       dwarf_formref_die(&attr, &discr) && type__read_member(&discr, m) && !m->bit_cnt &&
	       type__size(&m->type) && type__size(&m->type) <= 8;
}

/* The variant's name is that of its member. */
static const char *name_of(Dwarf_Die *variant)
{
	Dwarf_Die member;
	const char *name;

	if (dwarf_child(variant, &member) || !find_tag(&member, DW_TAG_member))
		return NULL;
	name = dwarf_diename(&member);
	return name && place__is_name(name, PROBE_NAME_MAX) ? name : NULL;
}

static bool value_of(Dwarf_Die *variant, int64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Sword val;

	if (!dwarf_attr(variant, DW_AT_discr_value, &attr) || dwarf_formsdata(&attr, &val))
		return false;
	*value = val;
	return true;
}

/* The value of a number without a sign, of sz bytes. */
static int64_t cut(int64_t value, uint64_t sz)
{
	return sz >= 8 ? value : (int64_t)((uint64_t)value & ((1ull << 8 * sz) - 1));
}

/* Notes the value of the variant itself, or while that has none, of another one. */
static void note_value(struct variant *v, bool is_it, int64_t value, size_t *other_cnt)
{
	if (is_it) {
		v->values[0] = value;
		v->value_cnt = 1;
		v->is_other = false;
	} else if (v->is_other && (*other_cnt)++ < VARIANT_VALUES_MAX) {
		v->values[v->value_cnt++] = value;
	}
}

bool variant__find(const Dwarf_Die *type, const char *name, struct variant *v)
{
	Dwarf_Die stripped = *type, part, variant, member;
	bool is_found = false, is_it;
	size_t other_cnt = 0;
	const char *its;
	int64_t value;
	uint64_t sz;

	*v = (struct variant){ .is_other = true };
	if (!type__strip(&stripped) || !find_part(&stripped, &part) || dwarf_child(&part, &variant))
		return false;
	sz = variant__discriminant(&stripped, &v->discr) ? type__size(&v->discr.type) : 0;
	do {
		its = dwarf_tag(&variant) == DW_TAG_variant ? name_of(&variant) : NULL;
		if (!its)
			continue;
		is_it = !strcmp(its, name);
		if (is_it && (dwarf_child(&variant, &member) || !find_tag(&member, DW_TAG_member) ||
			      !type__read_member(&member, &v->member)))
			return false;
		is_found |= is_it;
		if (sz && value_of(&variant, &value))
			note_value(v, is_it, cut(value, sz), &other_cnt);
	} while (!dwarf_siblingof(&variant, &variant));
	return is_found && (!v->is_other || other_cnt <= VARIANT_VALUES_MAX);
}

static int add(struct place_field *f, int64_t value, const char *name)
{
	f->enums[f->enum_cnt].value = value;
	f->enums[f->enum_cnt].name = strdup(name);
	return f->enums[f->enum_cnt++].name ? 0 : -ENOMEM;
}

/*
 * Readers of recordings know numbers up to 2^63 - 1 in a comparison: discriminants beyond them, for
 * which Rust takes lengths that no text can have, are counted from the least.
 */
static int64_t count_from_least(struct place_field *f, size_t cnt)
{
	uint64_t least = UINT64_MAX;
	size_t i;

	for (i = 0; i < cnt; i++)
		if ((uint64_t)f->enums[i].value < least)
			least = (uint64_t)f->enums[i].value;
	if (!cnt || least <= INT64_MAX)
		return 0;
	for (i = 0; i < cnt; i++)
		f->enums[i].value = (int64_t)((uint64_t)f->enums[i].value - least);
	return (int64_t)least;
}

int variant__add_names(Dwarf_Die *type, struct place_field *f, int64_t *base)
{
	const char *name, *other = NULL;
	Dwarf_Die part, variant;
	int64_t value;
	int err = 0;

	*base = 0;
	f->enums = calloc(FIELD_ENUMS_MAX, sizeof(*f->enums));
	if (!f->enums)
		return -ENOMEM;
	if (!find_part(type, &part) || dwarf_child(&part, &variant))
		return 0;
	do {
		name = dwarf_tag(&variant) == DW_TAG_variant ? name_of(&variant) : NULL;
		if (name && value_of(&variant, &value))
			err = add(f, value, name);
		else if (name)
			other = name;
	} while (!err && f->enum_cnt < FIELD_ENUMS_MAX && !dwarf_siblingof(&variant, &variant));
	if (err || !other || f->enum_cnt > COMPARED_MAX)
		return err;
	*base = count_from_least(f, f->enum_cnt);
	f->has_other = 1;
	return add(f, 0, other);
}
