// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/library.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/library_process.h"
#include "sym/ld_cache.h"
#include "sym/root.h"
#include "util/log.h"
#include "util/strbuf.h"

static struct library_process process;

void library__of_process(pid_t pid)
{
	library_process__set(&process, pid);
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Is it a program of code? In $PATH there may be scripts of its name before it. */
static bool is_elf(const char *path)
{
	char magic[SELFMAG] = "";
	int fd = root__open(-1, path);

	if (fd < 0)
		return false;
	if (read(fd, magic, sizeof(magic)) != sizeof(magic))
		magic[0] = '\0';
	close(fd);
	return !memcmp(magic, ELFMAG, SELFMAG);
}

/* By the linker's cache: the name itself, or any version of the library. */
static char *find_cached(const char *name)
{
	struct strbuf so = STRBUF_INIT;
	struct ld_cache cache;
	const char *path;
	char *real;

	ld_cache__open(&cache, LD_CACHE_PATH);
	path = ld_cache__find(&cache, name);
	if (!path)
		path = ld_cache__find_version(&cache, name);
	if (!path) {
		strbuf__printf(&so, "%s.so", name);
		path = ld_cache__find_version(&cache, strbuf__cstr(&so));
	}
	real = path ? realpath(path, NULL) : NULL;
	strbuf__free(&so);
	ld_cache__close(&cache);
	return real;
}

static char *find_in(const char *dirs, const char *name)
{
	struct strbuf path = STRBUF_INIT;
	char *real = NULL;

	while (dirs && *dirs && !real) {
		size_t len = strcspn(dirs, ":");

		strbuf__reset(&path);
		strbuf__printf(&path, "%.*s/%s", (int)len, dirs, name);
		if (is_file(strbuf__cstr(&path)) && is_elf(strbuf__cstr(&path)))
			real = realpath(strbuf__cstr(&path), NULL);
		dirs += len + (dirs[len] == ':');
	}
	strbuf__free(&path);
	return real;
}

/*
 * realpath() follows a link of /proc to a root as text, and so to another file, or to none: the
 * program /proc/PID/exe may have been deleted.
 */
static char *real_path(const char *name)
{
	char *real = realpath(name, NULL);
	struct stat named, found;

	if (!real)
		return name[0] == '/' ? strdup(name) : NULL;
	if (name[0] != '/' || stat(name, &named) ||
	    (!stat(real, &found) && named.st_dev == found.st_dev && named.st_ino == found.st_ino))
		return real;
	free(real);
	return strdup(name);
}

char *library__find(const char *name)
{
	char *real = library_process__find_deleted(&process, name);

	if (real) {
		log_warn("process %d runs a file %s that has been deleted or replaced: that one is "
			 "probed",
			 (int)process.pid, name);
		return real;
	}
	real = library_process__find(&process, name);
	/* Its root has no such file: another root's is not meant. */
	if (!real && process.root[0] && name[0] == '/' && strncmp(name, "/proc/", 6) != 0) {
		errno = ENOENT;
		return NULL;
	}
	if (!real && !strchr(name, '/')) {
		real = find_in(getenv("LD_LIBRARY_PATH"), name);
		if (!real)
			real = find_cached(name);
		if (!real)
			real = find_in(getenv("PATH"), name);
	}
	if (!real && is_file(name))
		real = real_path(name);
	if (!real)
		errno = ENOENT;
	return real;
}
