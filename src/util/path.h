/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_UTIL_PATH_H
#define BPFPERF_UTIL_PATH_H

#include <string.h>

/* The last part of a path: behind its last '/', or all of it. */
static inline const char *path__base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
