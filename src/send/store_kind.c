// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "send/store_kind.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "send/http.h"

/* Appends the beginning of an answer's text, one line of it. */
static void put_answer(const struct http *h, struct strbuf *text)
{
	size_t len = h->answer.len < 300 ? h->answer.len : 300;
	const char *end = len ? memchr(h->answer.buf, '\n', len) : NULL;

	strbuf__printf(text, "HTTP %ld ", h->status);
	strbuf__add(text, h->answer.buf, end ? (size_t)(end - h->answer.buf) : len);
}

static bool is_taken(const struct http *h)
{
	return h->status >= 200 && h->status < 300;
}

/* Reads a varint. NULL: it is cut. */
static const unsigned char *get_varint(const unsigned char *at, const unsigned char *end,
				       uint64_t *v)
{
	int shift;

	*v = 0;
	for (shift = 0; at < end && shift < 64; shift += 7) {
		*v |= (uint64_t)(*at & 127) << shift;
		if (!(*at++ & 128))
			return at;
	}
	return NULL;
}

/* Finds the part of a field in a message. NULL: there is none. Numbers are set in *v alone. */
static const unsigned char *find_field(const unsigned char *at, size_t len, uint32_t field,
				       uint64_t *v)
{
	const unsigned char *end = at + len, *found = NULL;
	uint64_t tag, value;

	while (at && at < end) {
		at = get_varint(at, end, &tag);
		if (!at || (tag & 7) > 2 || (tag & 7) == 1)
			return found;
		at = get_varint(at, end, &value);
		if (!at || ((tag & 7) == 2 && value > (uint64_t)(end - at)))
			return found;
		if (tag >> 3 == field) {
			found = at;
			*v = value;
		}
		at += (tag & 7) == 2 ? value : 0;
	}
	return found;
}

/*
 * ExportProfilesServiceResponse: partial_success (1) has rejected_profiles (1) and error_message
 * (2).
 */
static bool is_partial(const struct http *h, struct strbuf *text)
{
	const unsigned char *part, *message;
	uint64_t sz = 0, rejected = 0, len = 0;

	part = find_field((const unsigned char *)h->answer.buf, h->answer.len, 1, &sz);
	if (!part)
		return false;
	find_field(part, sz, 1, &rejected);
	if (!rejected)
		return false;
	message = find_field(part, sz, 2, &len);
	strbuf__printf(text, "%" PRIu64 " profiles were rejected: ", rejected);
	if (message)
		strbuf__add(text, message, len < 300 ? len : 300);
	return true;
}

/* The protocol's rule: these are repeated, no others. */
static enum verdict judge_otlp(const struct http *h, struct strbuf *text)
{
	if (is_taken(h))
		return is_partial(h, text) ? VERDICT_PARTIAL : VERDICT_SENT;
	put_answer(h, text);
	return h->status == 429 || h->status == 502 || h->status == 503 || h->status == 504
		       ? VERDICT_RETRY
		       : VERDICT_REFUSED;
}

static enum verdict judge_pprof(const struct http *h, struct strbuf *text)
{
	if (is_taken(h))
		return VERDICT_SENT;
	put_answer(h, text);
	return h->status == 429 || h->status >= 500 ? VERDICT_RETRY : VERDICT_REFUSED;
}

/* A table that is missing, or a shard that is down, may come; a row that is no row stays so. */
static enum verdict judge_clickhouse(const struct http *h, struct strbuf *text)
{
	if (is_taken(h))
		return VERDICT_SENT;
	put_answer(h, text);
	return h->status == 400 || h->status == 413 ? VERDICT_REFUSED : VERDICT_RETRY;
}

static void put_base(const struct store_kind *kind, struct strbuf *url, const char *base,
		     const struct spool_msg *msg)
{
	strbuf__puts(url, base);
}

/* Pyroscope takes the times of a profile from its address, in seconds. */
static void put_pprof(const struct store_kind *kind, struct strbuf *url, const char *base,
		      const struct spool_msg *msg)
{
	strbuf__printf(url, "%s%cfrom=%" PRIu64 "&until=%" PRIu64, base,
		       strchr(base, '?') ? '&' : '?', msg->begin_ns / 1000000000,
		       (msg->end_ns + 999999999) / 1000000000);
}

static void put_query(struct strbuf *url, const char *base, const char *query)
{
	strbuf__printf(url, "%s%cquery=", base, strchr(base, '?') ? '&' : '?');
	http__put_escaped(url, query);
}

static void put_insert(const struct store_kind *kind, struct strbuf *url, const char *base,
		       const struct spool_msg *msg)
{
	char query[128];

	snprintf(query, sizeof(query), "INSERT INTO %s FORMAT JSONEachRow", kind->table);
	put_query(url, base, query);
	/* With a Distributed table, the answer comes when the shard has the rows. */
	strbuf__puts(url, "&insert_distributed_sync=1");
}

static void put_count(const struct store_kind *kind, struct strbuf *url, const char *base,
		      const struct spool_msg *msg)
{
	char query[128];

	snprintf(query, sizeof(query),
		 "SELECT count() FROM %s WHERE batch = '%" PRIx64 "-%" PRIu64 "'", kind->table,
		 msg->run, msg->seq);
	put_query(url, base, query);
}

static const char *const otlp_headers[] = { "Content-Type: application/x-protobuf",
					    "Content-Encoding: gzip", NULL };
static const char *const pprof_headers[] = { "Content-Type: application/octet-stream", NULL };
static const char *const clickhouse_headers[] = { "Content-Type: application/x-ndjson",
						  "Content-Encoding: gzip", NULL };

#define CLICKHOUSE(suffix, table)                                                                  \
	{                                                                                          \
		"clickhouse" suffix, table, clickhouse_headers, put_insert, judge_clickhouse,      \
			put_count                                                                  \
	}

/* The tables are those of export/schema.c. */
static const struct store_kind kinds[] = {
	{ "otlp", NULL, otlp_headers, put_base, judge_otlp, NULL },
	{ "pprof", NULL, pprof_headers, put_pprof, judge_pprof, NULL },
	CLICKHOUSE("", "bpfperf_samples"),
	CLICKHOUSE("-counters", "bpfperf_counters"),
	CLICKHOUSE("-durations", "bpfperf_durations"),
	CLICKHOUSE("-spans", "bpfperf_spans"),
};

const struct store_kind *store_kind__find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}
