/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Checks what this machine allows, by trying: one finding per question, each with its remedy if one
 * is needed. Works for any user.
 */
#ifndef BPFPERF_KERNEL_CHECKUP_H
#define BPFPERF_KERNEL_CHECKUP_H

#include <stdbool.h>
#include <stddef.h>

enum verdict {
	VERDICT_OK,
	VERDICT_LIMITED, /* bpfperf works, with restrictions */
	VERDICT_MISSING, /* a command cannot run */
	VERDICT_UNKNOWN, /* this user cannot find out */
};

struct finding {
	const char *name; /* name of the question: static, a word or two */
	enum verdict verdict;
	bool is_command; /* not a question, but whether the command `name` can run */
	char detail[192]; /* the answer */
	char remedy[320]; /* empty: no action is needed */
};

/* Maximum number of findings of checkup__run(). */
#define CHECKUP_MAX 24

/*
 * Asks all questions, which takes a tenth of a second and attaches nothing that slows other
 * programs down. Two findings, "trace" and "stack", say whether these commands can run. Returns the
 * number of findings.
 */
size_t checkup__run(struct finding findings[CHECKUP_MAX]);

/* "ok", "limited", "missing", "unknown" */
const char *verdict__name(enum verdict v);

struct pmu;
/*
 * Returns how many `cycles` events fit into one group on the PMU: the number of counters that can
 * count them. The kernel refuses the first event that can never be counted with the others,
 * whatever else runs meanwhile. Nothing is counted. 0 or -errno: not even one fits.
 */
int checkup__group_size(const struct pmu *pmu);

#endif
