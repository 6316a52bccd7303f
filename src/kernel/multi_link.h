/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One link for many functions, by bpf(2) itself: libbpf knows these links from 1.3 on only.
 */
#ifndef BPFPERF_KERNEL_MULTI_LINK_H
#define BPFPERF_KERNEL_MULTI_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Types of attachment of enum bpf_attach_type that older headers lack. */
#define ATTACH_KPROBE_MULTI 42
#define ATTACH_UPROBE_MULTI 48
#define ATTACH_KPROBE_SESSION 56
#define ATTACH_UPROBE_SESSION 57

/* Functions of one file. */
struct uprobe_multi {
	const char *path;
	const uint64_t *offs; /* in the file; cnt of them */
	const uint64_t *sem_offs; /* of the semaphores of USDT probes; NULL: none */
	const uint64_t *cookies;
	uint32_t cnt;
	pid_t pid; /* of the one process that is wanted; 0: all */
	bool at_return;
	bool is_session; /* at both ends of a call; the program has that type, too */
};

/* Attaches a program. Returns the link's fd, or -errno. */
int uprobe_multi__attach(int prog_fd, const struct uprobe_multi *at);

/* Functions of the kernel by name. */
struct kprobe_multi {
	const char *const *syms; /* cnt of them */
	const uint64_t *cookies;
	uint32_t cnt;
	bool at_return;
	bool is_session; /* at both ends of a call; the program has that type, too */
};

/* Attaches a program. Returns the link's fd, or -errno. */
int kprobe_multi__attach(int prog_fd, const struct kprobe_multi *at);

#endif
