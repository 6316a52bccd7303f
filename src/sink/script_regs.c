// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_regs.h"

#include "event/reg_names.h"

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
		name = regs__name(is_arm64, reg, buf);
		strbuf__printf(out, "%5s:0x%llx ", name ? name : "unknown",
			       (unsigned long long)perf_words__get(regs, at++));
	}
}
