// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/copies_units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* GCC with -flto, and Rust, refer across units. */
static bool is_across_units(const struct dwarf_file *file, Dwarf_Die *cu)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_attr(cu, DW_AT_producer, &attr)
				       ? dwarf_file__text(file, dwarf_formstring(&attr))
				       : NULL;

	return producer && (strstr(producer, "lto") || strstr(producer, "rustc"));
}

static int add_unit(struct copies_units *units, const struct dwarf_file *file, Dwarf_Die *die)
{
	struct copies_unit *u;
	Dwarf_Die cu;

	if (array__reserve((void **)&units->at, &units->cap, units->cnt + 1, sizeof(*units->at)))
		return -ENOMEM;
	/* A unit ends where the next one begins. */
	u = &units->at[units->cnt];
	if (units->cnt && (const uint8_t *)die->addr > u[-1].at)
		u[-1].sz = (size_t)((const uint8_t *)die->addr - u[-1].at);
	*u = (struct copies_unit){
		.die = *die,
		.at = die->addr,
		.has_indexed_names = dwarf_hasattr(die, DW_AT_str_offsets_base) || file->alt,
		.is_across_units = is_across_units(file, die),
	};
	if (!dwarf_diecu(die, &cu, NULL, &u->offset_sz))
		u->offset_sz = 8;
	units->cnt++;
	return 0;
}

int copies_units__read(struct copies_units *units, const struct dwarf_file *file)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	int err = 0;
	size_t len;

	*units = (struct copies_units){ .strings = dwarf_getstring(file->dwarf, 0, NULL) };
	/* libdw tells the strings, not the size of their section. */
	while (units->strings && dwarf_getstring(file->dwarf, units->strings_sz, &len))
		units->strings_sz += len + 1;
	while (!err && !dwarf_get_units(file->dwarf, cu, &cu, NULL, &type, &die, NULL))
		if (type == DW_UT_compile || type == DW_UT_partial)
			err = add_unit(units, file, &die);
	if (err)
		copies_units__free(units);
	return err;
}

void copies_units__free(struct copies_units *units)
{
	free(units->at);
	*units = (struct copies_units){ NULL };
}

void copies_name__find(struct copies_name *name, const struct copies_units *units, const char *text)
{
	const char *from = units->strings, *end = from ? from + units->strings_sz : NULL, *at;
	size_t want = strlen(text) + 1; /* with its NUL */

	name->name = text;
	name->has_strings = from != NULL;
	name->cnt = 0;
	for (at = from; at && name->cnt < sizeof(name->offs) / sizeof(name->offs[0]); at++) {
		at = memmem(at, (size_t)(end - at), text, want);
		if (!at)
			return;
		if (at == from || !at[-1]) {
			name->offs[0] = (uint32_t)(at - from);
			name->cnt = 1;
			return;
		}
		name->offs[name->cnt++] = (uint32_t)(at - from);
	}
}

typedef uint8_t lanes __attribute__((vector_size(16)));

static lanes load_lanes(const uint8_t *at)
{
	lanes v;

	memcpy(&v, at, sizeof(v));
	return v;
}

/* The bytes that one step of has_number() compares, and those behind which it looks at. */
#define STEP_SZ sizeof(lanes)
#define STEP_LOOKS_AT (STEP_SZ + sizeof(uint32_t) - 1)

/*
 * Is the number anywhere among the unit's bytes? Two of its bytes, compared at 16 places at once,
 * rule out nearly all places; memmem() takes six times as long.
 */
static bool has_number(const struct copies_unit *u, uint32_t number)
{
	const uint8_t *at = u->at, *end = u->at + u->sz;
	uint8_t bytes[sizeof(number)];
	uint64_t any[2];
	lanes found;

	memcpy(bytes, &number, sizeof(bytes));
	for (; (size_t)(end - at) >= STEP_LOOKS_AT; at += STEP_SZ) {
		found = (lanes)((load_lanes(at) == bytes[0]) & (load_lanes(at + 1) == bytes[1]));
		memcpy(any, &found, sizeof(any));
		if ((any[0] | any[1]) && memmem(at, STEP_LOOKS_AT, bytes, sizeof(bytes)))
			return true;
	}
	return memmem(at, (size_t)(end - at), bytes, sizeof(bytes)) != NULL;
}

bool copies_name__may_be_in(const struct copies_name *name, const struct copies_unit *unit)
{
	size_t i, sz = strlen(name->name) + 1;

	/*
	 * The last unit's size is not known, so it is always looked at; all are if there may be
	 * more places of the name than were kept, or no section of strings.
	 */
	if (!unit->sz || unit->has_indexed_names || !name->has_strings ||
	    name->cnt == sizeof(name->offs) / sizeof(name->offs[0]))
		return true;
	for (i = 0; i < name->cnt; i++)
		if (has_number(unit, name->offs[i]))
			return true;
	/* Names that are no longer than an offset stand in the entry itself. */
	return sz <= unit->offset_sz && memmem(unit->at, unit->sz, name->name, sz);
}
