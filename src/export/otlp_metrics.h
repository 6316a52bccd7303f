/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Messages of OTLP with metrics (opentelemetry-proto, metrics.proto): points make a metric, and
 * metrics a message. All have delta temporality: a point is the growth in its interval.
 */
#ifndef BPFPERF_EXPORT_OTLP_METRICS_H
#define BPFPERF_EXPORT_OTLP_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

struct resource;

enum otlp_data { OTLP_SUM, OTLP_HISTOGRAM };

/* A zeroed struct is empty. */
struct otlp_metrics {
	enum otlp_data data; /* of the metric that is written */
	struct strbuf metrics; /* those that are complete */
	struct strbuf points; /* of this metric */
	struct strbuf point, part, sub;
};

/* Begins a metric, or the next point of it: of these times, ns since 1970. */
void otlp_metrics__begin_point(struct otlp_metrics *m, enum otlp_data data, uint64_t begin_ns,
			       uint64_t end_ns);
/* Puts an attribute of the point; text NULL or "": none. */
void otlp_metrics__put_attr(struct otlp_metrics *m, const char *key, const char *text);
/* The value of a sum. */
void otlp_metrics__put_double(struct otlp_metrics *m, double v);
/* There was nothing to count. */
void otlp_metrics__put_no_value(struct otlp_metrics *m);
/*
 * The value of a histogram: cnt + 1 counts, of which each has the values up to its bound, that
 * included, and the last one those above all bounds.
 */
void otlp_metrics__put_histogram(struct otlp_metrics *m, double sum, const uint64_t *counts,
				 const double *bounds, size_t cnt);
void otlp_metrics__end_point(struct otlp_metrics *m);
/* Ends the metric; unit by UCUM. */
void otlp_metrics__end_metric(struct otlp_metrics *m, const char *name, const char *unit);
/* Appends the message of all metrics, and begins the next one. */
void otlp_metrics__put_message(struct otlp_metrics *m, const char *host,
			       const struct resource *resource, struct strbuf *msg);
void otlp_metrics__free(struct otlp_metrics *m);

#endif
