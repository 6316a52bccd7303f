// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/cpus.h"

#include <errno.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>

_Static_assert(sizeof(struct wire_cpu) % 64 == 0, "no two CPUs share a cache line");

int cpus__possible(void)
{
	return libbpf_num_possible_cpus();
}

int cpus__map(struct cpus *c, int map_fd)
{
	int cnt = cpus__possible();
	void *at;

	if (cnt < 0)
		return cnt;
	at = mmap(NULL, (size_t)cnt * sizeof(*c->at), PROT_READ | PROT_WRITE, MAP_SHARED, map_fd,
		  0);
	if (at == MAP_FAILED)
		return -errno;
	*c = (struct cpus){ at, cnt };
	return 0;
}

void cpus__unmap(struct cpus *c)
{
	if (c->at)
		munmap(c->at, (size_t)c->cnt * sizeof(*c->at));
	*c = (struct cpus){ 0 };
}
