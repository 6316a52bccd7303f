/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The model of this machine, as far as files describe it. */
#ifndef BPFPERF_PLAN_HOST_H
#define BPFPERF_PLAN_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/plan.h"

enum host_kind {
	HOST_KNOWN, /* the model is in the tables */
	HOST_INTEL, /* the number of counters must be determined by trying */
	HOST_AMD, /* likewise; no fixed counters */
	HOST_ARM, /* likewise; one of them for cycles alone */
};

struct host {
	enum host_kind kind;
	char pmu[64]; /* its name in sysfs: "cpu", "armv8_pmuv3_0" */
	const struct model *model; /* HOST_KNOWN; else NULL */
	/* the CPU by CPUID or MIDR, even if its counters must be counted; NULL: not a model */
	const struct model *cpu;
};

/* Uses another /proc/cpuinfo, for tests; NULL: the real one. */
void host__set_cpuinfo(const char *path);

/* Reads the core PMU in sysfs and its model. 0; -ENODEV: this machine has none; or -errno. */
int host__find(struct host *host);

/*
 * Reads the rest of *machine from this machine: kernel, hyper-threading, TFA, watchdog, timer.
 * Members that cannot be read are unchanged.
 */
void host__describe(const struct host *host, struct plan_machine *machine);
/* The running kernel's version. */
uint32_t host__kernel(void);

#endif
