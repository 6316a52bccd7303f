/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by the files of the sampler, sampler.c and sampler_open.c, and by why_run.c. */
#ifndef BPFPERF_RUN_SAMPLER_PRIV_H
#define BPFPERF_RUN_SAMPLER_PRIV_H

#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "export/exporter.h"
#include "perf/cpu_watch.h"
#include "run/callstacks.h"
#include "run/live_run.h"
#include "run/off_cpu.h"
#include "run/off_cpu_live.h"
#include "run/sampler_meta.h"
#include "run/top_keys.h"
#include "machine/machine.h"

struct sampler_config;
struct stack_session;

/* Everything one run owns. */
struct sampler {
	struct sampler_config *cfg;
	struct live_run run;
	uint32_t max_depth;
	struct stack_session *session;
	struct cpu_watch watch; /* of the CPUs that are sampled */
	struct machine_subscriber to_unwinder; /* subscriber of process events */
	struct off_cpu off_cpu;
	struct off_cpu_live off_live; /* with --top */
	int begin_err; /* of off_cpu__begin() */
	struct top_keys top;
	struct sampler_meta meta;
	struct exporter exporter; /* with export.every_ns */
};

#endif
