/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A file as the kernel's side of strace tells it from others (struct strace_file). */
#ifndef BPFPERF_STRACE_FILE_ID_H
#define BPFPERF_STRACE_FILE_ID_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/u64map.h"

struct strace_file;

struct file_id {
	uint64_t ino;
	/* of a device its number, else of its file system: the kernel's major << 20 | minor */
	uint32_t dev;
	bool is_device;
};

struct file_id file_id__of(const struct strace_file *f);
bool file_id__equal(const struct file_id *a, const struct file_id *b);
/*
 * Reads a number from the fdinfo of a descriptor, by the format of its line; `proc`: the process's
 * directory. *number is 0 if there is no such line. Returns false if there is no such descriptor.
 */
bool file_id__told(const char *proc, int fd, const char *format, unsigned long long *number);
/*
 * Has the process this file by that descriptor? mounts: file systems by their mounts, which it
 * learns.
 */
bool file_id__is_open(struct u64map *mounts, pid_t tgid, int fd, const struct file_id *id);
/* Finds the file that a path leads to. Returns 0 or -errno. */
int file_id__of_path(const char *path, struct file_id *id);

#endif
