/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The one way into libelf for files that any user may have written. */
#ifndef BPFPERF_UNWIND_ELF_OPEN_H
#define BPFPERF_UNWIND_ELF_OPEN_H

#include <libelf.h>

/*
 * Real files have about forty sections and a dozen segments; more mean a damaged or hostile file.
 */
#define ELF_MAX_SECTIONS 1024
#define ELF_MAX_SEGMENTS 1024

/*
 * elf_begin(3) on a file with at most ELF_MAX_SECTIONS sections: libelf allocates memory for each
 * section before it can be asked how many there are, gigabytes for a file of a few blocks. NULL:
 * there are more, or libelf refuses the file.
 */
Elf *elf_open(int fd, Elf_Cmd cmd);

#endif
