/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * One term of the command line while it is being resolved: what was typed,
 * where it stands (for the caret under it), and where its events go. Internal
 * to event/.
 */
#ifndef BPFPERF_EVENT_WANT_H
#define BPFPERF_EVENT_WANT_H

#include <stdbool.h>
#include <stddef.h>

#include "event/caret.h"
#include "event/event.h"

struct want {
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
int want__fault(const struct want *want, const char *mods);
/*
 * Applies modifiers and group to `ev` and hands it over to the list. 0, -ENOMEM, or -EINVAL
 * as spec__error(); ev is the list's or freed.
 */
int want__push(struct want *want, struct event *ev, bool from_glob);

/*
 * Resolves the term, whatever it is. As event_list__add(): everything but -ENOMEM was told.
 */
int resolve__term(struct want *want);
/*
 * The same for PMU/…/ terms only, and for a name that some PMU has in sysfs: -ENOENT,
 * untold, where none has.
 */
int pmu_event__resolve(struct want *want);
int pmu_event__resolve_alias(struct want *want, const char *alias);

#endif
