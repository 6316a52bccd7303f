// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Places of an inlined copy's variables that its code writes too late, of both machines. */
#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/late_write.h"
#include "probe/regs.h"
#include "probe_arm64.h"
#include "tap.h"

#define SOURCE "tests/workloads/probe/late_write.S"
#define VARIABLES 11
#define SIZE 4

static void check_variable(const struct elf_file *elf, const struct scope *sc, Dwarf_Die *var,
			   const char *machine)
{
	const char *name = dwarf_diename(var);
	struct loc loc;
	bool is_local;

	memset(&loc, 0, sizeof(loc));
	loc__of(sc, var, &loc, &is_local);
	is_u64(late_write__found(elf, sc, var, &loc, SIZE), !strncmp(name, "late", 4),
	       "%s, %s: is the place written behind the first instruction?", machine, name);
}

static void check_file(const char *path, const struct probe_regs *regs, uint64_t insn_sz,
		       const char *machine)
{
	struct elf_image img = { .fd = open(path, O_RDONLY | O_CLOEXEC) };
	Dwarf *dwarf = dwarf_begin(img.fd, DWARF_C_READ);
	struct scope sc = { .regs = regs };
	Dwarf_Die unit, var;
	struct elf_file elf;
	uint64_t cnt = 0;
	Dwarf_Off next;
	size_t head;

	if (!dwarf || elf_file__open(&elf, &img) ||
	    dwarf_nextcu(dwarf, 0, &next, &head, NULL, NULL, NULL) ||
	    !dwarf_offdie(dwarf, head, &unit) || dwarf_child(&unit, &sc.func) ||
	    dwarf_lowpc(&sc.func, &sc.pc) || dwarf_child(&sc.func, &var))
		exit(1);
	/* The copy begins behind the function's first instruction. */
	sc.pc += insn_sz;
	do {
		check_variable(&elf, &sc, &var, machine);
		cnt++;
	} while (!dwarf_siblingof(&var, &var));
	is_u64(cnt, VARIABLES, "%s: all variables are tried", machine);
	dwarf_end(dwarf);
	elf_file__close(&elf);
	close(img.fd);
}

static void check(const char *compiler, const struct probe_regs *regs, uint64_t insn_sz,
		  const char *machine)
{
	char path[] = "/tmp/bpfperf-late.XXXXXX", cmd[512];
	int fd = mkstemp(path);

	if (fd < 0)
		exit(1);
	close(fd);
	snprintf(cmd, sizeof(cmd), "%s -shared -nostdlib -o %s " SOURCE " 2>/dev/null", compiler,
		 path);
	if (system(cmd))
		skip("the compiler makes no files of this machine here");
	else
		check_file(path, regs, insn_sz, machine);
	unlink(path);
}

int main(void)
{
	const struct probe_regs *x86 = probe_regs__of(EM_X86_64, true);

	if (x86)
		check("gcc", x86, 1, "x86-64");
	else
		skip("registers of x86-64 are those of its own machine");
	check("aarch64-linux-gnu-gcc", &arm64, 4, "arm64");
	return done_testing();
}
