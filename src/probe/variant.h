/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Enums of Rust with data in their variants: DWARF has a structure with a variant part (DWARF 5,
 * section 5.7.10). A number in it, the discriminant, says which variant the value is. Runs in
 * readers.
 */
#ifndef BPFPERF_PROBE_VARIANT_H
#define BPFPERF_PROBE_VARIANT_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include "probe/place.h"
#include "probe/type.h"

/* The most variants beside the one for all other values, if its data is asked for. */
#define VARIANT_VALUES_MAX 8

/* A variant of an enum. */
struct variant {
	struct type_member member; /* its data */
	struct type_member discr;
	/* The discriminant is this, or, with is_other, none of these. cnt 0: there is no other. */
	int64_t values[VARIANT_VALUES_MAX];
	size_t value_cnt;
	bool is_other;
};

/* Finds a variant by name. false: there is none, or too many others are beside it. */
bool variant__find(const Dwarf_Die *type, const char *name, struct variant *v);
/* Finds the discriminant of a structure. false: the structure has no variants to choose from. */
bool variant__discriminant(Dwarf_Die *type, struct type_member *m);
/*
 * Puts the names of the variants by discriminant into the field's enums. *base is to be subtracted
 * from the discriminant first. 0 or -ENOMEM.
 */
int variant__add_names(Dwarf_Die *type, struct place_field *f, int64_t *base);

#endif
