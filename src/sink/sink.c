// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "event/event.h"
#include "sink/formats.h"
#include "sink/out.h"
#include "util/log.h"
#include "util/path.h"

#define DECLARE(name, ops, remark) extern const struct sink_ops ops;
TRACE_FORMATS(DECLARE, DECLARE)
SCRIPT_FORMATS(DECLARE, DECLARE)
AGG_FORMATS(DECLARE, DECLARE)
STACK_FORMATS(DECLARE, DECLARE)

#define POINT_TO(name, ops, remark) &ops,
const struct sink_ops *const trace_sinks[] = { TRACE_FORMATS(POINT_TO, POINT_TO) NULL };
const struct sink_ops *const script_sinks[] = { SCRIPT_FORMATS(POINT_TO, POINT_TO) NULL };
const struct sink_ops *const agg_sinks[] = { AGG_FORMATS(POINT_TO, POINT_TO) NULL };
const struct sink_ops *const stack_sinks[] = { STACK_FORMATS(POINT_TO, POINT_TO) NULL };
const struct sink_ops *const report_sinks[] = { PROFILE_FORMATS(POINT_TO, POINT_TO) NULL };

/* Returns the length of the suffix in the list that path ends with, or 0. */
static size_t matches(const char *path, const char *suffixes)
{
	size_t len = strlen(path), n;

	for (; suffixes && *suffixes; suffixes += n + (suffixes[n] == ' ')) {
		n = strcspn(suffixes, " ");
		if (len > n && memcmp(path + len - n, suffixes, n) == 0)
			return n;
	}
	return 0;
}

/* The longest suffix decides: .perfetto.json is not .json. */
static const struct sink_ops *by_suffix(const struct sink_ops *const *table, const char *path)
{
	const struct sink_ops *best = NULL;
	size_t n, best_len = 0;

	for (; *table; table++) {
		n = matches(path, (*table)->suffix);
		if (n > best_len) {
			best = *table;
			best_len = n;
		}
	}
	return best;
}

const char *sink__suffix(const char *path)
{
	const char *name = path__base(path);
	const char *dot = strrchr(name, '.');

	if (!dot || dot == name || !dot[1] || strlen(dot) > 9 ||
	    strspn(dot + 1, "0123456789") == strlen(dot + 1))
		return NULL;
	return dot;
}

/* Lists the names or suffixes of a table, for messages. */
static void list(const struct sink_ops *const *table, bool endings, struct strbuf *sb)
{
	for (; *table; table++) {
		const char *word = endings ? (*table)->suffix : (*table)->name;

		if (word)
			strbuf__printf(sb, "%s%s", sb->len ? " " : "", word);
	}
}

static const struct sink_ops *by_path(const struct sink_ops *const *table, const char *path,
				      const struct sink_ops *fallback)
{
	const struct sink_ops *ops = by_suffix(table, path);
	struct strbuf endings = STRBUF_INIT, names = STRBUF_INIT;
	struct stat st;

	if (ops || !sink__suffix(path))
		return ops ? ops : fallback;
	/* The suffix of a device or a pipe is not checked. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return fallback;
	list(table, true, &endings);
	list(table, false, &names);
	log_error("-o %s: no format has the suffix %s (%s do); give another, or --format with one "
		  "of: %s",
		  path, sink__suffix(path), strbuf__cstr(&endings), strbuf__cstr(&names));
	strbuf__free(&endings);
	strbuf__free(&names);
	return NULL;
}

int sink__open_out(const struct sink_ops *ops, struct out *out, const char *path)
{
	if (!ops->opens_file || !path || !strcmp(path, "-"))
		return out__open(out, path);
	out__name(out, path);
	return 0;
}

const struct sink_ops *sink__choose(const struct sink_ops *const *table, const char *format,
				    const char *path, const struct sink_ops *fallback)
{
	const struct sink_ops *const *t;
	struct strbuf names = STRBUF_INIT;

	if (path && !*path) {
		log_error("-o: the name of the file is empty; give one, or - for stdout");
		return NULL;
	}
	if (!format)
		return path ? by_path(table, path, fallback) : fallback;
	for (t = table; *t; t++)
		if (strcmp((*t)->name, format) == 0)
			return *t;
	list(table, false, &names);
	log_error("--format %s: there is no such format; choose from: %s", format,
		  strbuf__cstr(&names));
	strbuf__free(&names);
	return NULL;
}

struct sink *sink__new(const struct sink_ops *ops, struct out *out, const struct sink_config *cfg)
{
	struct sink *sink = calloc(1, sizeof(*sink));

	if (!sink)
		return NULL;
	sink->ops = ops;
	sink->out = out;
	sink->needs = SAMPLE_KEEP | ops->needs;
	sink->wants_tasks = ops->task != NULL;
	sink->cfg = *cfg;
	sink->priv = calloc(1, ops->priv_sz ? ops->priv_sz : 1);
	if (!sink->priv) {
		free(sink);
		return NULL;
	}
	return sink;
}

const void *sink__extra(const struct sink *sink, const char *kind)
{
	const struct sink_extra *extra = sink->cfg.extras;

	while (extra && strcmp(extra->kind, kind) != 0)
		extra = extra->next;
	return extra;
}

int sink__begin(struct sink *sink)
{
	return sink->ops->begin ? sink->ops->begin(sink) : 0;
}

int sink__start(struct sink *sink)
{
	return sink->ops->start ? sink->ops->start(sink) : 0;
}

int sink__task(struct sink *sink, const struct proc_event *ev, const struct record *rec)
{
	return sink->wants_tasks ? sink->ops->task(sink, ev, rec) : 0;
}

int sink__flush(struct sink *sink)
{
	return sink->ops->flush ? sink->ops->flush(sink) : 0;
}

int sink__sample(struct sink *sink, const struct sample *s)
{
	return sink->ops->sample(sink, s);
}

int sink__lost(struct sink *sink, const struct lost *l)
{
	const struct event_list *events = sink->cfg.events;
	struct lost named = *l;

	/* A ring has the records of all events: its losses are of one where there is only one. */
	if (!named.event && events && events->cnt == 1)
		named.event = events->events[0];
	return sink->ops->lost ? sink->ops->lost(sink, &named) : 0;
}

int sink__load(struct sink *sink, const char *path)
{
	return sink->ops->load(sink, path);
}

int sink__row(struct sink *sink, const struct counter_row *row)
{
	return sink->ops->row ? sink->ops->row(sink, row) : 0;
}

int sink__dump(struct sink *sink, const struct dump *d)
{
	return sink->ops->dump ? sink->ops->dump(sink, d) : 0;
}

int sink__end(struct sink *sink)
{
	return sink->ops->end ? sink->ops->end(sink) : 0;
}

void sink__free(struct sink *sink)
{
	if (!sink)
		return;
	if (sink->ops->free)
		sink->ops->free(sink);
	free(sink->priv);
	free(sink);
}
