// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/multi_link.h"

#include <errno.h>
#include <linux/types.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

/* BPF_F_UPROBE_MULTI_RETURN and BPF_F_KPROBE_MULTI_RETURN */
#define AT_RETURN 1

/* The members of union bpf_attr for BPF_LINK_CREATE. */
struct link_head {
	__u32 prog_fd, target_fd, attach_type, flags;
};

struct uprobe_link {
	struct link_head head;
	__u64 path, offs, sem_offs, cookies;
	__u32 cnt, flags, pid, pad;
};

struct kprobe_link {
	struct link_head head;
	__u32 flags, cnt;
	__u64 syms, addrs, cookies;
};

static int create(const void *attr, size_t sz)
{
	int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, attr, sz);

	return fd < 0 ? -errno : fd;
}

int uprobe_multi__attach(int prog_fd, const struct uprobe_multi *at)
{
	struct uprobe_link attr;

	memset(&attr, 0, sizeof(attr));
	attr.head.prog_fd = (__u32)prog_fd;
	attr.head.attach_type = at->is_session ? ATTACH_UPROBE_SESSION : ATTACH_UPROBE_MULTI;
	attr.path = (uintptr_t)at->path;
	attr.offs = (uintptr_t)at->offs;
	attr.sem_offs = (uintptr_t)at->sem_offs;
	attr.cookies = (uintptr_t)at->cookies;
	attr.cnt = at->cnt;
	attr.flags = at->at_return ? AT_RETURN : 0;
	attr.pid = (__u32)at->pid;
	/* Kernels refuse bytes behind the members that they know, unless these are 0. */
	return create(&attr, sizeof(attr));
}

int kprobe_multi__attach(int prog_fd, const struct kprobe_multi *at)
{
	struct kprobe_link attr;

	memset(&attr, 0, sizeof(attr));
	attr.head.prog_fd = (__u32)prog_fd;
	attr.head.attach_type = at->is_session ? ATTACH_KPROBE_SESSION : ATTACH_KPROBE_MULTI;
	attr.flags = at->at_return ? AT_RETURN : 0;
	attr.cnt = at->cnt;
	attr.syms = (uintptr_t)at->syms;
	attr.cookies = (uintptr_t)at->cookies;
	return create(&attr, sizeof(attr));
}
