// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Writes of instructions to the stack frame, and which registers keep their values. */
#include "tap.h"
#include "util/x86_flow.h"
#include "util/x86_store.h"

struct want {
	enum x86_store_kind kind;
	bool by_frame_pointer;
	int32_t disp;
	uint32_t size;
};

static void test_stores(void)
{
	static const struct {
		const char *what;
		uint8_t insn[12];
		size_t sz;
		struct want want;
	} tests[] = {
		{ "mov %edi,-0x44(%rbp)",
		  { 0x89, 0x7d, 0xbc },
		  3,
		  { X86_STORE_MOVE, true, -0x44, 4 } },
		{ "mov %rsi,-0x50(%rbp)",
		  { 0x48, 0x89, 0x75, 0xb0 },
		  4,
		  { X86_STORE_MOVE, true, -0x50, 8 } },
		{ "mov %ax,-0x48(%rbp)",
		  { 0x66, 0x89, 0x45, 0xb8 },
		  4,
		  { X86_STORE_MOVE, true, -0x48, 2 } },
		{ "mov %al,-1(%rbp)", { 0x88, 0x45, 0xff }, 3, { X86_STORE_MOVE, true, -1, 1 } },
		{ "mov %rsi,0x10(%rsp)",
		  { 0x48, 0x89, 0x74, 0x24, 0x10 },
		  5,
		  { X86_STORE_MOVE, false, 0x10, 8 } },
		{ "mov %rcx,(%rsp)",
		  { 0x48, 0x89, 0x0c, 0x24 },
		  4,
		  { X86_STORE_MOVE, false, 0, 8 } },
		{ "mov %edi,-0x1000(%rbp)",
		  { 0x89, 0xbd, 0x00, 0xf0, 0xff, 0xff },
		  6,
		  { X86_STORE_MOVE, true, -0x1000, 4 } },
		{ "movl $7,-4(%rbp): a constant",
		  { 0xc7, 0x45, 0xfc, 7, 0, 0, 0 },
		  7,
		  { X86_STORE_CHANGE, true, -4, 4 } },
		{ "movss %xmm0,-8(%rbp)",
		  { 0xf3, 0x0f, 0x11, 0x45, 0xf8 },
		  5,
		  { X86_STORE_MOVE, true, -8, 4 } },
		{ "movsd %xmm0,-0x58(%rbp)",
		  { 0xf2, 0x0f, 0x11, 0x45, 0xa8 },
		  5,
		  { X86_STORE_MOVE, true, -0x58, 8 } },
		{ "movaps %xmm0,-0x20(%rbp)",
		  { 0x0f, 0x29, 0x45, 0xe0 },
		  4,
		  { X86_STORE_MOVE, true, -0x20, 16 } },
		{ "movq %xmm0,-8(%rbp)",
		  { 0x66, 0x0f, 0xd6, 0x45, 0xf8 },
		  5,
		  { X86_STORE_MOVE, true, -8, 8 } },
		{ "vmovsd %xmm0,-0x58(%rbp)",
		  { 0xc5, 0xfb, 0x11, 0x45, 0xa8 },
		  5,
		  { X86_STORE_MOVE, true, -0x58, 8 } },
		{ "vmovaps %ymm0,-0x40(%rbp)",
		  { 0xc5, 0xfc, 0x29, 0x45, 0xc0 },
		  5,
		  { X86_STORE_MOVE, true, -0x40, 32 } },
		{ "fstpt -0x10(%rbp)",
		  { 0xdb, 0x7d, 0xf0 },
		  3,
		  { X86_STORE_CHANGE, true, -0x10, 10 } },
		{ "addl $1,-0x44(%rbp)",
		  { 0x83, 0x45, 0xbc, 1 },
		  4,
		  { X86_STORE_CHANGE, true, -0x44, 4 } },
		{ "orq $0,(%rsp)",
		  { 0x48, 0x83, 0x0c, 0x24, 0 },
		  5,
		  { X86_STORE_CHANGE, false, 0, 8 } },
		{ "mov %rax,(%rcx)",
		  { 0x48, 0x89, 0x01 },
		  3,
		  { X86_STORE_ELSEWHERE, false, 0, 8 } },
		{ "mov %eax,(%rsp,%rcx,4)",
		  { 0x89, 0x04, 0x8c },
		  3,
		  { X86_STORE_ELSEWHERE, false, 0, 4 } },
		{ "mov %rax,(%rsp,%r12,1)",
		  { 0x4a, 0x89, 0x04, 0x24 },
		  4,
		  { X86_STORE_ELSEWHERE, false, 0, 8 } },
		{ "mov %eax,-4(%r13)",
		  { 0x41, 0x89, 0x45, 0xfc },
		  4,
		  { X86_STORE_ELSEWHERE, false, 0, 4 } },
		{ "mov -0x50(%rbp),%rax: a load",
		  { 0x48, 0x8b, 0x45, 0xb0 },
		  4,
		  { X86_STORE_NONE, true, -0x50, 0 } },
		{ "cmpl $3,-4(%rbp): a comparison",
		  { 0x83, 0x7d, 0xfc, 3 },
		  4,
		  { X86_STORE_NONE, true, -4, 0 } },
		{ "movq -8(%rbp),%xmm0: a load",
		  { 0xf3, 0x0f, 0x7e, 0x45, 0xf8 },
		  5,
		  { X86_STORE_NONE, true, -8, 0 } },
		{ "mov %rsp,%rbp: no memory",
		  { 0x48, 0x89, 0xe5 },
		  3,
		  { X86_STORE_NONE, false, 0, 0 } },
		{ "push %rbp", { 0x55 }, 1, { X86_STORE_NONE, false, 0, 0 } },
		{ "movntdq %xmm0,(%rsp)",
		  { 0x66, 0x0f, 0xe7, 0x04, 0x24 },
		  5,
		  { X86_STORE_MOVE, false, 0, 16 } },
		{ "sete -1(%rbp): not of a register",
		  { 0x0f, 0x94, 0x45, 0xff },
		  4,
		  { X86_STORE_ELSEWHERE, true, -1, 0 } },
		{ "cmpxchg %ecx,-4(%rbp)",
		  { 0x0f, 0xb1, 0x4d, 0xfc },
		  4,
		  { X86_STORE_ELSEWHERE, true, -4, 0 } },
		{ "pop -8(%rbp)", { 0x8f, 0x45, 0xf8 }, 3, { X86_STORE_ELSEWHERE, true, -8, 0 } },
		{ "rep stos", { 0xf3, 0x48, 0xab }, 3, { X86_STORE_ELSEWHERE, false, 0, 0 } },
		{ "vmovups %zmm0,-0x40(%rbp)",
		  { 0x62, 0xf1, 0x7c, 0x48, 0x11, 0x45, 0xff },
		  7,
		  { X86_STORE_ELSEWHERE, false, 0, 0 } },
		{ "vextractf128 $1,%ymm0,-16(%rbp)",
		  { 0xc4, 0xe3, 0x7d, 0x19, 0x45, 0xf0, 1 },
		  7,
		  { X86_STORE_ELSEWHERE, false, 0, 0 } },
		{ "mov %eax,-4(%ebp): of 32 bits",
		  { 0x67, 0x89, 0x45, 0xfc },
		  4,
		  { X86_STORE_ELSEWHERE, false, 0, 4 } },
		{ "fldcw -2(%rbp): a load",
		  { 0xd9, 0x6d, 0xfe },
		  3,
		  { X86_STORE_NONE, true, -2, 0 } },
		{ "cmovne -8(%rbp),%rax: a load",
		  { 0x48, 0x0f, 0x45, 0x45, 0xf8 },
		  5,
		  { X86_STORE_NONE, true, -8, 0 } },
	};
	struct x86_operands o;
	struct x86_store got;
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		x86_operands__decode(tests[i].insn, tests[i].sz, true, &o);
		x86_store__of(&o, &got);
		ok(got.kind == tests[i].want.kind && got.size == tests[i].want.size &&
			   o.by_frame_pointer == tests[i].want.by_frame_pointer &&
			   o.disp == tests[i].want.disp,
		   "a write to the frame: %s", tests[i].what);
	}
}

#define R(reg) (1u << (reg))
#define V(reg) (1u << (X86_FLOW_VECTOR + (reg)))
#define RAX R(0)
#define RCX R(1)
#define RDX R(2)
#define RSI R(6)
#define RDI R(7)

/* All registers but rax and xmm9 have an old value: which have one behind the instruction? */
static void test_flow(void)
{
	static const struct {
		const char *what;
		uint8_t insn[8];
		size_t sz;
		bool is_old_in_memory;
		uint32_t more, fewer; /* registers */
	} tests[] = {
		{ "mov %edi,%eax", { 0x89, 0xf8 }, 2, false, RAX, 0 },
		{ "mov %rdi,%rax by its other opcode", { 0x48, 0x8b, 0xc7 }, 3, false, RAX, 0 },
		{ "mov %rax,%rdi", { 0x48, 0x89, 0xc7 }, 3, false, 0, RDI },
		{ "mov -8(%rbp),%rax, old", { 0x48, 0x8b, 0x45, 0xf8 }, 4, true, RAX, 0 },
		{ "mov -8(%rbp),%rdi, not old", { 0x48, 0x8b, 0x7d, 0xf8 }, 4, false, 0, RDI },
		{ "movsbl %dil,%eax", { 0x40, 0x0f, 0xbe, 0xc7 }, 4, false, RAX, 0 },
		{ "movzbl %al,%edx", { 0x0f, 0xb6, 0xd0 }, 3, false, 0, RDX },
		{ "movslq %edi,%rax", { 0x48, 0x63, 0xc7 }, 3, false, RAX, 0 },
		{ "movq %xmm0,%rax", { 0x66, 0x48, 0x0f, 0x7e, 0xc0 }, 5, false, RAX, 0 },
		{ "movd %eax,%xmm1", { 0x66, 0x0f, 0x6e, 0xc8 }, 4, false, 0, V(1) },
		{ "movaps %xmm2,%xmm9", { 0x44, 0x0f, 0x28, 0xca }, 4, false, V(9), 0 },
		{ "movaps %xmm9,%xmm2 by its other opcode",
		  { 0x44, 0x0f, 0x29, 0xca },
		  4,
		  false,
		  0,
		  V(2) },
		{ "shr $16,%edi", { 0xc1, 0xef, 16 }, 3, false, 0, 0 },
		{ "and $1,%al", { 0x24, 1 }, 2, false, 0, 0 },
		{ "rol $8,%edi", { 0xc1, 0xc7, 8 }, 3, false, 0, RDI },
		{ "add $1,%edi", { 0x83, 0xc7, 1 }, 3, false, 0, RDI },
		{ "cmp $1,%edi", { 0x83, 0xff, 1 }, 3, false, 0, 0 },
		{ "sub %rsi,%rdi", { 0x48, 0x29, 0xf7 }, 3, false, 0, RDI },
		{ "add %rsi,-8(%rbp)", { 0x48, 0x01, 0x75, 0xf8 }, 4, false, 0, 0 },
		{ "orq $0,(%rsp)", { 0x48, 0x83, 0x0c, 0x24, 0 }, 5, false, 0, 0 },
		{ "inc %edi", { 0xff, 0xc7 }, 2, false, 0, RDI },
		{ "neg %esi", { 0xf7, 0xde }, 2, false, 0, RSI },
		{ "mul %ecx", { 0xf7, 0xe1 }, 2, false, 0, RDX },
		{ "lea 1(%rdi),%esi", { 0x8d, 0x77, 1 }, 3, false, 0, RSI },
		{ "xor %ecx,%ecx", { 0x31, 0xc9 }, 2, false, 0, RCX },
		{ "mov $5,%edi", { 0xbf, 5, 0, 0, 0 }, 5, false, 0, RDI },
		{ "mov $5,%dh, without REX", { 0xb6, 5 }, 2, false, 0, RDX },
		{ "mov $5,%r8d", { 0x41, 0xb8, 5, 0, 0, 0 }, 6, false, 0, R(8) },
		{ "movl $5,-4(%rbp)", { 0xc7, 0x45, 0xfc, 5, 0, 0, 0 }, 7, false, 0, 0 },
		{ "mov %edi,-4(%rbp)", { 0x89, 0x7d, 0xfc }, 3, false, 0, 0 },
		{ "push %rdi", { 0x57 }, 1, false, 0, 0 },
		{ "pop %rsi", { 0x5e }, 1, false, 0, RSI },
		{ "endbr64", { 0xf3, 0x0f, 0x1e, 0xfa }, 4, false, 0, 0 },
		{ "nopw 0(%rax,%rax,1)", { 0x66, 0x0f, 0x1f, 0x44, 0, 0 }, 6, false, 0, 0 },
		{ "test %edi,%edi", { 0x85, 0xff }, 2, false, 0, 0 },
		{ "call", { 0xe8, 0, 0, 0, 0 }, 5, false, 0, 0 },
		{ "addss %xmm1,%xmm0", { 0xf3, 0x0f, 0x58, 0xc1 }, 4, false, 0, V(0) | V(1) | RCX },
		{ "cpuid", { 0x0f, 0xa2 }, 2, false, 0, X86_FLOW_ALL },
		{ "vmovaps %xmm9,%xmm0", { 0xc4, 0xc1, 0x78, 0x28, 0xc1 }, 5, false, 0, V(0) },
		{ "vmovss %xmm1,%xmm2,%xmm0",
		  { 0xc5, 0xea, 0x10, 0xc1 },
		  4,
		  false,
		  0,
		  V(0) | V(1) | RCX },
		{ "vmovdqu64 %zmm0,%zmm1",
		  { 0x62, 0xf1, 0xfe, 0x48, 0x6f, 0xc8 },
		  6,
		  false,
		  0,
		  X86_FLOW_ALL },
	};
	const uint32_t before = X86_FLOW_ALL & ~(RAX | V(9));
	struct x86_operands o;
	uint32_t old;
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		old = before;
		x86_operands__decode(tests[i].insn, tests[i].sz, true, &o);
		x86_flow__step(&o, tests[i].is_old_in_memory, &old);
		is_u64(old, (before | tests[i].more) & ~tests[i].fewer, "values that stay: %s",
		       tests[i].what);
	}
}

int main(void)
{
	test_stores();
	test_flow();
	return done_testing();
}
