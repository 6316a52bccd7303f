/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds an interpreter of Ruby in an ELF file: a program, or libruby, stripped or not. */
#ifndef BPFPERF_LANG_RUBY_FILE_H
#define BPFPERF_LANG_RUBY_FILE_H

#include <libelf.h>
#include <linux/types.h>

#include "bpf/ruby_wire.h"

/*
 * For use by a reader, of a file of 64 bits. 0: *file is set; -ENOENT: there is no Ruby in it;
 * -ENOTSUP: file->version is not known (0: not even its number), and *missing tells what was not
 * found.
 */
int ruby_file__read(Elf *elf, int fd, struct ruby_file *file, const char **missing);

#endif
