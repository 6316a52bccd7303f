// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/cpuinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fs.h"

#define CPUINFO "/proc/cpuinfo"

static const char *cpuinfo_path = CPUINFO;

void cpuinfo__set_path(const char *path)
{
	cpuinfo_path = path ? path : CPUINFO;
}

int cpuinfo__value(const char *key, char *buf, size_t sz)
{
	char *text = fs__read_file(cpuinfo_path, NULL);
	const char *line = text;
	size_t len = strlen(key);
	int err = text ? -ENODATA : -errno;

	*buf = '\0';
	while (line && *line && err) {
		const char *p = line + len;

		if (!strncmp(line, key, len) && p[strspn(p, " \t")] == ':') {
			p += strspn(p, " \t:");
			snprintf(buf, sz, "%.*s", (int)strcspn(p, "\n"), p);
			err = 0;
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
	free(text);
	return err;
}

bool cpuinfo__has_flag(const char *flag)
{
	size_t len = strlen(flag), n;
	char flags[8192];
	const char *p;

	if (cpuinfo__value("flags", flags, sizeof(flags)))
		return false;
	for (p = flags + strspn(flags, " "); *p; p += n + strspn(p + n, " ")) {
		n = strcspn(p, " ");
		if (n == len && !memcmp(p, flag, len))
			return true;
	}
	return false;
}

unsigned long cpuinfo__number(const char *key)
{
	char buf[32];

	return cpuinfo__value(key, buf, sizeof(buf)) ? 0 : strtoul(buf, NULL, 0);
}
