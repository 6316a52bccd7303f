// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Arguments of arm64 at a function's first instruction: the convention says the same as a compiler
 * that tells in DWARF where it has them in optimized code.
 */
#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/abi.h"
#include "probe/type.h"
#include "probe_arm64.h"
#include "tap.h"

#define SOURCE "tests/workloads/probe/passed_arm64.cc"

/* A place as text: the kind of each piece, and its steps; sums of nothing are left out. */
static void describe(const struct loc *loc, char *text, size_t sz)
{
	static const char *const kinds[] = { "none", "vector", "value", "memory" };
	size_t len = 0, i, k;

	text[0] = '\0';
	for (i = 0; i < loc->cnt && len < sz; i++) {
		const struct piece *p = &loc->pieces[i];

		len += (size_t)snprintf(text + len, sz - len, "%s%s", i ? ", " : "",
					kinds[p->kind]);
		for (k = 0; k < p->steps.cnt && len < sz; k++) {
			const struct fetch_step *step = &p->steps.at[k];

			if (step->op != FETCH_ADD || step->imm)
				len += (size_t)snprintf(text + len, sz - len, " %d:%lld", step->op,
							(long long)step->imm);
		}
	}
}

/* Compares each argument of which DWARF has the place. Returns their number. */
static size_t compare(const char *compiler, Dwarf_Die *func)
{
	struct scope sc = { .regs = &arm64, .func = *func, .at_entry = true };
	const char *name = dwarf_diename(func);
	char got[256] = "", want[256];
	size_t cnt = 0, nth = 0;
	struct loc own, passed;
	Dwarf_Die var;
	bool is_local;

	if (dwarf_lowpc(func, &sc.pc) || dwarf_child(func, &var))
		return 0;
	do {
		if (dwarf_tag(&var) != DW_TAG_formal_parameter)
			continue;
		loc__of(&sc, &var, &own, &is_local);
		abi__param(&sc, func, nth++, &passed);
		/* Without arguments before, which are optimized out, the convention is mute. */
		if (is_local || own.pieces[0].kind == PIECE_NONE ||
		    passed.pieces[0].kind == PIECE_NONE)
			continue;
		describe(&own, want, sizeof(want));
		describe(&passed, got, sizeof(got));
		/* The function may load an address. LLVM leaves out a part without a use. */
		if (own.is_pointee)
			snprintf(want, sizeof(want), "memory ");
		if (own.is_pointee || got[strlen(want)] == ',')
			got[strlen(want)] = '\0';
		is_str(got, want, "%s: argument %zu of %s is where the compiler has it", compiler,
		       nth, name);
		cnt++;
	} while (!dwarf_siblingof(&var, &var));
	return cnt;
}

static size_t compare_file(const char *compiler, const char *path)
{
	Dwarf_Off off = 0, next;
	Dwarf_Die unit, die;
	Dwarf *dwarf;
	size_t cnt = 0, head;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	if (!ok(dwarf, "%s: its file has DWARF", compiler))
		return 0;
	for (; !dwarf_nextcu(dwarf, off, &next, &head, NULL, NULL, NULL); off = next) {
		if (!dwarf_offdie(dwarf, off + head, &unit) || dwarf_child(&unit, &die))
			continue;
		do
			if (dwarf_tag(&die) == DW_TAG_subprogram)
				cnt += compare(compiler, &die);
		while (!dwarf_siblingof(&die, &die));
	}
	dwarf_end(dwarf);
	close(fd);
	return cnt;
}

static bool has(const char *compiler)
{
	char cmd[256];

	snprintf(cmd, sizeof(cmd), "command -v %s >/dev/null", compiler);
	return !system(cmd);
}

static void check(const char *compiler, const char *options, size_t least)
{
	char path[] = "/tmp/bpfperf-abi.XXXXXX", cmd[512];
	int fd = mkstemp(path);

	if (fd < 0)
		exit(1);
	close(fd);
	snprintf(cmd, sizeof(cmd), "%s %s -w -O1 -g -shared -nostdlib -o %s " SOURCE, compiler,
		 options, path);
	if (system(cmd))
		skip("the compiler makes no files of arm64 here");
	else
		ok(compare_file(compiler, path) >= least, "%s: most arguments are compared",
		   compiler);
	unlink(path);
}

int main(void)
{
	const bool has_gcc = has("aarch64-linux-gnu-g++"), has_clang = has("clang++");

	if (!has_gcc && !has_clang)
		skip_all("there is no compiler for arm64");
	if (has_gcc)
		check("aarch64-linux-gnu-g++", "", 70);
	if (has_clang)
		check("clang++", "--target=aarch64-linux-gnu", 40);
	return done_testing();
}
