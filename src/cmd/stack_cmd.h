/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* What the files of bpfperf stack share: stack.c, stack_open.c. */
#ifndef BPFPERF_CMD_STACK_CMD_H
#define BPFPERF_CMD_STACK_CMD_H

#include <stdint.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "run/callstacks.h"
#include "run/live_run.h"
#include "run/off_cpu.h"
#include "cmd/stack_meta.h"
#include "run/top_keys.h"
#include "machine/throttle.h"

struct stack_opts;
struct stack_session;

/* Everything one run owns. */
struct stack {
	struct stack_opts *opts;
	struct live_run run;
	uint32_t max_depth;
	struct stack_session *session;
	uint64_t lost_tasks; /* process records that were lost */
	struct throttle throttle;
	struct off_cpu off_cpu;
	struct top_keys top;
	struct stack_meta meta;
};

#endif
