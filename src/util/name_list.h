/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of names as options have them: "NAME,NAME,...". */
#ifndef BPFPERF_UTIL_NAME_LIST_H
#define BPFPERF_UTIL_NAME_LIST_H

#include <stdbool.h>
#include <string.h>

/* Returns whether the list has the name. NULL: an empty list. */
static inline bool name_list__has(const char *names, const char *name)
{
	size_t len, want = strlen(name);

	for (; names; names = names[len] ? names + len + 1 : NULL) {
		len = strcspn(names, ",");
		if (len == want && !memcmp(names, name, len))
			return true;
	}
	return false;
}

/* Returns whether the list has a file, by its path or by its name alone. */
static inline bool name_list__has_file(const char *names, const char *path)
{
	const char *base = strrchr(path, '/');

	return name_list__has(names, path) || (base && name_list__has(names, base + 1));
}

#endif
