/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_CMD_VERSION_H
#define BPFPERF_CMD_VERSION_H

#include <stdbool.h>

/* Prints the version; with details also which of its parts are here. Returns an exit status. */
int version__print(bool details);

#endif
