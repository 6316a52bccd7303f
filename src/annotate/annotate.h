/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* A function's instructions and source, each with its share of the function's samples. */
#ifndef BPFPERF_ANNOTATE_ANNOTATE_H
#define BPFPERF_ANNOTATE_ANNOTATE_H

#include <stdbool.h>

#include "annotate/counts.h"
#include "annotate/source_text.h"
#include "util/strbuf.h"

struct sym;

struct annotate_config {
	struct sym *sym; /* with options.inlines and options.lines */
	bool by_samples; /* print numbers of samples, not percentages of the period */
	struct source_texts *sources;
};

/*
 * Appends one function in the layout of `perf annotate --stdio`; event is the event's name. 0, or
 * as code_rows__each(): its instructions cannot be shown, only its addresses.
 */
int annotate__put(const struct annotate_config *cfg, const struct annotated *f, const char *event,
		  struct strbuf *out);

#endif
