// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/armv8_names.h"

#include <errno.h>
#include <string.h>
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

struct arm_name {
	uint16_t code;
	const char *name;
};

/*
 * Above these, by number: what Arm recommends to its licensees, and later architectures (kernel:
 * tools/perf/pmu-events/arch/arm64, recommended.json and common-and-microarch.json).
 */
static const struct arm_name more_names[] = {
	{ 0x0040, "l1d_cache_rd" },
	{ 0x0041, "l1d_cache_wr" },
	{ 0x0042, "l1d_cache_refill_rd" },
	{ 0x0043, "l1d_cache_refill_wr" },
	{ 0x0044, "l1d_cache_refill_inner" },
	{ 0x0045, "l1d_cache_refill_outer" },
	{ 0x0046, "l1d_cache_wb_victim" },
	{ 0x0047, "l1d_cache_wb_clean" },
	{ 0x0048, "l1d_cache_inval" },
	{ 0x004c, "l1d_tlb_refill_rd" },
	{ 0x004d, "l1d_tlb_refill_wr" },
	{ 0x004e, "l1d_tlb_rd" },
	{ 0x004f, "l1d_tlb_wr" },
	{ 0x0050, "l2d_cache_rd" },
	{ 0x0051, "l2d_cache_wr" },
	{ 0x0052, "l2d_cache_refill_rd" },
	{ 0x0053, "l2d_cache_refill_wr" },
	{ 0x0056, "l2d_cache_wb_victim" },
	{ 0x0057, "l2d_cache_wb_clean" },
	{ 0x0058, "l2d_cache_inval" },
	{ 0x005c, "l2d_tlb_refill_rd" },
	{ 0x005d, "l2d_tlb_refill_wr" },
	{ 0x005e, "l2d_tlb_rd" },
	{ 0x005f, "l2d_tlb_wr" },
	{ 0x0060, "bus_access_rd" },
	{ 0x0061, "bus_access_wr" },
	{ 0x0062, "bus_access_shared" },
	{ 0x0063, "bus_access_not_shared" },
	{ 0x0064, "bus_access_normal" },
	{ 0x0065, "bus_access_periph" },
	{ 0x0066, "mem_access_rd" },
	{ 0x0067, "mem_access_wr" },
	{ 0x0068, "unaligned_ld_spec" },
	{ 0x0069, "unaligned_st_spec" },
	{ 0x006a, "unaligned_ldst_spec" },
	{ 0x006c, "ldrex_spec" },
	{ 0x006d, "strex_pass_spec" },
	{ 0x006e, "strex_fail_spec" },
	{ 0x006f, "strex_spec" },
	{ 0x0070, "ld_spec" },
	{ 0x0071, "st_spec" },
	{ 0x0072, "ldst_spec" },
	{ 0x0073, "dp_spec" },
	{ 0x0074, "ase_spec" },
	{ 0x0075, "vfp_spec" },
	{ 0x0076, "pc_write_spec" },
	{ 0x0077, "crypto_spec" },
	{ 0x0078, "br_immed_spec" },
	{ 0x0079, "br_return_spec" },
	{ 0x007a, "br_indirect_spec" },
	{ 0x007c, "isb_spec" },
	{ 0x007d, "dsb_spec" },
	{ 0x007e, "dmb_spec" },
	{ 0x0081, "exc_undef" },
	{ 0x0082, "exc_svc" },
	{ 0x0083, "exc_pabort" },
	{ 0x0084, "exc_dabort" },
	{ 0x0086, "exc_irq" },
	{ 0x0087, "exc_fiq" },
	{ 0x0088, "exc_smc" },
	{ 0x008a, "exc_hvc" },
	{ 0x008b, "exc_trap_pabort" },
	{ 0x008c, "exc_trap_dabort" },
	{ 0x008d, "exc_trap_other" },
	{ 0x008e, "exc_trap_irq" },
	{ 0x008f, "exc_trap_fiq" },
	{ 0x0090, "rc_ld_spec" },
	{ 0x0091, "rc_st_spec" },
	{ 0x00a0, "l3d_cache_rd" },
	{ 0x4000, "sample_pop" },
	{ 0x4001, "sample_feed" },
	{ 0x4002, "sample_filtrate" },
	{ 0x4003, "sample_collision" },
	{ 0x4004, "cnt_cycles" },
	{ 0x4005, "stall_backend_mem" },
	{ 0x4006, "l1i_cache_lmiss" },
	{ 0x4009, "l2d_cache_lmiss_rd" },
	{ 0x400b, "l3d_cache_lmiss_rd" },
	{ 0x400c, "trb_wrap" },
	{ 0x4010, "trcextout0" },
	{ 0x4011, "trcextout1" },
	{ 0x4012, "trcextout2" },
	{ 0x4013, "trcextout3" },
	{ 0x4018, "cti_trigout4" },
	{ 0x4019, "cti_trigout5" },
	{ 0x401a, "cti_trigout6" },
	{ 0x401b, "cti_trigout7" },
	{ 0x4020, "ldst_align_lat" },
	{ 0x4021, "ld_align_lat" },
	{ 0x4022, "st_align_lat" },
	{ 0x4024, "mem_access_checked" },
	{ 0x4025, "mem_access_checked_rd" },
	{ 0x4026, "mem_access_checked_wr" },
	{ 0x8005, "ase_inst_spec" },
	{ 0x8006, "sve_inst_spec" },
	{ 0x8014, "fp_hp_spec" },
	{ 0x8018, "fp_sp_spec" },
	{ 0x801c, "fp_dp_spec" },
	{ 0x8074, "sve_pred_spec" },
	{ 0x8075, "sve_pred_empty_spec" },
	{ 0x8076, "sve_pred_full_spec" },
	{ 0x8077, "sve_pred_partial_spec" },
	{ 0x8079, "sve_pred_not_full_spec" },
	{ 0x80bc, "sve_ldff_spec" },
	{ 0x80bd, "sve_ldff_fault_spec" },
	{ 0x80c0, "fp_scale_ops_spec" },
	{ 0x80c1, "fp_fixed_ops_spec" },
	{ 0x80e3, "ase_sve_int8_spec" },
	{ 0x80e7, "ase_sve_int16_spec" },
	{ 0x80eb, "ase_sve_int32_spec" },
	{ 0x80ef, "ase_sve_int64_spec" },
};

/* kernel: drivers/perf/apple_m1_cpu_pmu.c, enum m1_pmu_events */
static const struct arm_name apple_names[] = {
	{ 0x01, "retire_uop" },
	{ 0x02, "core_active_cycle" },
	{ 0x04, "l1i_tlb_fill" },
	{ 0x05, "l1d_tlb_fill" },
	{ 0x07, "mmu_table_walk_instruction" },
	{ 0x08, "mmu_table_walk_data" },
	{ 0x0a, "l2_tlb_miss_instruction" },
	{ 0x0b, "l2_tlb_miss_data" },
	{ 0x0d, "mmu_virtual_memory_fault_nonspec" },
	{ 0x52, "schedule_uop" },
	{ 0x6c, "interrupt_pending" },
	{ 0x70, "map_stall_dispatch" },
	{ 0x75, "map_rewind" },
	{ 0x76, "map_stall" },
	{ 0x7c, "map_int_uop" },
	{ 0x7d, "map_ldst_uop" },
	{ 0x7e, "map_simd_uop" },
	{ 0x84, "flush_restart_other_nonspec" },
	{ 0x8c, "inst_all" },
	{ 0x8d, "inst_branch" },
	{ 0x8e, "inst_branch_call" },
	{ 0x8f, "inst_branch_ret" },
	{ 0x90, "inst_branch_taken" },
	{ 0x93, "inst_branch_indir" },
	{ 0x94, "inst_branch_cond" },
	{ 0x95, "inst_int_ld" },
	{ 0x96, "inst_int_st" },
	{ 0x97, "inst_int_alu" },
	{ 0x98, "inst_simd_ld" },
	{ 0x99, "inst_simd_st" },
	{ 0x9a, "inst_simd_alu" },
	{ 0x9b, "inst_ldst" },
	{ 0x9c, "inst_barrier" },
	{ 0xa0, "l1d_tlb_access" },
	{ 0xa1, "l1d_tlb_miss" },
	{ 0xa2, "l1d_cache_miss_st" },
	{ 0xa3, "l1d_cache_miss_ld" },
	{ 0xa6, "ld_unit_uop" },
	{ 0xa7, "st_unit_uop" },
	{ 0xa8, "l1d_cache_writeback" },
	{ 0xb1, "ldst_x64_uop" },
	{ 0xb2, "ldst_xpg_uop" },
	{ 0xb3, "atomic_or_exclusive_succ" },
	{ 0xb4, "atomic_or_exclusive_fail" },
	{ 0xbf, "l1d_cache_miss_ld_nonspec" },
	{ 0xc0, "l1d_cache_miss_st_nonspec" },
	{ 0xc1, "l1d_tlb_miss_nonspec" },
	{ 0xc4, "st_memory_order_violation_nonspec" },
	{ 0xc5, "branch_cond_mispred_nonspec" },
	{ 0xc6, "branch_indir_mispred_nonspec" },
	{ 0xc8, "branch_ret_indir_mispred_nonspec" },
	{ 0xca, "branch_call_indir_mispred_nonspec" },
	{ 0xcb, "branch_mispred_nonspec" },
	{ 0xd4, "l1i_tlb_miss_demand" },
	{ 0xd6, "map_dispatch_bubble" },
	{ 0xdb, "l1i_cache_miss_demand" },
	{ 0xde, "fetch_restart" },
	{ 0xe5, "st_nt_uop" },
	{ 0xe6, "ld_nt_uop" },
};

/* Numbers first … last of a core. */
struct span {
	uint16_t first, last;
};

/* The events of each core (kernel: tools/perf/pmu-events/arch/arm64/arm). */
static const struct span neoverse_n1[] = {
	{ 0x0, 0x5 },   { 0x8, 0xb },       { 0x10, 0x1d }, { 0x20, 0x26 }, { 0x29, 0x2b },
	{ 0x2d, 0x2d }, { 0x2f, 0x2f },     { 0x31, 0x31 }, { 0x34, 0x37 }, { 0x40, 0x48 },
	{ 0x4c, 0x53 }, { 0x56, 0x58 },     { 0x5c, 0x61 }, { 0x66, 0x6a }, { 0x6c, 0x71 },
	{ 0x73, 0x7a }, { 0x7c, 0x7e },     { 0x81, 0x84 }, { 0x86, 0x88 }, { 0x8a, 0x91 },
	{ 0xa0, 0xa0 }, { 0x4000, 0x4003 }, { 0, 0 },
};
static const struct span neoverse_v1[] = {
	{ 0x0, 0x5 },       { 0x8, 0xb },       { 0x10, 0x1d },     { 0x20, 0x26 },
	{ 0x29, 0x2b },     { 0x2d, 0x2d },     { 0x2f, 0x2f },     { 0x31, 0x31 },
	{ 0x34, 0x37 },     { 0x39, 0x48 },     { 0x4c, 0x53 },     { 0x56, 0x58 },
	{ 0x5c, 0x61 },     { 0x66, 0x6a },     { 0x6c, 0x71 },     { 0x73, 0x7a },
	{ 0x7c, 0x7e },     { 0x81, 0x84 },     { 0x86, 0x88 },     { 0x8a, 0x91 },
	{ 0xa0, 0xa0 },     { 0x4000, 0x4006 }, { 0x4009, 0x4009 }, { 0x400b, 0x400b },
	{ 0x8005, 0x8006 }, { 0x8074, 0x8077 }, { 0x80bc, 0x80bd }, { 0x80c0, 0x80c1 },
	{ 0, 0 },
};
static const struct span neoverse_n2[] = {
	{ 0x0, 0x5 },       { 0x8, 0xb },       { 0x10, 0x1d },     { 0x20, 0x26 },
	{ 0x29, 0x2b },     { 0x2d, 0x2d },     { 0x2f, 0x2f },     { 0x31, 0x31 },
	{ 0x34, 0x37 },     { 0x39, 0x48 },     { 0x4c, 0x53 },     { 0x56, 0x58 },
	{ 0x5c, 0x61 },     { 0x66, 0x6a },     { 0x6c, 0x71 },     { 0x73, 0x7a },
	{ 0x7c, 0x7e },     { 0x81, 0x84 },     { 0x86, 0x88 },     { 0x8a, 0x91 },
	{ 0xa0, 0xa0 },     { 0x4000, 0x4006 }, { 0x4009, 0x4009 }, { 0x400b, 0x400c },
	{ 0x4010, 0x4013 }, { 0x4018, 0x401b }, { 0x4020, 0x4022 }, { 0x4024, 0x4026 },
	{ 0x8005, 0x8006 }, { 0x8014, 0x8014 }, { 0x8018, 0x8018 }, { 0x801c, 0x801c },
	{ 0x8074, 0x8077 }, { 0x8079, 0x8079 }, { 0x80bc, 0x80bd }, { 0x80c0, 0x80c1 },
	{ 0x80e3, 0x80e3 }, { 0x80e7, 0x80e7 }, { 0x80eb, 0x80eb }, { 0x80ef, 0x80ef },
	{ 0, 0 },
};
static const struct span cortex_a57[] = {
	{ 0x0, 0x5 },   { 0x8, 0xb },   { 0x10, 0x1d }, { 0x40, 0x43 },
	{ 0x46, 0x48 }, { 0x4c, 0x4d }, { 0x50, 0x53 }, { 0x56, 0x58 },
	{ 0x60, 0x6a }, { 0x6c, 0x6e }, { 0x70, 0x7a }, { 0x7c, 0x7e },
	{ 0x81, 0x84 }, { 0x86, 0x88 }, { 0x8a, 0x91 }, { 0, 0 },
};
static const struct span cortex_a76[] = {
	{ 0x0, 0x5 },   { 0x8, 0xb },   { 0x10, 0x1d }, { 0x20, 0x26 }, { 0x29, 0x2b },
	{ 0x2d, 0x2d }, { 0x2f, 0x2f }, { 0x31, 0x31 }, { 0x34, 0x37 }, { 0x40, 0x48 },
	{ 0x4c, 0x53 }, { 0x56, 0x58 }, { 0x5c, 0x61 }, { 0x66, 0x6a }, { 0x6c, 0x7a },
	{ 0x7c, 0x7e }, { 0x81, 0x84 }, { 0x86, 0x88 }, { 0x8a, 0x91 }, { 0xa0, 0xa0 },
	{ 0, 0 },
};
static const struct span cortex_a78[] = {
	{ 0x0, 0x5 },   { 0x8, 0xb },       { 0x10, 0x1d },     { 0x20, 0x26 },     { 0x29, 0x2b },
	{ 0x2d, 0x2d }, { 0x2f, 0x2f },     { 0x31, 0x31 },     { 0x34, 0x37 },     { 0x39, 0x48 },
	{ 0x4c, 0x53 }, { 0x56, 0x58 },     { 0x5c, 0x61 },     { 0x66, 0x6a },     { 0x6c, 0x71 },
	{ 0x73, 0x7a }, { 0x7c, 0x7e },     { 0x81, 0x84 },     { 0x86, 0x88 },     { 0x8a, 0x91 },
	{ 0xa0, 0xa0 }, { 0x4004, 0x4006 }, { 0x4009, 0x4009 }, { 0x400b, 0x400b }, { 0, 0 },
};

static const struct {
	const char *pmu;
	const struct span *spans; /* NULL: all below 0x40 */
	bool apple;
} cores[] = {
	{ "armv8", NULL, false },
	{ "armv8/neoverse-n1", neoverse_n1, false },
	{ "armv8/neoverse-v1", neoverse_v1, false },
	{ "armv8/neoverse-n2", neoverse_n2, false },
	{ "armv8/cortex-a57", cortex_a57, false },
	{ "armv8/cortex-a76", cortex_a76, false },
	{ "armv8/cortex-a78", cortex_a78, false },
	{ "apple-m1", NULL, true },
};

#define CORE_CNT (sizeof(cores) / sizeof(cores[0]))
#define MORE_CNT (sizeof(more_names) / sizeof(more_names[0]))
#define APPLE_CNT (sizeof(apple_names) / sizeof(apple_names[0]))

static size_t find_core(const char *pmu)
{
	size_t i;

	for (i = 0; i < CORE_CNT; i++)
		if (!strcmp(cores[i].pmu, pmu))
			break;
	return i;
}

static bool is_of(size_t core, uint64_t code)
{
	const struct span *span = cores[core].spans;

	if (!span)
		return code < NAME_CNT;
	for (; span->last; span++)
		if (code >= span->first && code <= span->last)
			return true;
	return false;
}

/* The i-th name of all, whether or not a core has it; NULL after the last. */
static const char *any_name(size_t core, size_t i, uint64_t *code)
{
	if (cores[core].apple) {
		*code = i < APPLE_CNT ? apple_names[i].code : 0;
		return i < APPLE_CNT ? apple_names[i].name : NULL;
	}
	*code = i;
	if (i < NAME_CNT)
		return names[i];
	i -= NAME_CNT;
	*code = i < MORE_CNT ? more_names[i].code : 0;
	return i < MORE_CNT ? more_names[i].name : NULL;
}

bool armv8_names__has_pmu(const char *pmu)
{
	return find_core(pmu) < CORE_CNT;
}

void armv8_names__each(const char *pmu, void (*fn)(void *ctx, const char *name), void *ctx)
{
	size_t core = find_core(pmu), i;
	const char *name;
	uint64_t code;

	for (i = 0; core < CORE_CNT && (name = any_name(core, i, &code)); i++)
		if (cores[core].apple || is_of(core, code))
			fn(ctx, name);
}

int armv8_names__lookup(const char *pmu, const char *name, uint64_t *code)
{
	size_t core = find_core(pmu), i;
	const char *known;

	for (i = 0; core < CORE_CNT && (known = any_name(core, i, code)); i++)
		if (!strcasecmp(known, name) && (cores[core].apple || is_of(core, *code)))
			return 0;
	return -ENOENT;
}
