// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/listing_match.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

/* Words that select a whole kind of events. */
static const struct {
	const char *word, *kind;
} kind_words[] = {
	{ "tracepoint", "tracepoint" },
	{ "tracepoints", "tracepoint" },
	{ "hardware", "hardware" },
	{ "hw", "hardware" },
	{ "software", "software" },
	{ "sw", "software" },
	{ "cache", "cache" },
	{ "hwcache", "cache" },
	{ "raw", "raw" },
	{ "pmu", "pmu" },
	{ "tool", "tool" },
	{ "breakpoint", "breakpoint" },
	{ "metric", "metric" },
	{ "metrics", "metric" },
	{ "metricgroup", "metricgroup" },
	{ "metricgroups", "metricgroup" },
};

const char *listing_match__kind(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(kind_words) / sizeof(kind_words[0]); i++)
		if (!strcmp(kind_words[i].word, word))
			return kind_words[i].kind;
	return NULL;
}

bool listing_match__name(const char *glob, const char *name, const char *kind)
{
	const char *word = listing_match__kind(glob);

	if (word)
		return !strcmp(word, kind);
	if (strpbrk(glob, "*?["))
		return !fnmatch(glob, name, 0);
	return strcasestr(name, glob) != NULL;
}
