/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Passes records from the thread that reads and sorts a recording to the one that decodes and
 * prints: in a few batches, so that neither thread waits often for the other and memory is bounded.
 */
#ifndef BPFPERF_SOURCE_RELAY_H
#define BPFPERF_SOURCE_RELAY_H

#include "data/record.h"

struct relay;

/* NULL and errno ENOMEM. */
struct relay *relay__new(void);
/* Call it when both threads have finished. */
void relay__free(struct relay *r);

/* The reader's side. */

/* Adds a copy of a record. 0, -ENOMEM, or -ECANCELED: the printer has stopped. */
int relay__put(struct relay *r, const struct record *rec);
/*
 * Passes on the records put so far without waiting for more. 0, or -ECANCELED: the printer has
 * stopped.
 */
int relay__flush(struct relay *r);
/* Returns when all records put so far are processed: then the decoder's data may change. */
void relay__drain(struct relay *r);
/* Call after the last record. */
void relay__end(struct relay *r);

/* The printer's side. */

/*
 * Hands all records to fn, until the end or until fn returns other than 0, which is returned; then
 * no more records are accepted.
 */
int relay__take_all(struct relay *r, record_fn fn, void *ctx);

#endif
