// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "target/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <linux/magic.h>

#include "kernel/kernel_btf.h"
#include "util/fs.h"
#include "util/log.h"

/* A mounted directory of control groups, and its mount options. */
struct place {
	char path[4096];
	char opts[256]; /* v1: they include the controllers */
	bool is_v1;
};

static bool is_cgroup_dir(const char *path, bool *is_v1)
{
	struct statfs fs;

	if (statfs(path, &fs))
		return false;
	*is_v1 = fs.f_type == CGROUP_SUPER_MAGIC;
	return *is_v1 || fs.f_type == CGROUP2_SUPER_MAGIC;
}

/* Is the path below the mount's directory? */
static bool is_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return strncmp(path, dir, len) == 0 && (path[len] == '/' || !path[len]);
}

/* Reads the options of the mount that contains the place. */
static void read_opts(struct place *pl)
{
	FILE *f = setmntent("/proc/self/mounts", "r");
	struct mntent *m;

	while (f && (m = getmntent(f)))
		if (strcmp(m->mnt_type, "cgroup") == 0 && is_below(pl->path, m->mnt_dir))
			snprintf(pl->opts, sizeof(pl->opts), "%s", m->mnt_opts);
	if (f)
		endmntent(f);
}

/* Searches the path below the mounts of control groups, v2 before v1. */
static bool find_below_mounts(const char *path, struct place *pl)
{
	static const char *const types[] = { "cgroup2", "cgroup" };
	struct mntent *m;
	bool found = false;
	size_t i;

	while (*path == '/')
		path++;
	for (i = 0; i < 2 && !found; i++) {
		FILE *f = setmntent("/proc/self/mounts", "r");

		while (f && !found && (m = getmntent(f))) {
			if (strcmp(m->mnt_type, types[i]) != 0)
				continue;
			snprintf(pl->path, sizeof(pl->path), "%s/%s", m->mnt_dir, path);
			found = is_cgroup_dir(pl->path, &pl->is_v1);
		}
		if (f)
			endmntent(f);
	}
	return found;
}

static int find_place(const char *path, struct place *pl)
{
	char *real = realpath(path, NULL);

	memset(pl, 0, sizeof(*pl));
	if (real && *path && is_cgroup_dir(real, &pl->is_v1)) {
		snprintf(pl->path, sizeof(pl->path), "%s", real);
	} else if (!*path || !find_below_mounts(path, pl)) {
		log_error("-G %s: there is no such control group; give its directory below "
			  "/sys/fs/cgroup, or its path there",
			  path);
		free(real);
		return -EINVAL;
	}
	free(real);
	if (pl->is_v1)
		read_opts(pl);
	return 0;
}

/* Returns the kernel's name of a v1 controller, which may differ from its mount option. */
static const char *subsys_name(const char *controller)
{
	return strcmp(controller, "blkio") == 0 ? "io" : controller;
}

/*
 * Returns the index in css_set.subsys of any of the mount's controllers; -EINVAL: it has none
 * (name=…); -ENOENT: the BTF file lacks them.
 */
static int subsys_of(const struct btf *btf, const char *opts)
{
	int id = btf__find_by_name_kind(btf, "cgroup_subsys_id", BTF_KIND_ENUM);
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, (__u32)id) : NULL;
	char copy[256], want[64], *opt, *save = NULL;
	int i;

	if (!t)
		return -ENOENT;
	snprintf(copy, sizeof(copy), "%s", opts);
	for (opt = strtok_r(copy, ",", &save); opt; opt = strtok_r(NULL, ",", &save)) {
		snprintf(want, sizeof(want), "%.40s_cgrp_id", subsys_name(opt));
		for (i = 0; i < btf_vlen(t); i++)
			if (strcmp(btf__name_by_offset(btf, btf_enum(t)[i].name_off), want) == 0)
				return btf_enum(t)[i].val;
	}
	return -EINVAL;
}

/*
 * Returns the offset in bytes of a member of a struct, also in its unnamed parts; -1: there is
 * none.
 */
static int offset_in(const struct btf *btf, const struct btf_type *t, const char *member)
{
	int i, in;

	for (i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = btf_members(t) + i;
		const char *name = btf__name_by_offset(btf, m->name_off);
		int off = (int)btf_member_bit_offset(t, (__u32)i) / 8;
		const struct btf_type *mt;

		if (strcmp(name, member) == 0)
			return off;
		mt = btf__type_by_id(btf, (__u32)btf__resolve_type(btf, m->type));
		if (*name || !mt || !btf_is_composite(mt))
			continue;
		in = offset_in(btf, mt, member);
		if (in >= 0)
			return off + in;
	}
	return -1;
}

static int offset_of(const struct btf *btf, const char *type, const char *member)
{
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);

	return id > 0 ? offset_in(btf, btf__type_by_id(btf, (__u32)id), member) : -1;
}

/* Fills in offs: the way from the task to the ids of its group and of the groups above. */
static int lay_out(struct cgroup *cg, const struct btf *btf, int subsys)
{
	const int offs[WIRE_CG_OFF_CNT] = {
		[WIRE_CG_TASK] = offset_of(btf, "task_struct", "cgroups"),
		[WIRE_CG_SET] = offset_of(btf, "css_set", "subsys"),
		[WIRE_CG_CSS] = offset_of(btf, "cgroup_subsys_state", "cgroup"),
		[WIRE_CG_LEVEL] = offset_of(btf, "cgroup", "level"),
		[WIRE_CG_KN] = offset_of(btf, "cgroup", "kn"),
		[WIRE_CG_ID] = offset_of(btf, "kernfs_node", "id"),
		/*
		 * From 6.1 on there are pointers to the groups above, before there are their ids.
		 */
		[WIRE_CG_IDS] = offset_of(btf, "cgroup", "ancestor_ids"),
		[WIRE_CG_ABOVE] = offset_of(btf, "cgroup", "ancestors"),
	};
	int i;

	for (i = 0; i < WIRE_CG_IDS; i++)
		if (offs[i] < 0)
			return -EOPNOTSUPP;
	if (offs[WIRE_CG_IDS] < 0 && offs[WIRE_CG_ABOVE] < 0)
		return -EOPNOTSUPP;
	for (i = 0; i < WIRE_CG_OFF_CNT; i++)
		cg->offs[i] = offs[i] < 0 ? 0 : (uint32_t)offs[i];
	cg->offs[WIRE_CG_SET] += (uint32_t)subsys * (uint32_t)sizeof(void *);
	return 0;
}

static void explain_v1(const char *path, const char *btf_file, int err)
{
	if (err == -EINVAL)
		log_error("-G %s: its hierarchy has no controller; give a group of a hierarchy "
			  "with a controller (cpu, memory, pids, …) or of cgroup v2",
			  path);
	else if (err == -ENOENT)
		log_error("-G %s: %s has no types of control groups; give the kernel's whole BTF, "
			  "or a group of cgroup v2",
			  path, btf_file ? btf_file : "the kernel's BTF");
	else
		log_error("-G %s: the layout of this kernel's groups is unknown; give a group of "
			  "cgroup v2",
			  path);
}

static int open_v1(struct cgroup *cg, const struct place *pl)
{
	const char *file = kernel_btf__file();
	struct btf *btf = file ? btf__parse(file, NULL) : btf__load_vmlinux_btf();
	struct stat st;
	int subsys, err;

	if (!btf || stat(pl->path, &st)) {
		err = -errno;
		log_error("-G %s: cannot read %s: %s; a group of cgroup v2 does not need it",
			  pl->path, btf ? pl->path : "the kernel's types", strerror(-err));
		btf__free(btf);
		return err;
	}
	cg->is_v1 = true;
	cg->id = st.st_ino;
	subsys = subsys_of(btf, pl->opts);
	err = subsys < 0 ? subsys : lay_out(cg, btf, subsys);
	btf__free(btf);
	if (err)
		explain_v1(pl->path, file, err);
	return err;
}

int cgroup__open(struct cgroup *cg, const char *path)
{
	struct place pl;
	struct stat st;
	int err;

	memset(cg, 0, sizeof(*cg));
	cg->fd = -1;
	err = find_place(path, &pl);
	if (err)
		return err;
	if (pl.is_v1)
		return open_v1(cg, &pl);
	cg->fd = open(pl.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cg->fd >= 0 && !fstat(cg->fd, &st)) {
		cg->id = st.st_ino;
		return 0;
	}
	err = -errno;
	cgroup__close(cg);
	log_error("-G %s: cannot open it: %s", pl.path, strerror(-err));
	return err;
}

void cgroup__close(struct cgroup *cg)
{
	if (cg->fd >= 0)
		close(cg->fd);
	cg->fd = -1;
}

int cgroup__open_dir(const char *path)
{
	static const char *const roots[] = { "", "/sys/fs/cgroup/perf_event/", "/sys/fs/cgroup/",
					     "/sys/fs/cgroup/unified/" };
	char full[4096];
	size_t i;
	int fd;

	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		if (!i && path[0] != '/')
			continue;
		snprintf(full, sizeof(full), "%s%s", roots[i], path);
		fd = open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			return fd;
	}
	log_error("-G %s: there is no such cgroup; give a path below /sys/fs/cgroup", path);
	return -ENOENT;
}

/* Reads the number after "\nNAME ". */
static bool read_usec(const char *text, const char *name, uint64_t *ns)
{
	const char *at = strstr(text, name);
	unsigned long long usec;

	if (!at || sscanf(at + strlen(name), "%llu", &usec) != 1)
		return false;
	*ns = usec * 1000;
	return true;
}

int cgroup__times(int dir_fd, uint64_t *user_ns, uint64_t *system_ns)
{
	char path[64], *text;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d/cpu.stat", dir_fd);
	text = fs__read_file(path, NULL);
	if (!text)
		return -errno;
	if (!read_usec(text, "\nuser_usec ", user_ns) ||
	    !read_usec(text, "\nsystem_usec ", system_ns))
		err = -EINVAL;
	free(text);
	return err;
}
