// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/event_stop.h"

#include <errno.h>
#include <stdlib.h>

#include <linux/types.h>
#include <bpf/bpf.h>

#include "bpf/wire.h"
#include "event/event.h"
#include "session/cpus.h"

uint32_t event_stop__elems(const struct event_list *events)
{
	uint32_t elems = 1;
	size_t i;

	for (i = 0; i < events->cnt; i++)
		if (events->events[i]->fmt->id >= elems)
			elems = events->events[i]->fmt->id + 1u;
	return elems;
}

/* The element of each possible CPU; the caller frees it. NULL: no memory. */
static __u64 *per_cpu(void)
{
	return calloc((size_t)cpus__possible(), sizeof(__u64));
}

int event_stop__set(int map_fd, uint16_t id)
{
	__u64 *vals = per_cpu();
	__u32 key = id;
	int i, err = 0;

	if (!vals)
		return -ENOMEM;
	for (i = 0; i < cpus__possible(); i++)
		vals[i] = WIRE_STOPPED;
	if (bpf_map_update_elem(map_fd, &key, vals, BPF_ANY))
		err = -errno;
	free(vals);
	return err;
}

uint64_t event_stop__skipped(int map_fd, uint16_t id)
{
	__u64 *vals = per_cpu();
	uint64_t sum = 0;
	__u32 key = id;
	int i;

	if (vals && !bpf_map_lookup_elem(map_fd, &key, vals))
		for (i = 0; i < cpus__possible(); i++)
			sum += vals[i] & ~WIRE_STOPPED;
	free(vals);
	return sum;
}
