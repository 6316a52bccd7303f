/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A file of code with its DWARF, as a reader keeps it from one request to the next. */
#ifndef BPFPERF_PROBE_CODE_FILE_H
#define BPFPERF_PROBE_CODE_FILE_H

#include <stdbool.h>

#include "probe/copies_units.h"
#include "probe/regs.h"
#include "sym/split_units.h"
#include "reader/reader.h"
#include "sym/dwarf_units.h"
#include "sym/elf_file.h"

/* The files of a program that come with a request: the first always, then those of these. */
struct code_file_set {
	uint8_t has_debug; /* its debug file */
	uint8_t has_alt; /* the file that this, or the debug file, shares DWARF with */
	uint8_t padding[6];
};

/* They as descriptors; -1: none. */
struct code_fds {
	int file, debug, alt;
};

struct code_file {
	struct elf_file elf;
	struct dwarf_file dwarf; /* of the file, or of its debug file; from code_file__dwarf() on */
	struct split_units split; /* of dwarf */
	struct copies_units copies_units; /* of dwarf, from code_file__copies() on */
	bool has_dwarf, is_go;
	bool is_dwarf_read; /* code_file__dwarf() was called */
	struct dwarf_units units;
	struct texts names;
	Dwarf_CFI *cfi; /* may be NULL */
	const struct probe_regs *regs; /* NULL: programs of this machine do not run here */
};

struct code_fds code_fds__of(const struct reader_request *req, const struct code_file_set *set);

/*
 * Opens a file. The last one is kept: it is opened again only if it, or one of those that come with
 * it, is another one, or has changed. The descriptor of a file that is kept is taken: *fd, which is
 * fds->file, becomes -1, but stays open. 0; -ENOEXEC; -ENOMEM.
 */
int code_file__open(struct code_file **file, int *fd, const struct code_fds *fds);

/*
 * Reads the DWARF, unless that was done: of these files, with which this one was opened. There may
 * be none.
 */
void code_file__dwarf(struct code_file *file, const struct code_fds *fds);

/* A function as DWARF describes it. */
struct code_func {
	Dwarf_Die die;
	Dwarf_Die unit; /* has the lines: of a split unit, the skeleton */
	const struct dwarf_file *dwarf; /* of the DIE */
	bool has_lines_files; /* its source files are numbered as those of `unit` */
};

/*
 * Finds the function that has the code at vaddr. false: it is not known. *missing: NULL, or the
 * split unit that would have it, and is not here.
 */
bool code_file__find(struct code_file *file, uint64_t vaddr, struct code_func *func,
		     const struct split_unit **missing);

/* Follows a reference to another entry of the file that is kept; also to a type of its package. */
bool code_file__follow(Dwarf_Attribute *ref, Dwarf_Die *die);

/*
 * dwarf_file__need_lines() and dwarf_file__need_locs() of the file that is kept: to be called
 * before libdw is asked for lines, source files or locations.
 */
void code_file__need_lines(Dwarf_Die *unit);
bool code_file__need_locs(Dwarf_Attribute *attr, bool all);

/* Reads copies_units unless they are read. 0 or -ENOMEM. */
int code_file__copies(struct code_file *file);

#endif
