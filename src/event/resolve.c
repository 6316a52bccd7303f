// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Finds the kind of event that a term of the command line names. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/breakpoint.h"
#include "event/detach_lock.h"
#include "event/modifiers.h"
#include "event/names.h"
#include "event/event_options.h"
#include "event/event_suggest.h"
#include "event/event_term.h"
#include "event/pfm.h"
#include "event/probe_source.h"
#include "event/tracefs.h"
#include "util/log.h"

#define GLOB_CHARS "*?["

/*
 * Takes the detach lock first, since each detachment on the machine would delay a read. NULL and
 * errno.
 */
static struct tp_format *read_format(const char *sys, const char *name)
{
	detach_lock__hold();
	return tp_format__read(sys, name);
}

/*
 * Returns -EBADMSG if the format file is invalid (not printed); errors of event_term__push() were
 * printed.
 */
static int push_tracepoint(struct event_term *term, const char *sys, const char *name,
			   bool from_glob)
{
	struct tp_format *fmt = read_format(sys, name);
	struct event *ev;
	char *full;
	int err;

	if (!fmt)
		return errno == EINVAL ? -EBADMSG : -errno;
	if (asprintf(&full, "%s:%s", sys, name) < 0) {
		tp_format__free(fmt);
		return -ENOMEM;
	}
	ev = event__new(EVENT_TRACEPOINT, full);
	free(full);
	if (!ev) {
		tp_format__free(fmt);
		return -ENOMEM;
	}
	ev->fmt = fmt;
	ev->type = PERF_TYPE_TRACEPOINT;
	ev->config = fmt->id;
	err = event_options__set_all(term, term->options_off, term->options_len, ev);
	if (!err)
		return event_term__push(term, ev, from_glob);
	event__free(ev);
	return err;
}

/* Adds every tracepoint that matches the two globs; -ENOENT if there is none. */
static int push_glob(struct event_term *term, const char *sys_glob, const char *name_glob)
{
	size_t cnt, pushed = 0, i;
	char **names;
	int err;

	err = tracefs__glob(sys_glob, name_glob, &names, &cnt);
	if (err)
		return err;
	for (i = 0; i < cnt; i++) {
		char *colon = strchr(names[i], ':');

		*colon = '\0';
		err = push_tracepoint(term, names[i], colon + 1, true);
		if (err == -ENOMEM || err == -EINVAL)
			break;
		if (err)
			log_info("%s:%s is omitted: %s", names[i], colon + 1, strerror(-err));
		else
			pushed++;
		err = 0;
	}
	tracefs__free_names(names, cnt);
	return err ? err : pushed ? 0 : -ENOENT;
}

/* Tries `text` as SYS:NAME. -ENOENT without a message if it is not one. */
static int try_tracepoint(struct event_term *term, const char *text)
{
	const char *colon = strchr(text, ':');
	char *sys;
	int err;

	if (!colon || strchr(colon + 1, ':'))
		return -ENOENT;
	sys = strndup(text, (size_t)(colon - text));
	if (!sys)
		return -ENOMEM;
	if (!tracefs__dir())
		err = -ENOENT;
	else if (strpbrk(text, GLOB_CHARS))
		err = push_glob(term, sys, colon + 1);
	else if (!*sys || !colon[1] || (!strcmp(sys, "ftrace") && strcmp(colon + 1, "function")))
		err = -ENOENT;
	else
		err = push_tracepoint(term, sys, colon + 1, false);
	free(sys);
	switch (err) {
	case 0:
	case -ENOMEM:
	case -EINVAL:
		return err;
	case -EBADMSG:
		log_error("the format of %s in %s is unknown; please report it", text,
			  tracefs__dir());
		return err;
	default:
		return -ENOENT;
	}
}

/* Tries `text` as one of perf's own names. -ENOENT without a message if it is not one. */
static int try_name(struct event_term *term, const char *text)
{
	enum event_kind kind;
	uint64_t config;
	uint32_t type;
	struct event *ev;

	if (event_names__lookup(text, &kind, &type, &config))
		return -ENOENT;
	ev = event__new(kind, term->text);
	if (!ev)
		return -ENOMEM;
	ev->type = type;
	ev->config = config;
	return event_term__push(term, ev, false);
}

static int try_pfm(struct event_term *term, const char *text)
{
	struct event *ev = event__new(EVENT_RAW, term->text);
	int err;

	if (!ev)
		return -ENOMEM;
	err = pfm__encode(text, ev);
	if (!err)
		return event_term__push(term, ev, false);
	event__free(ev);
	return err;
}

typedef int (*try_fn)(struct event_term *term, const char *text);

/* The kinds of names, in the order in which they are tried. */
static const try_fn tries[] = { try_name, try_tracepoint, pmu_event__resolve_alias, try_pfm };

/*
 * "cycles:u" and "sched:sched_switch" look alike: a colon may precede the name's second half or the
 * modifiers. Each kind of event is tried with the text before the last colon, then with the whole
 * text.
 */
static int resolve_name(struct event_term *term, const char *head, const char *tail)
{
	int err = -ENOENT;
	size_t i;

	for (i = 0; i < sizeof(tries) / sizeof(tries[0]) && err == -ENOENT; i++) {
		if (tail && modifiers__are_letters(tail)) {
			term->mods = tail;
			err = tries[i](term, head);
		}
		term->mods = "";
		if (err == -ENOENT)
			err = tries[i](term, term->text);
	}
	return err;
}

/* True if `text` alone, without the part after it, is an event. */
static bool is_event(const char *text)
{
	const char *colon = strchr(text, ':');
	struct tp_format *fmt;
	enum event_kind kind;
	uint64_t config;
	uint32_t type;
	char *sys;

	if (!event_names__lookup(text, &kind, &type, &config))
		return true;
	if (!colon || !tracefs__dir())
		return false;
	sys = strndup(text, (size_t)(colon - text));
	fmt = sys ? read_format(sys, colon + 1) : NULL;
	free(sys);
	tp_format__free(fmt);
	return fmt != NULL;
}

/* Reports why no event has this name. */
static int log_unknown(const struct event_term *term, const char *head, const char *tail)
{
	bool has_mods = tail && modifiers__are_letters(tail);
	const char *name = has_mods ? head : term->text;
	int err = 0;

	if (tail && !has_mods && is_event(head))
		return event_term__fault(term, tail);
	/* Without tracefs the existence of the tracepoint is unknown. */
	if (strchr(name, ':') && !strstr(name, "::"))
		err = tracefs__require();
	return err ? err : event_suggest__report(name);
}

/* SYS:NAME/terms/ and modifiers. */
static int resolve_with_options(struct event_term *term, const char *slash)
{
	const char *close = strchr(slash + 1, '/'), *mods;
	char *name;
	int err;

	if (!close)
		return event_term__unclosed(term, slash);
	mods = close + 1;
	if (*mods == ':' && mods[1])
		mods++;
	err = *mods ? event_term__fault(term, mods) : 0;
	if (err)
		return err;
	name = strndup(term->text, (size_t)(slash - term->text));
	if (!name)
		return -ENOMEM;
	term->options_off = (size_t)(slash + 1 - term->text);
	term->options_len = (size_t)(close - slash - 1);
	term->mods = mods;
	err = try_tracepoint(term, name);
	if (err == -ENOENT) {
		err = tracefs__require();
		err = err ? err : event_suggest__report(name);
	}
	free(name);
	return err;
}

int resolve__term(struct event_term *term)
{
	const char *tail = NULL, *slash;
	char *head = NULL, *colon;
	int err;

	if (probe_source__is_term(term->text, strlen(term->text)))
		return probe_source__resolve(term);
	if (breakpoint__is_term(term->text))
		return breakpoint__resolve(term);
	slash = strchr(term->text, '/');
	if (slash && memchr(term->text, ':', (size_t)(slash - term->text)))
		return resolve_with_options(term, slash);
	if (slash)
		return pmu_event__resolve(term);
	colon = strrchr(term->text, ':');
	if (colon) {
		tail = colon + 1;
		head = strndup(term->text, (size_t)(colon - term->text));
		if (!head)
			return -ENOMEM;
	}
	err = resolve_name(term, head, tail);
	if (err == -ENOENT)
		err = log_unknown(term, head, tail);
	free(head);
	return err;
}
