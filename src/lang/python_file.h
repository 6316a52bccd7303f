/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds an interpreter of Python in an ELF file: a program, or libpython, stripped or not. */
#ifndef BPFPERF_LANG_PYTHON_FILE_H
#define BPFPERF_LANG_PYTHON_FILE_H

#include <stddef.h>

#include <linux/types.h>

#include "bpf/python_wire.h"

/* Longest name of a field that is missing. */
#define PYTHON_MISSING_MAX 64

/*
 * Has the file read by a reader (reader/reader.h). 0: *file is set; -ENOENT: there is no Python in
 * it; -ENOTSUP: its version is not known, file->version is it (0: not even that), and missing
 * (PYTHON_MISSING_MAX bytes) the name of the offset that it lacks; or an error of reader__call().
 */
int python_file__read(int fd, struct python_file *file, char *missing);

#endif
