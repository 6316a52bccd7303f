/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Rows of intervals that a command counts itself, and a store that takes them. */
#ifndef BPFPERF_EXPORT_SERIES_H
#define BPFPERF_EXPORT_SERIES_H

#include <limits.h>

#include "export/exporter.h"
#include "export/intervals.h"
#include "export/otlp_metrics.h"

struct series {
	struct store store;
	struct resource resource;
	struct otlp_metrics metrics; /* of OTLP: what `make` puts */
	struct strbuf msg; /* of ClickHouse: what `make` puts */
	struct strbuf head; /* the members that all rows of this message have */
	char host[HOST_NAME_MAX + 1];
};

/* A series that is not open has nothing to close. */
#define SERIES_INIT                                                                                \
	{                                                                                          \
		.store.spool.lock_fd = -1, .store.sender.fd = -1                                   \
	}

/* Checks the address of --to for this data: 0, or -EINVAL, logged. */
int series__check(const struct export_config *cfg, enum store_data data);
/* Opens the store. 0, or -errno, logged. */
int series__open(struct series *s, const struct export_config *cfg, enum store_data data);
/*
 * Sends the message that `make` puts into s->metrics, or, with s->store.is_rows, line by line
 * behind s->head into s->msg. Returns 0: an error is logged and counted.
 */
int series__send(struct series *s, struct interval *iv,
		 void (*make)(void *ctx, struct series *s, const struct interval *iv), void *ctx);
/* Sends what is left, logs what became of all, and frees. */
void series__close(struct series *s);

#endif
