// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/event_budget.h"

#include <errno.h>
#include <stdlib.h>

#include <linux/types.h>
#include <bpf/bpf.h>

#include "bpf/wire.h"
#include "event/event.h"
#include "session/cpus.h"

uint32_t event_budget__elems(const struct event_list *events)
{
	return (uint32_t)events->cnt + 1;
}

/* Returns an array of one element per possible CPU, which the caller frees. NULL: ENOMEM. */
static struct wire_budget *per_cpu(void)
{
	return calloc((size_t)cpus__possible(), sizeof(struct wire_budget));
}

int event_budget__set(int map_fd, uint16_t id)
{
	struct wire_budget *vals = per_cpu();
	__u32 key = id;
	int i, err = 0;

	if (!vals)
		return -ENOMEM;
	for (i = 0; i < cpus__possible(); i++)
		vals[i].skipped = WIRE_STOPPED;
	if (bpf_map_update_elem(map_fd, &key, vals, BPF_ANY))
		err = -errno;
	free(vals);
	return err;
}

static struct wire_budget sum_up(int map_fd, uint16_t id)
{
	struct wire_budget *vals = per_cpu(), sum = { 0 };
	__u32 key = id;
	int i;

	if (vals && !bpf_map_lookup_elem(map_fd, &key, vals)) {
		for (i = 0; i < cpus__possible(); i++) {
			sum.made += vals[i].made;
			sum.skipped += vals[i].skipped & ~WIRE_STOPPED;
		}
	}
	free(vals);
	return sum;
}

uint64_t event_budget__made(int map_fd, uint16_t id)
{
	return sum_up(map_fd, id).made;
}

uint64_t event_budget__skipped(int map_fd, uint16_t id)
{
	return sum_up(map_fd, id).skipped;
}
