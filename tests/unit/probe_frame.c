// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Functions of arm64 have filled their frames behind the instructions that are found: in code
 * without optimization this is the place that the line table has, or a few instructions before.
 */
#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/frame_fill.h"
#include "probe/place_lines.h"
#include "probe/regs.h"
#include "probe_arm64.h"
#include "tap.h"
#include "util/arm64_insn.h"

#define SOURCE "tests/workloads/probe/passed_arm64.cc"

struct tally {
	size_t funcs, found, equal, wrong;
};

static void check_func(const struct elf_file *elf, Dwarf_CFI *cfi, Dwarf_Die *unit, Dwarf_Die *func,
		       struct tally *tally)
{
	struct scope sc = { .regs = &arm64, .cfi = cfi, .func = *func, .at_entry = true };
	uint64_t behind, end;

	if (dwarf_lowpc(func, &sc.pc))
		return;
	behind = place_lines__behind_prologue(func, unit);
	end = frame_fill__end(elf, &sc, func);
	tally->funcs++;
	tally->found += end != 0;
	tally->equal += end == behind;
	if (end && (end > behind || end <= sc.pc)) {
		diag("%s: 0x%llx, by lines 0x%llx", dwarf_diename(func), (unsigned long long)end,
		     (unsigned long long)behind);
		tally->wrong++;
	}
}

static void check_file(const char *path, struct tally *tally)
{
	struct elf_image img = { .fd = open(path, O_RDONLY | O_CLOEXEC) };
	Dwarf *dwarf = dwarf_begin(img.fd, DWARF_C_READ);
	Dwarf_Off off = 0, next;
	Dwarf_Die unit, die;
	struct elf_file elf;
	Dwarf_CFI *cfi;
	size_t head;

	if (!dwarf || elf_file__open(&elf, &img))
		exit(1);
	cfi = dwarf_getcfi_elf(elf.elf);
	for (; !dwarf_nextcu(dwarf, off, &next, &head, NULL, NULL, NULL); off = next) {
		if (!dwarf_offdie(dwarf, off + head, &unit) || dwarf_child(&unit, &die))
			continue;
		do
			if (dwarf_tag(&die) == DW_TAG_subprogram)
				check_func(&elf, cfi, &unit, &die, tally);
		while (!dwarf_siblingof(&die, &die));
	}
	dwarf_cfi_end(cfi);
	dwarf_end(dwarf);
	elf_file__close(&elf);
	close(img.fd);
}

static void check(const char *compiler, size_t found, size_t equal)
{
	char path[] = "/tmp/bpfperf-frame.XXXXXX", cmd[512];
	struct tally tally = { 0 };
	int fd = mkstemp(path);

	if (fd < 0)
		exit(1);
	close(fd);
	snprintf(cmd, sizeof(cmd), "%s -w -O0 -g -shared -nostdlib -o %s " SOURCE " 2>/dev/null",
		 compiler, path);
	if (system(cmd)) {
		skip("the compiler makes no files of arm64 here");
	} else {
		check_file(path, &tally);
		diag("%s: %zu functions, %zu found, %zu as by lines", compiler, tally.funcs,
		     tally.found, tally.equal);
		ok(tally.found >= found, "%s: the place is found in most functions", compiler);
		ok(tally.equal >= equal, "%s: most places are those of the line table", compiler);
		is_u64(tally.wrong, 0, "%s: no place is beyond that of the line table", compiler);
	}
	unlink(path);
}

int main(void)
{
	check("aarch64-linux-gnu-g++", 14, 13);
	check("aarch64-linux-gnu-g++ -fstack-protector-all", 13, 13);
	check("aarch64-linux-gnu-g++ -pg", 14, 13);
	check("clang++ --target=aarch64-linux-gnu", 12, 12);
	return done_testing();
}
