/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Changes of the kernel's code while it was traced: it is as it was at one time. */
#ifndef BPFPERF_TRACEDEC_POKES_H
#define BPFPERF_TRACEDEC_POKES_H

#include "tracedec/job.h"

/* Undoes all of them, once the code is mapped: the image may be of any time. */
void pokes__begin(struct job *j);
/* Makes the code that of this time. Returns whether any of it has changed. */
bool pokes__move(struct job *j, uint64_t time_ns);

#endif
