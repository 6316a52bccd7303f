// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/reg_names.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#ifdef __aarch64__
#define IS_ARM64 true
#else
#define IS_ARM64 false
#endif

uint64_t regs__all(void)
{
#if defined(__x86_64__)
	/* The kernel has no segment registers of 64-bit code but CS and SS. */
	return ((1ull << PERF_REG_X86_64_MAX) - 1) &
	       ~(1ull << PERF_REG_X86_DS | 1ull << PERF_REG_X86_ES | 1ull << PERF_REG_X86_FS |
		 1ull << PERF_REG_X86_GS);
#elif defined(__aarch64__)
	return (1ull << (PERF_REG_ARM64_PC + 1)) - 1;
#elif defined(__riscv)
	return (1ull << PERF_REG_RISCV_MAX) - 1;
#elif defined(__powerpc__)
	return (1ull << (PERF_REG_POWERPC_MMCRA + 1)) - 1;
#elif defined(__s390x__)
	return (1ull << PERF_REG_S390_MAX) - 1;
#else
#error which registers does a sample of this architecture have?
#endif
}

static const char *x86_name(unsigned int reg)
{
	static const char *const names[] = {
		"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",  "FLAGS", "CS",  "SS",
		"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",   "R14", "R15"
	};

	return reg < sizeof(names) / sizeof(*names) ? names[reg] : NULL;
}

const char *regs__name(bool is_arm64, unsigned int reg, char buf[8])
{
	if (!is_arm64)
		return x86_name(reg);
	if (reg >= 30)
		return reg == 30 ? "lr" : reg == 31 ? "sp" : reg == 32 ? "pc" : NULL;
	snprintf(buf, 8, "x%u", reg);
	return buf;
}

static bool has_names(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

static bool find(const char *text, size_t len, unsigned int *reg)
{
	char buf[8];

	for (*reg = 0; *reg < 64; ++*reg) {
		const char *name = regs__all() >> *reg & 1 ? regs__name(IS_ARM64, *reg, buf) : NULL;

		if (name && strlen(name) == len && !strncasecmp(name, text, len))
			return true;
	}
	return false;
}

int regs__parse(const char *list, uint64_t *mask, const char **bad)
{
	unsigned int reg;
	size_t len;

	*mask = 0;
	for (*bad = list; **bad; *bad += len + ((*bad)[len] == ',')) {
		len = strcspn(*bad, ",");
		if (!has_names() || !find(*bad, len, &reg))
			return -EINVAL;
		*mask |= 1ull << reg;
	}
	return *mask ? 0 : -EINVAL;
}
