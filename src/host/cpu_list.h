/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of CPUs, "0-3,7", as /sys and the option -C write them, and the CPUs that are online. */
#ifndef BPFPERF_HOST_CPU_LIST_H
#define BPFPERF_HOST_CPU_LIST_H

#include <stdbool.h>

/* CPUs from 0 up to this one, exclusive; bpf/wire.h has as many. */
#define CPU_LIST_MAX 1024

/* One number, at most max, of a comma list; advances *p behind it. -EINVAL where *p begins none. */
int cpu_list__number(const char **p, long max, long *val);
/* Sets set[CPU_LIST_MAX] at the CPUs of a list that may end with a newline. 0 or -EINVAL. */
int cpu_list__parse(const char *list, bool *set);
/* Sets set[CPU_LIST_MAX] at the CPUs that are online now. 0 or -errno. */
int cpu_list__online(bool *set);
/* The first CPU that is online, of a PMU's list ("0,28") or, where the list is NULL, of all. */
int cpu_list__any_online(const char *list);

#endif
