/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* `report --annotate`: the instructions of a function, with the samples of a recording. */
#ifndef BPFPERF_RUN_REPLAY_ANNOTATE_H
#define BPFPERF_RUN_REPLAY_ANNOTATE_H

#include <stdbool.h>

#include "run/replay.h"
#include "sink/out.h"

struct replay_annotate {
	const char *symbol;
	bool by_samples; /* numbers of samples, not percentages of the period */
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

#endif
