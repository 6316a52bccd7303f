// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Instructions of arm64, as its assembler encodes them. */
#include "tap.h"
#include "util/arm64_insn.h"

static const struct {
	uint32_t word;
	const char *text;
	struct arm64_insn want;
} accesses[] = {
	{ 0xa9be7bfd,
	  "stp x29, x30, [sp, #-32]!",
	  { .kind = ARM64_STORE,
	    .cnt = 2,
	    .regs = { 29, 30 },
	    .base = 31,
	    .disp = -32,
	    .base_add = -32,
	    .size = 8 } },
	{ 0x290307e0,
	  "stp w0, w1, [sp, #24]",
	  { .kind = ARM64_STORE, .cnt = 2, .regs = { 0, 1 }, .base = 31, .disp = 24, .size = 4 } },
	{ 0x6d0127e8,
	  "stp d8, d9, [sp, #16]",
	  { .kind = ARM64_STORE,
	    .cnt = 2,
	    .regs = { 40, 41 },
	    .base = 31,
	    .disp = 16,
	    .size = 8 } },
	{ 0xad3e07a0,
	  "stp q0, q1, [x29, #-64]",
	  { .kind = ARM64_STORE,
	    .cnt = 2,
	    .regs = { 32, 33 },
	    .base = 29,
	    .disp = -64,
	    .size = 16 } },
	{ 0xa8010fe2,
	  "stnp x2, x3, [sp, #16]",
	  { .kind = ARM64_STORE, .cnt = 2, .regs = { 2, 3 }, .base = 31, .disp = 16, .size = 8 } },
	{ 0xa8c27bfd,
	  "ldp x29, x30, [sp], #32",
	  { .kind = ARM64_LOAD,
	    .cnt = 2,
	    .regs = { 29, 30 },
	    .base = 31,
	    .base_add = 32,
	    .size = 8 } },
	{ 0x694107e0,
	  "ldpsw x0, x1, [sp, #8]",
	  { .kind = ARM64_LOAD, .cnt = 2, .regs = { 0, 1 }, .base = 31, .disp = 8, .size = 4 } },
	{ 0xf90007e0,
	  "str x0, [sp, #8]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 0 }, .base = 31, .disp = 8, .size = 8 } },
	{ 0xb81fc3a5,
	  "str w5, [x29, #-4]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 5 }, .base = 29, .disp = -4, .size = 4 } },
	{ 0x39003fe7,
	  "strb w7, [sp, #15]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 7 }, .base = 31, .disp = 15, .size = 1 } },
	{ 0x79001fe7,
	  "strh w7, [sp, #14]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 7 }, .base = 31, .disp = 14, .size = 2 } },
	{ 0xbd000fe0,
	  "str s0, [sp, #12]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 32 }, .base = 31, .disp = 12, .size = 4 } },
	{ 0xfd0017e1,
	  "str d1, [sp, #40]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 33 }, .base = 31, .disp = 40, .size = 8 } },
	{ 0x3d800fe2,
	  "str q2, [sp, #48]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 34 }, .base = 31, .disp = 48, .size = 16 } },
	{ 0xf81f0ff3,
	  "str x19, [sp, #-16]!",
	  { .kind = ARM64_STORE,
	    .cnt = 1,
	    .regs = { 19 },
	    .base = 31,
	    .disp = -16,
	    .base_add = -16,
	    .size = 8 } },
	{ 0xf8008433,
	  "str x19, [x1], #8",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 19 }, .base = 1, .base_add = 8, .size = 8 } },
	{ 0xf81e83a0,
	  "stur x0, [x29, #-24]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 0 }, .base = 29, .disp = -24, .size = 8 } },
	{ 0xb8004be0,
	  "sttr w0, [sp, #4]",
	  { .kind = ARM64_STORE, .cnt = 1, .regs = { 0 }, .base = 31, .disp = 4, .size = 4 } },
	{ 0xf9400fe3,
	  "ldr x3, [sp, #24]",
	  { .kind = ARM64_LOAD, .cnt = 1, .regs = { 3 }, .base = 31, .disp = 24, .size = 8 } },
	{ 0xb9801be3,
	  "ldrsw x3, [sp, #24]",
	  { .kind = ARM64_LOAD, .cnt = 1, .regs = { 3 }, .base = 31, .disp = 24, .size = 4 } },
	{ 0x39c007e3,
	  "ldrsb w3, [sp, #1]",
	  { .kind = ARM64_LOAD, .cnt = 1, .regs = { 3 }, .base = 31, .disp = 1, .size = 1 } },
	{ 0x3dc00be3,
	  "ldr q3, [sp, #32]",
	  { .kind = ARM64_LOAD, .cnt = 1, .regs = { 35 }, .base = 31, .disp = 32, .size = 16 } },
	{ 0xfc5f83a4,
	  "ldur d4, [x29, #-8]",
	  { .kind = ARM64_LOAD, .cnt = 1, .regs = { 36 }, .base = 29, .disp = -8, .size = 8 } },
};

static const struct {
	uint32_t word;
	const char *text;
	enum arm64_kind want;
} kinds[] = {
	{ 0xf8226820, "str x0, [x1, x2]", ARM64_ELSEWHERE },
	{ 0x3ca26820, "str q0, [x1, x2]", ARM64_ELSEWHERE },
	{ 0xc85f7c20, "ldxr x0, [x1]", ARM64_ELSEWHERE },
	{ 0xc89ffc20, "stlr x0, [x1]", ARM64_ELSEWHERE },
	{ 0xc8a07c41, "cas x0, x1, [x2]", ARM64_ELSEWHERE },
	{ 0xf8200041, "ldadd x0, x1, [x2]", ARM64_ELSEWHERE },
	{ 0x4c007000, "st1 {v0.16b}, [x0]", ARM64_ELSEWHERE },
	{ 0x14000002, "b .+8", ARM64_BRANCH },
	{ 0xd61f0020, "br x1", ARM64_BRANCH },
	{ 0xd65f03c0, "ret", ARM64_BRANCH },
	{ 0xb4000040, "cbz x0, .+8", ARM64_BRANCH },
	{ 0x37180040, "tbnz w0, #3, .+8", ARM64_BRANCH },
	{ 0x54ffffc1, "b.ne .-8", ARM64_BRANCH_BACK },
	{ 0x35ffff80, "cbnz w0, .-16", ARM64_BRANCH_BACK },
	{ 0x94000010, "bl .+64", ARM64_CALL },
	{ 0xd63f0100, "blr x8", ARM64_CALL },
	{ 0xd4000001, "svc #0", ARM64_BRANCH },
};

static const struct {
	uint32_t word;
	const char *text;
	struct arm64_insn want;
} registers[] = {
	{ 0xf9802000, "prfm pldl1keep, [x0, #64]", { .rule = ARM64_KEEP } },
	{ 0xf8627825, "ldr x5, [x1, x2, lsl #3]", { .rule = ARM64_NEW, .to = 5 } },
	{ 0x3ce26825, "ldr q5, [x1, x2]", { .rule = ARM64_NEW, .to = 5 } },
	{ 0x58000006, "ldr x6, .", { .rule = ARM64_NEW, .to = 6 } },
	{ 0xd503201f, "nop", { .rule = ARM64_KEEP } },
	{ 0xd503233f, "paciasp", { .rule = ARM64_KEEP } },
	{ 0xd503245f, "bti c", { .rule = ARM64_KEEP } },
	{ 0xd53bd047, "mrs x7, tpidr_el0", { .rule = ARM64_NEW, .to = 7 } },
	{ 0xaa0403e3, "mov x3, x4", { .rule = ARM64_COPY, .to = 3, .a = 4 } },
	{ 0x2a0403e3, "mov w3, w4", { .rule = ARM64_COPY, .to = 3, .a = 4 } },
	{ 0x93407c83, "sxtw x3, w4", { .rule = ARM64_COPY, .to = 3, .a = 4 } },
	{ 0x53001c83, "uxtb w3, w4", { .rule = ARM64_COPY, .to = 3, .a = 4 } },
	{ 0xd347fc83, "lsr x3, x4, #7", { .rule = ARM64_COPY, .to = 3, .a = 4 } },
	{ 0x12001c83, "and w3, w4, #0xff", { .rule = ARM64_COPY, .to = 3, .a = 4 } },
	{ 0x33181c83, "bfi w3, w4, #8, #8", { .rule = ARM64_MERGE, .to = 3, .a = 4, .b = 3 } },
	{ 0x8a050083, "and x3, x4, x5", { .rule = ARM64_MASK, .to = 3, .a = 4, .b = 5 } },
	{ 0x9e660083, "fmov x3, d4", { .rule = ARM64_COPY, .to = 3, .a = 36 } },
	{ 0x1e260083, "fmov w3, s4", { .rule = ARM64_COPY, .to = 3, .a = 36 } },
	{ 0x9e670083, "fmov d3, x4", { .rule = ARM64_COPY, .to = 35, .a = 4 } },
	{ 0x1e604083, "fmov d3, d4", { .rule = ARM64_COPY, .to = 35, .a = 36 } },
	{ 0x4ea41c83, "mov v3.16b, v4.16b", { .rule = ARM64_COPY, .to = 35, .a = 36 } },
	{ 0x4e0c1c83, "mov v3.s[1], w4", { .rule = ARM64_MERGE, .to = 35, .a = 4, .b = 35 } },
	{ 0xd28000a3, "mov x3, #5", { .rule = ARM64_NEW, .to = 3 } },
	{ 0xf2a000a3, "movk x3, #5, lsl #16", { .rule = ARM64_NEW, .to = 3 } },
	{ 0x8b050083, "add x3, x4, x5", { .rule = ARM64_NEW, .to = 3 } },
	{ 0xaa050083, "orr x3, x4, x5", { .rule = ARM64_NEW, .to = 3 } },
	{ 0x4a050083, "eor w3, w4, w5", { .rule = ARM64_NEW, .to = 3 } },
	{ 0x9a850083, "csel x3, x4, x5, eq", { .rule = ARM64_NEW, .to = 3 } },
	{ 0x1a9f17e3, "cset w3, eq", { .rule = ARM64_NEW, .to = 3 } },
	{ 0x9b057c83, "mul x3, x4, x5", { .rule = ARM64_NEW, .to = 3 } },
	{ 0x1e652883, "fadd d3, d4, d5", { .rule = ARM64_NEW, .to = 3 } },
	{ 0x90000003, "adrp x3, .", { .rule = ARM64_NEW, .to = 3 } },
	{ 0xfa451865, "ccmp x3, #5, #5, ne", { .rule = ARM64_KEEP } },
	{ 0x3a44b069, "ccmn w3, w4, #9, lt", { .rule = ARM64_KEEP } },
	{ 0x1e642060, "fcmp d3, d4", { .rule = ARM64_KEEP } },
	{ 0x1e202068, "fcmp s3, #0.0", { .rule = ARM64_KEEP } },
	{ 0x1e640467, "fccmp d3, d4, #7, eq", { .rule = ARM64_KEEP } },
	{ 0x910043fd,
	  "add x29, sp, #16",
	  { .rule = ARM64_NEW, .to = 29, .a = 31, .is_sum = true, .disp = 16 } },
	{ 0x910003fd,
	  "mov x29, sp",
	  { .rule = ARM64_NEW, .to = 29, .a = 31, .is_sum = true, .disp = 0 } },
	{ 0xd100c3ff,
	  "sub sp, sp, #48",
	  { .rule = ARM64_NEW, .to = 31, .a = 31, .is_sum = true, .disp = -48 } },
	{ 0xd14007ff,
	  "sub sp, sp, #1, lsl #12",
	  { .rule = ARM64_NEW, .to = 31, .a = 31, .is_sum = true, .disp = -4096 } },
	{ 0x910063a3,
	  "add x3, x29, #24",
	  { .rule = ARM64_NEW, .to = 3, .a = 29, .is_sum = true, .disp = 24 } },
	{ 0xcb2163bf, "sub sp, x29, x1", { .to = 31, .changes_sp = true } },
	{ 0x927cec3f, "and sp, x1, #-16", { .to = 31, .changes_sp = true } },
	{ 0xeb04007f, "cmp x3, x4", { .rule = ARM64_NEW, .to = 31 } },
};

static bool is_access(const struct arm64_insn *i, const struct arm64_insn *want)
{
	return i->kind == want->kind && i->cnt == want->cnt && i->regs[0] == want->regs[0] &&
	       (want->cnt < 2 || i->regs[1] == want->regs[1]) && i->base == want->base &&
	       i->disp == want->disp && i->base_add == want->base_add && i->size == want->size;
}

static bool is_rule(const struct arm64_insn *i, const struct arm64_insn *want)
{
	const bool has_b = want->rule == ARM64_MASK || want->rule == ARM64_MERGE;
	const bool has_a = want->rule == ARM64_COPY || has_b || want->is_sum;

	if (i->kind != ARM64_OTHER || i->changes_sp != want->changes_sp ||
	    i->is_sum != want->is_sum)
		return false;
	/* Another value of sp has no rule. */
	if (want->changes_sp)
		return i->to == ARM64_SP;
	if (i->rule != want->rule || (i->is_sum && i->disp != want->disp))
		return false;
	return want->rule == ARM64_KEEP ||
	       (i->to == want->to && (!has_a || i->a == want->a) && (!has_b || i->b == want->b));
}

/* Values in registers are followed: which of them are old behind an instruction? */
static void test_follow(void)
{
	const uint64_t x3 = 1ull << 3, x4 = 1ull << 4, x5 = 1ull << 5, v3 = 1ull << 35;
	static const uint32_t copy = 0xaa0403e3, mask = 0x8a050083, merge = 0x33181c83,
			      vector = 0x9e670083, call = 0x94000010;
	const struct {
		uint32_t word;
		uint64_t before, behind;
		const char *what;
	} rows[] = {
		{ copy, x4, x3 | x4, "a copy of an old value is old" },
		{ copy, x3 | x5, x5, "a copy of a new value is new" },
		{ mask, x4, x3 | x4, "an old value masked by a new one is a part of it" },
		{ mask, x4 | x5, x4 | x5, "a mask of two old values is none of them" },
		{ merge, x4, x4, "a part that is put into a new value is not old" },
		{ merge, x3 | x4, x3 | x4, "a part of an old value in an old one is old" },
		{ vector, x4, v3 | x4, "a general register is copied to a vector" },
		{ call, 1ull << 19 | x3 | v3, 1ull << 19, "a call preserves x19, not x3 and v3" },
	};
	struct arm64_insn i;
	size_t k;

	for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		uint64_t old = rows[k].before;

		arm64_insn__decode(rows[k].word, &i);
		arm64_insn__follow(&i, 0, &old);
		is_u64(old, rows[k].behind, "followed value: %s", rows[k].what);
	}
}

int main(void)
{
	struct arm64_insn i;
	size_t k;

	for (k = 0; k < sizeof(accesses) / sizeof(accesses[0]); k++) {
		arm64_insn__decode(accesses[k].word, &i);
		ok(is_access(&i, &accesses[k].want), "instruction %s: its place in memory",
		   accesses[k].text);
	}
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		arm64_insn__decode(kinds[k].word, &i);
		is_u64(i.kind, kinds[k].want, "instruction %s: its kind", kinds[k].text);
	}
	for (k = 0; k < sizeof(registers) / sizeof(registers[0]); k++) {
		arm64_insn__decode(registers[k].word, &i);
		ok(is_rule(&i, &registers[k].want), "instruction %s: the register that it writes",
		   registers[k].text);
	}
	test_follow();
	return done_testing();
}
