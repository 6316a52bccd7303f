// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/build_id_bit.h"

#include <string.h>

#include "data/proc_layout.h"

/* The kernel's dev_t: 12 bits of major number, 20 of minor number; a generation has 32 bits. */
#define MAJOR_MAX 0xfffu
#define MINOR_MAX 0xfffffu

static bool may_be_inode(const struct mmap2_record *r, bool swap)
{
	uint32_t maj = swap ? __builtin_bswap32(r->maj) : r->maj;
	uint32_t min = swap ? __builtin_bswap32(r->min) : r->min;
	uint64_t gen = swap ? __builtin_bswap64(r->ino_generation) : r->ino_generation;

	return maj <= MAJOR_MAX && min <= MINOR_MAX && gen <= UINT32_MAX;
}

void build_id_bit__check(struct perf_event_header *hdr, bool swap)
{
	struct mmap2_record r;

	if (!build_id_bit__is_set(hdr) || hdr->size < sizeof(r))
		return;
	memcpy(&r, hdr, sizeof(r));
	if (may_be_inode(&r, swap))
		build_id_bit__clear(hdr);
}
