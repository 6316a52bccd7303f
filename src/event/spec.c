// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Parses a list of events: terms, groups, modifiers. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/breakpoint.h"
#include "event/modifiers.h"
#include "event/event_term.h"
#include "event/probe_source.h"
#include "util/log.h"
#include "util/strbuf.h"

/* A part of the argument. */
struct part {
	const char *s, *end;
};

int event_term__fault(const struct event_term *term, const char *mods)
{
	const char *why, *fault = modifiers__check(mods, &why);

	if (!fault)
		return 0;
	return spec__error(term->spec, term->off + (size_t)(fault - term->text), "%s", why);
}

int event_term__unclosed(const struct event_term *term, const char *slash)
{
	return spec__error(term->spec, term->off + (size_t)(slash - term->text),
			   "this '/' has no closing '/': EVENT/term=value,…/");
}

/* Modifiers of a group, not of a member: its leader carries them. */
#define GROUP_LETTERS "DeW"

static int apply_mods(const struct event_term *term, struct event *ev)
{
	bool is_member = term->group >= 0 && term->list->cnt != term->group_start;
	int err = *term->mods ? event_term__fault(term, term->mods) : 0;
	const char *at = strpbrk(term->mods, GROUP_LETTERS);

	if (err)
		return err;
	if (is_member && at)
		return spec__error(term->spec, term->off + (size_t)(at - term->text),
				   "D, e and W apply to a whole group; write them after its '}'");
	modifiers__apply(ev, term->mods, term->group_mods);
	if (term->group >= 0 && !is_member && *term->group_mods) {
		ev->group_mods = strdup(term->group_mods);
		if (!ev->group_mods)
			return -ENOMEM;
	}
	if (is_member)
		ev->pinned = ev->exclusive = ev->weak_group = false;
	if (ev->precise_ip > 3)
		return spec__error(term->spec, term->off,
				   "more than three p, including those of the group: no PMU is "
				   "that precise");
	return 0;
}

int event_term__push(struct event_term *term, struct event *ev, bool from_glob)
{
	int err = apply_mods(term, ev);

	if (err) {
		event__free(ev);
		return err;
	}
	ev->from_glob = from_glob;
	ev->term = term->list->term_cnt;
	ev->group = term->group;
	return event_list__push(term->list, ev);
}

static struct part trim(struct part part)
{
	while (part.s < part.end && isspace((unsigned char)*part.s))
		part.s++;
	while (part.s < part.end && isspace((unsigned char)part.end[-1]))
		part.end--;
	return part;
}

/* Returns whether a '/' at p begins the terms of a PMU: not the length of a breakpoint. */
static bool is_terms_slash(const char *begin, const char *p)
{
	while (p > begin && p[-1] != ',' && p[-1] != '{')
		p--;
	while (isspace((unsigned char)*p))
		p++;
	return *p == '/' || !breakpoint__is_term(p);
}

/* If a probe's term begins at p, returns its end, else p: paths have slashes and () have commas. */
static const char *past_probe(const char *begin, const char *p, const char *end)
{
	const char *before = p;

	while (before > begin && isspace((unsigned char)before[-1]))
		before--;
	if (before > begin && before[-1] != ',' && before[-1] != '{')
		return p;
	return probe_source__is_term(p, (size_t)(end - p)) ? probe_source__end(p, end) : p;
}

/*
 * Returns the part up to the next comma outside of // and {}; *rest moves past the comma, or
 * becomes NULL after the last part.
 */
static struct part next_item(struct part *rest)
{
	struct part item = *rest;
	bool in_terms = false;
	int depth = 0;
	const char *p;

	for (p = item.s; p < rest->end; p++) {
		p = in_terms ? p : past_probe(item.s, p, rest->end);
		if (p == rest->end)
			break;
		if (*p == '/')
			in_terms = !in_terms && is_terms_slash(item.s, p);
		else if (!in_terms && *p == '{')
			depth++;
		else if (!in_terms && *p == '}')
			depth--;
		else if (!in_terms && depth <= 0 && *p == ',')
			break;
	}
	item.end = p;
	rest->s = p < rest->end ? p + 1 : NULL;
	return trim(item);
}

static int add_term(struct event_term *term, struct part part)
{
	const char *brace;
	int err;

	term->off = (size_t)(part.s - term->spec);
	term->mods = "";
	term->options_len = 0;
	if (part.s == part.end)
		return spec__error(term->spec, term->off, "an event is missing here");
	term->text = strndup(part.s, (size_t)(part.end - part.s));
	if (!term->text)
		return -ENOMEM;
	brace = probe_source__is_term(term->text, strlen(term->text)) ? NULL
								      : strpbrk(term->text, "{}");
	if (brace && *brace == '{' && term->group >= 0)
		err = spec__error(term->spec, term->off + (size_t)(brace - term->text),
				  "groups do not nest: one {…} holds events only");
	else if (brace)
		err = spec__error(term->spec, term->off + (size_t)(brace - term->text),
				  "a brace is out of place here: groups are written {a,b}");
	else
		err = resolve__term(term);
	free(term->text);
	term->text = NULL;
	return err;
}

/* Parses the text after a group's '}': empty, or ':' and modifiers. Caller frees *mods. */
static int parse_group_mods(const struct event_term *term, struct part part, char **mods)
{
	const char *why, *fault;

	*mods = NULL;
	part = trim(part);
	if (part.s < part.end && *part.s != ':')
		return spec__error(term->spec, (size_t)(part.s - term->spec),
				   "only ':' and modifiers may follow a group");
	if (part.s == part.end) {
		*mods = strdup("");
		return *mods ? 0 : -ENOMEM;
	}
	part.s++;
	*mods = strndup(part.s, (size_t)(part.end - part.s));
	if (!*mods)
		return -ENOMEM;
	fault = modifiers__check(*mods, &why);
	if (fault)
		return spec__error(term->spec, (size_t)(part.s - term->spec + (fault - *mods)),
				   "%s", why);
	return 0;
}

/* The '}' of the group that begins at part.s; NULL: none. */
static const char *find_close(struct part part)
{
	bool in_terms = false;
	int depth = 0;
	const char *p;

	for (p = part.s; p < part.end; p++) {
		p = in_terms ? p : past_probe(part.s, p, part.end);
		if (p == part.end)
			break;
		if (*p == '/')
			in_terms = !in_terms && is_terms_slash(part.s, p);
		else if (!in_terms && *p == '{')
			depth++;
		else if (!in_terms && *p == '}' && !--depth)
			return p;
	}
	return NULL;
}

static int add_group(struct event_term *term, struct part part)
{
	const char *close = find_close(part);
	char *mods = NULL;
	struct part rest;
	int err;

	if (!close)
		return spec__error(term->spec, (size_t)(part.s - term->spec),
				   "this group has no '}' at its end");
	err = parse_group_mods(term, (struct part){ close + 1, part.end }, &mods);
	term->group_mods = mods;
	term->group = term->list->group_cnt;
	term->group_start = term->list->cnt;
	rest = (struct part){ part.s + 1, close };
	while (!err && rest.s)
		err = add_term(term, next_item(&rest));
	if (!err)
		term->list->group_cnt++;
	term->group = -1;
	term->group_mods = "";
	free(mods);
	return err;
}

int event_list__add(struct event_list *list, const char *spec)
{
	struct event_term term = { .list = list, .spec = spec, .group_mods = "", .group = -1 };
	struct part rest = { spec, spec + strlen(spec) };
	int err = 0;

	while (!err && rest.s) {
		struct part item = next_item(&rest);

		if (item.s < item.end && *item.s == '{')
			err = add_group(&term, item);
		else
			err = add_term(&term, item);
		list->term_cnt++;
	}
	return err;
}
