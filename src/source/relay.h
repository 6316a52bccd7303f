/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Records from the thread that reads a recording and puts it in order to the one that decodes and
 * prints: in batches, a few at most, so that neither waits for the other often and memory is
 * bounded.
 */
#ifndef BPFPERF_SOURCE_RELAY_H
#define BPFPERF_SOURCE_RELAY_H

#include "data/record.h"

struct relay;

/* NULL and errno ENOMEM. */
struct relay *relay__new(void);
/* Both threads are done with it. */
void relay__free(struct relay *r);

/* The reader's side. */

/* One more record, copied. 0, -ENOMEM, or -ECANCELED: nobody takes any more. */
int relay__put(struct relay *r, const struct record *rec);
/* Records that were put so far do not wait for more. 0, or -ECANCELED: nobody takes any more. */
int relay__flush(struct relay *r);
/* Returns when all that was put is done with: then what records are decoded by may change. */
void relay__drain(struct relay *r);
/* The last was put. */
void relay__end(struct relay *r);

/* The printer's side. */

/*
 * Hands all records to fn, until the end, or until fn returns other than 0, which is returned; then
 * nothing more is put.
 */
int relay__take_all(struct relay *r, record_fn fn, void *ctx);

#endif
