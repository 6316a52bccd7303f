// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/syscall_nr.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

struct syscall {
	int nr;
	const char *name;
};

static const struct syscall syscalls[] = {
#include "syscall_table.h"
};

/* The kernel's 32-bit interface; it ends with a member without a name, and may have no other. */
static const struct syscall compat_syscalls[] = {
#include "syscall_table_compat.h"
	{ 0, NULL },
};

/*
 * System calls that are newer than the headers at build time. From 424 on (5.1) a new call has one
 * number on all architectures.
 */
static const struct syscall newer_syscalls[] = {
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

static void name_all(const char **names, const struct syscall *calls, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (calls[i].name && calls[i].nr < NR_MAX)
			names[calls[i].nr] = calls[i].name;
}

static const char *name_of(const char **names, int64_t nr)
{
	return nr >= 0 && nr < NR_MAX ? names[nr] : NULL;
}

const char *syscall_nr__name(int64_t nr)
{
	static const char *names[NR_MAX];
	static bool ready;

	if (!ready) {
		name_all(names, newer_syscalls, sizeof(newer_syscalls) / sizeof(newer_syscalls[0]));
		name_all(names, syscalls, sizeof(syscalls) / sizeof(syscalls[0]));
		ready = true;
	}
	return name_of(names, nr);
}

const char *syscall_nr__compat_name(int64_t nr)
{
	static const char *names[NR_MAX];
	static bool ready;

	if (!ready) {
		name_all(names, compat_syscalls,
			 sizeof(compat_syscalls) / sizeof(compat_syscalls[0]));
		ready = true;
	}
	return name_of(names, nr);
}
