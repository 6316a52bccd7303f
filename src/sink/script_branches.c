// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_branches.h"

#include <string.h>

#include "data/branch_flags.h"
#include "data/perf_sample.h"
#include "decode/named.h"
#include "sink/script.h"
#include "sink/script_addr.h"

/* Newer headers have a second list of kinds behind the first. */
#define KIND(flags) ((flags) >> 20 & 15)
#define KIND_IN_NEXT 15
#define NEXT_KIND(flags) ((flags) >> 26 & 15)

static const char *kind_of(uint64_t flags)
{
	static const char *const kinds[] = { "",         "COND", "UNCOND",  "IND",    "CALL",
					     "IND_CALL", "RET",  "SYSCALL", "SYSRET", "COND_CALL",
					     "COND_RET", "ERET", "IRQ",     "SERROR", "NO_TX" };
	static const char *const next[16] = { "FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
					      "ARCH_2",     "ARCH_3",     "ARCH_4",     "ARCH_5" };

	if (KIND(flags) != KIND_IN_NEXT)
		return kinds[KIND(flags)];
	return next[NEXT_KIND(flags)] ?: "";
}

bool script_branches__are_named(uint64_t fields)
{
	/* Numbers alone need no names. */
	return fields & SCRIPT_BRANCHES && (!(fields & SCRIPT_BRSTACK) || fields & SCRIPT_DSO);
}

static void put_addr(struct strbuf *out, uint32_t pid, const struct named_line *line,
		     uint64_t fields)
{
	static const struct sym_frame unknown = { .module = "[unknown]" };
	const struct sym_frame *f = line->place ? line->place->frames : &unknown;

	if (fields & SCRIPT_BRSTACK || !(fields & SCRIPT_BRSTACKSYM)) {
		strbuf__printf(out, "0x%llx", (unsigned long long)line->addr);
	} else if (f->name) {
		strbuf__put_escaped(out, f->name, strlen(f->name));
		strbuf__printf(out, "+0x%llx", (unsigned long long)f->off);
	} else {
		strbuf__puts(out, "[unknown]");
	}
	if (!(fields & SCRIPT_DSO))
		return;
	strbuf__putc(out, '(');
	script_addrs__put_file(out, f, pid);
	strbuf__putc(out, ')');
}

void script_branches__put(struct strbuf *out, const struct perf_sample *s,
			  const struct named_lines *named, uint64_t fields)
{
	bool are_named = script_branches__are_named(fields);
	bool has_names = !(fields & SCRIPT_BRSTACK) && fields & SCRIPT_BRSTACKSYM;
	uint64_t i, flags;
	unsigned int side;

	for (i = 0; i + 2 < s->branches.cnt; i += 3) {
		flags = perf_words__get(&s->branches, i + 2);
		/* No blank stands before a name, as in perf. */
		strbuf__puts(out, has_names ? "" : " ");
		for (side = 0; side < 2; side++) {
			struct named_line bare = { .addr = perf_words__get(&s->branches,
									   i + side) };

			strbuf__puts(out, side ? "/" : "");
			put_addr(out, s->pid, are_named ? &named->at[i / 3 * 2 + side] : &bare,
				 fields);
		}
		strbuf__printf(out, "/%c/%c/%c/%u/%s ",
			       flags & BRANCH_PREDICTED ? 'P'
			       : flags & BRANCH_MISSED  ? 'M'
							: '-',
			       flags & BRANCH_IN_TX ? 'X' : '-', flags & BRANCH_ABORT ? 'A' : '-',
			       branch_flags__cycles(flags), kind_of(flags));
	}
}
