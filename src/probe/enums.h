/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Enumerations, as DWARF describes them. Runs in readers. */
#ifndef BPFPERF_PROBE_ENUMS_H
#define BPFPERF_PROBE_ENUMS_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include "probe/place.h"

/* Puts the enumerators into the field's enums, of which it has none. 0 or -ENOMEM. */
int enums__add(Dwarf_Die *type, struct place_field *f);
/* Are the values signed? DWARF says so, or one of those in the field is negative. */
bool enums__are_signed(Dwarf_Die *type, const struct place_field *f);

#endif
