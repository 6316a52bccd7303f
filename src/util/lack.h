/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Lack of memory: an allocation that fails is noted where it fails, so that no caller can lose a
 * name or a row without a message. Only for the end of the program bpfperf, which is linked for it:
 * a function asks for the result of its own allocations.
 */
#ifndef BPFPERF_UTIL_LACK_H
#define BPFPERF_UTIL_LACK_H

#include <stdbool.h>

/* Has any allocation of this process failed? In a static program, those of libraries count too. */
bool lack__has_failed(void);

#endif
