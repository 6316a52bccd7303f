/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The descriptors of a process that was forked for one thing. */
#ifndef BPFPERF_UTIL_ONLY_FD_H
#define BPFPERF_UTIL_ONLY_FD_H

/*
 * Makes fd descriptor 0, and closes all others: a reader of a pipe waits for all writers to close
 * it.
 */
void only_fd__keep(int fd);

#endif
