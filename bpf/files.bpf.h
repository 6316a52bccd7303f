/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* From a descriptor of the current task to its file, inode and name in the directory. */
#ifndef BPFPERF_FILES_BPF_H
#define BPFPERF_FILES_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "compat.bpf.h"

struct super_block___file {
	__u32 s_dev;
	unsigned long s_magic;
} COMPAT_FLAVOUR;

struct inode___file {
	__u16 i_mode;
	__u32 i_rdev;
	unsigned long i_ino;
	struct super_block___file *i_sb;
} COMPAT_FLAVOUR;

struct hlist_bl_node___file {
	void **pprev;
} COMPAT_FLAVOUR;

struct dentry___file {
	struct hlist_bl_node___file d_hash;
	struct dentry___file *d_parent;
} COMPAT_FLAVOUR;

struct path___file {
	struct dentry___file *dentry;
} COMPAT_FLAVOUR;

struct file___file {
	struct path___file f_path;
	struct inode___file *f_inode;
	void *private_data;
} COMPAT_FLAVOUR;

struct fdtable___file {
	unsigned int max_fds;
	struct file___file **fd;
} COMPAT_FLAVOUR;

struct files_struct___file {
	struct fdtable___file *fdt;
} COMPAT_FLAVOUR;

struct task_struct___file {
	struct files_struct___file *files;
} COMPAT_FLAVOUR;

/* The file of a descriptor; NULL: there is none. */
static __always_inline struct file___file *file_of(__s32 fd)
{
	struct task_struct___file *task = (void *)bpf_get_current_task();
	struct fdtable___file *table = BPF_CORE_READ(task, files, fdt);
	struct file___file **at = BPF_CORE_READ(table, fd), *file = NULL;

	if (fd < 0 || (__u32)fd >= BPF_CORE_READ(table, max_fds))
		return NULL;
	bpf_probe_read_kernel(&file, sizeof(file), at + fd);
	return file;
}

#endif
