/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* /proc/cpuinfo: values of the first CPU. */
#ifndef BPFPERF_HOST_CPUINFO_H
#define BPFPERF_HOST_CPUINFO_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies the value of the first line "KEY : VALUE" into buf, cut to sz bytes. 0, -ENODATA: there is
 * no such line, or -errno: the file cannot be read. On errors buf is empty.
 */
int cpuinfo__value(const char *key, char *buf, size_t sz);
/* Returns the number (decimal or 0x…) at the start of the value; 0 if there is none. */
unsigned long cpuinfo__number(const char *key);
/* Is the word among the CPU's "flags" (x86)? */
bool cpuinfo__has_flag(const char *flag);

/* Reads another file, for tests; kept by reference. NULL: the real one. */
void cpuinfo__set_path(const char *path);

#endif
