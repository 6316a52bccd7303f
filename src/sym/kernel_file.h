/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ELF files that have the kernel's code: /proc/kcore, copies of it, vmlinux. */
#ifndef BPFPERF_SYM_KERNEL_FILE_H
#define BPFPERF_SYM_KERNEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sym_build_id;

struct kernel_file {
	int fd; /* -1: none */
	uint64_t moved; /* added to its addresses: those of the recording */
	struct kernel_segment {
		uint64_t addr, sz, off;
		bool is_code;
	} * segments;
	size_t cnt;
};

/* Takes an open file, which is closed if it has no code of a kernel: then false. */
bool kernel_file__take(struct kernel_file *f, int fd);
/* The address that the file's first code has in it. 0: none. */
uint64_t kernel_file__text(const struct kernel_file *f);
/*
 * The copy of /proc/kcore that `perf record --kcore` writes beside a recording, which is DIR/data
 * at this path, by its user or root. text: an address that it has; 0: unknown.
 */
bool kernel_file__open_kept(struct kernel_file *f, const char *recording, uint64_t text);
/*
 * The vmlinux with this build id: in a cache, or where packages of debug symbols have that of the
 * release (NULL: unknown).
 */
bool kernel_file__open_by_id(struct kernel_file *f, const struct sym_build_id *id,
			     const char *release);
/* Safe for a zeroed one with an fd of -1. */
void kernel_file__close(struct kernel_file *f);

#endif
