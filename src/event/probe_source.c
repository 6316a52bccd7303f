// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/probe_source.h"

#include <errno.h>
#include <string.h>

static probe_source_fn source;

void probe_source__set(probe_source_fn fn)
{
	source = fn;
}

bool probe_source__is_term(const char *text, size_t len)
{
	static const char *const prefixes[] = { "u:", "f:", "usdt:" };
	size_t i, sz;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		sz = strlen(prefixes[i]);
		if (len >= sz && !memcmp(text, prefixes[i], sz))
			return true;
	}
	return false;
}

const char *probe_source__end(const char *text, const char *end)
{
	int depth = 0;

	for (; text < end; text++) {
		if (*text == '(')
			depth++;
		else if (*text == ')')
			depth--;
		else if (depth <= 0 && (*text == ',' || *text == '}'))
			break;
	}
	return text;
}

const char *probe_source__filter(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		if (*text == '(')
			depth++;
		else if (*text == ')' && !--depth && text[1] == ':')
			return text + 1;
	}
	return NULL;
}

int probe_source__resolve(struct event_term *term)
{
	if (!source)
		return spec__error(term->spec, term->off, "probes cannot be used by this command");
	return source(term);
}
