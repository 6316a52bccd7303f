/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One term of the command line while it is being resolved: its text, its position (for the caret
 * under it), and the destination of its events. Internal to event/.
 */
#ifndef BPFPERF_EVENT_EVENT_TERM_H
#define BPFPERF_EVENT_EVENT_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "event/spec_error.h"
#include "event/event.h"

struct event_term {
	struct event_list *list;
	const char *spec; /* the whole argument */
	size_t off; /* offset of the term in spec, in bytes */
	char *text; /* copy of the term: "cycles:u" */
	const char *mods; /* its own modifiers, a part of text; "" until they are parsed */
	const char *group_mods; /* modifiers after its group's '}', or "" */
	/* a tracepoint's terms, between slashes: a part of text (event_options.h) */
	size_t options_off, options_len;
	int group;
	size_t group_start; /* list->cnt at the start of the group: index of its leader */
};

/* Checks `mods`, a part of term->text: 0, or -EINVAL from spec__error(). */
int event_term__fault(const struct event_term *term, const char *mods);
/* The term has a '/' at `slash`, a part of term->text, and none that closes it: -EINVAL. */
int event_term__unclosed(const struct event_term *term, const char *slash);
/*
 * Applies modifiers and group to `ev` and passes it to the list. 0, -ENOMEM, or -EINVAL from
 * spec__error(); in each case the caller no longer owns ev.
 */
int event_term__push(struct event_term *term, struct event *ev, bool from_glob);

/* Resolves a term of any kind. Like event_list__add(): all errors but -ENOMEM were printed. */
int resolve__term(struct event_term *term);
/*
 * Resolve PMU/…/ terms only, and a name that some PMU has in sysfs: -ENOENT without a message if no
 * PMU has it.
 */
int pmu_event__resolve(struct event_term *term);
int pmu_event__resolve_alias(struct event_term *term, const char *alias);

#endif
