// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The step from frame to frame over hostile stacks: random rules, random registers, memory that
 * holds addresses of itself, of code, or nothing. Each walk ends, and what a step claims holds: the
 * caller's frame is above, and a frame pointer that was believed pointed into the stack.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/unwind_wire.h"
#include "rnd.h"
#include "tap.h"
#include "util/mono.h"
#include "util/u64map.h"

#define WALKS 300007
#define STEPS_MAX 1000
#define STACK_WORDS 512
#define STACK_ADDR 0x7ffd00000000ull
#define RULES 64

static uint64_t stack[STACK_WORDS];
static struct unwind_rule rules[RULES];
static bool is_arm64;

#define UNWIND_ARM64 is_arm64

static long unwind_read(__u64 *value, __u64 addr)
{
	uint64_t off = addr - STACK_ADDR;

	if (off > sizeof(stack) - 8)
		return -1;
	memcpy(value, (char *)stack + off, 8);
	return 0;
}

static long unwind_sample_reg(void *ctx, __u32 reg, __u64 *v)
{
	if (reg >= UNWIND_REGS_MAX)
		return -1;
	*v = STACK_ADDR + rnd(sizeof(stack));
	return 0;
}

static const struct unwind_rule *unwind_find(void *ctx, __u64 pc)
{
	return pc % 5 == 0 ? NULL : &rules[pc % RULES];
}

#include "unwind/user_space.h"

#include "bpf/unwind.bpf.h"

/* An address of the stack, of code, or anything. */
static uint64_t word(void)
{
	switch (rnd(6)) {
	case 0:
		return rnd(UINT64_MAX);
	case 1:
	case 2:
	case 3:
		return 0x400000 + rnd(4096);
	case 4:
		return STACK_ADDR + rnd(sizeof(stack) / 8) * 8;
	default:
		return rnd(3) ? STACK_ADDR + rnd(sizeof(stack) + 64) : 0;
	}
}

static int32_t offset(void)
{
	return rnd(8) ? (int32_t)rnd(64) * 8 - 128 : (int32_t)rnd(UINT32_MAX);
}

static void make_rules(void)
{
	size_t i;

	for (i = 0; i < RULES; i++)
		rules[i] = (struct unwind_rule){
			.cfa = (uint8_t)(rnd(3) ? UNWIND_CFA_SP : rnd(UNWIND_CFA_PLT + 2)),
			.cfa_reg = (uint8_t)rnd(40),
			.ra = (uint8_t)(rnd(4) ? UNWIND_LOC_CFA : rnd(UNWIND_LOC_UNKNOWN + 2)),
			.fp = (uint8_t)rnd(UNWIND_LOC_UNKNOWN + 2),
			.base = (uint8_t)rnd(UNWIND_LOC_UNKNOWN + 2),
			.flags = rnd(16) ? 0 : UNWIND_SIGNAL,
			.cfa_off = offset(),
			.ra_off = offset(),
			.fp_off = offset(),
			.base_off = offset(),
		};
}

/* Checks the invariants of a step from `was` to `r`. */
static bool step_holds(const struct unwind_regs *was, const struct unwind_regs *r)
{
	const struct unwind_rule *found = unwind_find(NULL, was->pc - !was->is_exact);
	bool has_rule = found && found->cfa != UNWIND_CFA_UNKNOWN;
	const struct unwind_rule rule = found ? *found : (struct unwind_rule){ 0 };

	if (r->is_sample || !r->pc || (is_arm64 && r->pc > UNWIND_ARM64_ADDR))
		return false;
	if (r->by_fp)
		return !has_rule && was->has_fp && was->fp >= was->sp && r->sp == was->fp + 16 &&
		       was->fp - STACK_ADDR < sizeof(stack);
	if (!has_rule)
		return false;
	return rule.flags & UNWIND_SIGNAL || r->sp > was->sp ||
	       ((is_arm64 || rule.ra == UNWIND_LOC_REG) && was->is_exact && r->sp == was->sp);
}

int main(int argc, char **argv)
{
	unsigned long ends[UNWIND_END_CNT] = { 0 }, bad = 0, steps = 0, i, n;

	rnd_state = argc > 1 ? strtoull(argv[1], NULL, 0) : mono_ns();
	diag("seed %" PRIu64 " (unwind_step SEED)", rnd_state);
	for (i = 0; i < WALKS; i++) {
		struct unwind_regs r = {
			.has_fp = 1, .has_base = 1, .has_lr = 1, .is_sample = 1, .is_exact = 1
		};
		int end = UNWIND_GOES_ON;

		if (i % 64 == 0) {
			make_rules();
			for (n = 0; n < STACK_WORDS; n++)
				stack[n] = word();
		}
		is_arm64 = rnd(2);
		r.pc = word();
		r.sp = STACK_ADDR + rnd(sizeof(stack));
		r.fp = word();
		r.base = word();
		r.lr = word();
		for (n = 0; n < STEPS_MAX && end == UNWIND_GOES_ON; n++) {
			struct unwind_regs was = r;

			end = unwind_step(NULL, &r);
			if (end == UNWIND_GOES_ON ? !step_holds(&was, &r)
						  : memcmp(&was, &r, sizeof(r)) != 0)
				bad++;
		}
		steps += n;
		if (end >= 0 && end < UNWIND_END_CNT)
			ends[end]++;
		else
			bad++;
	}
	diag("%lu steps; ended: %lu outermost, %lu no rule, %lu register gone, %lu no memory, "
	     "%lu not rising, %lu on and on",
	     steps, ends[UNWIND_OUTERMOST], ends[UNWIND_NO_RULE], ends[UNWIND_REG_GONE],
	     ends[UNWIND_NO_MEMORY], ends[UNWIND_NOT_RISING], ends[UNWIND_GOES_ON]);
	is_u64(bad, 0, "of %d walks each step is one up, and what ends one leaves it where it is",
	       WALKS);
	for (i = UNWIND_OUTERMOST; i < UNWIND_FULL; i++)
		ok(ends[i] > 100, "some end by cause %lu", i);
	return done_testing();
}
