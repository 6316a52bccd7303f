/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Combines the results of steps that are all executed, even if an earlier one fails. */
#ifndef BPFPERF_UTIL_ERR_H
#define BPFPERF_UTIL_ERR_H

/* The first of two results that is an error; 0: both succeeded. */
static inline int err__keep_first(int err, int next_err)
{
	return err ? err : next_err;
}

#endif
