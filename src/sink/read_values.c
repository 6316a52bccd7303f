// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/read_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "data/perf_sample.h"
#include "data/recording.h"
#include "sink/out.h"
#include "util/array.h"
#include "util/strbuf.h"

typedef unsigned long long ull;

/* Process and thread, in front of the words of the count. */
#define IDS_SZ 8

struct read_thread {
	uint32_t pid, tid;
};

bool read_values__were_recorded(const struct attrs *attrs)
{
	size_t i;

	for (i = 0; i < attrs->cnt; i++)
		if (attrs->events[i].attr.inherit_stat)
			return true;
	return false;
}

/*
 * Finds the count among the words: the first one, or with a group that behind the number of members
 * and the times, since the event itself is the first member. Of the words, the first alone is in
 * this machine's byte order already.
 */
static bool find_count(const struct perf_event_header *hdr, const struct perf_sample *s,
		       uint64_t *count)
{
	uint64_t format = s->event->attr.read_format;
	size_t words = 0, trailer_sz = perf_sample__trailer_sz(&s->event->attr);
	size_t at;

	if (format & PERF_FORMAT_GROUP)
		words = 1 + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			!!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	at = sizeof(*hdr) + IDS_SZ + words * 8;
	if (hdr->size < at + 8 + trailer_sz)
		return false;
	memcpy(count, (const uint8_t *)hdr + at, sizeof(*count));
	if (words && s->swap)
		*count = __builtin_bswap64(*count);
	return true;
}

static int find_thread(struct read_values *v, struct read_thread thread, uint32_t *idx)
{
	uint32_t *slot = u64map__slot(&v->by_thread, (uint64_t)thread.pid << 32 | thread.tid);

	if (!slot ||
	    (*slot == U64MAP_NONE && array__reserve((void **)&v->threads, &v->thread_cap,
						    v->thread_cnt + 1, sizeof(*v->threads))))
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		*slot = (uint32_t)v->thread_cnt;
		v->threads[v->thread_cnt++] = thread;
	}
	*idx = *slot;
	return 0;
}

/* Keys of counts; those without a thread are of the events that have any. */
static uint64_t key_of(uint32_t thread, uint32_t event)
{
	return ((uint64_t)thread + 1) << 32 | event;
}

static int find_event(struct read_values *v, uint32_t event)
{
	uint32_t *slot = u64map__slot(&v->by_count, event);

	if (slot && *slot != U64MAP_NONE)
		return 0;
	if (!slot || array__reserve((void **)&v->events, &v->event_cap, v->event_cnt + 1,
				    sizeof(*v->events)))
		return -ENOMEM;
	*slot = 0;
	v->events[v->event_cnt++] = event;
	return 0;
}

static int add_count(struct read_values *v, uint32_t thread, uint32_t event, uint64_t count)
{
	uint32_t *slot = u64map__slot(&v->by_count, key_of(thread, event));

	if (!slot || (*slot == U64MAP_NONE && array__reserve((void **)&v->counts, &v->count_cap,
							     v->count_cnt + 1, sizeof(*v->counts))))
		return -ENOMEM;
	if (*slot == U64MAP_NONE) {
		*slot = (uint32_t)v->count_cnt;
		v->counts[v->count_cnt++] = 0;
	}
	v->counts[*slot] += count;
	return 0;
}

int read_values__add(struct read_values *v, const struct recording *rec,
		     const struct perf_event_header *hdr)
{
	struct read_thread thread;
	struct perf_sample s;
	uint32_t idx;
	uint64_t count;
	int err;

	if (hdr->type != PERF_RECORD_READ || !rec->attrs.cnt)
		return 0;
	perf_sample__parse(&s, &rec->attrs, rec->swap, hdr);
	if (!s.event)
		s.event = rec->attrs.events;
	if (!find_count(hdr, &s, &count))
		return 0;
	memcpy(&thread, hdr + 1, sizeof(thread));
	err = find_thread(v, thread, &idx);
	if (!err)
		err = find_event(v, s.event->idx);
	return err ? err : add_count(v, idx, s.event->idx, count);
}

static uint64_t count_of(const struct read_values *v, uint32_t thread, uint32_t event)
{
	uint32_t at = u64map__get(&v->by_count, key_of(thread, event));

	return at == U64MAP_NONE ? 0 : v->counts[at];
}

static void widen(int *width, uint64_t number)
{
	int len = snprintf(NULL, 0, "%llu", (ull)number);

	if (len > *width)
		*width = len;
}

/* The width of an event's column. */
static int event_width(const struct read_values *v, uint32_t event, const char *name)
{
	int width = (int)strlen(name);
	uint32_t i;

	for (i = 0; i < v->thread_cnt; i++)
		widen(&width, count_of(v, i, event));
	return width;
}

int read_values__print(const struct read_values *v, const struct attrs *attrs, struct out *to)
{
	int pid_width = 3, tid_width = 3, *widths = calloc(v->event_cnt + 1, sizeof(*widths));
	struct strbuf *out = &to->buf;
	const char *name;
	uint32_t i, e;
	int err = 0;

	if (!widths)
		return -ENOMEM;
	for (i = 0; i < v->thread_cnt; i++) {
		widen(&pid_width, v->threads[i].pid);
		widen(&tid_width, v->threads[i].tid);
	}
	strbuf__printf(out, "# %*s  %*s", pid_width, "PID", tid_width, "TID");
	for (e = 0; e < v->event_cnt; e++) {
		name = attrs->events[v->events[e]].name;
		widths[e] = event_width(v, v->events[e], name);
		strbuf__puts(out, "  ");
		for (i = (uint32_t)strlen(name); i < (uint32_t)widths[e]; i++)
			strbuf__putc(out, ' ');
		strbuf__put_escaped(out, name, strlen(name));
	}
	strbuf__putc(out, '\n');
	for (i = 0; i < v->thread_cnt && !err; i++) {
		strbuf__printf(out, "  %*d  %*d", pid_width, (int)v->threads[i].pid, tid_width,
			       (int)v->threads[i].tid);
		for (e = 0; e < v->event_cnt; e++)
			strbuf__printf(out, "  %*llu", widths[e],
				       (ull)count_of(v, i, v->events[e]));
		strbuf__putc(out, '\n');
		err = out__commit(to);
	}
	free(widths);
	return err;
}

void read_values__free(struct read_values *v)
{
	free(v->threads);
	free(v->events);
	free(v->counts);
	u64map__free(&v->by_thread);
	u64map__free(&v->by_count);
}
