/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Rings of all CPUs that no program writes to: the kernel's records of processes, and what is
 * added.
 */
#ifndef BPFPERF_TESTS_LIVE_RINGS_H
#define BPFPERF_TESTS_LIVE_RINGS_H

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "run/live_run.h"
#include "session/cpus.h"

/* NULL after one sentence. */
static struct live_source *live_rings__open(struct live_config *cfg)
{
	static const struct cpus none;
	static struct live_run run;
	int fd = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "rings", sizeof(int), sizeof(int),
				(__u32)libbpf_num_possible_cpus(), NULL);

	return fd < 0 || live_run__open_rings(&run, cfg, fd, -1, &none) ? NULL : run.src;
}

#endif
