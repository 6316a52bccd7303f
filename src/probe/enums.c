// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/enums.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/field_make.h"
#include "probe/type.h"

int enums__add(Dwarf_Die *type, struct place_field *f)
{
	Dwarf_Attribute attr;
	Dwarf_Die child;
	const char *name;

	f->enums = calloc(FIELD_ENUMS_MAX, sizeof(*f->enums));
	if (!f->enums)
		return -ENOMEM;
	if (dwarf_child(type, &child))
		return 0;
	do {
		struct place_enum *e = &f->enums[f->enum_cnt];
		Dwarf_Sword val;

		name = dwarf_diename(&child);
		if (dwarf_tag(&child) != DW_TAG_enumerator || !name ||
		    !place__is_name(name, PROBE_NAME_MAX) ||
		    !dwarf_attr(&child, DW_AT_const_value, &attr) || dwarf_formsdata(&attr, &val))
			continue;
		e->value = val;
		e->name = strdup(name);
		if (!e->name)
			return -ENOMEM;
		f->enum_cnt++;
	} while (f->enum_cnt < FIELD_ENUMS_MAX && !dwarf_siblingof(&child, &child));
	return 0;
}

bool enums__are_signed(Dwarf_Die *type, const struct place_field *f)
{
	Dwarf_Die base;
	unsigned int enc;
	size_t i;

	for (i = 0; i < f->enum_cnt; i++)
		if (f->enums[i].value < 0)
			return true;
	if (!type__of(type, &base) || !type__strip(&base))
		return false;
	enc = type__encoding(&base);
	return enc == DW_ATE_signed || enc == DW_ATE_signed_char;
}
