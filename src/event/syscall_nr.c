// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/syscall_nr.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

static const struct {
	int nr;
	const char *name;
} syscalls[] = {
#include "syscall_table.h"
};

/*
 * System calls that are newer than the headers at build time. From 424 on (5.1) a new call has one
 * number on all architectures.
 */
static const struct {
	int nr;
	const char *name;
} newer_syscalls[] = {
#if defined(__x86_64__)
	{ 335, "uretprobe" },         { 336, "uprobe" },
#endif
	{ 451, "cachestat" },         { 452, "fchmodat2" },        { 453, "map_shadow_stack" },
	{ 454, "futex_wake" },        { 455, "futex_wait" },       { 456, "futex_requeue" },
	{ 457, "statmount" },         { 458, "listmount" },        { 459, "lsm_get_self_attr" },
	{ 460, "lsm_set_self_attr" }, { 461, "lsm_list_modules" }, { 462, "mseal" },
	{ 463, "setxattrat" },        { 464, "getxattrat" },       { 465, "listxattrat" },
	{ 466, "removexattrat" },     { 467, "open_tree_attr" },   { 468, "file_getattr" },
	{ 469, "file_setattr" },
};

/* Kernel function (sys_…) → system call, if they differ. From the kernel's syscall tables. */
static const struct {
	const char *event, *name;
} aliases[] = {
	{ "newstat", "stat" },   { "newfstat", "fstat" },      { "newlstat", "lstat" },
	{ "newuname", "uname" }, { "sendfile64", "sendfile" }, { "umount", "umount2" },
	{ "sysctl", "_sysctl" },
};

static int by_name(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(syscalls) / sizeof(syscalls[0]); i++)
		if (strcmp(syscalls[i].name, name) == 0)
			return syscalls[i].nr;
	for (i = 0; i < sizeof(newer_syscalls) / sizeof(newer_syscalls[0]); i++)
		if (strcmp(newer_syscalls[i].name, name) == 0)
			return newer_syscalls[i].nr;
	return -1;
}

int syscall_nr__by_event(const char *event)
{
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strcmp(aliases[i].event, event) == 0)
			return by_name(aliases[i].name);
	return by_name(event);
}

/* More than any architecture has. */
#define NR_MAX 1024

const char *syscall_nr__name(int64_t nr)
{
	static const char *names[NR_MAX];
	static bool ready;
	size_t i;

	if (!ready) {
		for (i = 0; i < sizeof(newer_syscalls) / sizeof(newer_syscalls[0]); i++)
			names[newer_syscalls[i].nr] = newer_syscalls[i].name;
		for (i = 0; i < sizeof(syscalls) / sizeof(syscalls[0]); i++)
			if (syscalls[i].nr < NR_MAX)
				names[syscalls[i].nr] = syscalls[i].name;
		ready = true;
	}
	return nr >= 0 && nr < NR_MAX ? names[nr] : NULL;
}
