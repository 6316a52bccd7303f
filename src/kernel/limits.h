/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What the kernel lets us have: open files (rings, events and the files that name what was sampled are many),
 * and locked memory, which that of BPF counts as before 5.11.
 */
#ifndef BPFPERF_KERNEL_LIMITS_H
#define BPFPERF_KERNEL_LIMITS_H

#include <stdbool.h>

/* Raises our limit as far as it goes; false: it does not go further. */
bool limits__raise_files(void);
/* The same, beyond the hard limit where that is allowed. */
void limits__raise_locked(void);
/* For CMD: back to what they were. Between fork and exec, too. */
void limits__restore(void);

#endif
