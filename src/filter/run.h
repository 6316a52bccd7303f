/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Runs generated code in bpfperf itself, on records of a recording: what the kernel's programs do
 * with live ones is defined in one place.
 */
#ifndef BPFPERF_FILTER_RUN_H
#define BPFPERF_FILTER_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "filter/code.h"

struct patch_env;

/* The largest record. */
#define CODE_ENTRY_MAX 65536

/*
 * Runs finished code that ends with BPF_EXIT; its spill_off is CODE_RUN_SPILL. entry: a record,
 * in CODE_ENTRY_MAX bytes, zeros behind it. Each access is checked: memory of the recorded machine
 * is not there, and texts behind pointers are empty. *r0: what the code returned; 0 also if it left
 * the memory, or ran too long. 0, or -ENOEXEC (not logged): it came to an instruction that the
 * generator does not write, or to its end without BPF_EXIT.
 */
int code__run(const struct code *c, const void *entry, struct patch_env *env, uint64_t *r0);
#define CODE_RUN_SPILL (-16)

#endif
