// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "probe/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int fault(const struct event_term *term, size_t at, const char *sentence)
{
	return spec__error(term->spec, term->off + at, "%s", sentence);
}

/* Splits "…(ARGUMENTS)" at the parenthesis that the last one closes. */
static int take_args(struct probe_spec *spec, const struct event_term *term, size_t *end)
{
	const char *text = term->text;
	size_t len = strlen(text), at = len;
	int depth = 0;

	*end = len;
	if (!len || text[len - 1] != ')') {
		/* Go has functions like main.(*Server).Handle. */
		for (at = 0; at < len; at++)
			depth += (text[at] == '(') - (text[at] == ')');
		return depth > 0 ? fault(term, len, "')' is missing at the end of the arguments")
				 : 0;
	}
	do {
		at--;
		depth += text[at] == ')';
		depth -= text[at] == '(';
	} while (at && depth);
	if (depth)
		return fault(term, len - 1, "this ')' has no '('");
	spec->args_at = at + 1;
	spec->args = strndup(text + at + 1, len - at - 2);
	*end = at;
	return spec->args ? 0 : -ENOMEM;
}

static int take_text(char **to, const char *from, size_t len)
{
	*to = strndup(from, len);
	return *to ? 0 : -ENOMEM;
}

/* "FILE:LINE", where ns::func has two colons. */
static bool is_line(const char *text, size_t len, size_t *colon)
{
	size_t at = len;

	while (at && isdigit((unsigned char)text[at - 1]))
		at--;
	if (at == len || at < 2 || text[at - 1] != ':' || text[at - 2] == ':')
		return false;
	*colon = at - 1;
	return true;
}

/* "FUNC+OFF" */
static int take_offset(struct probe_spec *spec, const struct event_term *term, size_t at,
		       size_t *len)
{
	const char *text = term->text + at, *plus = memchr(text, '+', *len);
	char *end;

	/* operator+ of C++ */
	if (!plus || plus == text || !isdigit((unsigned char)plus[1]))
		return 0;
	spec->add = strtoull(plus + 1, &end, 0);
	if (end != text + *len)
		return fault(term, (size_t)(end - term->text),
			     "an offset is a number of bytes: FUNC+0x10");
	*len = (size_t)(plus - text);
	return 0;
}

static int take_function(struct probe_spec *spec, const struct event_term *term, size_t at,
			 size_t end)
{
	const char *text = term->text + at;
	size_t len = end - at, colon;
	char *num_end;
	int err;

	spec->func_at = at;
	if (!len)
		return fault(term, at, "the name of a function is missing here");
	if (spec->kind == PROBE_SPEC_USER && is_line(text, len, &colon)) {
		spec->line = (uint32_t)strtoul(text + colon + 1, NULL, 10);
		return take_text(&spec->source, text, colon);
	}
	if (spec->kind == PROBE_SPEC_USER && len > 2 && text[0] == '0' && text[1] == 'x') {
		spec->add = strtoull(text, &num_end, 16);
		return num_end == text + len ? 0
					     : fault(term, (size_t)(num_end - term->text),
						     "an address has hexadecimal digits only");
	}
	err = take_offset(spec, term, at, &len);
	return err ? err : take_text(&spec->func, text, len);
}

static int take_path(struct probe_spec *spec, const struct event_term *term, size_t at, size_t end,
		     size_t *after)
{
	const char *text = term->text + at, *colon = memchr(text, ':', end - at);

	spec->path_at = at;
	if (!colon)
		return fault(term, end,
			     spec->kind == PROBE_SPEC_USDT
				     ? "a probe of a program is written usdt:PATH:PROVIDER:NAME"
				     : "a function is written u:PATH:FUNC");
	if (colon == text)
		return fault(term, at, "the path of a program or a library is missing here");
	*after = (size_t)(colon - term->text) + 1;
	return take_text(&spec->path, text, (size_t)(colon - text));
}

static int take_usdt(struct probe_spec *spec, const struct event_term *term, size_t at, size_t end)
{
	const char *text = term->text + at, *colon = memchr(text, ':', end - at);
	int err;

	spec->func_at = at;
	if (!colon || colon == text || colon + 1 == term->text + end)
		return fault(term, at, "a probe of a program is written usdt:PATH:PROVIDER:NAME");
	err = take_text(&spec->provider, text, (size_t)(colon - text));
	return err ? err
		   : take_text(&spec->func, colon + 1, (size_t)(term->text + end - colon - 1));
}

int probe_spec__parse(struct probe_spec *spec, const struct event_term *term)
{
	size_t end, at = 2;
	int err;

	*spec = (struct probe_spec){ .kind = PROBE_SPEC_USER };
	err = take_args(spec, term, &end);
	if (err)
		return err;
	if (term->text[0] == 'f') {
		spec->kind = PROBE_SPEC_KERNEL;
		return take_function(spec, term, at, end);
	}
	if (!strncmp(term->text, "usdt:", 5)) {
		spec->kind = PROBE_SPEC_USDT;
		at = 5;
	}
	err = take_path(spec, term, at, end, &at);
	if (err)
		return err;
	return spec->kind == PROBE_SPEC_USDT ? take_usdt(spec, term, at, end)
					     : take_function(spec, term, at, end);
}

void probe_spec__free(struct probe_spec *spec)
{
	free(spec->path);
	free(spec->func);
	free(spec->provider);
	free(spec->source);
	free(spec->args);
	*spec = (struct probe_spec){ .kind = PROBE_SPEC_USER };
}
