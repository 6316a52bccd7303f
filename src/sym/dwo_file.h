/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Files of split DWARF (-gsplit-dwarf): a .dwo file has one split unit, a package (.dwp) those of a
 * whole program, in parts that an index tells. Runs in readers.
 */
#ifndef BPFPERF_SYM_DWO_FILE_H
#define BPFPERF_SYM_DWO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "util/strbuf.h"

/* The sections of a unit. The last two are in the program, not in a .dwo file. */
enum dwo_part {
	DWO_INFO,
	DWO_TYPES,
	DWO_ABBREV,
	DWO_LINE,
	DWO_LOC,
	DWO_LOCLISTS,
	DWO_RNGLISTS,
	DWO_STR_OFFSETS,
	DWO_STR,
	DWO_OWN_CNT,
	DWO_ADDR = DWO_OWN_CNT,
	DWO_RANGES,
	DWO_PART_CNT,
};

struct dwo_bytes {
	uint8_t *at;
	size_t sz;
};

struct dwo_parts {
	struct dwo_bytes part[DWO_PART_CNT];
};

struct dwo_file {
	Elf *elf;
	struct dwo_parts whole;
	struct dwo_bytes index, type_index; /* of a package: of units, and of types */
	struct strbuf units, types; /* sections of which the file has several, joined */
	size_t inflated_sz; /* bytes of sections that were compressed */
};

/* The name of a part's section in a program, without ".dwo". */
const char *dwo_part__name(enum dwo_part part);
/*
 * Opens a .dwo file or a package; fd may be closed afterwards. The bytes are a copy of its own,
 * which may be changed. -ENOEXEC: it is neither, or damaged; -EFBIG; -ENOMEM. Must be closed
 * unless an error was returned.
 */
int dwo_file__open(struct dwo_file *file, int fd);
/* The parts of a unit; of a .dwo file all that there is. false: the package has no such unit. */
bool dwo_file__unit(const struct dwo_file *file, uint64_t id, struct dwo_parts *parts);
/*
 * The parts of the unit of a type in a package (-fdebug-types-section). false: it has no such type.
 */
bool dwo_file__type(const struct dwo_file *file, uint64_t signature, struct dwo_parts *parts);
/* Bytes in memory, beside pages of the file. */
size_t dwo_file__mem_sz(const struct dwo_file *file);
void dwo_file__close(struct dwo_file *file);

#endif
