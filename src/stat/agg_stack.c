// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names the functions of a key that is a stack. */
#include "decode/sample.h"
#include "stat/agg_result.h"
#include "sym/sym.h"

void agg_key__functions(const struct agg_key *key, struct sym *sym, bool outermost_first,
			void (*put)(struct strbuf *out, const struct sym_result *res,
				    bool is_first),
			struct strbuf *out)
{
	const struct callchain *chain = key->stack;
	unsigned int cnt = chain ? (unsigned int)chain->kern_cnt + chain->user_cnt : 0, i, at;
	struct sym_result res;

	for (i = 0; i < cnt; i++) {
		at = outermost_first ? cnt - 1 - i : i;
		if (at < chain->kern_cnt)
			sym__kernel(sym, chain->kern[at], &res);
		else
			sym__name(sym, chain->user[at - chain->kern_cnt], &res);
		put(out, &res, i == 0);
	}
}
