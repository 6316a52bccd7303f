/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_CMD_COMMANDS_H
#define BPFPERF_CMD_COMMANDS_H

#include "cli/opt.h"

/* The commands, in the order of --help. cmd_NAME is defined in cmd/NAME.c. */
extern const struct command cmd_list, cmd_trace, cmd_stack, cmd_stat, cmd_explain, cmd_doctor,
	cmd_script, cmd_record, cmd_report, cmd_strace, cmd_latency, cmd_why;

#endif
