// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/callstack.h"

#include <errno.h>
#include <string.h>

#include "sink/text_memo.h"
#include "sym/sym.h"

/* Bytes of cached text; beyond that the cache is cleared. */
#define TEXT_MAX (32u << 20)

void callstack__put_function(struct strbuf *out, const struct sym_result *res)
{
	if (res->name) {
		strbuf__put_escaped(out, res->name, strlen(res->name));
		strbuf__puts(out, "+0x");
		strbuf__put_hex(out, res->off);
	} else {
		strbuf__puts(out, "[unknown]");
	}
	strbuf__puts(out, " (");
	strbuf__put_escaped(out, res->module, strlen(res->module));
	strbuf__putc(out, ')');
}

void callstack_printer__init(struct callstack_printer *p, struct sym *sym,
			     void (*put)(struct strbuf *out, uint64_t addr,
					 const struct sym_result *res, unsigned int how))
{
	*p = (struct callstack_printer){
		.put = put,
		.sym = sym,
		.text = STRBUF_INIT,
		.at = U64MAP_INIT,
	};
}

void callstack_printer__free(struct callstack_printer *p)
{
	strbuf__free(&p->text);
	u64map__free(&p->at);
}

static void make(struct callstack_printer *p, const struct sample *s, struct strbuf *out)
{
	struct sym_result res;
	unsigned int how;
	int i;

	for (i = 0; i < s->chain.kern_cnt; i++) {
		sym__kernel(p->sym, sym__kernel_place(p->sym, s->chain.kern[i]), &res);
		p->put(out, s->chain.kern[i], &res, i == 0 ? CALLSTACK_FIRST : 0);
	}
	for (i = 0; i < s->chain.user_cnt; i++) {
		uint64_t addr = callchain__user(&s->chain, i);

		sym__user(p->sym, s->pid, addr, &res);
		how = i == 0 && !s->chain.kern_cnt ? CALLSTACK_FIRST : 0;
		if (callchain__is_guessed(&s->chain, (size_t)i))
			how |= CALLSTACK_GUESSED;
		p->put(out, addr, &res, how);
	}
}

/* Kernel functions are the same in every process, so their key has no pid. */
static uint64_t key_of(const struct sample *s)
{
	uint64_t owner = 0;

	if (s->chain.user_cnt)
		owner = (uint64_t)(uint32_t)s->pid << 32 | s->maps_version;
	return s->stack_id ^ u64map__mix(owner);
}

int callstack_printer__put(struct callstack_printer *p, const struct sample *s, struct strbuf *out)
{
	uint64_t key = key_of(s);
	uint32_t at = u64map__get(&p->at, key), *slot;

	if (!s->stack_id) {
		make(p, s, out);
		return 0;
	}
	if (at == U64MAP_NONE) {
		if (p->text.len > TEXT_MAX) {
			p->text.len = 0;
			u64map__free(&p->at);
		}
		at = text_memo__begin(&p->text);
		make(p, s, &p->text);
		slot = u64map__slot(&p->at, key);
		if (!slot || text_memo__end(&p->text, at))
			return -ENOMEM;
		*slot = at;
	}
	text_memo__put(&p->text, at, out);
	return 0;
}
