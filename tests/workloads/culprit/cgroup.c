// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A control group of version 1 or 2 for this process, and a file to swap to. */
#include "culprit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/swap.h>

#define PATH_SZ 4096
#define PAGE_SZ 4096

/* The mount of a controller. */
struct mount {
	char dir[PATH_SZ / 4];
	bool v2;
};

static char group_path[PATH_SZ]; /* the new group */
static char home_procs[PATH_SZ]; /* cgroup.procs of the group that this process came from */
static char subtree_path[PATH_SZ]; /* cgroup.subtree_control that was changed; "": none */
static char subtree_undo[16];
static char swap_path[PATH_SZ];

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

/* True if the list, separated by any of seps, has the word. */
static bool has_word(const char *list, const char *word, const char *seps)
{
	size_t sz = strlen(word), n;

	for (; *list; list += n + !!list[n]) {
		n = strcspn(list, seps);
		if (n == sz && !strncmp(list, word, sz))
			return true;
	}
	return false;
}

static bool file_has_word(const char *dir, const char *file, const char *word)
{
	char path[PATH_SZ], line[1024];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fgets(line, sizeof(line), f))
		found = has_word(line, word, " \n");
	fclose(f);
	return found;
}

static bool find_mount(const char *controller, struct mount *m)
{
	char line[PATH_SZ], dir[PATH_SZ / 4], type[64], opts[PATH_SZ / 4];
	bool found = false;
	FILE *f = fopen("/proc/self/mounts", "re");

	while (f && !found && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %1023s %63s %1023s", dir, type, opts) != 3)
			continue;
		m->v2 = !strcmp(type, "cgroup2");
		found = m->v2 ? file_has_word(dir, "cgroup.controllers", controller)
			      : !strcmp(type, "cgroup") && has_word(opts, controller, ",");
		strcpy(m->dir, dir);
	}
	if (f)
		fclose(f);
	return found;
}

/* Fills in this process's own group, relative to the mount; "" where that is not visible. */
static void own_group(const struct mount *m, const char *controller, char path[PATH_SZ / 2])
{
	char line[PATH_SZ / 2], full[PATH_SZ], *list, *name;
	FILE *f = fopen("/proc/self/cgroup", "re");

	*path = 0;
	while (f && fgets(line, sizeof(line), f)) {
		list = strchr(line, ':');
		name = list ? strchr(list + 1, ':') : NULL;
		if (!name)
			continue;
		*name++ = 0;
		name[strcspn(name, "\n")] = 0;
		if (m->v2 ? list[1] : !has_word(list + 1, controller, ","))
			continue;
		snprintf(full, sizeof(full), "%s%s/cgroup.procs", m->dir, name);
		if (strcmp(name, "/") && !access(full, F_OK))
			strcpy(path, name);
	}
	if (f)
		fclose(f);
}

static void leave_cgroup(void)
{
	put(home_procs, "0");
	rmdir(group_path);
	if (*subtree_path)
		put(subtree_path, subtree_undo);
}

/* Makes a group below dir in which the controller can be used. */
static int make_group(const struct mount *m, const char *dir, const char *controller)
{
	char enable[16];
	int err;

	if (m->v2 && !file_has_word(dir, "cgroup.subtree_control", controller)) {
		snprintf(subtree_path, sizeof(subtree_path), "%.2000s/cgroup.subtree_control", dir);
		snprintf(enable, sizeof(enable), "+%s", controller);
		snprintf(subtree_undo, sizeof(subtree_undo), "-%s", controller);
		err = put(subtree_path, enable);
		if (err) {
			*subtree_path = 0;
			return err;
		}
	}
	snprintf(group_path, sizeof(group_path), "%.2000s/culprit-%d", dir, getpid());
	if (!mkdir(group_path, 0755))
		return 0;
	err = -errno;
	if (*subtree_path)
		put(subtree_path, subtree_undo);
	*subtree_path = 0;
	return err;
}

static int set_limit(const char *file, const char *text)
{
	char path[PATH_SZ];

	snprintf(path, sizeof(path), "%.2000s/%s", group_path, file);
	return put(path, text);
}

static int set_limits(bool v2, bool cpu, uint64_t limit, uint64_t period)
{
	unsigned long long l = limit, p = period;
	char text[64];
	int err;

	if (v2 && cpu) {
		snprintf(text, sizeof(text), "%llu %llu", l, p);
		return set_limit("cpu.max", text);
	}
	if (cpu) {
		snprintf(text, sizeof(text), "%llu", p);
		err = set_limit("cpu.cfs_period_us", text);
		if (err)
			return err;
	}
	snprintf(text, sizeof(text), "%llu", l);
	return set_limit(cpu  ? "cpu.cfs_quota_us"
			 : v2 ? "memory.max"
			      : "memory.limit_in_bytes",
			 text);
}

const char *enter_cgroup(const char *controller, uint64_t limit, uint64_t period)
{
	char own[PATH_SZ / 2], dir[PATH_SZ], *slash;
	struct mount m;
	int err;

	if (!find_mount(controller, &m))
		skip("no control group here has the controller %s", controller);
	own_group(&m, controller, own);
	snprintf(home_procs, sizeof(home_procs), "%s%s/cgroup.procs", m.dir, own);
	/* A group of version 2 that has processes cannot have groups with controllers. */
	slash = strrchr(own, '/');
	if (m.v2 && slash)
		*slash = 0;
	snprintf(dir, sizeof(dir), "%s%s", m.dir, own);
	err = make_group(&m, dir, controller);
	if (err)
		err = make_group(&m, m.dir, controller);
	if (err)
		skip("no group can be made below %s (%s); run as root", m.dir, strerror(-err));
	undo_at_end(leave_cgroup);
	err = set_limits(m.v2, !strcmp(controller, "cpu"), limit, period);
	if (err)
		skip("%s: its limit cannot be set (%s)", group_path, strerror(-err));
	snprintf(dir, sizeof(dir), "%.2000s/cgroup.procs", group_path);
	err = put(dir, "0");
	if (err)
		skip("%s: %s", dir, strerror(-err));
	return group_path;
}

static void leave_swap(void)
{
	swapoff(swap_path);
	unlink(swap_path);
}

/* The header of a swap area is in its first page: version, last page, and a mark at its end. */
static void write_swap_header(int fd, uint64_t sz)
{
	static union {
		char page[PAGE_SZ];
		struct {
			char boot[1024];
			uint32_t version, last_page, bad_cnt;
		} info;
	} header;

	header.info.version = 1;
	header.info.last_page = (uint32_t)(sz / PAGE_SZ - 1);
	memcpy(header.page + PAGE_SZ - 10, "SWAPSPACE2", 10);
	if (pwrite(fd, &header, PAGE_SZ, 0) != PAGE_SZ)
		die("pwrite: %s", strerror(errno));
}

void swap_to_file(uint64_t sz)
{
	int fd, err;

	if (sysconf(_SC_PAGESIZE) != PAGE_SZ)
		skip("pages of %ld bytes: a swap area here has another header",
		     sysconf(_SC_PAGESIZE));
	snprintf(swap_path, sizeof(swap_path), "%s/culprit-swap.%d", disk_dir(), getpid());
	fd = open(swap_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		die("%s: %s", swap_path, strerror(errno));
	undo_at_end(leave_swap);
	/* Blocks that are allocated but not written: swapon() wants no holes, and no zeros. */
	err = posix_fallocate(fd, 0, (off_t)sz);
	if (err)
		die("%s: %s", swap_path, strerror(err));
	write_swap_header(fd, sz);
	close(fd);
	if (swapon(swap_path, SWAP_FLAG_PREFER | 32767))
		skip("swapon: %s; run as root, on a file system that can be swapped to",
		     strerror(errno));
}
