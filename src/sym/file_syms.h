/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* All sources of one file's function names: the file, its debug file, .gnu_debugdata. */
#ifndef BPFPERF_SYM_FILE_SYMS_H
#define BPFPERF_SYM_FILE_SYMS_H

#include "sym/elf_syms.h"

/*
 * Reads the functions of an image and of its debug file (-1: none) into syms, which is empty.
 * flags: enum elf_syms_flag; ELF_SYMS_STRIPPED: also .gnu_debugdata and the table of a Go program,
 * if neither has symbols. 0;
 * -ENOEXEC if it is not an ELF file.
 */
int file_syms__read(struct elf_syms *syms, const struct elf_image *img, int debug_fd,
		    unsigned int flags);

#endif
