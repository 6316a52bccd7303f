// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/cgroup.h"

#include <string.h>

#define CONTAINER_LEN 64

void cgroup__put_container(struct strbuf *sb, const char *path)
{
	size_t n;

	for (; *path; path += n ? n : 1) {
		n = strspn(path, "0123456789abcdef");
		if (n == CONTAINER_LEN) {
			strbuf__add(sb, path, n);
			return;
		}
	}
}

void cgroup__put_service(struct strbuf *sb, const char *path)
{
	static const char suffix[] = ".service";
	const char *name = strrchr(path, '/');
	size_t len = name ? strlen(++name) : 0, n = sizeof(suffix) - 1;

	if (len > n && !strcmp(name + len - n, suffix))
		strbuf__add(sb, name, len - n);
}
