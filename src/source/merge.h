/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The queues of all rings as one stream in time order: a heap by first record. */
#ifndef BPFPERF_SOURCE_MERGE_H
#define BPFPERF_SOURCE_MERGE_H

#include "source/queue.h"

/* Puts the cnt queues (none empty) into heap order. */
void merge__heapify(struct queue **heap, size_t cnt);
/* heap[0] has lost its first record: restores the order, drops it if empty. Returns the new cnt. */
size_t merge__advance(struct queue **heap, size_t cnt);
/* Drops heap[0] with all its records. Returns the new cnt. */
size_t merge__drop(struct queue **heap, size_t cnt);

#endif
