// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/stat_store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "event/event.h"
#include "export/intervals.h"
#include "sink/out.h"
#include "sink/stat_printer.h"
#include "stat/table.h"
#include "util/gzip.h"
#include "util/log.h"
#include "util/protobuf.h"

enum { REQUEST_RESOURCE_METRICS = 1 };
enum { RESOURCE_RESOURCE = 1, RESOURCE_SCOPE_METRICS };
enum { RES_ATTRIBUTES = 1 };
enum { SCOPE_SCOPE = 1, SCOPE_METRICS };
enum { SCOPE_NAME = 1, SCOPE_VERSION };
enum { METRIC_NAME = 1, METRIC_DESCRIPTION, METRIC_UNIT, METRIC_SUM = 7 };
enum { SUM_POINTS = 1, SUM_TEMPORALITY, SUM_IS_MONOTONIC };
enum { POINT_BEGIN = 2, POINT_END, POINT_DOUBLE, POINT_ATTRIBUTES = 7, POINT_FLAGS };
enum { TEMPORALITY_DELTA = 1 };
/* The event was not counted in the interval. */
enum { FLAG_NO_VALUE = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE };
enum { VALUE_STRING = 1 };

static void put_attr(struct stat_store *s, struct strbuf *to, uint32_t field, const char *key,
		     const char *text)
{
	struct strbuf value = STRBUF_INIT, utf8 = STRBUF_INIT;

	if (!text || !*text)
		return;
	strbuf__put_utf8(&utf8, text, strlen(text));
	protobuf__put_bytes(&value, VALUE_STRING, utf8.buf, utf8.len);
	strbuf__reset(&s->sub);
	protobuf__put_bytes(&s->sub, KEY_VALUE_KEY, key, strlen(key));
	protobuf__put_bytes(&s->sub, KEY_VALUE_VALUE, value.buf, value.len);
	protobuf__put_bytes(to, field, s->sub.buf, s->sub.len);
	strbuf__free(&value);
	strbuf__free(&utf8);
}

static void put_point(struct stat_store *s, const struct stat_row *row, const struct interval *iv)
{
	char cpu[16] = "";
	uint64_t bits;

	strbuf__reset(&s->point);
	protobuf__put_fixed64(&s->point, POINT_BEGIN, iv->begin_real_ns);
	protobuf__put_fixed64(&s->point, POINT_END, iv->end_real_ns);
	if (row->state == STAT_COUNTED) {
		memcpy(&bits, &row->value, sizeof(bits));
		protobuf__put_fixed64(&s->point, POINT_DOUBLE, bits);
	}
	if (row->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "%d", row->cpu);
	put_attr(s, &s->point, POINT_ATTRIBUTES, "cpu.logical_number", cpu);
	put_attr(s, &s->point, POINT_ATTRIBUTES, "thread.name", row->thread);
	put_attr(s, &s->point, POINT_ATTRIBUTES, "bpfperf.place", row->place);
	/* The reason, as in the text of bpfperf stat. */
	put_attr(s, &s->point, POINT_ATTRIBUTES, "bpfperf.why", row->why);
	if (row->state != STAT_COUNTED)
		protobuf__put_u64(&s->point, POINT_FLAGS, FLAG_NO_VALUE);
}

/* UCUM's name of a unit of stat. */
static const char *unit_of(const struct stat_row *row)
{
	if (!row->unit || !*row->unit)
		return "{event}";
	return !strcmp(row->unit, "msec") ? "ms" : !strcmp(row->unit, "Joules") ? "J" : row->unit;
}

/* Puts the metric of an event: the rows of its name. */
static void put_metric(struct stat_store *s, const struct stat_table *t, size_t first,
		       const struct interval *iv)
{
	const char *name = t->rows[first].name, *unit = unit_of(&t->rows[first]);
	struct strbuf sum = STRBUF_INIT;
	size_t i;

	for (i = first; i < t->cnt; i++) {
		if (strcmp(t->rows[i].name, name) != 0)
			continue;
		put_point(s, &t->rows[i], iv);
		protobuf__put_bytes(&sum, SUM_POINTS, s->point.buf, s->point.len);
	}
	protobuf__put_u64(&sum, SUM_TEMPORALITY, TEMPORALITY_DELTA);
	protobuf__put_u64(&sum, SUM_IS_MONOTONIC, 1);
	protobuf__put_bytes(&s->metric, METRIC_NAME, name, strlen(name));
	protobuf__put_bytes(&s->metric, METRIC_UNIT, unit, strlen(unit));
	protobuf__put_bytes(&s->metric, METRIC_SUM, sum.buf, sum.len);
	strbuf__free(&sum);
}

static bool is_first(const struct stat_table *t, size_t idx)
{
	size_t i;

	for (i = 0; i < idx; i++)
		if (!strcmp(t->rows[i].name, t->rows[idx].name))
			return false;
	return true;
}

static void make_message(struct stat_store *s, const struct stat_table *t,
			 const struct interval *iv)
{
	struct strbuf res = STRBUF_INIT, scope = STRBUF_INIT, part = STRBUF_INIT;
	char host[HOST_NAME_MAX + 1] = "";
	size_t i;

	gethostname(host, sizeof(host) - 1);
	put_attr(s, &part, RES_ATTRIBUTES, "host.name", host);
	for (i = 0; s->resource.attrs[i]; i += 2)
		put_attr(s, &part, RES_ATTRIBUTES, s->resource.attrs[i], s->resource.attrs[i + 1]);
	protobuf__put_bytes(&res, RESOURCE_RESOURCE, part.buf, part.len);
	strbuf__reset(&part);
	protobuf__put_bytes(&part, SCOPE_NAME, "bpfperf", strlen("bpfperf"));
	protobuf__put_bytes(&part, SCOPE_VERSION, BPFPERF_VERSION, strlen(BPFPERF_VERSION));
	protobuf__put_bytes(&scope, SCOPE_SCOPE, part.buf, part.len);
	for (i = 0; i < t->cnt; i++) {
		if (!is_first(t, i))
			continue;
		strbuf__reset(&s->metric);
		put_metric(s, t, i, iv);
		protobuf__put_bytes(&scope, SCOPE_METRICS, s->metric.buf, s->metric.len);
	}
	protobuf__put_bytes(&res, RESOURCE_SCOPE_METRICS, scope.buf, scope.len);
	strbuf__reset(&s->msg);
	protobuf__put_bytes(&s->msg, REQUEST_RESOURCE_METRICS, res.buf, res.len);
	strbuf__free(&res);
	strbuf__free(&scope);
	strbuf__free(&part);
}

/* For struct stat_printer. */
static int take_rows(void *ctx, const struct stat_table *t)
{
	struct stat_store *s = ctx;
	struct interval iv = { .samples = t->cnt };
	struct timespec now;
	struct out out;
	int err;

	clock_gettime(CLOCK_REALTIME, &now);
	iv.end_real_ns = (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
	iv.begin_real_ns = iv.end_real_ns - (uint64_t)t->wall_ns;
	make_message(s, t, &iv);
	err = store__begin_interval(&s->store, &iv, &out);
	if (!err) {
		out__begin(&out);
		err = gzip__put(&out.buf, s->msg.buf, s->msg.len, 6);
		err = out__close(&out) ? out.err : err;
	}
	return store__end_interval(&s->store, &iv, err);
}

int stat_store__check(const struct export_config *cfg)
{
	return cfg->url && !store__is_otlp(cfg->url) ? -EINVAL : 0;
}

int stat_store__open(struct stat_store *s, const struct export_config *cfg, struct stat_printer *p)
{
	struct store_config store = {
		.url = cfg->url,
		.path = "/v1/metrics",
		.what = "counts",
		.spool_dir = cfg->spool_dir,
		.spool_sz = cfg->spool_mib << 20,
		.resource = &s->resource,
	};
	int err = resource__read(&s->resource);

	p->take = take_rows;
	p->take_ctx = s;
	return err ? err : store__open(&s->store, &store);
}

void stat_store__close(struct stat_store *s)
{
	if (s->store.spool.dir)
		store__finish(&s->store);
	store__free(&s->store);
	resource__free(&s->resource);
	strbuf__free(&s->msg);
	strbuf__free(&s->metric);
	strbuf__free(&s->point);
	strbuf__free(&s->sub);
}
