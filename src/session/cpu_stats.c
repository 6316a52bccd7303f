// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/cpu_stats.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

int cpu_stats__cpu_cnt(void)
{
	return libbpf_num_possible_cpus();
}

bool cpu_stats__read(int map_fd, int cpu, struct wire_cpu_stats *st)
{
	return bpf_map_lookup_elem(map_fd, &cpu, st) == 0;
}
