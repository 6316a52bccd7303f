// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/tracefs.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/gate.h"
#include "util/fs.h"
#include "util/log.h"

#define MOUNT_POINT "/sys/kernel/tracing"

static char *cached_dir;

/* Several mounts are possible; the usual place is preferred, so that messages name it. */
static char *find_mount(void)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	char *dir = NULL;
	struct mntent *m;

	while (f && (m = getmntent(f))) {
		if (strcmp(m->mnt_type, "tracefs"))
			continue;
		if (dir && strcmp(m->mnt_dir, MOUNT_POINT))
			continue;
		free(dir);
		dir = strdup(m->mnt_dir);
	}
	if (f)
		endmntent(f);
	/* debugfs mounts tracefs below itself as soon as somebody looks. */
	if (!dir && !access("/sys/kernel/debug/tracing/available_events", F_OK))
		dir = strdup("/sys/kernel/debug/tracing");
	return dir;
}

const char *tracefs__dir(void)
{
	if (!cached_dir)
		cached_dir = find_mount();
	if (!cached_dir)
		errno = ENOENT;
	return cached_dir;
}

void tracefs__set_dir(const char *dir)
{
	free(cached_dir);
	cached_dir = dir ? strdup(dir) : NULL;
}

int tracefs__check(char *why, size_t why_sz)
{
	const char *dir = tracefs__dir();
	char path[PATH_MAX];

	if (!dir) {
		snprintf(why, why_sz,
			 "tracepoints need tracefs, which is not mounted; as root: "
			 "mount -t tracefs tracefs " MOUNT_POINT);
		return -ENOENT;
	}
	snprintf(path, sizeof(path), "%s/available_events", dir);
	if (!access(path, R_OK))
		return 0;
	if (errno == EACCES || errno == EPERM) {
		snprintf(why, why_sz,
			 "tracepoints need root here: %s is readable to root only; use sudo", dir);
		return -EACCES;
	}
	snprintf(why, why_sz,
		 "no tracepoints in %s: %s; is the kernel built with CONFIG_EVENT_TRACING?", dir,
		 strerror(errno));
	return -ENOENT;
}

int tracefs__require(void)
{
	char why[512];
	int err = tracefs__check(why, sizeof(why));

	if (err)
		log_error("%s", why);
	return err;
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_all(const char *glob)
{
	return !strcmp(glob, "*");
}

/* Does the line "SYS:NAME" (its colon already cut to NUL) belong to what was asked for? */
static bool is_wanted(const char *sys, const char *name, const char *sys_glob,
		      const char *name_glob)
{
	if (!strcmp(sys, "ftrace"))
		return false;
	if (!is_all(sys_glob) && fnmatch(sys_glob, sys, 0))
		return false;
	return is_all(name_glob) || !fnmatch(name_glob, name, 0);
}

static int push_name(char ***names, size_t *cnt, size_t *cap, const char *sys, const char *name)
{
	if (*cnt == *cap) {
		size_t bigger = *cap ? *cap * 2 : 64;
		char **moved = reallocarray(*names, bigger, sizeof(*moved));

		if (!moved)
			return -ENOMEM;
		*names = moved;
		*cap = bigger;
	}
	if (asprintf(&(*names)[*cnt], "%s:%s", sys, name) < 0)
		return -ENOMEM;
	(*cnt)++;
	return 0;
}

int tracefs__glob(const char *sys_glob, const char *name_glob, char ***names, size_t *cnt)
{
	const char *dir = tracefs__dir();
	char path[PATH_MAX], *text, *line, *save = NULL;
	size_t cap = 0;
	int err = 0;

	*names = NULL;
	*cnt = 0;
	if (!dir)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/available_events", dir);
	gate__hold();
	text = fs__read_file(path, NULL);
	if (!text)
		return -errno;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');

		if (!colon)
			continue;
		*colon = '\0';
		if (!is_wanted(line, colon + 1, sys_glob, name_glob))
			continue;
		err = push_name(names, cnt, &cap, line, colon + 1);
		if (err)
			break;
	}
	free(text);
	if (err) {
		tracefs__free_names(*names, *cnt);
		*names = NULL;
		*cnt = 0;
		return err;
	}
	if (*cnt)
		qsort(*names, *cnt, sizeof(**names), cmp_names);
	return 0;
}

void tracefs__free_names(char **names, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		free(names[i]);
	free(names);
}

char *tracefs__read_format(const char *sys, const char *name, size_t *len)
{
	const char *dir = tracefs__dir();
	char path[PATH_MAX];

	if (!dir)
		return NULL;
	snprintf(path, sizeof(path), "%s/events/%s/%s/format", dir, sys, name);
	gate__hold();
	return fs__read_file(path, len);
}
