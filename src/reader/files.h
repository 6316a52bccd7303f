/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Calls that read files: their owner, and for how long they may be read. */
#ifndef BPFPERF_READER_FILES_H
#define BPFPERF_READER_FILES_H

#include "reader/reader.h"

/*
 * reader__call() of an op that reads call->fds: sets call->owner and call->limit_ns by the files.
 * Files of root, of bpfperf's user and of the caller of sudo have a minute. Files of others have a
 * tenth of a second, and a second for each 32 MiB that they take on their disk, at most five. If
 * the reader fails, it is reported that call->missing of the first file is missing.
 */
int reader__call_files(struct reader_call *call, struct strbuf *answer, uint64_t *generation);
/* The time that reader__call_files() gives to files of this owner, in ns. */
uint64_t reader__time_of(uid_t owner, const int *fds, uint32_t cnt);
/*
 * The owner of files that are read together: the first that is not trusted, else root. Descriptors
 * of -1 are skipped.
 */
uid_t reader__owner_of(const int *fds, uint32_t cnt);
/*
 * Reports that what is read of this file is missing, if its reader failed (reader__call()): for
 * other errors, and after some reports, nothing.
 */
void reader__report(const char *missing, const char *path, int err);

#endif
