/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The split units of a program (-gsplit-dwarf): which of them are here, which are to be asked for,
 * and which cannot be had. Runs in readers.
 */
#ifndef BPFPERF_SYM_SPLIT_UNITS_H
#define BPFPERF_SYM_SPLIT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/split_state.h"
#include "sym/dwarf_split.h"
#include "sym/dwarf_units.h"
#include "sym/split_types.h"

struct split_unit {
	uint64_t id;
	Dwarf_Die skeleton;
	const char *dir, *name; /* of the .dwo file, as the compiler was called; may be NULL */
	enum split_state state;
	struct dwo_file dwo; /* not used if it is in the package */
	struct dwarf_split split; /* SPLIT_HERE */
	struct dwarf_units functions;
};

struct split_units {
	struct split_unit *at; /* in the order of their skeletons */
	size_t cnt, cap;
	size_t wanted_cnt; /* files that are here, or are asked for */
	size_t mem_sz; /* bytes of files, and of what was made of them */
	size_t missing_cnt; /* units of which the file cannot be had */
	const struct split_unit *missing; /* the first one of them */
	const struct dwarf_file *main;
	enum split_state package_state;
	struct dwo_file package; /* of all units; SPLIT_HERE */
	struct split_types types; /* of the package, as far as they were asked for */
};

/* Reads the skeletons of a program's DWARF. 0 or -ENOMEM. */
int split_units__read(struct split_units *units, const struct dwarf_file *main);
void split_units__free(struct split_units *units);
/*
 * The unit of a skeleton, which is here from now on, if it can be; else split_unit__waits(). NULL:
 * the DIE is no skeleton's.
 */
struct split_unit *split_units__get(struct split_units *units, Dwarf_Die *cu);
/* Has the unit here, if it can be; else split_unit__waits(). Returns whether it is here. */
bool split_units__load(struct split_units *units, struct split_unit *u);
/* Does a unit that is not here wait for its file, or for the package? */
bool split_unit__waits(const struct split_unit *u);
/* dwarf_units__find() among the functions of a unit that is here. */
bool split_units__find(struct split_units *units, struct split_unit *u, struct texts *names,
		       uint64_t vaddr, Dwarf_Die *cu, uint64_t *die_off);
/*
 * Takes what became of wishes for units' files. fds: of those with SPLIT_HERE, in their order; they
 * may be closed.
 */
void split_units__take(struct split_units *units, const struct split_given *given, size_t cnt,
		       const int *fds, uint32_t fd_cnt);
/* Finds a type of the package that has a unit of its own. false: there is none. */
bool split_units__type(struct split_units *units, uint64_t signature, Dwarf_Die *type);
/* Bytes in memory, beside the pages of files that are mapped. */
size_t split_units__mem_sz(const struct split_units *units);
/* Are files asked for? */
bool split_units__want(const struct split_units *units);
/*
 * Appends them: whether the package is one of them (u8), the number of the others, then of each its
 * id, the directory and the name. Where there is a package, it may have all.
 */
void split_units__put_wants(const struct split_units *units, struct strbuf *answer);
/*
 * Appends, as the end of a sentence, which files could not be had; nothing if all could that were
 * asked for.
 */
void split_units__put_missing(const struct split_units *units, struct strbuf *sb);
/* Appends one of them. */
void split_unit__put_missing(const struct split_unit *u, struct strbuf *sb);

#endif
