// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "source/file.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/perf_file.h"
#include "data/recording.h"
#include "data/recording_parts.h"
#include "source/relay.h"
#include "util/log.h"
#include "util/thread.h"

struct held {
	uint64_t time_ns, off;
	size_t at; /* in bytes */
};

struct order {
	struct source base;
	struct recording *rec;
	file_time_fn time_of;
	void *time_ctx;
	record_fn fn;
	void *ctx; /* of fn */
	/* to the thread that takes the records; NULL: this thread takes them */
	struct relay *relay;
	uint64_t late;
	int err;
	struct held *held, *spare; /* in the order of arrival; both have equal capacity */
	size_t cnt, cap;
	char *bytes; /* of the records held */
	size_t sz, bytes_cap;
	uint64_t newest_ns; /* newest time so far */
	uint64_t round_ns; /* newest time at the end of the previous round */
	uint64_t last_ns; /* time of the last record handed on */
};

static int grow(struct order *o)
{
	size_t cap = o->cap ? o->cap * 2 : 4096;
	struct held *held = reallocarray(o->held, cap, sizeof(*held));

	if (!held)
		return -ENOMEM;
	o->held = held;
	held = reallocarray(o->spare, cap, sizeof(*held));
	if (!held)
		return -ENOMEM;
	o->spare = held;
	o->cap = cap;
	return 0;
}

static int hold(struct order *o, const struct record *raw, uint64_t time_ns)
{
	size_t sz = (raw->hdr->size + 7u) & ~(size_t)7;
	char *bytes;

	if (o->cnt == o->cap && grow(o))
		return -ENOMEM;
	if (o->bytes_cap - o->sz < sz) {
		bytes = realloc(o->bytes, o->bytes_cap * 2 + (1u << 20));
		if (!bytes)
			return -ENOMEM;
		o->bytes = bytes;
		o->bytes_cap = o->bytes_cap * 2 + (1u << 20);
	}
	memcpy(o->bytes + o->sz, raw->hdr, raw->hdr->size);
	o->held[o->cnt++] = (struct held){ time_ns, raw->off, o->sz };
	o->sz += sz;
	if (time_ns > o->newest_ns)
		o->newest_ns = time_ns;
	return 0;
}

/* Merges a[0..x) and a[x..n), both sorted, into `to`; with equal times the first one goes first. */
static void merge(const struct held *a, size_t x, size_t n, struct held *to)
{
	size_t i = 0, j = x;

	while (i < x && j < n)
		*to++ = a[j].time_ns < a[i].time_ns ? a[j++] : a[i++];
	memcpy(to, a + i, (x - i) * sizeof(*a));
	memcpy(to + (x - i), a + j, (n - j) * sizeof(*a));
}

static size_t run_len(const struct held *a, size_t n)
{
	size_t len = 1;

	while (len < n && a[len].time_ns >= a[len - 1].time_ns)
		len++;
	return len;
}

/* A natural merge sort, stable: a round is one run for each ring. */
static void sort(struct order *o)
{
	struct held *swap;
	size_t at, x, y;

	while (o->cnt && run_len(o->held, o->cnt) < o->cnt) {
		for (at = 0; at < o->cnt; at += x + y) {
			x = run_len(o->held + at, o->cnt - at);
			y = at + x < o->cnt ? run_len(o->held + at + x, o->cnt - at - x) : 0;
			merge(o->held + at, x, x + y, o->spare + at);
		}
		swap = o->held;
		o->held = o->spare;
		o->spare = swap;
	}
}

/* Moves the remaining records to the beginning of the memory, in the order of the list. */
static int compact(struct order *o, size_t from)
{
	size_t i, sz = 0, want = 0;
	char *bytes;

	for (i = from; i < o->cnt; i++) {
		const struct perf_event_header *hdr = (const void *)(o->bytes + o->held[i].at);

		want += (hdr->size + 7u) & ~(size_t)7;
	}
	bytes = malloc(want + (1u << 20));
	if (!bytes)
		return -ENOMEM;
	for (i = from; i < o->cnt; i++) {
		const struct perf_event_header *hdr = (const void *)(o->bytes + o->held[i].at);

		memcpy(bytes + sz, hdr, hdr->size);
		o->held[i].at = sz;
		sz += (hdr->size + 7u) & ~(size_t)7;
	}
	memmove(o->held, o->held + from, (o->cnt - from) * sizeof(*o->held));
	free(o->bytes);
	o->bytes = bytes;
	o->bytes_cap = want + (1u << 20);
	o->sz = sz;
	o->cnt -= from;
	return 0;
}

static int deliver(struct order *o, const struct record *rec)
{
	return o->relay ? relay__put(o->relay, rec) : o->fn(o->ctx, rec);
}

static int hand_on(struct order *o, const struct held *h)
{
	struct record rec = { .time_ns = h->time_ns, .off = h->off };

	record__set_hdr(&rec, (const void *)(o->bytes + h->at));
	if (h->time_ns < o->last_ns)
		o->late++;
	else
		o->last_ns = h->time_ns;
	return deliver(o, &rec);
}

/* Hands on records up to limit_ns, at most max of them. */
static int flush(struct order *o, uint64_t limit_ns, size_t max)
{
	size_t i;
	int err;

	sort(o);
	for (i = 0; i < o->cnt && i < max && o->held[i].time_ns <= limit_ns; i++) {
		err = hand_on(o, &o->held[i]);
		if (err)
			return err;
	}
	if (i < o->cnt)
		return i ? compact(o, i) : 0;
	o->cnt = o->sz = 0;
	return 0;
}

static int end_round(struct order *o, const struct record *rec)
{
	int err = flush(o, o->round_ns, SIZE_MAX);

	o->round_ns = o->newest_ns;
	/* The record has no time; it is handed on for consumers that print every record. */
	if (!err)
		err = deliver(o, rec);
	return !err && o->relay && o->rec->is_live ? relay__flush(o->relay) : err;
}

/* raw->time_ns is 0 on entry. */
static int order_record(struct order *o, const struct record *raw)
{
	uint64_t time_ns;
	int err = 0;

	if (raw->kind == RECORD_ROUND)
		return end_round(o, raw);
	time_ns = raw->kind != RECORD_OTHER ? o->time_of(o->time_ctx, raw->hdr) : 0;
	if (!time_ns || time_ns == UINT64_MAX)
		return deliver(o, raw);
	err = hold(o, raw, time_ns);
	if (!err && o->sz + o->cnt * sizeof(*o->held) > (recording_parts__has_ring_each(o->rec)
								 ? FILE_MERGED_HELD_MAX_SZ
								 : FILE_HELD_MAX_SZ))
		err = flush(o, UINT64_MAX, o->cnt / 2 + 1);
	return err;
}

/* Reads, sorts and hands on records, up to the end or up to the first damaged one. */
static int read_all(struct order *o)
{
	struct record raw = { 0 };
	int got = 0, err = 0;

	while (!err && (got = recording__next(o->rec, &raw)) > 0)
		err = order_record(o, &raw);
	/* Hand on the records before the damage. */
	if (!err)
		err = flush(o, UINT64_MAX, SIZE_MAX);
	return err ? err : got;
}

static void *read_ahead(void *arg)
{
	struct order *o = arg;

	o->err = read_all(o);
	relay__end(o->relay);
	return NULL;
}

/* Events and formats are about to change: wait until no record is being decoded. */
static void before_change(void *ctx)
{
	struct order *o = ctx;

	relay__drain(o->relay);
}

/* Reads in a separate thread. false: no thread could be created, and nothing was read. */
static bool read_in_thread(struct order *o, int *err)
{
	pthread_t thread;
	bool is_started;

	o->relay = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? relay__new() : NULL;
	if (!o->relay)
		return false;
	o->rec->before_change = before_change;
	o->rec->before_change_ctx = o;
	is_started = !thread__start(&thread, read_ahead, o);
	if (is_started) {
		*err = relay__take_all(o->relay, o->fn, o->ctx);
		pthread_join(thread, NULL);
		*err = *err ? *err : o->err;
	}
	o->rec->before_change = NULL;
	relay__free(o->relay);
	o->relay = NULL;
	return is_started;
}

static int drain(struct source *src, bool all, record_fn fn, void *ctx)
{
	struct order *o = (struct order *)src;
	int err = 0;

	o->fn = fn;
	o->ctx = ctx;
	if (!read_in_thread(o, &err))
		err = read_all(o);
	if (err == -ENOMEM)
		log_error("no memory to put the records of %s in order", o->rec->path);
	return err;
}

static uint64_t late(const struct source *src)
{
	return ((const struct order *)src)->late;
}

static void free_source(struct source *src)
{
	struct order *o = (struct order *)src;

	free(o->held);
	free(o->spare);
	free(o->bytes);
	free(o);
}

static const struct source_ops file_ops = {
	.drain = drain,
	.late = late,
	.free = free_source,
};

struct source *file_source__new(struct recording *rec, file_time_fn time_of, void *ctx)
{
	struct order *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->base.ops = &file_ops;
	o->rec = rec;
	o->time_of = time_of;
	o->time_ctx = ctx;
	return &o->base;
}
