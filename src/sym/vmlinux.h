/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The functions of a kernel's ELF file, in the form of those of /proc/kallsyms. */
#ifndef BPFPERF_SYM_VMLINUX_H
#define BPFPERF_SYM_VMLINUX_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/reader.h"
#include "sym/symtab.h"
#include "util/strbuf.h"

/*
 * Reads the functions of the file at `path` into tab, which is empty and finished afterwards, and
 * their names into strings: NAME, NUL, an empty module, NUL. *text: the address of _text. 0;
 * -ENOEXEC: it is no ELF file; -ENODATA: it has no functions; or another -errno.
 */
int vmlinux__read(enum reader_purpose purpose, const char *path, struct symtab *tab,
		  struct strbuf *strings, uint64_t *text);

#endif
