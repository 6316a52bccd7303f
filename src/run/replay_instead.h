/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Options of perf report that bpfperf does not have, and where the same is found. */
#ifndef BPFPERF_RUN_REPLAY_INSTEAD_H
#define BPFPERF_RUN_REPLAY_INSTEAD_H

#include <stdbool.h>
#include <stddef.h>

/* For struct command.explain. */
bool replay_instead__of_report(const char *name, size_t len);

#endif
