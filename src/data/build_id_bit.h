/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * PERF_RECORD_MISC_MMAP_BUILD_ID of an MMAP2 record that has no build id. The kernel (5.12 to 6.18
 * at least) sets the bit for each event with attr.build_id and does not clear it before it writes
 * the record of the next event (perf_event_mmap_output()). An event without attr.build_id
 * therefore receives the bit whenever another recorder of the machine asked for build ids, and
 * device and inode in place of the build id.
 */
#ifndef BPFPERF_DATA_BUILD_ID_BIT_H
#define BPFPERF_DATA_BUILD_ID_BIT_H

#include <stdbool.h>

#include <linux/perf_event.h>

static inline bool build_id_bit__is_set(const struct perf_event_header *hdr)
{
	return hdr->type == PERF_RECORD_MMAP2 && hdr->misc & PERF_RECORD_MISC_MMAP_BUILD_ID;
}

/* For a record of an event that was opened without attr.build_id. Other types are unchanged. */
static inline void build_id_bit__clear(struct perf_event_header *hdr)
{
	if (hdr->type == PERF_RECORD_MMAP2)
		hdr->misc &= (__u16)~PERF_RECORD_MISC_MMAP_BUILD_ID;
}

/*
 * For a record of a recording without an event that asked for build ids: tools may have put them
 * in later, so the bit is cleared only if the content can be device and inode. The header is in
 * this machine's byte order; with swap the rest is not.
 */
void build_id_bit__check(struct perf_event_header *hdr, bool swap);

#endif
