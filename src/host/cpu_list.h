/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of CPUs, "0-3,7", as /sys and the option -C write them, and the CPUs that are online. */
#ifndef BPFPERF_HOST_CPU_LIST_H
#define BPFPERF_HOST_CPU_LIST_H

#include <stdbool.h>

/* Exclusive upper bound of CPU numbers; bpf/wire.h has the same one. */
#define CPU_LIST_MAX 1024

/*
 * Parses one number, at most max, of a comma-separated list; advances *p behind it. Returns 0, or
 * -EINVAL if there is no number at *p.
 */
int cpu_list__number(const char **p, long max, long *val);
/*
 * Sets set[CPU_LIST_MAX] at the CPUs of a list, which may end with a newline. Returns 0 or -EINVAL.
 */
int cpu_list__parse(const char *list, bool *set);
/* Sets set[CPU_LIST_MAX] at the CPUs that are online now. Returns 0 or -errno. */
int cpu_list__online(bool *set);
/* Returns the first online CPU of a PMU's list ("0,28"), or of all CPUs if the list is NULL. */
int cpu_list__any_online(const char *list);

#endif
