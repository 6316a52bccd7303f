// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/pid_ns.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* PROC_PID_INIT_INO of the kernel's include/linux/proc_ns.h, constant since 3.8. */
#define INITIAL_INUM 0xeffffffcu

uint32_t pid_ns__inum(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == INITIAL_INUM)
		return 0;
	return (uint32_t)st.st_ino;
}

bool pid_ns__has_proc(void)
{
	char pid[16];
	ssize_t n = readlink("/proc/self", pid, sizeof(pid) - 1);

	if (n <= 0)
		return true;
	pid[n] = '\0';
	return atoi(pid) == (int)getpid();
}
