/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* How many files may be open: rings, events and the files that name what was sampled are many. */
#ifndef BPFPERF_SESSION_FILE_LIMIT_H
#define BPFPERF_SESSION_FILE_LIMIT_H

#include <stdbool.h>

/* Raises our limit as far as it goes; false: it does not go further. */
bool file_limit__raise(void);
/* For CMD: back to what it was. Between fork and exec, too. */
void file_limit__restore(void);

#endif
