/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Functions of the kernel: those that can be probed, and their arguments by the kernel's BTF. */
#ifndef BPFPERF_PROBE_KERNEL_H
#define BPFPERF_PROBE_KERNEL_H

#include "probe/find.h"

/*
 * Finds functions by a name or a glob, with the fields of want->args; without these all arguments
 * of functions that are named, or shown. Places have no addresses: the kernel finds functions by
 * name. 0 with ->status; -ENODEV: the list of functions cannot be read; -ENOMEM. Free the answer
 * in any case.
 */
int probe_kernel__find(const struct find_want *want, struct find_answer *answer);

#endif
