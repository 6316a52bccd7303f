/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* `report --annotate`: the instructions of functions, with the samples of a recording. */
#ifndef BPFPERF_RUN_REPLAY_ANNOTATE_H
#define BPFPERF_RUN_REPLAY_ANNOTATE_H

#include <stdbool.h>

#include "annotate/counts.h"
#include "run/replay.h"
#include "sink/out.h"
#include "util/strbuf.h"

struct replay_annotate {
	const char *symbol; /* or ANNOTATE_ALL */
	bool by_samples; /* numbers of samples, not percentages of the period */
};

/* Samples by their addresses. */
struct annotating {
	struct replay *replay;
	struct addr_counts counts;
};

/* Loads the disassembler: before replay__init(). */
void replay_annotate__prepare(void);
/*
 * Reads an opened recording, and prints each function of this name, for each event. cfg selects
 * the samples; cfg->sym has inlines and lines. 0, -ENOENT (logged): no sample is in such a
 * function; or as replay__read().
 */
int replay_annotate__run(struct replay *r, const struct replay_config *cfg,
			 const struct replay_annotate *what, struct out *out);

/* Counts a sample, for a page. 0 or -ENOMEM. */
int annotating__sample(struct annotating *a, const struct sample *s);
/*
 * Puts the functions of this name as JSON (annotate/page.h), as many as a page has room for, which
 * is logged. 0, -ENOMEM, or -ENOENT (logged): no sample is in such a function.
 */
int annotating__put_page(struct annotating *a, const char *symbol, const char *symfs,
			 struct strbuf *json);
void annotating__free(struct annotating *a);

#endif
