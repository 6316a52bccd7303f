// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/needed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/answer.h"
#include "sym/ld_cache.h"
#include "sym/read_elf.h"

/* The loader's own directories (ld.so(8)), and Debian's, which have the architecture's name. */
#define DEFAULT_DIRS "/lib64:/usr/lib64:/lib:/usr/lib:/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu"

struct needed {
	char *files[NEEDED_MAX];
	size_t cnt;
	struct ld_cache cache;
};

/* Adds a path unless it is known, or there is no room. */
static void add(struct needed *n, const char *path)
{
	size_t i;

	for (i = 0; i < n->cnt; i++)
		if (!strcmp(n->files[i], path))
			return;
	if (n->cnt == NEEDED_MAX)
		return;
	n->files[n->cnt] = strdup(path);
	n->cnt += n->files[n->cnt] != NULL;
}

static bool add_existing(struct needed *n, const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	add(n, path);
	return true;
}

/* Looks for a library in directories separated by colons; $ORIGIN is the directory of `of`. */
static bool add_from(struct needed *n, const char *dirs, const char *name, const char *of)
{
	const char *slash = strrchr(of, '/');
	int of_len = slash ? (int)(slash - of) : 0, len;
	char path[2 * PATH_MAX];

	for (; *dirs; dirs += dirs[len] == ':' ? len + 1 : len) {
		const char *dir = dirs;

		len = (int)strcspn(dirs, ":");
		if (!strncmp(dir, "$ORIGIN", 7) && len >= 7)
			snprintf(path, sizeof(path), "%.*s%.*s/%s", of_len, of, len - 7, dir + 7,
				 name);
		else
			snprintf(path, sizeof(path), "%.*s/%s", len, dir, name);
		if (len && add_existing(n, path))
			return true;
	}
	return false;
}

static void add_library(struct needed *n, const char *name, const char *run_path, const char *of)
{
	const char *env = getenv("LD_LIBRARY_PATH"), *cached;

	if (strchr(name, '/')) {
		add_existing(n, name);
		return;
	}
	if (add_from(n, run_path, name, of) || (env && add_from(n, env, name, of)))
		return;
	cached = ld_cache__find(&n->cache, name);
	if (!cached || !add_existing(n, cached))
		add_from(n, DEFAULT_DIRS, name, of);
}

/* A script's first line names its interpreter. */
static void add_of_script(struct needed *n, int fd)
{
	char line[256] = "";
	ssize_t len = pread(fd, line, sizeof(line) - 1, 0);
	char *at = line + 2;

	if (len < 3 || line[0] != '#' || line[1] != '!')
		return;
	at += strspn(at, " \t");
	at[strcspn(at, " \t\n")] = '\0';
	if (*at == '/')
		add_existing(n, at);
}

static void add_needs(struct needed *n, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct strbuf answer = STRBUF_INIT;
	const char *run_path, *text;
	struct answer a;
	size_t i;
	int err;

	if (fd < 0)
		return;
	err = read_elf__needs(READER_TABLES, fd, &answer);
	if (err == -ENOEXEC)
		add_of_script(n, fd);
	close(fd);
	a = answer__of(answer.buf, err ? 0 : answer.len);
	text = answer__take_text(&a);
	if (text)
		add_existing(n, text);
	run_path = answer__take_text(&a);
	for (i = 0; i < NEEDED_MAX && (text = answer__take_text(&a)); i++)
		add_library(n, text, run_path ? run_path : "", path);
	strbuf__free(&answer);
}

void needed__each(const char *path, void (*fn)(void *ctx, const char *path), void *ctx)
{
	struct needed n = { .cnt = 0 };
	size_t i;

	ld_cache__open(&n.cache, LD_CACHE_PATH);
	if (add_existing(&n, path))
		for (i = 0; i < n.cnt; i++)
			add_needs(&n, n.files[i]);
	for (i = 0; i < n.cnt; i++) {
		fn(ctx, n.files[i]);
		free(n.files[i]);
	}
	ld_cache__close(&n.cache);
}
