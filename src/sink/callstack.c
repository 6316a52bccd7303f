// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/callstack.h"

#include <errno.h>
#include <string.h>

#include "decode/named.h"

void callstack__put_function(struct strbuf *out, const struct sym_result *res)
{
	if (res->name) {
		strbuf__put_escaped(out, res->name, strlen(res->name));
		/* A source has lines in place of offsets. */
		if (!frame_kind__is_interpreted(res->kind)) {
			strbuf__puts(out, "+0x");
			strbuf__put_hex(out, res->off);
		}
	} else {
		strbuf__puts(out, "[unknown]");
	}
	strbuf__puts(out, " (");
	strbuf__put_escaped(out, res->module, strlen(res->module));
	if (res->line) {
		strbuf__putc(out, ':');
		strbuf__put_u64(out, res->line);
	}
	strbuf__putc(out, ')');
}

void callstack_printer__init(struct callstack_printer *p,
			     void (*put)(struct strbuf *out, uint64_t addr,
					 const struct sym_result *res, unsigned int how))
{
	*p = (struct callstack_printer){ .put = put };
}

void callstack_printer__free(struct callstack_printer *p)
{
	text_memo__free(&p->memo);
}

static void make(const struct callstack_printer *p, const struct named_chain *chain,
		 struct strbuf *out)
{
	uint32_t i;

	for (i = 0; i < chain->cnt; i++) {
		const struct named_addr *a = &chain->addrs[i];
		unsigned int how = i ? 0 : CALLSTACK_FIRST;

		p->put(out, a->addr, &a->res, a->is_guessed ? how | CALLSTACK_GUESSED : how);
	}
}

int callstack_printer__put(struct callstack_printer *p, const struct named_chain *chain,
			   struct strbuf *out)
{
	struct text_memo *memo = &p->memo;

	if (!chain)
		return 0;
	if (chain->idx == NAMED_ONCE) {
		make(p, chain, out);
		return 0;
	}
	if (!text_memo__has(memo, chain->epoch, chain->idx)) {
		if (text_memo__begin(memo, chain->epoch, chain->idx))
			return -ENOMEM;
		make(p, chain, &memo->texts);
		text_memo__end(memo, chain->idx);
	}
	text_memo__put(memo, chain->idx, out);
	return 0;
}
