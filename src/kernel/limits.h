/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Limits of this process: open files, of which rings, events and symbol tables need many, and
 * locked memory, which includes BPF memory before 5.11.
 */
#ifndef BPFPERF_KERNEL_LIMITS_H
#define BPFPERF_KERNEL_LIMITS_H

#include <stdbool.h>

/* Raises the limit of open files to the hard limit; false: it is there already. */
bool limits__raise_files(void);
/* Raises the limit of locked memory, beyond the hard limit where that is allowed. */
void limits__raise_locked(void);
/* Restores both limits, for CMD; may be called between fork and exec. */
void limits__restore(void);

#endif
