// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/proc_maps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fs.h"
#include "host/proc_task.h"

/*
 * A process may have 65,530 mappings, and its user may give each a name of 16 KiB as it is written
 * there: the kernel takes seconds for them. With names of usual lengths all are read.
 */
#define MAPS_MAX_SZ (32u << 20)

/* The kernel writes a newline in a path as \012, and escapes no other character. */
static void unescape(char *path)
{
	char *from = path, *to = path;

	while (*from) {
		if (!strncmp(from, "\\012", 4)) {
			*to++ = '\n';
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

/* "START-END rwxp …": most lines are of no executable mapping, and sscanf() takes 1 us for each. */
static bool may_be_executable(const char *line)
{
	const char *perm = strchr(line, ' ');

	return perm && strnlen(perm, 4) == 4 && perm[3] == 'x';
}

bool proc_maps__parse(char *line, struct sym_map *map)
{
	unsigned long long addr, end, pgoff, ino;
	unsigned int maj, min;
	char perm[5] = "";
	int path_at = 0;

	if (!may_be_executable(line))
		return false;
	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &addr, &end, perm, &pgoff, &maj, &min,
		   &ino, &path_at) < 7 ||
	    perm[2] != 'x' || !path_at)
		return false;
	*map = (struct sym_map){
		.addr = addr,
		.len = end - addr,
		.pgoff = pgoff,
		.maj = maj,
		.min = min,
		.ino = ino,
		.path = line + path_at,
	};
	unescape(line + path_at);
	return true;
}

/* Reads the lines. Returns how many bytes there were, or -errno. */
static ssize_t read_lines(int32_t tid, void (*fn)(void *ctx, const struct sym_map *map), void *ctx)
{
	char path[64], buf[4096], *line = NULL;
	struct sym_map map;
	size_t cap = 0, sz = 0;
	ssize_t len;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", tid);
	f = fs__open_lines(path, buf, sizeof(buf));
	if (!f)
		return -errno;
	while (sz < MAPS_MAX_SZ && (len = getline(&line, &cap, f)) > 0) {
		sz += (size_t)len;
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (proc_maps__parse(line, &map))
			fn(ctx, &map);
	}
	free(line);
	fclose(f);
	return (ssize_t)sz;
}

int proc_maps__read(int32_t pid, void (*fn)(void *ctx, const struct sym_map *map), void *ctx)
{
	ssize_t sz = read_lines(pid, fn, ctx);
	int32_t speaker;

	/* A kernel thread has no mappings either. */
	if (!sz) {
		speaker = proc_task__live_thread(pid);
		if (speaker != pid)
			sz = read_lines(speaker, fn, ctx);
	}
	return sz < 0 ? (int)sz : 0;
}
