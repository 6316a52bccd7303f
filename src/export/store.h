/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A store that takes the profiles of intervals: by OTLP, by pprof (Pyroscope, Parca), or as rows
 * (ClickHouse). Messages go into the spool, from which bpfperf-send takes them.
 */
#ifndef BPFPERF_EXPORT_STORE_H
#define BPFPERF_EXPORT_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "export/sender.h"
#include "export/spool.h"
#include "util/strbuf.h"

struct interval;
struct out;
struct resource;
struct sink_ops;

/* The messages' content. */
enum store_data {
	STORE_PROFILES,
	STORE_COUNTS, /* of bpfperf stat */
	STORE_DURATIONS, /* histograms of bpfperf latency */
	STORE_SPANS, /* single durations */
};

struct store_config {
	const char *url; /* --to */
	enum store_data data;
	const char *spool_dir; /* NULL: the default */
	uint64_t spool_sz; /* bytes; 0: the default */
	const struct resource *resource;
	const char *host;
};

struct store {
	struct spool spool;
	struct sender sender;
	const char *what; /* is counted in messages: "samples" */
	bool is_rows; /* messages are rows in JSON, else of OTLP or pprof */
	struct strbuf url; /* without the kind */
	struct spool_msg msg; /* of the interval that is written */
	char path[4400]; /* of its file */
	struct spool_sum written;
	struct spool_sum dropped; /* the oldest, as the spool was full */
	struct spool_sum failed; /* they could not be written */
	uint64_t lost; /* records lost before they were in any message */
};

/* Limits of --spool-size, in bytes. */
#define STORE_SPOOL_MIN (1ull << 20)
#define STORE_SPOOL_DEFAULT (64ull << 20)

/* The format of the messages to a URL. NULL, logged: there is no such kind of store. */
const struct sink_ops *store__format(const char *url);
/* Whether it is the address of a store. */
bool store__is_url(const char *text);
/* Whether the store at this address takes the data; it is logged if not. */
bool store__takes(const char *url, enum store_data data);
/* Opens the spool, and starts bpfperf-send. 0, or -errno, logged. */
int store__open(struct store *s, const struct store_config *cfg);
void store__free(struct store *s);
/* For struct intervals_config: ctx is a struct store. */
int store__begin_interval(void *ctx, struct interval *iv, struct out *out);
int store__end_interval(void *ctx, const struct interval *iv, int err);
/* Sends the rest, and logs what became of all messages. */
void store__finish(struct store *s);

#endif
