/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The text of /proc/kallsyms, or of a copy of it. */
#ifndef BPFPERF_SYM_KALLSYMS_TEXT_H
#define BPFPERF_SYM_KALLSYMS_TEXT_H

#include <stdbool.h>

#include "sym/kallsyms.h"

/*
 * Adds the functions to those of r, which the caller sorts afterwards; not is_whole: only those of
 * modules. *nonzero is set if an address is not hidden. 0 or -errno.
 */
int kallsyms_text__read(struct kallsyms_read *r, int fd, bool is_whole, bool *nonzero);

#endif
