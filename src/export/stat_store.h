/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The intervals of bpfperf stat as metrics of OTLP (opentelemetry-proto, metrics.proto): a message
 * for each interval, in which each event is a sum that grew by the count of the interval.
 */
#ifndef BPFPERF_EXPORT_STAT_STORE_H
#define BPFPERF_EXPORT_STAT_STORE_H

#include "export/exporter.h"

struct stat_printer;
struct stat_table;

struct stat_store {
	struct store store;
	struct resource resource;
	struct strbuf msg, metric, point, sub; /* reused */
};

/* Checks the address of --to: 0, or -EINVAL, logged. */
int stat_store__check(const struct export_config *cfg);
/* Opens the store, and makes it take the printer's rows. 0, or -errno, logged. */
int stat_store__open(struct stat_store *s, const struct export_config *cfg, struct stat_printer *p);
/* Sends what is left, logs what became of all, and frees. */
void stat_store__close(struct stat_store *s);

#endif
