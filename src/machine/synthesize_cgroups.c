// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Records of the control groups that exist before a recording. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>

#include "data/proc_layout.h"
#include "machine/synthesize.h"

/* The root of the hierarchy of version 2; NULL: there is none. */
static const char *root_dir(void)
{
	static const char *const dirs[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	struct statfs fs;
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		if (!statfs(dirs[i], &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
			return dirs[i];
	return NULL;
}

/* The kernel's number of a group is its file handle. 0: unknown. */
static uint64_t id_of(const char *path)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} h = { .handle.handle_bytes = sizeof(uint64_t) };
	uint64_t id = 0;
	int mount_id;

	if (!name_to_handle_at(AT_FDCWD, path, &h.handle, &mount_id, 0) &&
	    h.handle.handle_bytes == sizeof(id))
		memcpy(&id, h.handle.f_handle, sizeof(id));
	return id;
}

static int emit_group(const struct synthesize *r, const char *path, const char *name)
{
	union {
		struct cgroup_record cgroup;
		char room[sizeof(struct cgroup_record) + 4096 + 64];
	} rec = { .room = { 0 } };
	size_t len = strlen(name), sz;

	rec.cgroup.id = id_of(path);
	if (!rec.cgroup.id || len >= 4096)
		return 0;
	memcpy(rec.cgroup.path, name, len);
	sz = ((sizeof(rec.cgroup) + len + 8) & ~(size_t)7) + r->trailer_sz;
	rec.cgroup.hdr =
		(struct perf_event_header){ .type = PERF_RECORD_CGROUP, .size = (uint16_t)sz };
	return r->fn(r->ctx, &rec, sz);
}

int synthesize__cgroups(const struct synthesize *r)
{
	const char *root = root_dir();
	char *const paths[] = { (char *)root, NULL };
	FTS *fts = root ? fts_open(paths, FTS_PHYSICAL | FTS_NOSTAT | FTS_NOCHDIR, NULL) : NULL;
	FTSENT *entry;
	int err = 0;

	while (fts && !err && (entry = fts_read(fts))) {
		const char *name = entry->fts_path + strlen(root);

		if (entry->fts_info == FTS_D)
			err = emit_group(r, entry->fts_path, *name ? name : "/");
	}
	if (fts)
		fts_close(fts);
	return err;
}
