// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/hit_counts.h"

#include <errno.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>

#include "session/cpus.h"

/* Lines of caches have 64 bytes, or 128. */
#define LINE_COUNTERS (128 / sizeof(uint64_t))

uint32_t hit_counts__stride(size_t event_cnt)
{
	return (uint32_t)((event_cnt + LINE_COUNTERS - 1) / LINE_COUNTERS * LINE_COUNTERS);
}

int hit_counts__configure(struct bpf_object *obj, size_t event_cnt)
{
	return bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, "hit_counts"),
					hit_counts__stride(event_cnt) * (uint32_t)cpus__possible());
}

int hit_counts__map(struct hit_counts *hits, const struct bpf_object *obj, size_t event_cnt)
{
	int fd = bpf_object__find_map_fd_by_name(obj, "hit_counts");
	void *at;

	hits->stride = hit_counts__stride(event_cnt);
	hits->sz = hits->stride * (size_t)cpus__possible() * sizeof(*hits->at);
	at = mmap(NULL, hits->sz, PROT_READ, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	hits->at = at;
	return 0;
}

uint64_t hit_counts__of(const struct hit_counts *hits, size_t event, int cpu)
{
	size_t cnt = (size_t)cpus__possible(), i = cpu < 0 ? 0 : (size_t)cpu;
	uint64_t sum = 0;

	if (cpu >= 0 && i < cnt)
		cnt = i + 1;
	for (; i < cnt; i++)
		sum += __atomic_load_n(&hits->at[i * hits->stride + event], __ATOMIC_RELAXED);
	return sum;
}

void hit_counts__unmap(struct hit_counts *hits)
{
	if (hits->at)
		munmap((void *)hits->at, hits->sz);
	*hits = (struct hit_counts){ NULL };
}
