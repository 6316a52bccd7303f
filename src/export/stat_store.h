/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The intervals of bpfperf stat for a store: a message for each, in which each event has grown by
 * the count of the interval. A metric of OTLP, or a row for each counter.
 */
#ifndef BPFPERF_EXPORT_STAT_STORE_H
#define BPFPERF_EXPORT_STAT_STORE_H

#include "export/series.h"

struct stat_printer;

/* Makes a series of STORE_COUNTS take the printer's rows. */
void stat_store__connect(struct series *s, struct stat_printer *p);

#endif
