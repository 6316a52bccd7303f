// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/proc_maps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/fs.h"
#include "host/proc_task.h"

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

static char *read_maps(int32_t tid, size_t *len)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", tid);
	return fs__read_file(path, len);
}

int proc_maps__read(int32_t pid, void (*fn)(void *ctx, const struct sym_map *map), void *ctx)
{
	char *text, *line, *save = NULL;
	struct sym_map map;
	int32_t speaker;
	size_t len;

	text = read_maps(pid, &len);
	/* A kernel thread has no mappings either. */
	if (text && !len) {
		speaker = proc_task__live_thread(pid);
		if (speaker != pid) {
			free(text);
			text = read_maps(speaker, &len);
		}
	}
	if (!text)
		return -errno;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (proc_maps__parse(line, &map))
			fn(ctx, &map);
	free(text);
	return 0;
}
