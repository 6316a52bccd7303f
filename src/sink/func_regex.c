// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/func_regex.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hist.h"
#include "util/log.h"

enum match {
	MATCH_UNKNOWN,
	MATCH_NO,
	MATCH_YES,
};

struct func_regex {
	const struct hist *hist;
	regex_t re;
	uint8_t *matches; /* enum match, by function */
	size_t match_cap;
};

int func_regex__check(const char *option, const char *text)
{
	regex_t re;

	if (regcomp(&re, text, REG_EXTENDED | REG_NOSUB)) {
		log_error("%s %s: this is no regular expression; see regex(7)", option, text);
		return -EINVAL;
	}
	regfree(&re);
	return 0;
}

struct func_regex *func_regex__new(const struct hist *hist, const char *text)
{
	struct func_regex *r = calloc(1, sizeof(*r));

	if (r && !regcomp(&r->re, text, REG_EXTENDED | REG_NOSUB)) {
		r->hist = hist;
		return r;
	}
	free(r);
	return NULL;
}

int func_regex__is(struct func_regex *r, uint32_t func)
{
	const struct hist_func *hf = &r->hist->funcs[func];
	uint8_t *bigger;

	if (func >= r->match_cap) {
		bigger = realloc(r->matches, r->hist->func_cap);
		if (!bigger)
			return -ENOMEM;
		memset(bigger + r->match_cap, MATCH_UNKNOWN, r->hist->func_cap - r->match_cap);
		r->matches = bigger;
		r->match_cap = r->hist->func_cap;
	}
	if (r->matches[func] == MATCH_UNKNOWN)
		r->matches[func] =
			!hf->is_inlined && hf->name != TEXTS_NONE &&
					!regexec(&r->re, texts__get(&r->hist->texts, hf->name), 0,
						 NULL, 0)
				? MATCH_YES
				: MATCH_NO;
	return r->matches[func] == MATCH_YES;
}

void func_regex__free(struct func_regex *r)
{
	if (!r)
		return;
	regfree(&r->re);
	free(r->matches);
	free(r);
}
