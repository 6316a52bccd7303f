// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/ring_sizes.h"

#include <stdbool.h>
#include <unistd.h>

/*
 * Largest and smallest size of a ring, and the limit of all rings together: their memory is locked.
 */
struct ring_share {
	size_t max, min, all;
};

/* For users without a limit of locked memory; a ring has room for a sample with its stack. */
static const struct ring_share share_of_ring = { 16u << 20, 64u << 10, 128u << 20 };
static const struct ring_share share_of_aux = { 4u << 20, 64u << 10, 256u << 20 };
/* For all users: records of processes are few, but arrive in bursts. */
static const struct ring_share share_of_track = { 256u << 10, 16u << 10, 64u << 20 };
/*
 * For other users: the kernel's limit per CPU is about as much (sysctl kernel.perf_event_mlock_kb).
 */
#define RING_USER_SZ (512u << 10)
#define AUX_USER_SZ (128u << 10)

static size_t ring_share__sz(const struct ring_share *s, size_t cnt)
{
	size_t sz = s->max, page_sz = (size_t)sysconf(_SC_PAGESIZE);

	while (sz > s->min && sz > page_sz && sz * cnt > s->all)
		sz /= 2;
	return sz;
}

struct ring_sizes ring_sizes__choose(size_t cnt, size_t ring_sz, size_t aux_sz, size_t snapshot_sz)
{
	size_t cpus = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	/*
	 * The kernel also counts a ring's first page: its limit for each user has room for one ring
	 * per CPU.
	 */
	size_t page_sz = (size_t)sysconf(_SC_PAGESIZE), all = (RING_USER_SZ + page_sz) * cpus;
	const struct ring_share of_user = { RING_USER_SZ, 16u << 10,
					    all > cnt * page_sz ? all - cnt * page_sz : 0 };
	bool may_lock = geteuid() == 0;
	struct ring_sizes sizes = {
		.ring = ring_sz,
		.track = ring_share__sz(&share_of_track, cnt),
		.aux = aux_sz,
	};

	if (!sizes.ring)
		sizes.ring = ring_share__sz(may_lock ? &share_of_ring : &of_user, cnt);
	if (sizes.aux)
		return sizes;
	sizes.aux = may_lock ? ring_share__sz(&share_of_aux, cnt) : AUX_USER_SZ;
	while (sizes.aux < snapshot_sz)
		sizes.aux *= 2;
	return sizes;
}
