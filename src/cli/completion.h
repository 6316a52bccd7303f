/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_CLI_COMPLETION_H
#define BPFPERF_CLI_COMPLETION_H

#include "cli/opt.h"

/*
 * Prints the completion script of `shell` ("bash") made from the option tables. Returns the exit
 * status.
 */
int completion__print(const struct command *const *commands, const char *shell);

#endif
