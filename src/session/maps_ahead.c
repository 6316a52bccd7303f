// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/maps_ahead.h"

#include <errno.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* inner_fd: the pattern of the inner maps, or -1. */
static int create(const struct bpf_map *map, int inner_fd)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = bpf_map__map_flags(map),
		    .map_extra = bpf_map__map_extra(map));

	if (inner_fd >= 0)
		opts.inner_map_fd = (__u32)inner_fd;
	return bpf_map_create(bpf_map__type(map), bpf_map__name(map), bpf_map__key_size(map),
			      bpf_map__value_size(map), bpf_map__max_entries(map), &opts);
}

static int create_whole(struct bpf_map *map)
{
	struct bpf_map *inner = bpf_map__inner_map(map);
	int inner_fd = inner ? create(inner, -1) : -1, fd;

	if (inner && inner_fd < 0)
		return inner_fd;
	fd = create(map, inner_fd);
	if (inner_fd >= 0)
		close(inner_fd);
	return fd;
}

void maps_ahead__set_sizes(const struct bpf_object *obj, const struct map_size *maps, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		bpf_map__set_max_entries(bpf_object__find_map_by_name(obj, maps[i].name),
					 maps[i].max);
}

int maps_ahead__create(const struct bpf_object *obj, const struct map_size *maps, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(obj, maps[i].name);
		int fd = map ? create_whole(map) : -ENOENT, err;

		if (fd < 0)
			return fd;
		/* The object has a duplicate. */
		err = bpf_map__reuse_fd(map, fd);
		close(fd);
		if (err)
			return err;
	}
	return 0;
}
