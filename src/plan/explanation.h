/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The explanation of a plan, and its formats. */
#ifndef BPFPERF_PLAN_EXPLANATION_H
#define BPFPERF_PLAN_EXPLANATION_H

#include "plan/plan.h"
#include "plan/regroup.h"
#include "plan/simulate.h"
#include "util/strbuf.h"

#define EXPLAIN_NOTES_MAX 12

struct explanation {
	struct plan plan;
	struct sim sim;
	struct regroup regroup;
	const char *notes[EXPLAIN_NOTES_MAX];
	size_t note_cnt;
	unsigned int sibling_busy; /* percent: how long the other thread counts its events */
};

/* Puts the whole text, with the timeline as a picture. */
void explain_text__put(const struct explanation *ex, struct strbuf *out);
/* Puts one JSON object and a newline. */
void explain_json__put(const struct explanation *ex, struct strbuf *out);
/*
 * Puts the events of one run in the syntax of -e: groups in braces unless the regrouping split
 * them, with the modifiers of the brace.
 */
void explain__put_run(const struct explanation *ex, size_t run, struct strbuf *out);
/* Puts "6.18", "4.1-rc3", "2.6.32" */
void explain__put_kernel(uint32_t kernel, struct strbuf *out);

#endif
