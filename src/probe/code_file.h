/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A file of code with its DWARF, as a reader keeps it from one request to the next. */
#ifndef BPFPERF_PROBE_CODE_FILE_H
#define BPFPERF_PROBE_CODE_FILE_H

#include <stdbool.h>

#include "probe/copies_units.h"
#include "probe/regs.h"
#include "sym/dwarf_units.h"
#include "sym/elf_file.h"

struct code_file {
	struct elf_file elf;
	struct dwarf_file dwarf; /* of the file, or of its debug file; from code_file__dwarf() on */
	struct copies_units copies_units; /* of dwarf, from code_file__copies() on */
	bool has_dwarf, is_go;
	bool is_dwarf_read; /* code_file__dwarf() was called */
	struct dwarf_units units;
	struct texts names;
	Dwarf_CFI *cfi; /* may be NULL */
	const struct probe_regs *regs; /* NULL: programs of this machine do not run here */
};

/*
 * Opens a file, with its debug file and the file that this shares DWARF with (-1: none). The last
 * file is kept: it is opened again only if it is another one, or has changed. The descriptor of a
 * file that is kept is taken: *fd becomes -1, but stays open. 0; -ENOEXEC; -ENOMEM.
 */
int code_file__open(struct code_file **file, int *fd, int debug_fd, int alt_fd);

/*
 * Reads the DWARF, unless that was done: of these files, with which this one was opened. There may
 * be none.
 */
void code_file__dwarf(struct code_file *file, int debug_fd, int alt_fd);

/* Reads copies_units unless they are read. 0 or -ENOMEM. */
int code_file__copies(struct code_file *file);

#endif
