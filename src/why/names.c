// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Values of the map of patterns, beside the number of the one thread that has it. */
#define SEVERAL (UINT32_MAX - 2)

const char *why_names__intern(struct why_timeline *tl, const char *text)
{
	return texts__get(&tl->stacks.texts,
			  texts__add_escaped(&tl->stacks.texts, text, strlen(text)));
}

/* "worker-3" → "worker-*"; NULL: the name has no number at its end. */
static const char *pattern_of(struct why_timeline *tl, const char *comm)
{
	size_t len = strlen(comm);
	char pattern[sizeof(tl->threads[0].comm) + 1];

	while (len && comm[len - 1] >= '0' && comm[len - 1] <= '9')
		len--;
	if (!comm[len])
		return NULL;
	snprintf(pattern, sizeof(pattern), "%.*s*", (int)len, comm);
	return why_names__intern(tl, pattern);
}

int why_names__find(struct why_timeline *tl)
{
	size_t i;

	for (i = 0; i < tl->thread_cnt; i++) {
		const char *pattern = pattern_of(tl, tl->threads[i].comm);
		uint32_t *slot;

		if (!pattern || !tl->threads[i].is_target)
			continue;
		slot = u64map__slot(&tl->patterns, (uintptr_t)pattern);
		if (!slot)
			return -ENOMEM;
		if (*slot == U64MAP_NONE)
			*slot = (uint32_t)i;
		else if (*slot != SEVERAL && strcmp(tl->threads[*slot].comm, tl->threads[i].comm))
			*slot = SEVERAL;
	}
	return 0;
}

static const char *name_of(struct why_timeline *tl, uint32_t thread)
{
	const char *comm = tl->threads[thread].comm, *pattern = pattern_of(tl, comm);

	if (pattern && u64map__get(&tl->patterns, (uintptr_t)pattern) == SEVERAL)
		return pattern;
	return why_names__intern(tl, comm);
}

const char *why_names__get(struct why_timeline *tl, uint32_t thread)
{
	if (thread == WHY_NONE)
		return tl->stacks.none;
	if (thread == WHY_SOME_THREAD)
		return why_names__intern(tl, WHY_SOME_NAME);
	if (!tl->threads[thread].name)
		tl->threads[thread].name = name_of(tl, thread);
	return tl->threads[thread].name;
}
