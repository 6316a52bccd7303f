/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reports a fault in an argument and marks its place. */
#ifndef BPFPERF_EVENT_SPEC_ERROR_H
#define BPFPERF_EVENT_SPEC_ERROR_H

#include <stddef.h>

/*
 * Says what is wrong, then shows the argument with a caret under `off` bytes from its
 * start. Returns -EINVAL.
 */
int spec__error(const char *spec, size_t off, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
