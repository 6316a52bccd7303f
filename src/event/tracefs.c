// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/array.h"
#include "util/fs.h"
#include "util/log.h"

/* Size of one chunk of a seq_file in the kernel. */
#define FORMAT_CHUNK 4096
#define MOUNT_POINT "/sys/kernel/tracing"

static char *cached_dir;

/* Several mounts are possible; the usual one is preferred, so that messages name it. */
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
	/* debugfs mounts tracefs below itself at the first access. */
	if (!dir && !access("/sys/kernel/debug/tracing/events", F_OK))
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
		return -ENODEV;
	}
	snprintf(path, sizeof(path), "%s/events", dir);
	/* Check access as open() does: with the effective ids and capabilities. */
	if (!faccessat(AT_FDCWD, path, R_OK | X_OK, AT_EACCESS))
		return 0;
	if (errno == EACCES || errno == EPERM) {
		snprintf(why, why_sz,
			 "tracepoints need root here: %s is readable to root only; use sudo", dir);
		return -EACCES;
	}
	snprintf(why, why_sz,
		 "no tracepoints in %s: %s; is the kernel built with CONFIG_EVENT_TRACING?", dir,
		 strerror(errno));
	return -ENODEV;
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

/* The names found so far. */
struct found {
	char **names;
	size_t cnt, cap;
};

static int push_name(struct found *found, const char *sys, const char *name)
{
	if (array__reserve((void **)&found->names, &found->cap, found->cnt + 1,
			   sizeof(*found->names)))
		return -ENOMEM;
	if (asprintf(&found->names[found->cnt], "%s:%s", sys, name) < 0)
		return -ENOMEM;
	found->cnt++;
	return 0;
}

static bool is_dir(DIR *dir, const struct dirent *de)
{
	struct stat st;

	if (de->d_type != DT_UNKNOWN)
		return de->d_type == DT_DIR;
	return !fstatat(dirfd(dir), de->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode);
}

/* The next directory in `dir` with a matching name; NULL after the last, and with *err set. */
static const char *next_dir(DIR *dir, const char *glob, int *err)
{
	struct dirent *de;

	while ((de = fs__next_entry(dir, err)))
		if (de->d_name[0] != '.' && is_dir(dir, de) &&
		    (!strcmp(glob, "*") || !fnmatch(glob, de->d_name, 0)))
			return de->d_name;
	return NULL;
}

static DIR *open_dir_at(DIR *parent, const char *name)
{
	int fd = openat(dirfd(parent), name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

static int glob_system(DIR *events, const char *sys, const char *name_glob, struct found *found)
{
	const char *name;
	DIR *dir;
	int err = 0;

	if (!strcmp(sys, "ftrace") || strchr(sys, '/') || sys[0] == '.' || !sys[0])
		return 0;
	dir = open_dir_at(events, sys);
	/* The system does not exist, or its module was just unloaded. */
	if (!dir && (errno == ENOENT || errno == ENOTDIR))
		return faccessat(dirfd(events), sys, X_OK, 0) ? 0 : -EIO;
	if (!dir)
		return -errno;
	while (!err && (name = next_dir(dir, name_glob, &err)))
		err = push_name(found, sys, name);
	closedir(dir);
	return err;
}

/*
 * Reads the directories, not the file available_events: each read() of that file waits for the
 * kernel's event_mutex, which is held for 75 ms for every classic tracepoint that any process
 * detaches.
 */
static int glob_events(const char *sys_glob, const char *name_glob, struct found *found)
{
	const char *dir = tracefs__dir(), *sys;
	char path[PATH_MAX];
	DIR *events;
	int err = 0;

	if (!dir)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/events", dir);
	events = opendir(path);
	if (!events)
		return -errno;
	if (!strpbrk(sys_glob, "*?[\\"))
		err = glob_system(events, sys_glob, name_glob, found);
	else
		while (!err && (sys = next_dir(events, sys_glob, &err)))
			err = glob_system(events, sys, name_glob, found);
	closedir(events);
	return err;
}

int tracefs__glob(const char *sys_glob, const char *name_glob, char ***names, size_t *cnt)
{
	struct found found = { 0 };
	int err = glob_events(sys_glob, name_glob, &found);

	if (err) {
		tracefs__free_names(found.names, found.cnt);
		found = (struct found){ 0 };
	}
	if (found.cnt)
		qsort(found.names, found.cnt, sizeof(*found.names), cmp_names);
	*names = found.names;
	*cnt = found.cnt;
	return err;
}

bool tracefs__has_id(const char *sys, const char *name)
{
	const char *dir = tracefs__dir();
	char path[PATH_MAX];

	if (!dir)
		return false;
	snprintf(path, sizeof(path), "%s/events/%s/%s/id", dir, sys, name);
	return !faccessat(AT_FDCWD, path, F_OK, AT_EACCESS);
}

void tracefs__free_names(char **names, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		free(names[i]);
	free(names);
}

/* The print format is the last line: a text with the complete line is complete. */
static bool is_whole_format(const char *text, size_t len)
{
	return len && text[len - 1] == '\n' && memmem(text, len, "\nprint fmt:", 11);
}

/*
 * Reads all of an opened format file (caller frees), NULL and errno. Each read() waits for
 * event_mutex (see glob_events()); the final one that would return 0 is avoided.
 */
static char *read_format(int fd, size_t *len)
{
	size_t cap = 0;
	char *text = NULL;
	ssize_t n = 1;

	for (*len = 0; n > 0 && !is_whole_format(text, *len);) {
		if (cap - *len < FORMAT_CHUNK) {
			char *bigger = realloc(text, cap += 2 * FORMAT_CHUNK);

			if (!bigger)
				goto fail;
			text = bigger;
		}
		do
			n = read(fd, text + *len, cap - *len - 1);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			goto fail;
		*len += (size_t)n;
	}
	text[*len] = '\0';
	return text;
fail:
	free(text);
	return NULL;
}

char *tracefs__read_format(const char *sys, const char *name, size_t *len)
{
	const char *dir = tracefs__dir();
	char path[PATH_MAX], *text;
	size_t text_len;
	int fd, saved;

	if (!dir)
		return NULL;
	snprintf(path, sizeof(path), "%s/events/%s/%s/format", dir, sys, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	text = read_format(fd, &text_len);
	saved = errno;
	close(fd);
	errno = saved;
	if (len)
		*len = text_len;
	return text;
}
