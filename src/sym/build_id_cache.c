// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/build_id_cache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sym/root.h"

/*
 * A directory of files by build id: below the directory that a variable of the environment names.
 */
struct cache {
	const char *variable, *dir;
	bool is_split; /* the id's first byte is a directory of its own */
	const char *file; /* below the id's directory; "": the id itself is the file (perf < 4.4) */
	unsigned int kinds; /* enum build_id_kind */
};

#define PERF_FILES(variable, dir)                                                                  \
	{ variable, dir, true, "/debug", CACHED_DEBUG },                                           \
		{ variable, dir, true, "/elf", CACHED_DEBUG | CACHED_FILE },                       \
		{ variable, dir, true, "/vdso", CACHED_FILE },                                     \
		{ variable, dir, true, "/kallsyms", CACHED_KALLSYMS },                             \
	{                                                                                          \
		variable, dir, true, "", CACHED_DEBUG | CACHED_FILE | CACHED_KALLSYMS              \
	}
#define DEBUGINFOD_FILES(variable, dir)                                                            \
	{ variable, dir, false, "/debuginfo", CACHED_DEBUG },                                      \
	{                                                                                          \
		variable, dir, false, "/executable", CACHED_FILE                                   \
	}

static const struct cache caches[] = {
	PERF_FILES("PERF_BUILDID_DIR", "/.build-id"),
	PERF_FILES("HOME", "/.debug/.build-id"),
	DEBUGINFOD_FILES("DEBUGINFOD_CACHE_PATH", ""),
	DEBUGINFOD_FILES("XDG_CACHE_HOME", "/debuginfod_client"),
	DEBUGINFOD_FILES("HOME", "/.cache/debuginfod_client"),
	DEBUGINFOD_FILES("HOME", "/.debuginfod_client_cache"),
};

bool build_id_cache__path(const struct sym_build_id *id, enum build_id_kind kind, size_t nth,
			  char *path, size_t sz)
{
	char hex[2 * BUILD_ID_MAX_SZ + 1];
	const struct cache *c = &caches[nth];
	const char *dir;
	int n;

	path[0] = '\0';
	if (nth >= sizeof(caches) / sizeof(*caches))
		return false;
	dir = getenv(c->variable);
	if (id->len < 2 || !(c->kinds & kind) || !dir || *dir != '/')
		return true;
	build_id__hex(id, hex);
	if (c->is_split)
		n = snprintf(path, sz, "%s%s/%.2s/%s%s", dir, c->dir, hex, hex + 2, c->file);
	else
		n = snprintf(path, sz, "%s%s/%s%s", dir, c->dir, hex, c->file);
	if (n < 0 || (size_t)n >= sz)
		path[0] = '\0';
	return true;
}

int build_id_cache__open(const struct sym_build_id *id)
{
	char path[PATH_MAX];
	int fd = -1;
	size_t i;

	for (i = 0; fd < 0 && build_id_cache__path(id, CACHED_FILE, i, path, sizeof(path)); i++)
		if (*path)
			fd = root__open(-1, path);
	return fd;
}

char *build_id_cache__kallsyms(const struct sym_build_id *id)
{
	char path[PATH_MAX];
	size_t i;
	int fd;

	for (i = 0; build_id_cache__path(id, CACHED_KALLSYMS, i, path, sizeof(path)); i++) {
		fd = *path ? root__open(-1, path) : -1;
		if (fd < 0)
			continue;
		close(fd);
		return strdup(path);
	}
	return NULL;
}
