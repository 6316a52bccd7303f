// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_insn.h"

#include <string.h>

#include "data/perf_sample.h"

enum {
	BRANCH = SCRIPT_INSN_BRANCH,
	CALL = SCRIPT_INSN_CALL,
	RETURN = SCRIPT_INSN_RETURN,
	CONDITIONAL = SCRIPT_INSN_CONDITIONAL,
	SYSCALL = SCRIPT_INSN_SYSCALL,
	ASYNC = SCRIPT_INSN_ASYNC,
	INTERRUPT = SCRIPT_INSN_INTERRUPT,
	TX_ABORT = SCRIPT_INSN_TX_ABORT,
	BEGIN = SCRIPT_INSN_BEGIN,
	END = SCRIPT_INSN_END,
	IN_TX = SCRIPT_INSN_IN_TX,
	VMENTRY = SCRIPT_INSN_VMENTRY,
};

/* The column of the mark of branches within transactions. */
#define IN_TX_COLUMN 18
#define FLAGS_WIDTH 21

static const char *name_of(uint32_t flags)
{
	static const struct {
		uint32_t flags;
		const char *name;
	} names[] = {
		{ BRANCH | CALL, "call" },
		{ BRANCH | RETURN, "return" },
		{ BRANCH | CONDITIONAL, "jcc" },
		{ BRANCH, "jmp" },
		{ BRANCH | CALL | INTERRUPT, "int" },
		{ BRANCH | RETURN | INTERRUPT, "iret" },
		{ BRANCH | CALL | SYSCALL, "syscall" },
		{ BRANCH | RETURN | SYSCALL, "sysret" },
		{ BRANCH | ASYNC, "async" },
		{ BRANCH | CALL | ASYNC | INTERRUPT, "hw int" },
		{ BRANCH | TX_ABORT, "tx abrt" },
		{ BRANCH | BEGIN, "tr strt" },
		{ BRANCH | END, "tr end" },
		{ BRANCH | CALL | VMENTRY, "vmentry" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].flags == flags)
			return names[i].name;
	return NULL;
}

/* Each bit as perf's letter, for combinations without a name. */
static void put_letters(struct strbuf *out, uint32_t flags)
{
	static const char letters[] = "bcrosyiABExghDt";
	size_t i;

	for (i = 0; i < sizeof(letters) - 1; i++)
		if (flags >> i & 1)
			strbuf__putc(out, letters[i]);
}

void script_insn__put_flags(struct strbuf *out, uint32_t flags)
{
	uint32_t rest = flags & ~(uint32_t)IN_TX;
	const char *name = name_of(rest);
	size_t start;

	strbuf__puts(out, "  ");
	start = out->len;
	if (!name && rest & BEGIN) {
		name = name_of(rest & ~(uint32_t)BEGIN);
		strbuf__puts(out, name ? "tr strt " : "");
	} else if (!name && rest & END) {
		name = name_of(rest & ~(uint32_t)END);
		strbuf__puts(out, name ? "tr end  " : "");
	}
	if (name)
		strbuf__puts(out, name);
	else
		put_letters(out, rest);
	if (flags & IN_TX && name)
		strbuf__pad(out, start, IN_TX_COLUMN);
	if (flags & IN_TX)
		strbuf__puts(out, name ? "(x)" : "x");
	strbuf__pad(out, start, FLAGS_WIDTH);
	strbuf__putc(out, ' ');
}

void script_insn__put_len(struct strbuf *out, const struct perf_sample *s)
{
	strbuf__printf(out, " ilen: %u", s->insn_len);
}

void script_insn__put_bytes(struct strbuf *out, const struct perf_sample *s)
{
	uint8_t i;

	if (!s->insn_len)
		return;
	strbuf__puts(out, " insn:");
	for (i = 0; i < s->insn_len; i++)
		strbuf__printf(out, " %02x", s->insn[i]);
}
