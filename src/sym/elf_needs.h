/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names the files that a program needs to run, from its ELF headers. */
#ifndef BPFPERF_SYM_ELF_NEEDS_H
#define BPFPERF_SYM_ELF_NEEDS_H

#include "sym/elf_file.h"
#include "util/strbuf.h"

/*
 * Appends, as texts of reader/answer.h, the path of the interpreter, the directories of DT_RUNPATH
 * or DT_RPATH, and the name of each library; the first two may be NULL. Nothing for a program that
 * is not of 64 bits and this byte order.
 */
void elf_needs__put(const struct elf_file *elf, struct strbuf *answer);

#endif
