/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Intervals go to a store, or to files. */
#ifndef BPFPERF_EXPORT_EXPORTER_H
#define BPFPERF_EXPORT_EXPORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "export/files.h"
#include "export/metrics.h"
#include "export/resource.h"
#include "export/store.h"

struct sink;
struct sink_config;
struct sink_ops;

/* The place at which the addresses in a store get their names. */
enum export_symbols { EXPORT_SYMBOLS_LOCAL, EXPORT_SYMBOLS_NONE };
/* By enum export_symbols; NULL-terminated. */
extern const char *const export_symbols_names[];

struct export_config {
	uint64_t every_ns; /* 0: no intervals */
	const char *url; /* NULL: files */
	const char *spool_dir; /* NULL: the default */
	uint64_t spool_mib; /* 0: the default */
	enum export_symbols symbols;
	const char *metrics; /* address of --metrics; NULL: none */
};

struct exporter {
	bool to_store;
	struct store store;
	struct files files;
	struct resource resource;
	struct metrics metrics; /* fd -1: none */
	const struct sink *intervals; /* not owned */
};

/* The time of an interval that is not given. */
#define EXPORT_EVERY_DEFAULT 10000000000ull
/* The shortest one. */
#define EXPORT_EVERY_MIN 100000000ull

/*
 * Checks the options and completes them. output: that of -o, or NULL. *ops is that of a store, or
 * as given. 0, or -EINVAL, logged.
 */
int exporter__check(struct export_config *cfg, const char *output, const struct sink_ops **ops);
/*
 * Opens the store, and makes the sink of intervals; ops, pattern, and what sink_cfg points to
 * outlive both. 0, or -errno, logged.
 */
int exporter__open(struct exporter *e, const struct export_config *cfg, const struct sink_ops *ops,
		   const char *pattern, uint64_t duration_ns, const struct sink_config *sink_cfg,
		   struct sink **sink);
/* An exporter that is not open has nothing to free. */
#define EXPORTER_INIT                                                                              \
	{                                                                                          \
		.store.sender.fd = -1, .metrics.fd = -1                                            \
	}
/* Readable when messages were sent or not; -1: never. Its callback takes the exporter. */
int exporter__fd(const struct exporter *e);
int exporter__on_report(void *ctx);
/* Sends what is left, and logs what became of all. */
void exporter__finish(struct exporter *e);
void exporter__free(struct exporter *e);

#endif
