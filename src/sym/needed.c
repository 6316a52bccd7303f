// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/needed.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/elf_file.h"
#include "sym/ld_cache.h"

/* Sections of real files are far smaller. */
#define SECTION_MAX (1u << 20)
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

/* Returns the text at an offset; "": there is none. */
static const char *text_at(const char *strs, size_t sz, uint64_t off)
{
	return off < sz && memchr(strs + off, '\0', sz - off) ? strs + off : "";
}

static void add_dynamic(struct needed *n, const struct elf_file *elf, const char *of)
{
	const struct elf_section *dyn = elf_file__section(elf, ".dynamic");
	const struct elf_section *str = elf_file__section(elf, ".dynstr");
	char *strs = str ? elf_file__contents(elf, str, SECTION_MAX) : NULL;
	Elf64_Dyn *dyns = dyn ? (void *)elf_file__contents(elf, dyn, SECTION_MAX) : NULL;
	size_t cnt = dyns ? dyn->sz / sizeof(*dyns) : 0, i;
	const char *run_path = "";

	for (i = 0; strs && i < cnt; i++)
		if (dyns[i].d_tag == DT_RUNPATH || dyns[i].d_tag == DT_RPATH)
			run_path = text_at(strs, str->sz, dyns[i].d_un.d_val);
	for (i = 0; strs && i < cnt; i++)
		if (dyns[i].d_tag == DT_NEEDED)
			add_library(n, text_at(strs, str->sz, dyns[i].d_un.d_val), run_path, of);
	free(dyns);
	free(strs);
}

static void add_interpreter(struct needed *n, const struct elf_file *elf)
{
	const struct elf_section *sec = elf_file__section(elf, ".interp");
	char *interp = sec ? elf_file__contents(elf, sec, PATH_MAX) : NULL;

	if (interp && *text_at(interp, sec->sz, 0))
		add_existing(n, interp);
	free(interp);
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
	struct elf_image img = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	struct elf_file elf;

	if (img.fd < 0)
		return;
	if (elf_file__open(&elf, &img)) {
		add_of_script(n, img.fd);
	} else {
		/* Tables are made of native programs alone. */
		if (elf.is64 && !elf.swapped) {
			add_interpreter(n, &elf);
			add_dynamic(n, &elf, path);
		}
		elf_file__close(&elf);
	}
	close(img.fd);
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
