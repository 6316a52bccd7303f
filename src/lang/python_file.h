/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds an interpreter of Python in an ELF file: a program, or libpython, stripped or not. */
#ifndef BPFPERF_LANG_PYTHON_FILE_H
#define BPFPERF_LANG_PYTHON_FILE_H

#include <stddef.h>

#include <libelf.h>
#include <linux/types.h>

#include "bpf/python_wire.h"

/*
 * For use by a reader, of a file of 64 bits. 0: *file is set; -ENOENT: there is no Python in it;
 * -ENOTSUP: its version is not known, file->version is it (0: not even that), and *missing the name
 * of the offset that it lacks.
 */
int python_file__read(Elf *elf, int fd, struct python_file *file, const char **missing);

#endif
