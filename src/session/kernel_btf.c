// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/kernel_btf.h"

#include <linux/btf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session/features.h"

/* Kept open as long as bpfperf runs: the path leads to it. */
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

const char *kernel_btf__path(void)
{
	static char path[32];
	int fd;

	if (path[0] || feature__have(FEATURE_BTF))
		return path[0] ? path : NULL;
	fd = make_empty();
	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}
