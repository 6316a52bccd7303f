/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The units of a DWARF file by the functions that they may have copies of. Kept for the searches of
 * one command line, since all units are looked through. Runs in readers.
 */
#ifndef BPFPERF_PROBE_COPIES_UNITS_H
#define BPFPERF_PROBE_COPIES_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/dwarf_file.h"
#include "util/u64map.h"

struct copies_unit {
	Dwarf_Die die;
	bool is_always; /* its functions are not known by name */
	bool is_across_units; /* its copies may refer to other units: link-time optimization */
};

/* A name that a unit may have. */
struct copies_entry {
	uint32_t unit; /* index */
	uint32_t next; /* index of another entry of the hash; U64MAP_NONE: none */
};

struct copies_units {
	struct copies_unit *at;
	size_t cnt, cap;
	struct u64map by_hash; /* hash of a name → its first entry */
	struct copies_entry *entries;
	size_t entry_cnt, entry_cap;
	bool is_read;
};

/* Reads the units. 0 or -ENOMEM. */
int copies_units__read(struct copies_units *units, const struct dwarf_file *file);
void copies_units__free(struct copies_units *units);
/*
 * Sets is_candidate[i] of each unit that may have a function of this name. Each that has one is
 * among them.
 */
void copies_units__find(const struct copies_units *units, const char *name, bool *is_candidate);

#endif
