/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Steps from frame to frame of a user stack by the rules of unwind tables. Compiled for the kernel
 * and, for tests, for user space: the including file defines the functions that read memory and
 * find rules,
 *
 *     long unwind_read(u64 *value, u64 addr)              8 bytes of user memory; not 0: fault
 *     long unwind_sample_reg(void *ctx, u32 reg, u64 *v)  the sample's register, by DWARF number
 *     const struct unwind_rule *unwind_find(void *ctx, u64 pc)  NULL: no table there
 *
 * and UNWIND_ARM64: whether registers are those of arm64.
 */
#ifndef BPFPERF_UNWIND_BPF_H
#define BPFPERF_UNWIND_BPF_H

#include "unwind_wire.h"

/* A frame pointer further away than this does not point to a frame of this stack. */
#define UNWIND_FRAME_MAX_SZ (16ull << 20)
/*
 * User addresses of arm64 have 48 bits; the bits above hold tags and the pointer authentication
 * code.
 */
#define UNWIND_ARM64_ADDR ((1ull << 48) - 1)

/* Reads the value that a register's location describes. Not 0: it is unknown. */
static __always_inline long unwind_loc(void *ctx, const struct unwind_regs *r, __u8 loc, __s32 off,
				       __u64 cfa, __u64 *v)
{
	__u64 addr;

	if (loc == UNWIND_LOC_CFA)
		addr = cfa + (__s64)off;
	else if (loc == UNWIND_LOC_SP)
		addr = r->sp + (__s64)off;
	else if (loc == UNWIND_LOC_FP && r->has_fp)
		addr = r->fp + (__s64)off;
	else if (loc == UNWIND_LOC_REG && r->is_sample)
		return unwind_sample_reg(ctx, (__u32)off, v);
	else
		return -1;
	return unwind_read(v, addr);
}

/* Computes the canonical frame address. Returns 0 or an enum unwind_end. */
static __always_inline int unwind_cfa(void *ctx, const struct unwind_regs *r,
				      const struct unwind_rule *rule, __u64 *cfa)
{
	__u64 from = r->sp;

	switch (rule->cfa) {
	case UNWIND_CFA_UNKNOWN:
		return UNWIND_NO_RULE;
	case UNWIND_CFA_FP:
	case UNWIND_CFA_FP_DEREF:
		if (!r->has_fp)
			return UNWIND_REG_GONE;
		from = r->fp;
		break;
	case UNWIND_CFA_BASE:
		if (!r->has_base)
			return UNWIND_REG_GONE;
		from = r->base;
		break;
	case UNWIND_CFA_REG:
		if (!r->is_sample || unwind_sample_reg(ctx, rule->cfa_reg, &from))
			return UNWIND_REG_GONE;
		break;
	case UNWIND_CFA_PLT:
		from += (r->pc & 15) >= rule->cfa_reg ? 8 : 0;
		break;
	}
	*cfa = from + (__s64)rule->cfa_off;
	if (rule->cfa != UNWIND_CFA_SP_DEREF && rule->cfa != UNWIND_CFA_FP_DEREF)
		return 0;
	return unwind_read(cfa, *cfa) ? UNWIND_NO_MEMORY : 0;
}

/* Computes the return address. Returns 0 or an enum unwind_end. */
static __always_inline int unwind_ra(void *ctx, const struct unwind_regs *r,
				     const struct unwind_rule *rule, __u64 cfa, __u64 *ra)
{
	if (rule->ra == UNWIND_LOC_NONE)
		return UNWIND_OUTERMOST;
	if (rule->ra == UNWIND_LOC_SAME) {
		*ra = r->lr;
		return UNWIND_ARM64 && r->has_lr ? 0 : UNWIND_REG_GONE;
	}
	if (rule->ra == UNWIND_LOC_REG && !r->is_sample)
		return UNWIND_REG_GONE;
	return unwind_loc(ctx, r, rule->ra, rule->ra_off, cfa, ra) ? UNWIND_NO_MEMORY : 0;
}

/* The stack of a signal handler may be anywhere; the frame of any other caller is above. */
static __always_inline _Bool unwind_rises(const struct unwind_regs *r,
					  const struct unwind_rule *rule, __u64 cfa)
{
	if (rule->flags & UNWIND_SIGNAL)
		return 1;
	/* A leaf of arm64 needs no stack; vfork() of x86-64 pops its return address off it. */
	return cfa > r->sp ||
	       ((UNWIND_ARM64 || rule->ra == UNWIND_LOC_REG) && r->is_exact && cfa == r->sp);
}

/* Is it the first frame of a thread that has not begun to run? Register 0 is rax. */
static __always_inline _Bool unwind_is_unborn(void *ctx, const struct unwind_regs *r,
					      const struct unwind_rule *rule)
{
	__u64 result = 0;

	if (UNWIND_ARM64 || !(rule->flags & UNWIND_CLONE))
		return 0;
	return !r->is_sample || unwind_sample_reg(ctx, 0, &result) || !result;
}

/*
 * Steps from the frame in r to its caller's by a rule. Returns UNWIND_GOES_ON, or the reason why r
 * is unchanged.
 */
static __always_inline int unwind_by_rule(void *ctx, struct unwind_regs *r,
					  const struct unwind_rule *rule)
{
	__u64 cfa = 0, ra = 0, fp = r->fp, base = r->base, lr = 0;
	__u8 has_fp = r->has_fp, has_base = r->has_base, has_lr = 0;
	int end;

	if (rule->cfa != UNWIND_CFA_UNKNOWN && rule->ra == UNWIND_LOC_NONE)
		return UNWIND_OUTERMOST;
	if (unwind_is_unborn(ctx, r, rule))
		return UNWIND_OUTERMOST;
	end = unwind_cfa(ctx, r, rule, &cfa);
	if (!end)
		end = unwind_ra(ctx, r, rule, cfa, &ra);
	if (end)
		return end;
	if (UNWIND_ARM64)
		ra &= UNWIND_ARM64_ADDR;
	if (!ra)
		return UNWIND_OUTERMOST;
	if (!unwind_rises(r, rule, cfa))
		return UNWIND_NOT_RISING;
	if (rule->fp != UNWIND_LOC_SAME)
		has_fp = !unwind_loc(ctx, r, rule->fp, rule->fp_off, cfa, &fp);
	if (rule->base != UNWIND_LOC_SAME)
		has_base = !unwind_loc(ctx, r, rule->base, rule->base_off, cfa, &base);
	if (UNWIND_ARM64 && rule->flags & UNWIND_SIGNAL)
		has_lr = !unwind_read(&lr, r->sp + UNWIND_ARM64_REGS_OFF + 30 * 8);
	r->pc = ra;
	r->sp = cfa;
	r->fp = fp;
	r->base = base;
	r->lr = lr;
	r->has_fp = has_fp;
	r->has_base = has_base;
	r->has_lr = has_lr;
	r->is_sample = 0;
	r->is_exact = !!(rule->flags & UNWIND_SIGNAL);
	r->by_fp = 0;
	return UNWIND_GOES_ON;
}

/*
 * Steps by the frame pointer, if it may be one: both architectures store fp, then the return
 * address.
 */
static __always_inline int unwind_by_fp(struct unwind_regs *r)
{
	__u64 fp = 0, ra = 0;

	if (!r->has_fp || !r->fp || r->fp & 7 || r->fp < r->sp ||
	    r->fp - r->sp > UNWIND_FRAME_MAX_SZ)
		return UNWIND_NO_RULE;
	if (unwind_read(&fp, r->fp) || unwind_read(&ra, r->fp + 8))
		return UNWIND_NO_RULE;
	if (UNWIND_ARM64)
		ra &= UNWIND_ARM64_ADDR;
	if (!ra)
		return UNWIND_OUTERMOST;
	r->sp = r->fp + 16;
	r->fp = fp;
	r->pc = ra;
	r->has_base = r->has_lr = 0;
	r->is_sample = r->is_exact = 0;
	r->by_fp = 1;
	return UNWIND_GOES_ON;
}

/* Goes one frame up. Returns UNWIND_GOES_ON, or the reason why the walk ends. */
static __always_inline int unwind_step(void *ctx, struct unwind_regs *r)
{
	const struct unwind_rule *rule;

	/*
	 * A call may be the last instruction of its function; its return address is then in the
	 * next function.
	 */
	rule = unwind_find(ctx, r->pc - !r->is_exact);
	/*
	 * Processes begin with a frame pointer of 0, and the entry code of some loaders has no
	 * frame information (glibc 2.36).
	 */
	if (rule && rule->cfa == UNWIND_CFA_UNKNOWN && r->has_fp && !r->fp)
		return UNWIND_OUTERMOST;
	if (!rule || rule->cfa == UNWIND_CFA_UNKNOWN)
		return unwind_by_fp(r);
	return unwind_by_rule(ctx, r, rule);
}

#endif
