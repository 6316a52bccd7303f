// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sink/out.h"
#include "util/log.h"

extern const struct sink_ops text_sink, json_sink, tree_sink, folded_sink;

const struct sink_ops *const trace_sinks[] = { &text_sink, &json_sink, NULL };
const struct sink_ops *const stack_sinks[] = { &tree_sink, &folded_sink, NULL };

static bool ends_with(const char *s, const char *suffix)
{
	size_t len = strlen(s), n = strlen(suffix);

	return len >= n && strcmp(s + len - n, suffix) == 0;
}

static const struct sink_ops *by_suffix(const struct sink_ops *const *table, const char *path)
{
	for (; path && *table; table++)
		if ((*table)->suffix && ends_with(path, (*table)->suffix))
			return *table;
	return NULL;
}

const struct sink_ops *sink__choose(const struct sink_ops *const *table, const char *format,
				    const char *path, const struct sink_ops *fallback)
{
	const struct sink_ops *const *t, *ops;
	struct strbuf names = STRBUF_INIT;

	if (!format) {
		ops = by_suffix(table, path);
		return ops ? ops : fallback;
	}
	for (t = table; *t; t++)
		if (strcmp((*t)->name, format) == 0)
			return *t;
	for (t = table; *t; t++)
		strbuf__printf(&names, "%s%s", t == table ? "" : " ", (*t)->name);
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
	sink->cfg = *cfg;
	sink->priv = calloc(1, ops->priv_sz ? ops->priv_sz : 1);
	if (!sink->priv) {
		free(sink);
		return NULL;
	}
	return sink;
}

int sink__begin(struct sink *sink)
{
	return sink->ops->begin ? sink->ops->begin(sink) : 0;
}

int sink__sample(struct sink *sink, const struct sample *s)
{
	return sink->ops->sample(sink, s);
}

int sink__lost(struct sink *sink, const struct lost *l)
{
	return sink->ops->lost ? sink->ops->lost(sink, l) : 0;
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
