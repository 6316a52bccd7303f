/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Names as their language writes them: C++ and Rust, through libiberty. */
#ifndef BPFPERF_SYM_DEMANGLE_H
#define BPFPERF_SYM_DEMANGLE_H

#include <stdbool.h>

#include "util/strbuf.h"

/* Longer results are no names any more: a mangled one of 100 bytes can expand to gigabytes. */
#define DEMANGLE_MAX_SZ 16384

/*
 * Appends the demangled form of a linker's name: function and scopes with their template
 * arguments, without parameters and without what a compiler appended to a clone (".cold"), as perf
 * prints it. false, and nothing appended, where it is not mangled, is damaged,
 * or would be longer than DEMANGLE_MAX_SZ.
 */
bool demangle(const char *name, struct strbuf *sb);

#endif
