/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What this machine allows, found out by trying: one finding per question,
 * each with its remedy where one is needed. Works for any user.
 */
#ifndef BPFPERF_KERNEL_CHECKUP_H
#define BPFPERF_KERNEL_CHECKUP_H

#include <stddef.h>

enum verdict {
	VERDICT_OK,
	VERDICT_LIMITED, /* bpfperf works, with less */
	VERDICT_MISSING, /* a command cannot run */
	VERDICT_UNKNOWN, /* this user cannot find out */
};

struct finding {
	const char *name; /* of the question: static, a word or two */
	enum verdict verdict;
	char detail[192]; /* what was found */
	char remedy[320]; /* what to do; empty where nothing is to be done */
};

/* As many as checkup__run() fills in at most. */
#define CHECKUP_MAX 24

/*
 * Asks all questions, which takes some milliseconds and attaches nothing that
 * costs anybody anything. The last two findings, "trace" and "stack", say
 * whether these commands can run. Returns how many there are.
 */
size_t checkup__run(struct finding findings[CHECKUP_MAX]);

/* "ok", "limited", "missing", "unknown" */
const char *verdict__name(enum verdict v);

struct pmu;
/*
 * How many events `cycles` fit into one group on the PMU: as many counters as
 * can count it. The kernel refuses the first that can never be counted with
 * the others, whatever else runs meanwhile. Nothing is counted. 0 or -errno:
 * not even one.
 */
int checkup__group_size(const struct pmu *pmu);

/* Below: for the files checkup*.c alone. */

void finding__set(struct finding *f, enum verdict v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void finding__remedy(struct finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Questions about perf events: checkup_perf.c. */
void checkup__sampling(struct finding *f);
void checkup__counters(struct finding *f);
void checkup__pmus(struct finding *f);
void checkup__paranoid(struct finding *f);
void checkup__watchdog(struct finding *f);
void checkup__user_reads(struct finding *f);

#endif
