// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/unwind_counts.h"

#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

uint64_t unwind_counts__sum(int counts_fd, uint32_t what)
{
	int cpus = libbpf_num_possible_cpus(), i;
	uint64_t *each = cpus > 0 ? calloc((size_t)cpus, sizeof(*each)) : NULL, sum = 0;

	if (each && !bpf_map_lookup_elem(counts_fd, &what, each))
		for (i = 0; i < cpus; i++)
			sum += each[i];
	free(each);
	return sum;
}
