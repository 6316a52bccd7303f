/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The loop of a reader. */
#ifndef BPFPERF_READER_WORKER_H
#define BPFPERF_READER_WORKER_H

/* Answers the requests that come by the socket, until it is closed. */
void worker__serve(int sock);

#endif
