// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/detach_lock.h"
#include "event/modifiers.h"
#include "event/names.h"
#include "event/event_suggest.h"
#include "event/pfm.h"
#include "event/tracefs.h"
#include "event/event_term.h"
#include "util/log.h"

#define GLOB_CHARS "*?["

/*
 * Takes the detach lock first, since each detachment of the machine would delay a read. NULL and
 * errno.
 */
static struct tp_format *read_format(const char *sys, const char *name)
{
	detach_lock__hold();
	return tp_format__read(sys, name);
}

/* -EBADMSG where its format file is none; what event_term__push() returns was told. */
static int push_tracepoint(struct event_term *want, const char *sys, const char *name,
			   bool from_glob)
{
	struct tp_format *fmt = read_format(sys, name);
	struct event *ev;
	char *full;

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
	return event_term__push(want, ev, from_glob);
}

/* Every tracepoint of the two globs; -ENOENT where there is none. */
static int push_glob(struct event_term *want, const char *sys_glob, const char *name_glob)
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
		err = push_tracepoint(want, names[i], colon + 1, true);
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

/* `text` as SYS:NAME. -ENOENT, untold, where it is none. */
static int try_tracepoint(struct event_term *want, const char *text)
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
		err = push_glob(want, sys, colon + 1);
	else if (!*sys || !colon[1] || !strcmp(sys, "ftrace"))
		err = -ENOENT;
	else
		err = push_tracepoint(want, sys, colon + 1, false);
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

/* `text` as one of perf's own names. -ENOENT, untold, where it is none. */
static int try_name(struct event_term *want, const char *text)
{
	enum event_kind kind;
	uint64_t config;
	uint32_t type;
	struct event *ev;

	if (event_names__lookup(text, &kind, &type, &config))
		return -ENOENT;
	ev = event__new(kind, want->text);
	if (!ev)
		return -ENOMEM;
	ev->type = type;
	ev->config = config;
	return event_term__push(want, ev, false);
}

static int try_pfm(struct event_term *want, const char *text)
{
	struct event *ev = event__new(EVENT_RAW, want->text);
	int err;

	if (!ev)
		return -ENOMEM;
	err = pfm__encode(text, ev);
	if (!err)
		return event_term__push(want, ev, false);
	event__free(ev);
	return err;
}

typedef int (*try_fn)(struct event_term *want, const char *text);

/* The kinds of names, in the order in which they are tried. */
static const try_fn tries[] = { try_name, try_tracepoint, pmu_event__resolve_alias, try_pfm };

/*
 * "cycles:u" and "sched:sched_switch" look alike: a colon may begin the name's second half
 * or the modifiers. Each kind of event is asked for what stands before the last colon,
 * then for the whole.
 */
static int resolve_name(struct event_term *want, const char *head, const char *tail)
{
	int err = -ENOENT;
	size_t i;

	for (i = 0; i < sizeof(tries) / sizeof(tries[0]) && err == -ENOENT; i++) {
		if (tail && modifiers__are_letters(tail)) {
			want->mods = tail;
			err = tries[i](want, head);
		}
		want->mods = "";
		if (err == -ENOENT)
			err = tries[i](want, want->text);
	}
	return err;
}

/* Would `text` be an event if nothing stood behind it? */
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

/* Nothing is called like that: why? */
static int tell_unknown(const struct event_term *want, const char *head, const char *tail)
{
	bool has_mods = tail && modifiers__are_letters(tail);
	const char *name = has_mods ? head : want->text;
	int err = 0;

	if (tail && !has_mods && is_event(head))
		return event_term__fault(want, tail);
	/* Without tracefs it is unknown whether there is such a tracepoint. */
	if (strchr(name, ':') && !strstr(name, "::"))
		err = tracefs__require();
	return err ? err : event_suggest__report(name);
}

int resolve__term(struct event_term *want)
{
	const char *tail = NULL;
	char *head = NULL, *colon;
	int err;

	if (strchr(want->text, '/'))
		return pmu_event__resolve(want);
	colon = strrchr(want->text, ':');
	if (colon) {
		tail = colon + 1;
		head = strndup(want->text, (size_t)(colon - want->text));
		if (!head)
			return -ENOMEM;
	}
	err = resolve_name(want, head, tail);
	if (err == -ENOENT)
		err = tell_unknown(want, head, tail);
	free(head);
	return err;
}
