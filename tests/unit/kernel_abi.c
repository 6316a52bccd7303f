// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Arguments of the kernel's functions: structures by value move those behind them. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include <bpf/btf.h>

#include "probe/kernel_abi.h"
#include "probe_arm64.h"
#include "tap.h"

#define PARAMS 9

/* The types of a made-up kernel. */
struct types {
	struct btf *btf;
	int num, small, two, large, packed, empty, wide;
};

static int add_struct(struct btf *btf, const char *name, uint32_t size, uint32_t cnt, int member,
		      uint32_t first_bits, uint32_t each_bits)
{
	int id = btf__add_struct(btf, name, size);
	char member_name[8];
	uint32_t i;

	for (i = 0; i < cnt; i++) {
		snprintf(member_name, sizeof(member_name), "m%u", i);
		btf__add_field(btf, member_name, member, first_bits + i * each_bits, 0);
	}
	return id;
}

static void make_types(struct types *t)
{
	t->btf = btf__new_empty();
	t->num = btf__add_int(t->btf, "long", 8, BTF_INT_SIGNED);
	t->wide = btf__add_int(t->btf, "__int128", 16, BTF_INT_SIGNED);
	t->small = add_struct(t->btf, "small", 8, 1, t->num, 0, 64);
	t->two = add_struct(t->btf, "two", 16, 2, t->num, 0, 64);
	t->large = add_struct(t->btf, "large", 24, 3, t->num, 0, 64);
	t->packed = add_struct(t->btf, "packed", 12, 1, t->num, 32, 64);
	t->empty = add_struct(t->btf, "empty", 0, 0, t->num, 0, 64);
}

/* Describes where a value is: "r2", "r2,r3", "[r4]", "s16", "[s8]". */
static void describe(const struct probe_regs *regs, const struct btf_value *v, char *text,
		     size_t sz)
{
	const struct fetch_step *at = v->steps.at;
	bool is_stack, is_pointer = v->steps.cnt == 3;
	char high[16] = "";
	unsigned int i, reg = 99, high_reg = 99;

	if (!v->steps.cnt) {
		snprintf(text, sz, "none");
		return;
	}
	is_stack = at[0].imm == probe_regs__off(regs, regs->sp_reg);
	for (i = 0; i < regs->arg_reg_cnt; i++) {
		if (at[0].imm == probe_regs__off(regs, regs->arg_regs[i]))
			reg = i;
		if (v->high.cnt && v->high.at[0].imm == probe_regs__off(regs, regs->arg_regs[i]))
			high_reg = i;
	}
	if (v->high.cnt)
		snprintf(high, sizeof(high), ",r%u", high_reg);
	if (is_stack)
		snprintf(text, sz, is_pointer ? "[s%lld]" : "s%lld",
			 (long long)at[1].imm - regs->cfa_off);
	else
		snprintf(text, sz, v->is_addr ? "[r%u]%s" : "r%u%s", reg, high);
}

static void check(const struct types *t, const struct probe_regs *regs, const int *params,
		  const char *want, const char *what)
{
	char got[256] = "", one[32], name[8];
	const struct btf_type *proto;
	struct btf_value v;
	uint32_t cnt, i;
	int id = btf__add_func_proto(t->btf, t->num);

	for (cnt = 0; params[cnt]; cnt++) {
		snprintf(name, sizeof(name), "p%u", cnt);
		btf__add_func_param(t->btf, name, params[cnt]);
	}
	proto = btf__type_by_id(t->btf, id);
	for (i = 0; i < cnt; i++) {
		if (!kernel_abi__param(t->btf, proto, i, regs, &v))
			snprintf(one, sizeof(one), "unknown");
		else
			describe(regs, &v, one, sizeof(one));
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i ? " " : "", one);
	}
	is_str(got, want, "%s", what);
}

static void check_all(const struct types *t, const struct probe_regs *regs, bool is_arm64,
		      const char *machine)
{
	const struct {
		int params[PARAMS];
		const char *x86, *arm64, *what;
	} rows[] = {
		{ { t->num, t->num, t->num, t->num, t->num, t->num, t->num, t->num },
		  "r0 r1 r2 r3 r4 r5 s0 s8",
		  "r0 r1 r2 r3 r4 r5 r6 r7",
		  "numbers" },
		{ { t->num, t->two, t->num },
		  "r0 r1,r2 r3",
		  "r0 r1,r2 r3",
		  "a structure in two registers" },
		{ { t->small, t->num, t->empty, t->num },
		  "r0 r1 none r2",
		  "r0 r1 none r2",
		  "a structure in one register, and an empty one" },
		{ { t->num, t->large, t->num, t->large },
		  "r0 s0 r1 s24",
		  "r0 [r1] r2 [r3]",
		  "large structures" },
		{ { t->num, t->num, t->num, t->num, t->num, t->two, t->num, t->num },
		  "r0 r1 r2 r3 r4 s0 r5 s16",
		  "r0 r1 r2 r3 r4 r5,r6 r7 s0",
		  "a structure for which one register is too few" },
		{ { t->two, t->two, t->two, t->num, t->two, t->num },
		  "r0,r1 r2,r3 r4,r5 s0 s8 s24",
		  "r0,r1 r2,r3 r4,r5 r6 s0 s16",
		  "behind the last register" },
		{ { t->num, t->packed, t->num }, "r0 s0 r1", "r0 r1,r2 r3", "a packed structure" },
		{ { t->num, t->wide, t->num },
		  "r0 r1,r2 r3",
		  "r0 r2,r3 r4",
		  "a number of 128 bits" },
	};
	char what[96];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(what, sizeof(what), "%s, %s", machine, rows[i].what);
		check(t, regs, rows[i].params, is_arm64 ? rows[i].arm64 : rows[i].x86, what);
	}
}

int main(void)
{
	const struct probe_regs *x86 = probe_regs__of(EM_X86_64, true);
	struct types t;

	make_types(&t);
	if (x86)
		check_all(&t, x86, false, "x86-64");
	else
		skip("registers of x86-64 are those of its own machine");
	check_all(&t, &arm64, true, "arm64");
	btf__free(t.btf);
	return done_testing();
}
