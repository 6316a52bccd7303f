// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/strace_stacks.h"

#include <string.h>

#include "run/unwind_report.h"
#include "sym/sym.h"

void strace_stacks__init(struct strace_stacks *st, struct machine *machine)
{
	*st = (struct strace_stacks){};
	callstacks__init(&st->callstacks, machine, WIRE_USER_MAX);
}

void strace_stacks__free(struct strace_stacks *st)
{
	callstacks__free(&st->callstacks);
}

void strace_stacks__subscribe(struct strace_stacks *st, struct machine *machine, struct unwinder *u)
{
	unwind_report__subscribe(u, machine, &st->to_unwinder);
}

/*
 * The function is that of the call instruction: behind a call that does not return, the return
 * address may belong to the next function. Offsets are those of the return address, as in strace.
 */
static void put_frame(struct sym *sym, int32_t pid, const struct callchain *chain, size_t i,
		      struct strbuf *out)
{
	uint64_t addr = callchain__user(chain, i), in_call = callchain__user_in(chain, i);
	uint64_t place = sym__place(sym, pid, in_call);
	struct sym_result res;

	sym__name(sym, place, &res);
	strbuf__puts(out, " > ");
	strbuf__put_escaped(out, res.module, strlen(res.module));
	strbuf__putc(out, '(');
	if (res.name) {
		strbuf__put_escaped(out, res.name, strlen(res.name));
		strbuf__puts(out, "+0x");
		strbuf__put_hex(out, res.off + addr - in_call);
	}
	strbuf__puts(out, ") [0x");
	strbuf__put_hex(out, sym__file_off(place) + addr - in_call);
	strbuf__puts(out, "]\n");
}

void strace_stacks__put(void *ctx, const struct wire_call *rec, struct strbuf *out)
{
	struct strace_stacks *st = ctx;
	const struct callchain *chain = stacks__get(&st->callstacks.stacks, rec->stack);
	size_t i;

	if (!chain)
		return;
	if (rec->head.kind == WIRE_CALL_BEGIN && rec->head.tgid == st->cmd_pid) {
		st->cmd_pid = 0;
		return;
	}
	st->callstacks.truncated += chain->truncated;
	for (i = 0; i < chain->user_cnt; i++)
		put_frame(st->callstacks.sym, (int32_t)rec->head.tgid, chain, i, out);
}
