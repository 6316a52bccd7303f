/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by unwinder.c and unwinder_configure.c. */
#ifndef BPFPERF_SESSION_UNWINDER_PRIV_H
#define BPFPERF_SESSION_UNWINDER_PRIV_H

/* The programs that follow processes for walks; loaded only with these. */
#define UNWIND_FOLLOWERS 2
extern const char *const unwind_followers[UNWIND_FOLLOWERS];

#endif
