// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/cpu_list.h"

#include <errno.h>
#include <stdlib.h>

#include "util/fs.h"

int cpu_list__number(const char **p, long max, long *val)
{
	char *end;

	if (**p < '0' || **p > '9')
		return -EINVAL;
	errno = 0;
	*val = strtol(*p, &end, 10);
	if (errno || *val > max)
		return -EINVAL;
	*p = end;
	return 0;
}

int cpu_list__parse(const char *list, bool *set)
{
	const char *p = list;
	long from, to;

	for (;;) {
		if (cpu_list__number(&p, CPU_LIST_MAX - 1, &from))
			return -EINVAL;
		to = from;
		if (*p == '-') {
			p++;
			if (cpu_list__number(&p, CPU_LIST_MAX - 1, &to) || to < from)
				return -EINVAL;
		}
		while (from <= to)
			set[from++] = true;
		if (*p == '\0' || *p == '\n')
			return 0;
		if (*p++ != ',')
			return -EINVAL;
	}
}

int cpu_list__online(bool *set)
{
	char *text = fs__read_file("/sys/devices/system/cpu/online", NULL);
	int err;

	if (!text)
		return -errno;
	err = cpu_list__parse(text, set);
	free(text);
	return err;
}

int cpu_list__any_online(const char *list)
{
	bool online[CPU_LIST_MAX] = { false }, listed[CPU_LIST_MAX] = { false };
	int cpu;

	if (cpu_list__online(online) == 0 && list && cpu_list__parse(list, listed) == 0)
		for (cpu = 0; cpu < CPU_LIST_MAX; cpu++)
			online[cpu] &= listed[cpu];
	for (cpu = 0; cpu < CPU_LIST_MAX; cpu++)
		if (online[cpu])
			return cpu;
	/* If no CPU is online the caller opens its event on this one, and the kernel refuses it. */
	return list ? atoi(list) : 0;
}
