/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One term of the command line while it is being resolved: what was typed,
 * where it stands (for the caret under it), and where its events go. Internal
 * to event/.
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
	size_t off; /* bytes from spec to the term */
	char *text; /* the term, copied: "cycles:u" */
	const char *mods; /* its own modifiers, a part of text; "" until they are known */
	const char *group_mods; /* those behind its group's '}', or "" */
	int group;
	size_t group_start; /* list->cnt when the group began: there its leader is */
};

/* Checks `mods`, a part of want->text: 0, or -EINVAL as spec__error(). */
int event_term__fault(const struct event_term *want, const char *mods);
/*
 * Applies modifiers and group to `ev` and hands it over to the list. 0, -ENOMEM, or -EINVAL
 * as spec__error(); ev is the list's or freed.
 */
int event_term__push(struct event_term *want, struct event *ev, bool from_glob);

/*
 * Resolves the term, whatever it is. As event_list__add(): everything but -ENOMEM was told.
 */
int resolve__term(struct event_term *want);
/*
 * Resolve PMU/…/ terms only, and a name that some PMU has in sysfs: -ENOENT without a
 * message where no PMU has it.
 */
int pmu_event__resolve(struct event_term *want);
int pmu_event__resolve_alias(struct event_term *want, const char *alias);

#endif
