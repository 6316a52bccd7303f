// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/armv8_names.h"

#include <errno.h>
#include <strings.h>

/*
 * Indexed by number (Arm ARM, D13.12; kernel: armv8_pmuv3_event_attrs). 0x1e is CHAIN, which perf
 * adds itself.
 */
static const char *const names[] = {
	"sw_incr",
	"l1i_cache_refill",
	"l1i_tlb_refill",
	"l1d_cache_refill",
	"l1d_cache",
	"l1d_tlb_refill",
	"ld_retired",
	"st_retired",
	"inst_retired",
	"exc_taken",
	"exc_return",
	"cid_write_retired",
	"pc_write_retired",
	"br_immed_retired",
	"br_return_retired",
	"unaligned_ldst_retired",
	"br_mis_pred",
	"cpu_cycles",
	"br_pred",
	"mem_access",
	"l1i_cache",
	"l1d_cache_wb",
	"l2d_cache",
	"l2d_cache_refill",
	"l2d_cache_wb",
	"bus_access",
	"memory_error",
	"inst_spec",
	"ttbr_write_retired",
	"bus_cycles",
	"chain",
	"l1d_cache_allocate",
	"l2d_cache_allocate",
	"br_retired",
	"br_mis_pred_retired",
	"stall_frontend",
	"stall_backend",
	"l1d_tlb",
	"l1i_tlb",
	"l2i_cache",
	"l2i_cache_refill",
	"l3d_cache_allocate",
	"l3d_cache_refill",
	"l3d_cache",
	"l3d_cache_wb",
	"l2d_tlb_refill",
	"l2i_tlb_refill",
	"l2d_tlb",
	"l2i_tlb",
	"remote_access",
	"ll_cache",
	"ll_cache_miss",
	"dtlb_walk",
	"itlb_walk",
	"ll_cache_rd",
	"ll_cache_miss_rd",
	"remote_access_rd",
	"l1d_cache_lmiss_rd",
	"op_retired",
	"op_spec",
	"stall",
	"stall_slot_backend",
	"stall_slot_frontend",
	"stall_slot",
};

#define NAME_CNT (sizeof(names) / sizeof(names[0]))

const char *armv8_names__at(size_t i)
{
	return i < NAME_CNT ? names[i] : NULL;
}

int armv8_names__lookup(const char *name, uint64_t *code)
{
	size_t i;

	for (i = 0; i < NAME_CNT; i++) {
		if (strcasecmp(names[i], name))
			continue;
		*code = i;
		return 0;
	}
	return -ENOENT;
}
