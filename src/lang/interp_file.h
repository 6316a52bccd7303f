/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the interpreter of any known language in an ELF file, a program or a library. */
#ifndef BPFPERF_LANG_INTERP_FILE_H
#define BPFPERF_LANG_INTERP_FILE_H

#include <linux/types.h>

#include "bpf/interp_wire.h"

/* Longest name of a fact that is missing. */
#define INTERP_MISSING_MAX 128

/*
 * Has the file read by a reader (reader/reader.h). 0: *file is set; -ENOENT: there is no
 * interpreter in it; -ENOTSUP: the version of file->language is not known, and missing
 * (INTERP_MISSING_MAX bytes) names what it lacks; or an error of reader__call().
 */
int interp_file__read(int fd, struct interp_file *file, char *missing);

#endif
