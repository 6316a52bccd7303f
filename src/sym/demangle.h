/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Demangles C++ and Rust names with libiberty. */
#ifndef BPFPERF_SYM_DEMANGLE_H
#define BPFPERF_SYM_DEMANGLE_H

#include <stdbool.h>

#include "util/strbuf.h"

/* Longer results are useless as names: a mangled one of 100 bytes can expand to gigabytes. */
#define DEMANGLE_MAX_SZ 16384

/*
 * Appends the demangled form of a linker's name as perf prints it: function and scopes with their
 * template arguments, without parameters and without a compiler's suffix for clones (".cold").
 * false, with nothing appended, if the name is not mangled, is damaged, or would be longer than
 * DEMANGLE_MAX_SZ.
 */
bool demangle(const char *name, struct strbuf *sb);
/* Does the name begin as mangled ones do? */
bool demangle__is_mangled(const char *name);

#endif
