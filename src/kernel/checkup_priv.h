/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by checkup.c and checkup_perf.c. */
#ifndef BPFPERF_KERNEL_CHECKUP_PRIV_H
#define BPFPERF_KERNEL_CHECKUP_PRIV_H

#include "kernel/checkup.h"

/* Sets the verdict and the detail, a format of printf(3). */
void finding__set(struct finding *f, enum verdict v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void finding__remedy(struct finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Questions about perf events: checkup_perf.c. Each fills in a zeroed finding. */
void checkup__sampling(struct finding *f);
void checkup__counters(struct finding *f);
void checkup__pmus(struct finding *f);
void checkup__paranoid(struct finding *f);
void checkup__watchdog(struct finding *f);
void checkup__user_reads(struct finding *f);

#endif
