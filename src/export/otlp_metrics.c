// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/otlp_metrics.h"

#include <string.h>

#include "export/resource.h"
#include "util/protobuf.h"

enum { REQUEST_RESOURCE_METRICS = 1 };
enum { RESOURCE_RESOURCE = 1, RESOURCE_SCOPE_METRICS };
enum { RES_ATTRIBUTES = 1 };
enum { SCOPE_SCOPE = 1, SCOPE_METRICS };
enum { SCOPE_NAME = 1, SCOPE_VERSION };
enum { METRIC_NAME = 1, METRIC_UNIT = 3, METRIC_SUM = 7, METRIC_HISTOGRAM = 9 };
enum { DATA_POINTS = 1, DATA_TEMPORALITY, DATA_IS_MONOTONIC };
enum { TEMPORALITY_DELTA = 1 };
enum { POINT_BEGIN = 2, POINT_END };
enum { NUMBER_DOUBLE = 4, NUMBER_ATTRIBUTES = 7, NUMBER_FLAGS };
enum { HIST_COUNT = 4, HIST_SUM, HIST_COUNTS, HIST_BOUNDS, HIST_ATTRIBUTES = 9, HIST_FLAGS };
enum { FLAG_NO_VALUE = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE };
enum { VALUE_STRING = 1 };

static uint64_t bits_of(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

/* Puts an element of a packed field of fixed64 or double. */
static void put_element(struct strbuf *sb, uint64_t v)
{
	int i;

	for (i = 0; i < 64; i += 8)
		strbuf__putc(sb, (char)(v >> i));
}

static void put_key_value(struct otlp_metrics *m, struct strbuf *to, uint32_t field,
			  const char *key, const char *text)
{
	struct strbuf utf8 = STRBUF_INIT;

	if (!text || !*text)
		return;
	strbuf__put_utf8(&utf8, text, strlen(text));
	strbuf__reset(&m->sub);
	protobuf__put_bytes(&m->sub, VALUE_STRING, utf8.buf, utf8.len);
	strbuf__reset(&m->part);
	protobuf__put_bytes(&m->part, KEY_VALUE_KEY, key, strlen(key));
	protobuf__put_bytes(&m->part, KEY_VALUE_VALUE, m->sub.buf, m->sub.len);
	protobuf__put_bytes(to, field, m->part.buf, m->part.len);
	strbuf__free(&utf8);
}

void otlp_metrics__begin_point(struct otlp_metrics *m, enum otlp_data data, uint64_t begin_ns,
			       uint64_t end_ns)
{
	m->data = data;
	strbuf__reset(&m->point);
	protobuf__put_fixed64(&m->point, POINT_BEGIN, begin_ns);
	protobuf__put_fixed64(&m->point, POINT_END, end_ns);
}

void otlp_metrics__put_attr(struct otlp_metrics *m, const char *key, const char *text)
{
	put_key_value(m, &m->point, m->data == OTLP_SUM ? NUMBER_ATTRIBUTES : HIST_ATTRIBUTES, key,
		      text);
}

void otlp_metrics__put_double(struct otlp_metrics *m, double v)
{
	protobuf__put_fixed64(&m->point, NUMBER_DOUBLE, bits_of(v));
}

void otlp_metrics__put_no_value(struct otlp_metrics *m)
{
	protobuf__put_u64(&m->point, m->data == OTLP_SUM ? NUMBER_FLAGS : HIST_FLAGS,
			  FLAG_NO_VALUE);
}

void otlp_metrics__put_histogram(struct otlp_metrics *m, double sum, const uint64_t *counts,
				 const double *bounds, size_t cnt)
{
	uint64_t total = 0;
	size_t i;

	strbuf__reset(&m->part);
	strbuf__reset(&m->sub);
	for (i = 0; i <= cnt; i++) {
		put_element(&m->part, counts[i]);
		total += counts[i];
	}
	for (i = 0; i < cnt; i++)
		put_element(&m->sub, bits_of(bounds[i]));
	protobuf__put_fixed64(&m->point, HIST_COUNT, total);
	protobuf__put_fixed64(&m->point, HIST_SUM, bits_of(sum));
	protobuf__put_bytes(&m->point, HIST_COUNTS, m->part.buf, m->part.len);
	protobuf__put_bytes(&m->point, HIST_BOUNDS, m->sub.buf, m->sub.len);
}

void otlp_metrics__end_point(struct otlp_metrics *m)
{
	protobuf__put_bytes(&m->points, DATA_POINTS, m->point.buf, m->point.len);
}

void otlp_metrics__end_metric(struct otlp_metrics *m, const char *name, const char *unit)
{
	protobuf__put_u64(&m->points, DATA_TEMPORALITY, TEMPORALITY_DELTA);
	if (m->data == OTLP_SUM)
		protobuf__put_u64(&m->points, DATA_IS_MONOTONIC, 1);
	strbuf__reset(&m->part);
	protobuf__put_bytes(&m->part, METRIC_NAME, name, strlen(name));
	protobuf__put_bytes(&m->part, METRIC_UNIT, unit, strlen(unit));
	protobuf__put_bytes(&m->part, m->data == OTLP_SUM ? METRIC_SUM : METRIC_HISTOGRAM,
			    m->points.buf, m->points.len);
	protobuf__put_bytes(&m->metrics, SCOPE_METRICS, m->part.buf, m->part.len);
	strbuf__reset(&m->points);
}

void otlp_metrics__put_message(struct otlp_metrics *m, const char *host,
			       const struct resource *resource, struct strbuf *msg)
{
	const char *const *attr = resource->attrs;
	struct strbuf res = STRBUF_INIT, scope = STRBUF_INIT;

	strbuf__reset(&m->point);
	put_key_value(m, &m->point, RES_ATTRIBUTES, "host.name", host);
	for (; attr[0]; attr += 2)
		if (strcmp(attr[0], "host.name") != 0)
			put_key_value(m, &m->point, RES_ATTRIBUTES, attr[0], attr[1]);
	protobuf__put_bytes(&res, RESOURCE_RESOURCE, m->point.buf, m->point.len);
	strbuf__reset(&m->part);
	protobuf__put_bytes(&m->part, SCOPE_NAME, "bpfperf", strlen("bpfperf"));
	protobuf__put_bytes(&m->part, SCOPE_VERSION, BPFPERF_VERSION, strlen(BPFPERF_VERSION));
	protobuf__put_bytes(&scope, SCOPE_SCOPE, m->part.buf, m->part.len);
	strbuf__add(&scope, m->metrics.buf, m->metrics.len);
	protobuf__put_bytes(&res, RESOURCE_SCOPE_METRICS, scope.buf, scope.len);
	protobuf__put_bytes(msg, REQUEST_RESOURCE_METRICS, res.buf, res.len);
	strbuf__reset(&m->metrics);
	strbuf__free(&res);
	strbuf__free(&scope);
}

void otlp_metrics__free(struct otlp_metrics *m)
{
	strbuf__free(&m->metrics);
	strbuf__free(&m->points);
	strbuf__free(&m->point);
	strbuf__free(&m->part);
	strbuf__free(&m->sub);
	*m = (struct otlp_metrics){ 0 };
}
