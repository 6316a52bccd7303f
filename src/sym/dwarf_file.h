/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Opens an ELF file's DWARF, limiting the damage that its size or its owner can do. */
#ifndef BPFPERF_SYM_DWARF_FILE_H
#define BPFPERF_SYM_DWARF_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <elfutils/libdw.h>

#include "sym/dwarf_info.h"

/* Bytes after the last NUL of a section with texts: a text that begins there is not terminated. */
struct dwarf_tail {
	const char *from, *to;
};
#define DWARF_TAILS_MAX 4

/* The parts of DWARF that are needed. */
enum dwarf_part {
	DWARF_NAMES, /* inlined functions */
	DWARF_NAMES_AND_LINES, /* with their source lines */
	DWARF_ALL, /* variables, too; for a single request */
};

/* Sections of DWARF_ALL that are inflated when they are needed. */
enum dwarf_late {
	DWARF_LATE_LINES, /* .debug_line */
	DWARF_LATE_LOCS, /* .debug_loc */
	DWARF_LATE_LOCLISTS, /* .debug_loclists */
	DWARF_LATE_CNT,
};

struct dwarf_file {
	Elf *elf;
	Dwarf *dwarf;
	Dwarf *alt; /* DWARF that this and other files share; or NULL */
	size_t mem_sz; /* memory of sections in bytes; 0: mapped */
	struct dwarf_info info; /* .debug_info, if it is inflated step by step */
	struct dwarf_info late[DWARF_LATE_CNT], entries; /* likewise, for DWARF_ALL */
	struct dwarf_tail tails[DWARF_TAILS_MAX];
	size_t tail_cnt;
};

/*
 * Reads the debug sections that these parts need, or
 * maps them (see INLINES_READ_MAX); fd may be closed afterwards. alt_fd: the file that its
 * .gnu_debugaltlink names, or -1. 0; -ENOEXEC if there is no DWARF; -EFBIG if it is too large to be
 * read and may not be mapped. Must be closed unless an error was returned.
 */
int dwarf_file__open(struct dwarf_file *file, int fd, int alt_fd, enum dwarf_part parts);
/*
 * Has the first `sz` bytes of .debug_info ready for libdw, or all of it: what lies behind must not
 * be asked for while file->info.data is set. 0 or -EBADMSG.
 */
int dwarf_file__inflate(struct dwarf_file *file, uint64_t sz);
/*
 * Has the source lines of a unit ready for libdw; NULL: of all units. To be called before libdw is
 * asked for lines or files of a file that was opened for DWARF_ALL.
 */
void dwarf_file__need_lines(struct dwarf_file *file, Dwarf_Die *unit);
/*
 * Likewise a list of locations. all: every list, since the end of this one was not reached; false
 * is returned if that was so before.
 */
bool dwarf_file__need_locs(struct dwarf_file *file, Dwarf_Attribute *attr, bool all);
/* Returns whether the linker made the code at vaddr, which no unit has: stubs of a .plt. */
bool dwarf_file__is_plt(const struct dwarf_file *file, uint64_t vaddr);
/* Releases the mapped pages; the next access reads them again. */
void dwarf_file__idle(const struct dwarf_file *file);
/* Checks a text that libdw returned for a DIE; NULL if it is not a text, or not terminated. */
const char *dwarf_file__text(const struct dwarf_file *file, const char *text);
void dwarf_file__close(struct dwarf_file *file);

#endif
