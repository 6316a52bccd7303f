// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/kernel_btf.h"

#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "kernel/features.h"
#include "util/log.h"

static const char *file;

/* It stays open as long as bpfperf runs, because the path refers to it. */
static int make_empty(void)
{
	static const struct {
		struct btf_header hdr;
		char strings[1];
	} empty = {
		.hdr = { .magic = BTF_MAGIC,
			 .version = BTF_VERSION,
			 .hdr_len = sizeof(struct btf_header),
			 .str_len = 1 },
	};
	const ssize_t sz = sizeof(empty.hdr) + sizeof(empty.strings);
	int fd = memfd_create("no-btf", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, &empty, (size_t)sz) != sz) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int kernel_btf__use(const char *path)
{
	struct btf *btf = btf__parse(path, NULL);
	int err = btf ? 0 : errno;
	bool has_tasks = btf && btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT) > 0;

	btf__free(btf);
	if (has_tasks) {
		file = path;
		return 0;
	}
	if (err == ENOENT || err == EACCES)
		log_error("--btf %s: %s", path, strerror(err));
	else
		log_error("--btf %s: the file contains no kernel types; give the BTF of the "
			  "running kernel",
			  path);
	return -EINVAL;
}

bool kernel_btf__have_types(void)
{
	return file || feature__have(FEATURE_BTF);
}

const char *kernel_btf__file(void)
{
	return file;
}

/*
 * libbpf looks in all modules for a type that vmlinux does not have. Listing them needs
 * CAP_SYS_ADMIN, and libbpf before 1.4 fails without it. With a file it uses the types of the file
 * alone.
 */
static bool may_list_modules(void)
{
	__u32 id;

	return bpf_btf_get_next_id(0, &id) != -EPERM;
}

const char *kernel_btf__path(void)
{
	static char path[32];
	int fd;

	if (file)
		return file;
	if (!path[0] && feature__have(FEATURE_BTF) && !may_list_modules())
		snprintf(path, sizeof(path), "%s", "/sys/kernel/btf/vmlinux");
	if (path[0] || feature__have(FEATURE_BTF))
		return path[0] ? path : NULL;
	fd = make_empty();
	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}
