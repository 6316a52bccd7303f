// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "export/span_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/types.h>

#include "bpf/span_wire.h"
#include "decode/sample.h"
#include "event/event.h"
#include "sink/profile_json.h"
#include "span/each_event.h"
#include "span/result.h"
#include "util/log.h"
#include "util/mono.h"

/* Single durations wait in this many bytes at most; then they are to be sent. */
#define ROWS_MAX (1u << 20)

/*
 * Bounds of OTLP's histograms: a quarter of each power of two from 1 us to 1 min. The kernel's
 * buckets (span/hist.h) begin at each of them, so that each count is exact.
 */
#define BITS_MIN 10
#define BITS_MAX 36
#define BOUNDS (4 * (BITS_MAX - BITS_MIN) + 1)

static uint64_t bound_ns(unsigned int idx)
{
	return (4ull + idx % 4) << (BITS_MIN - 2 + idx / 4);
}

static void put_key(struct strbuf *text, const struct agg_key *key)
{
	strbuf__reset(text);
	if (key->text)
		strbuf__puts(text, key->text);
	else
		span_key__put_number(text, key);
}

/* Puts a histogram: a bound is the last ns below the next bucket, in seconds. */
static void put_histogram(struct otlp_metrics *m, const struct span_hist *h)
{
	uint64_t counts[BOUNDS + 1] = { 0 };
	double bounds[BOUNDS];
	unsigned int bound = 0;
	size_t i;

	for (i = 0; i < BOUNDS; i++)
		bounds[i] = (double)(bound_ns((unsigned int)i) - 1) / 1e9;
	for (i = 0; i < h->cnt; i++) {
		while (bound < BOUNDS && span_bucket__from(h->at[i].bucket) >= bound_ns(bound))
			bound++;
		counts[bound] += h->at[i].cnt;
	}
	otlp_metrics__put_histogram(m, (double)h->ns / 1e9, counts, bounds, BOUNDS);
}

static void put_metrics(struct series *s, const struct interval *iv, const struct span_result *res)
{
	struct strbuf name = STRBUF_INIT, value = STRBUF_INIT;
	size_t i, k;

	for (i = 0; i < res->row_cnt; i++) {
		const struct span_row *row = &res->rows[i];

		otlp_metrics__begin_point(&s->metrics, OTLP_HISTOGRAM, iv->begin_real_ns,
					  iv->end_real_ns);
		otlp_metrics__put_attr(&s->metrics, "bpfperf.pair", row->name);
		for (k = 0; k < res->key_cnt; k++) {
			strbuf__reset(&name);
			strbuf__printf(&name, "bpfperf.by.%s", res->key_names[k]);
			put_key(&value, &row->keys[k]);
			otlp_metrics__put_attr(&s->metrics, strbuf__cstr(&name),
					       strbuf__cstr(&value));
		}
		put_histogram(&s->metrics, &row->hist);
		otlp_metrics__end_point(&s->metrics);
	}
	if (res->row_cnt)
		otlp_metrics__end_metric(&s->metrics, "bpfperf.latency", "s");
	strbuf__free(&name);
	strbuf__free(&value);
}

/* Durations that found no room, since the last call. */
static uint64_t lost_of(struct span_store *s, const struct span_result *res, unsigned int pair)
{
	const struct span_account *a = &res->accounts[pair];
	uint64_t lost = a->refused + a->uncounted - s->lost[pair];

	s->lost[pair] += lost;
	return lost;
}

static void put_lost_metrics(struct span_store *s, const struct interval *iv,
			     const struct span_result *res, const uint64_t *lost)
{
	struct otlp_metrics *m = &s->series.metrics;
	unsigned int i;

	if (!iv->lost)
		return;
	for (i = 0; i < res->pair_cnt; i++) {
		otlp_metrics__begin_point(m, OTLP_SUM, iv->begin_real_ns, iv->end_real_ns);
		otlp_metrics__put_attr(m, "bpfperf.pair", res->pair_names[i]);
		otlp_metrics__put_double(m, (double)lost[i]);
		otlp_metrics__end_point(m);
	}
	otlp_metrics__end_metric(m, "bpfperf.latency.lost", "{duration}");
}

/* ,"keys":["comm=cat",…] */
static void put_keys(struct strbuf *to, const struct span_result *res, const struct span_row *row)
{
	struct strbuf value = STRBUF_INIT, key = STRBUF_INIT;
	size_t i;

	strbuf__puts(to, ",\"keys\":[");
	for (i = 0; i < res->key_cnt; i++) {
		put_key(&value, &row->keys[i]);
		strbuf__reset(&key);
		strbuf__printf(&key, "%s=%s", res->key_names[i], strbuf__cstr(&value));
		strbuf__puts(to, i ? "," : "");
		strbuf__put_json(to, key.buf, key.len);
	}
	strbuf__putc(to, ']');
	strbuf__free(&value);
	strbuf__free(&key);
}

/* Rows of the table bpfperf_durations: a bucket each, and what was lost of each pair. */
static void put_bucket_rows(struct series *s, const struct span_result *res, const uint64_t *lost)
{
	unsigned int pair;
	size_t i, b;

	for (i = 0; i < res->row_cnt; i++) {
		const struct span_row *row = &res->rows[i];

		for (b = 0; b < row->hist.cnt; b++) {
			const struct span_bucket *bucket = &row->hist.at[b];

			strbuf__add(&s->msg, s->head.buf, s->head.len);
			profile_json__put_str(&s->msg, "pair", row->pair);
			profile_json__put_str(&s->msg, "name", row->name);
			put_keys(&s->msg, res, row);
			profile_json__put_u64(&s->msg, "from_ns",
					      span_bucket__from(bucket->bucket));
			/* The last bucket's end is 2^64. */
			profile_json__put_u64(&s->msg, "to_ns",
					      span_bucket__to(bucket->bucket) - 1);
			profile_json__put_u64(&s->msg, "durations", bucket->cnt);
			profile_json__put_u64(&s->msg, "sum_ns", bucket->ns);
			strbuf__puts(&s->msg, "}\n");
		}
	}
	for (pair = 0; pair < res->pair_cnt; pair++) {
		if (!lost[pair])
			continue;
		strbuf__add(&s->msg, s->head.buf, s->head.len);
		profile_json__put_str(&s->msg, "pair", res->pair_names[pair]);
		profile_json__put_u64(&s->msg, "lost", lost[pair]);
		strbuf__puts(&s->msg, "}\n");
	}
}

/* Each line of s->rows gets the members that all have. */
static void put_each_rows(struct span_store *s)
{
	const char *at = s->rows.buf, *end = at + s->rows.len, *line;

	for (; at < end; at = line) {
		line = memchr(at, '\n', (size_t)(end - at));
		/* Memory was short: the last row is cut. */
		if (!line)
			return;
		line++;
		strbuf__add(&s->series.msg, s->series.head.buf, s->series.head.len);
		strbuf__add(&s->series.msg, at, (size_t)(line - at));
	}
}

struct message {
	struct span_store *store;
	const struct span_result *res;
	uint64_t lost[WIRE_SPAN_PAIRS];
};

/* For series__send(). */
static void make(void *ctx, struct series *series, const struct interval *iv)
{
	struct message *m = ctx;

	if (m->store->each) {
		put_each_rows(m->store);
	} else if (series->store.is_rows) {
		put_bucket_rows(series, m->res, m->lost);
	} else {
		put_metrics(series, iv, m->res);
		put_lost_metrics(m->store, iv, m->res, m->lost);
	}
}

static void put_event(struct span_store *s, const char *name, const char *fields,
		      const struct sample *sample)
{
	const struct field_plan *plan = field_plans__get(&s->plans, sample->event->fmt);
	struct strbuf json = STRBUF_INIT;

	if (plan)
		field_plan__json(plan, sample->raw, sample->raw_sz, &json);
	profile_json__put_str(&s->rows, name, sample->event->name);
	profile_json__put_str(&s->rows, fields, plan ? strbuf__cstr(&json) : "{}");
	strbuf__free(&json);
}

void span_store__put_each(void *store, const struct span_each *e)
{
	struct span_store *s = store;
	uint64_t end_ns = e->to->time_ns + s->mono_to_real_ns;
	struct strbuf *rows = &s->rows;

	profile_json__put_u64(rows, "start_ns", end_ns - e->ns);
	profile_json__put_u64(rows, "duration_ns", e->ns);
	profile_json__put_str(rows, "pair", e->pair);
	profile_json__put_str(rows, "comm", e->to->comm);
	profile_json__put_u64(rows, "pid", (uint32_t)e->to->pid);
	profile_json__put_u64(rows, "tid", (uint32_t)e->to->tid);
	profile_json__put_u64(rows, "cpu", e->to->cpu);
	put_event(s, "from_event", "from_fields", e->from);
	put_event(s, "to_event", "to_fields", e->to);
	strbuf__puts(rows, "}\n");
	s->row_cnt++;
}

bool span_store__is_full(const struct span_store *s)
{
	return s->rows.len >= ROWS_MAX;
}

int span_store__check(struct export_config *cfg, bool each)
{
	return series__check(cfg, each ? STORE_SPANS : STORE_DURATIONS);
}

int span_store__open(struct span_store *s, const struct export_config *cfg, bool each)
{
	s->each = each;
	s->begin_ns = real_ns();
	s->mono_to_real_ns = real_ns() - mono_ns();
	s->lost = calloc(WIRE_SPAN_PAIRS, sizeof(*s->lost));
	if (!s->lost) {
		log_error("out of memory");
		return -ENOMEM;
	}
	return series__open(&s->series, cfg, each ? STORE_SPANS : STORE_DURATIONS);
}

int span_store__send(struct span_store *s, const struct span_result *res)
{
	struct interval iv = { .begin_real_ns = s->begin_ns, .end_real_ns = real_ns() };
	struct message m = { .store = s, .res = res };
	size_t i;
	int err = 0;

	for (i = 0; i < res->pair_cnt; i++) {
		m.lost[i] = lost_of(s, res, (unsigned int)i);
		iv.lost += m.lost[i];
	}
	for (i = 0; i < res->row_cnt && !s->each; i++)
		iv.samples += res->rows[i].hist.total;
	if (s->each)
		iv.samples = s->row_cnt;
	if (iv.samples || (iv.lost && !s->each))
		err = series__send(&s->series, &iv, make, &m);
	s->begin_ns = iv.end_real_ns;
	s->mono_to_real_ns = real_ns() - mono_ns();
	strbuf__reset(&s->rows);
	s->row_cnt = 0;
	return err;
}

void span_store__close(struct span_store *s)
{
	series__close(&s->series);
	strbuf__free(&s->rows);
	field_plans__free(&s->plans);
	free(s->lost);
}
