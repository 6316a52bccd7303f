// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Texts of probes: their arguments, names of functions, operands of USDT notes. */
#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/arg.h"
#include "probe/loc.h"
#include "probe/pattern.h"
#include "probe/usdt.h"
#include "tap.h"

/* An argument as "NAME ROOT PARTS AS". */
static void describe(const struct arg *a, char *text, size_t sz)
{
	static const char *const roots[] = { "named", "numbered", "return", "duration" };
	static const char *const kinds[] = { ".", "->", "[]", "*" };
	size_t len = (size_t)snprintf(text, sz, "%s %s", a->name, roots[a->root]), i;

	for (i = 0; i < a->part_cnt && len < sz; i++)
		len += (size_t)snprintf(text + len, sz - len, " %s%s", kinds[a->parts[i].kind],
					a->parts[i].name);
	snprintf(text + len, sz - len, " %d", a->as);
}

static void check_args(void)
{
	static const struct {
		const char *list, *want; /* of the last argument */
		size_t cnt;
		bool has_return;
	} cases[] = {
		{ "", "", 0, false },
		{ " len ", "len named 0", 1, false },
		{ "req->url:str", "url named ->url 1", 1, false },
		{ "a, b.c[3]->d", "d named .c [] ->d 0", 2, false },
		{ "**p", "p named * * 0", 1, false },
		{ "x = *req->next:x", "x named ->next * 2", 1, false },
		{ "arg3:u", "arg3 numbered 4", 1, false },
		{ "$ret", "ret return 0", 1, true },
		{ "$retval->len", "len return ->len 0", 1, true },
		{ "a,duration", "duration duration 0", 2, true },
		{ "len, b->len, c.len", "len_3 named .len 0", 3, false },
	};
	char text[256] = "";
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arg_fault fault = { 0 };
		struct arg_list list;

		text[0] = '\0';
		is_s64(arg_list__parse(&list, cases[i].list, &fault), 0,
		       "probe arguments '%s': parsed", cases[i].list);
		is_s64(list.cnt, cases[i].cnt, "probe arguments '%s': their number", cases[i].list);
		if (list.cnt)
			describe(&list.args[list.cnt - 1], text, sizeof(text));
		is_str(text, cases[i].want, "probe arguments '%s': the last one", cases[i].list);
		is_s64(list.has_return, cases[i].has_return,
		       "probe arguments '%s': whether they need the return", cases[i].list);
		arg_list__free(&list);
	}
}

static void check_faults(void)
{
	static const struct {
		const char *list;
		unsigned int off;
	} cases[] = {
		{ "a,,b", 2 }, { "a b", 2 },       { "a->", 3 }, { "a[x]", 2 },        { "a[1", 3 },
		{ "$x", 1 },   { "a:nothing", 2 }, { "a,", 2 },  { "duration->x", 0 }, { "9a", 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arg_fault fault = { 0 };
		struct arg_list list;

		is_s64(arg_list__parse(&list, cases[i].list, &fault), -EINVAL,
		       "probe arguments '%s': refused", cases[i].list);
		is_s64(fault.off, cases[i].off, "probe arguments '%s': place of the caret",
		       cases[i].list);
		arg_list__free(&list);
	}
}

static void check_patterns(void)
{
	static const struct {
		const char *pattern, *symbol;
		bool match;
	} cases[] = {
		{ "handle", "handle", true },
		{ "handle", "handler", false },
		{ "hand*", "handler", true },
		{ "handle", "handle.constprop.0", true },
		{ "handle", "handle.isra.0", true },
		{ "handle", "handle.cold", false },
		{ "handle", "handle.part.0", false },
		{ "ns::S::run", "_ZN2ns1S3runEi", true },
		{ "run", "_ZN2ns1S3runEi", true },
		{ "S::run", "_ZN2ns1S3runEi", false },
		{ "_ZN2ns1S3runEi", "_ZN2ns1S3runEi", true },
		{ "ns::*", "_ZN2ns1S3runEi", true },
		{ "main.(*Server).Handle", "main.(*Server).Handle", true },
		{ "main.*", "main.work", true },
	};
	struct strbuf printed = STRBUF_INIT;
	struct func_pattern p;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		func_pattern__init(&p, cases[i].pattern);
		is_s64(func_pattern__match(&p, cases[i].symbol, &printed), cases[i].match,
		       "function '%s': whether it means %s", cases[i].pattern, cases[i].symbol);
	}
	strbuf__free(&printed);
}

#if defined(__x86_64__)
static void check_operands(void)
{
	static const struct {
		const char *args;
		size_t nth;
		enum piece_kind kind;
		unsigned int size, steps;
		bool is_signed;
	} cases[] = {
		{ "8@%rdi -4@-20(%rbp)", 0, PIECE_VALUE, 8, 1, false },
		{ "8@%rdi -4@-20(%rbp)", 1, PIECE_MEMORY, 4, 2, true },
		{ "-4@$17", 0, PIECE_VALUE, 4, 1, true },
		{ "1@%r8b", 0, PIECE_VALUE, 1, 1, false },
		{ "8@8(%rax,%rdx,8)", 0, PIECE_MEMORY, 8, 6, false },
		{ "8f@%xmm0", 0, PIECE_VECTOR, 8, 0, false },
		{ "4@var(%rip)", 0, PIECE_NONE, 4, 0, false },
		/* No instruction has these scales: a file may say them all the same. */
		{ "8@8(%rax,%rdx,99999999999)", 0, PIECE_NONE, 8, 0, false },
		{ "8@8(%rax,%rdx,3)", 0, PIECE_NONE, 8, 0, false },
		{ "-9223372036854775808@%rdi", 0, PIECE_VALUE, 8, 1, true },
		{ "257@%rdi", 0, PIECE_VALUE, 8, 1, false },
	};
	const struct probe_regs *regs = probe_regs__of(EM_X86_64, true);
	struct value v;
	size_t i;

	is_s64(usdt__arg_cnt("8@%rdi -4@-20(%rbp)"), 2, "USDT operands: their number");
	is_s64(usdt__arg_cnt(""), 0, "USDT operands: none");
	is_s64(usdt__arg_cnt("8@[sp, 16] 4@w1"), 2, "USDT operands of arm64: their number");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		usdt__arg(regs, cases[i].args, cases[i].nth, &v);
		is_s64(v.loc.pieces[0].kind, cases[i].kind, "USDT operand %zu of '%s': its kind",
		       cases[i].nth, cases[i].args);
		is_s64(v.loc.pieces[0].steps.cnt, cases[i].steps,
		       "USDT operand %zu of '%s': its steps", cases[i].nth, cases[i].args);
		if (cases[i].kind == PIECE_VECTOR)
			continue;
		is_s64(v.raw_size, cases[i].size, "USDT operand %zu of '%s': its size",
		       cases[i].nth, cases[i].args);
		is_s64(v.raw_signed, cases[i].is_signed, "USDT operand %zu of '%s': its sign",
		       cases[i].nth, cases[i].args);
	}
}
#else
static void check_operands(void)
{
}
#endif

/* Constants of any size: sums of addresses wrap. */
static void check_constants(void)
{
	static const Dwarf_Op sums[][3] = {
		{ { .atom = DW_OP_breg7, .number = INT64_MAX },
		  { .atom = DW_OP_plus_uconst, .number = 1 } },
		{ { .atom = DW_OP_const8u, .number = 1ull << 63 },
		  { .atom = DW_OP_const8u, .number = UINT64_MAX },
		  { .atom = DW_OP_plus } },
		{ { .atom = DW_OP_lit0 },
		  { .atom = DW_OP_const8u, .number = 1ull << 63 },
		  { .atom = DW_OP_minus } },
	};
	static const int64_t want[] = { INT64_MIN, INT64_MAX, INT64_MIN };
	const struct scope sc = { .regs = probe_regs__of(EM_X86_64, true) };
	const struct steps *steps;
	struct loc loc;
	bool is_local;
	size_t i;

	for (i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		loc__eval(&sc, sums[i], sums[i][2].atom ? 3 : 2, &loc, &is_local);
		steps = &loc.pieces[0].steps;
		is_s64(steps->cnt ? steps->at[steps->cnt - 1].imm : 0, want[i],
		       "sum %zu of constants of a location wraps", i);
	}
}

#define REG(nr)                                                                                    \
	{                                                                                          \
		.atom = DW_OP_reg0 + (nr)                                                          \
	}
#define PIECE(bytes)                                                                               \
	{                                                                                          \
		.atom = DW_OP_piece, .number = (bytes)                                             \
	}
#define BITS(cnt)                                                                                  \
	{                                                                                          \
		.atom = DW_OP_bit_piece, .number = (cnt)                                           \
	}

/* Pieces of bits are told together, up to the next byte; there is room for a number of pieces. */
static void check_pieces(void)
{
	static const Dwarf_Op ops[] = {
		REG(0),   BITS(2), BITS(30), REG(4),
		PIECE(4), REG(1),  BITS(3),  REG(2),
		BITS(5),  BITS(8), REG(5),   { .atom = DW_OP_bit_piece, .number = 8, .number2 = 8 },
	};
	static const struct {
		enum piece_kind kind;
		uint32_t size, bits;
	} want[] = {
		{ PIECE_VALUE, 4, 2 }, { PIECE_VALUE, 4, 0 }, { PIECE_NONE, 1, 3 },
		{ PIECE_NONE, 1, 0 },  { PIECE_NONE, 1, 0 },
	};
	const struct scope sc = { .regs = probe_regs__of(EM_X86_64, true) };
	const size_t want_cnt = sizeof(want) / sizeof(*want);
	Dwarf_Op many[2 * PIECES_MAX + 4];
	struct loc loc;
	bool is_local;
	size_t i;

	loc__eval(&sc, ops, sizeof(ops) / sizeof(*ops), &loc, &is_local);
	is_u64(loc.cnt, want_cnt, "pieces of bits that make bytes are one");
	for (i = 0; i < want_cnt && i < loc.cnt; i++) {
		is_u64(loc.pieces[i].kind, want[i].kind, "piece %zu of bits: its kind", i);
		is_u64(loc.pieces[i].size, want[i].size, "piece %zu of bits: its bytes", i);
		is_u64(loc.pieces[i].bits, want[i].bits, "piece %zu of bits: those known", i);
	}
	for (i = 0; i < sizeof(many) / sizeof(*many); i++)
		many[i] = i % 2 ? (Dwarf_Op)PIECE(4) : (Dwarf_Op)REG(i / 2 % 7);
	loc__eval(&sc, many, sizeof(many) / sizeof(*many), &loc, &is_local);
	is_u64(loc.cnt, PIECES_MAX, "of many pieces the first ones are kept");
	is_s64(loc.pieces[PIECES_MAX - 1].steps.at[0].imm,
	       probe_regs__off(sc.regs, (PIECES_MAX - 1) % 7),
	       "of many pieces the last one is not another one's place");
}

/* The lowest bits of a register, and a shift. */
static void check_narrow_values(void)
{
	static const Dwarf_Op ops[] = {
		{ .atom = DW_OP_breg5 }, { .atom = DW_OP_constu, .number = 0xffff },
		{ .atom = DW_OP_and },   { .atom = DW_OP_lit8 },
		{ .atom = DW_OP_shra },  { .atom = DW_OP_stack_value },
	};
	static const Dwarf_Op odd_mask[] = {
		{ .atom = DW_OP_breg5 },
		{ .atom = DW_OP_constu, .number = 0xf0 },
		{ .atom = DW_OP_and },
		{ .atom = DW_OP_stack_value },
	};
	static const Dwarf_Op of_address[] = {
		{ .atom = DW_OP_breg7, .number = 192 },
		{ .atom = DW_OP_constu, .number = 0xffff },
		{ .atom = DW_OP_and },
		{ .atom = DW_OP_stack_value },
	};
	const struct scope sc = { .regs = probe_regs__of(EM_X86_64, true) };
	const struct steps *steps;
	struct loc loc;
	bool is_local;

	loc__eval(&sc, ops, sizeof(ops) / sizeof(*ops), &loc, &is_local);
	steps = &loc.pieces[0].steps;
	is_u64(steps->cnt, 4, "the lowest bits of a register: four steps");
	is_s64(steps->at[1].imm, 48, "the lowest bits of a register: the others are moved out");
	is_s64(steps->at[2].imm, 48, "the lowest bits of a register: and moved back");
	ok(steps->at[3].is_signed && steps->at[3].imm == 8, "a shift by sign has a sign");
	loc__eval(&sc, odd_mask, sizeof(odd_mask) / sizeof(*odd_mask), &loc, &is_local);
	is_u64(loc.pieces[0].kind, PIECE_NONE, "a mask of other bits is not known");
	loc__eval(&sc, of_address, sizeof(of_address) / sizeof(*of_address), &loc, &is_local);
	is_u64(loc.pieces[0].kind, PIECE_NONE, "a part of an address of the frame is no value");
}

int main(void)
{
	check_args();
	check_faults();
	check_patterns();
	check_operands();
	check_constants();
	check_pieces();
	check_narrow_values();
	return done_testing();
}
