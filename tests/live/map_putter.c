// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Inner maps are seen when they are said to be, without waiting for the updates to return. */
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>

#include "session/map_putter.h"
#include "session/unwind_put.h"
#include "tap.h"

#define CNT 23

static int make_outer(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	const __u64 none = 0;
	int inner = unwind_put__words(&none, 1), fd;

	if (inner < 0)
		return inner;
	opts.inner_map_fd = (__u32)inner;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "outer", sizeof(__u32), sizeof(__u32), CNT,
			    &opts);
	close(inner);
	return fd;
}

/* The number of elements that have a map. */
static unsigned int present(int outer_fd)
{
	unsigned int cnt = 0;
	__u32 i, id;

	for (i = 0; i < CNT; i++)
		cnt += !bpf_map_lookup_elem(outer_fd, &i, &id);
	return cnt;
}

static void put_all(struct map_putter *p, int outer_fd, bool *busy)
{
	__u32 i;

	for (i = 0; i < CNT; i++) {
		const __u64 word = i + 1;
		int fd = unwind_put__words(&word, 1);

		map_putter__put(p, outer_fd, i, fd, &busy[i]);
		close(fd);
	}
}

int main(void)
{
	bool busy[CNT] = { false };
	struct map_putter p;
	unsigned int i, cnt;
	int outer_fd = make_outer();

	if (!ok(outer_fd >= 0, "a map of maps is made"))
		return done_testing();
	map_putter__init(&p);
	put_all(&p, outer_fd, busy);
	map_putter__show(&p);
	is_u64(present(outer_fd), CNT, "each inner map is seen once it is said to be");
	map_putter__wait(&p);
	for (i = 0, cnt = 0; i < CNT; i++)
		cnt += map_putter__is_busy(&busy[i]);
	is_u64(cnt, 0, "after the wait no element is being updated");
	map_putter__init(&p);
	for (i = 0; i < CNT; i++)
		map_putter__put(&p, outer_fd, i, -1, NULL);
	map_putter__wait(&p);
	is_u64(present(outer_fd), 0, "a deleted element is absent");
	close(outer_fd);
	return done_testing();
}
