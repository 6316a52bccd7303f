// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_regs.h"

#include <stdio.h>

static const char *x86_name(unsigned int reg)
{
	static const char *const names[] = {
		"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",  "FLAGS", "CS",  "SS",
		"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",   "R14", "R15"
	};

	return reg < sizeof(names) / sizeof(*names) ? names[reg] : NULL;
}

static const char *name_of(bool is_arm64, unsigned int reg, char buf[8])
{
	if (!is_arm64)
		return x86_name(reg);
	if (reg >= 30)
		return reg == 30 ? "lr" : reg == 31 ? "sp" : reg == 32 ? "pc" : NULL;
	snprintf(buf, 8, "x%u", reg);
	return buf;
}

void script_regs__put(struct strbuf *out, bool is_arm64, uint64_t abi, uint64_t mask,
		      const struct perf_words *regs)
{
	unsigned int reg;
	const char *name;
	uint64_t at = 0;
	char buf[8];

	if (!abi)
		return;
	strbuf__printf(out, " ABI:%llu ", (unsigned long long)abi);
	for (reg = 0; reg < 64 && at < regs->cnt; reg++) {
		if (!(mask >> reg & 1))
			continue;
		name = name_of(is_arm64, reg, buf);
		strbuf__printf(out, "%5s:0x%llx ", name ? name : "unknown",
			       (unsigned long long)perf_words__get(regs, at++));
	}
}
