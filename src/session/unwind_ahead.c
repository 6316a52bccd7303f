// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/unwind_ahead.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/unwind_files.h"
#include "sym/needed.h"
#include "sym/proc_maps.h"

struct ahead {
	struct unwind_files *files;
	void *at[NEEDED_MAX];
	size_t cnt, page_sz;
};

/*
 * Maps a file's first page: thereby the kernel shows device and inode of the file as it will show
 * those of the program's mapping, which are not always the ones of stat().
 */
static void map_file(void *ctx, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct ahead *a = ctx;
	void *at;

	if (fd < 0)
		return;
	at = mmap(NULL, a->page_sz, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at != MAP_FAILED)
		a->at[a->cnt++] = at;
}

/* The file stays in use until the end. */
static void make(struct unwind_files *files, const struct sym_map *map)
{
	uint32_t idx = unwind_files__get(files, getpid(), map);

	unwind_files__make(files, idx, getpid(), map->addr, map->addr + map->len);
}

static void make_mapped(void *ctx, const struct sym_map *map)
{
	const struct ahead *a = ctx;
	size_t i;

	for (i = 0; i < a->cnt; i++)
		if (map->addr == (uintptr_t)a->at[i]) {
			make(a->files, map);
			return;
		}
}

void unwind_ahead__make(struct unwind_files *files, const char *program)
{
	struct ahead a = { .files = files, .page_sz = (size_t)sysconf(_SC_PAGESIZE) };
	size_t i;

	needed__each(program, map_file, &a);
	proc_maps__read(getpid(), make_mapped, &a);
	for (i = 0; i < a.cnt; i++)
		munmap(a.at[i], a.page_sz);
}

static void make_usual(void *ctx, const struct sym_map *map)
{
	const char *slash = strrchr(map->path, '/');

	if (slash && (!strncmp(slash, "/libc.", 6) || !strncmp(slash, "/ld-", 4)))
		make(ctx, map);
	else if (!strcmp(map->path, "[vdso]"))
		make(ctx, map);
}

void unwind_ahead__make_usual(struct unwind_files *files)
{
	proc_maps__read(getpid(), make_usual, files);
}
