// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "event/tracefs.h"
#include "util/log.h"

static int add_tracepoint(struct event_list *list, const char *name, bool from_glob)
{
	const char *colon = strchr(name, ':');
	char *sys = strndup(name, (size_t)(colon - name));
	struct event *ev = event__new(EVENT_TRACEPOINT, name);
	int err = 0;

	if (!sys || !ev) {
		err = -ENOMEM;
		goto cleanup;
	}
	ev->fmt = tp_format__read(sys, colon + 1);
	if (!ev->fmt) {
		err = -errno;
		goto cleanup;
	}
	ev->type = PERF_TYPE_TRACEPOINT;
	ev->config = ev->fmt->id;
	ev->from_glob = from_glob;
	ev->term = list->term_cnt;
	err = event_list__push(list, ev);
	ev = NULL;
cleanup:
	event__free(ev);
	free(sys);
	return err;
}

static int add_term(struct event_list *list, char *term)
{
	char *colon = strchr(term, ':'), **names = NULL;
	size_t cnt = 0, i;
	int err;

	if (!colon)
		goto unknown;
	err = tracefs__require();
	if (err)
		return err;
	*colon = '\0';
	err = tracefs__glob(term, colon + 1, &names, &cnt);
	*colon = ':';
	if (err)
		return err;
	for (i = 0; i < cnt && !err; i++)
		err = add_tracepoint(list, names[i], strpbrk(term, "*?[") != NULL);
	tracefs__free_names(names, cnt);
	if (cnt)
		return err;
unknown:
	log_error("no event is called '%s'; bpfperf list shows what there is", term);
	return -ENOENT;
}

int event_list__add(struct event_list *list, const char *spec)
{
	char *copy = strdup(spec), *term, *save = NULL;
	int err = 0;

	if (!copy)
		return -ENOMEM;
	for (term = strtok_r(copy, ",", &save); term && !err; term = strtok_r(NULL, ",", &save)) {
		err = add_term(list, term);
		list->term_cnt++;
	}
	free(copy);
	return err;
}
