/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The `cpus` map of a BPF object (struct wire_cpu of wire.h), mapped into user space. */
#ifndef BPFPERF_SESSION_CPUS_H
#define BPFPERF_SESSION_CPUS_H

#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"

struct cpus {
	struct wire_cpu *at; /* by CPU; NULL: not mapped */
	int cnt; /* number of possible CPUs */
};

/* Returns the number of possible CPUs: the map has an element for each. */
int cpus__possible(void);
/* Maps the map into memory. Returns 0 or -errno. */
int cpus__map(struct cpus *c, int map_fd);
void cpus__unmap(struct cpus *c);

#endif
