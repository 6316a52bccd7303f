/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The places at which a build of Python keeps its data. From 3.13 on the interpreter publishes its
 * offsets at the start of _PyRuntime (_Py_DebugOffsets of pycore_runtime.h and
 * pycore_debug_offsets.h); 3.11 and 3.12 have a table here.
 */
#ifndef BPFPERF_LANG_PYTHON_OFFSETS_H
#define BPFPERF_LANG_PYTHON_OFFSETS_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "bpf/interp_wire.h"

/* Bytes at the start of _PyRuntime that are looked at. */
#define PYTHON_OFFSETS_SZ 1024

/*
 * Sets all members of *file but runtime and is_tail_called. head: the first sz bytes of _PyRuntime,
 * as they are in the file; version: PY_VERSION_HEX of the symbol Py_Version, 0: it has none.
 * Returns 0; or -ENOTSUP: the version is not known, or one of its offsets is absent or impossible,
 * of which *missing is the name.
 */
int python_offsets__read(struct python_file *file, const void *head, size_t sz, uint32_t version,
			 const char **missing);

#endif
