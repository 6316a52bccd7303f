// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/script_sources.h"

#include <stdlib.h>

#include "annotate/source_text.h"
#include "sink/script_source.h"
#include "util/log.h"

struct script_sources {
	struct script_texts texts;
	struct source_texts files;
};

static const char *get_line(struct script_texts *texts, const char *path, uint32_t line,
			    size_t *len)
{
	struct script_sources *src = (struct script_sources *)texts;

	/* A recording of many programs has more sources than are kept. */
	if (source_texts__is_full(&src->files))
		source_texts__free(&src->files);
	return source_texts__line(&src->files, path, line, len);
}

struct script_texts *script_sources__new(const char *symfs)
{
	struct script_sources *src = calloc(1, sizeof(*src));

	if (!src) {
		log_error("no memory to read sources");
		return NULL;
	}
	src->texts.line = get_line;
	src->files.dir = symfs;
	return &src->texts;
}

void script_sources__free(struct script_texts *texts)
{
	struct script_sources *src = (struct script_sources *)texts;

	if (!src)
		return;
	source_texts__free(&src->files);
	free(src);
}
