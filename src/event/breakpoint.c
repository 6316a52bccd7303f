// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "event/breakpoint.h"

#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "mem:"
/* The length without one, as in perf. */
#define DEFAULT_LEN HW_BREAKPOINT_LEN_4

bool breakpoint__is_term(const char *text)
{
	return !strncmp(text, PREFIX, strlen(PREFIX));
}

/* Reads a number at *at, and moves behind it. 0 or -EINVAL. */
static int read_number(const char **at, uint64_t *val)
{
	bool is_hex = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)**at))
		return -EINVAL;
	errno = 0;
	*val = strtoull(*at, &end, is_hex ? 16 : 10);
	*at = end;
	return errno ? -EINVAL : 0;
}

/* Reads "rwx" at *at, each letter once at most; returns the types, 0 for none. */
static uint32_t read_types(const char **at)
{
	static const struct {
		char letter;
		uint32_t type;
	} types[] = { { 'r', HW_BREAKPOINT_R },
		      { 'w', HW_BREAKPOINT_W },
		      { 'x', HW_BREAKPOINT_X } };
	uint32_t set = 0;
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (**at != types[i].letter || set & types[i].type)
			continue;
		set |= types[i].type;
		(*at)++;
		/* Letters come in any order. */
		i = (size_t)-1;
	}
	return set;
}

static int fault(const struct event_term *term, const char *at, const char *why)
{
	return spec__error(term->spec, term->off + (size_t)(at - term->text), "%s", why);
}

static int parse(struct event_term *term, struct event *ev)
{
	const char *at = term->text + strlen(PREFIX), *types;

	if (read_number(&at, &ev->config1))
		return fault(term, at, "the address is missing here: mem:0x1234/8:rw");
	if (*at == '/' && (at++, read_number(&at, &ev->config2) || !ev->config2))
		return fault(term, at, "the length in bytes is missing here: mem:0x1234/8:rw");
	if (*at == ':') {
		types = ++at;
		ev->bp_type = read_types(&at);
		/* The letters after one colon are modifiers if they are no kinds of access. */
		if (*at && *at != ':')
			at = types, ev->bp_type = 0;
		else if (*at == ':')
			at++;
		term->mods = at;
	} else if (*at) {
		return fault(term, at, "only a length and kinds of access follow: mem:0x1234/8:rw");
	}
	if (!ev->bp_type)
		ev->bp_type = HW_BREAKPOINT_RW;
	if (!ev->config2)
		ev->config2 = ev->bp_type & HW_BREAKPOINT_X ? sizeof(long) : DEFAULT_LEN;
	return *term->mods ? event_term__fault(term, term->mods) : 0;
}

int breakpoint__resolve(struct event_term *term)
{
	struct event *ev = event__new(EVENT_BREAKPOINT, term->text);
	int err;

	if (!ev)
		return -ENOMEM;
	ev->type = PERF_TYPE_BREAKPOINT;
	err = parse(term, ev);
	if (!err)
		return event_term__push(term, ev, false);
	event__free(ev);
	return err;
}
