/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* --pre and --post of stat: commands of the shell, before and after each run. */
#ifndef BPFPERF_RUN_HOOK_H
#define BPFPERF_RUN_HOOK_H

/*
 * Runs `command` by /bin/sh and waits for its end; stop signals end it. option is its name for
 * messages. NULL is no command. 0; -ECANCELED if it failed, or -errno (both logged).
 */
int hook__run(const char *option, const char *command);

#endif
