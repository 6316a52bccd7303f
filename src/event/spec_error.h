/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reports an error in an argument and marks its position. */
#ifndef BPFPERF_EVENT_SPEC_ERROR_H
#define BPFPERF_EVENT_SPEC_ERROR_H

#include <stddef.h>

/* Prints the error, then the argument with a caret under the byte at `off`. Returns -EINVAL. */
int spec__error(const char *spec, size_t off, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
