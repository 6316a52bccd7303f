// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/cpu_times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/fs.h"

uint64_t cpu_times__unit_ns(void)
{
	return 1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK);
}

/* Parses "cpu3 USER NICE SYSTEM IDLE IOWAIT …"; a line without a number is the sum of all CPUs. */
static int parse_line(const char *line, struct cpu_times *all, struct cpu_times *each, size_t cnt)
{
	unsigned long long user, nice, system, idle, iowait;
	uint64_t unit_ns = cpu_times__unit_ns();
	struct cpu_times *times = all;
	char *numbers = (char *)line + 3;
	unsigned long cpu;

	if (*numbers != ' ') {
		cpu = strtoul(numbers, &numbers, 10);
		times = cpu < cnt ? &each[cpu] : NULL;
	}
	if (*numbers != ' ' ||
	    sscanf(numbers, "%llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &iowait) != 5)
		return -EINVAL;
	if (times)
		*times = (struct cpu_times){
			.user_ns = (user + nice) * unit_ns,
			.system_ns = system * unit_ns,
			.idle_ns = (idle + iowait) * unit_ns,
		};
	return 0;
}

int cpu_times__parse(const char *text, struct cpu_times *all, struct cpu_times *each, size_t cnt)
{
	const char *line = text;
	int err = -EINVAL;

	/* The CPUs' lines come first. */
	while (line && !strncmp(line, "cpu", 3)) {
		err = parse_line(line, all, each, cnt);
		if (err)
			break;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return err;
}

int cpu_times__read(struct cpu_times *all, struct cpu_times *each, size_t cnt)
{
	char *text = fs__read_file("/proc/stat", NULL);
	int err;

	if (!text)
		return -errno;
	err = cpu_times__parse(text, all, each, cnt);
	free(text);
	return err;
}
