/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Types of a package of split DWARF that have units of their own (-fdebug-types-section): each is
 * opened when it is asked for, since any unit may refer to it. Runs in readers.
 */
#ifndef BPFPERF_SYM_SPLIT_TYPES_H
#define BPFPERF_SYM_SPLIT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/dwarf_parts.h"
#include "util/u64map.h"

struct split_type {
	struct dwarf_file file;
	Dwarf_Die type; /* ->addr is NULL: it is not known */
};

struct split_types {
	struct split_type *at;
	size_t cnt, cap;
	struct u64map by_signature; /* → index of `at` */
};

/* Finds a type of the package. false: it has none of this signature, or the unit is damaged. */
bool split_types__find(struct split_types *types, const struct dwo_file *package,
		       uint64_t signature, Dwarf_Die *type);
void split_types__free(struct split_types *types);

#endif
