/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Shared by the workloads: raw system calls by name, and one way to print
 * what was done. A workload prints "key=value" lines, each by one write(2),
 * after the counted part; nothing else it does calls the counted syscall.
 */
#ifndef BPFPERF_WORKLOAD_H
#define BPFPERF_WORKLOAD_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORKLOAD_FN __attribute__((unused)) static

/* System calls that return at once and that libc does not make by itself. */
struct workload_syscall {
	const char *name;
	long nr;
	long arg[3];
};

static const struct workload_syscall workload_syscalls[] = {
	{ "getppid", SYS_getppid, { 0, 0, 0 } },
	{ "getpid", SYS_getpid, { 0, 0, 0 } },
	{ "getuid", SYS_getuid, { 0, 0, 0 } },
	{ "getsid", SYS_getsid, { 0, 0, 0 } },
	{ "getpgid", SYS_getpgid, { 0, 0, 0 } },
	{ "sched_yield", SYS_sched_yield, { 0, 0, 0 } },
	/* Zero bytes to a descriptor that is no longer open: enters, fails, leaves. */
	{ "write0", SYS_write, { -1, 0, 0 } },
	{ "close-1", SYS_close, { -1, 0, 0 } },
};

WORKLOAD_FN const struct workload_syscall *workload__syscall(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(workload_syscalls) / sizeof(*workload_syscalls); i++)
		if (!strcmp(workload_syscalls[i].name, name))
			return &workload_syscalls[i];
	fprintf(stderr, "unknown syscall %s\n", name);
	exit(2);
}

WORKLOAD_FN unsigned long workload__count(const char *arg)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 0);

	if (!*arg || *end || *arg == '-') {
		fprintf(stderr, "not a count: %s\n", arg);
		exit(2);
	}
	return n;
}

WORKLOAD_FN void workload__call(const struct workload_syscall *sc, unsigned long n)
{
	for (; n; n--)
		syscall(sc->nr, sc->arg[0], sc->arg[1], sc->arg[2]);
}

/* One line on stdout through one write. */
WORKLOAD_FN __attribute__((format(printf, 1, 2))) void workload__say(const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= sizeof(line) || write(STDOUT_FILENO, line, len) != len)
		exit(1);
}

#endif
