// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Feature sections about the recording; those about the machine are in host_info.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data/deflate.h"
#include "data/host_info.h"
#include "data/tracing_write.h"
#include "data/writer_priv.h"
#include "util/fs.h"

static void put_u32(struct strbuf *sb, uint32_t v)
{
	strbuf__add(sb, &v, sizeof(v));
}

static void put_u64(struct strbuf *sb, uint64_t v)
{
	strbuf__add(sb, &v, sizeof(v));
}

static int put_tracing_data(struct data_writer *w, struct strbuf *sb)
{
	struct tracing_event *tps = calloc(w->event_cnt + 1, sizeof(*tps));
	size_t i, cnt = 0;
	int err;

	if (!tps)
		return writer_io__log(w, -ENOMEM);
	for (i = 0; i < w->event_cnt; i++) {
		const struct written_event *ev = &w->events[i];

		if (ev->attr.type == PERF_TYPE_TRACEPOINT)
			tps[cnt++] = (struct tracing_event){ ev->name, ev->attr.config, ev->fmt };
	}
	err = cnt ? tracing_write__put(sb, tps, cnt) : 0;
	free(tps);
	return err == -ENOMEM ? writer_io__log(w, err) : err;
}

/* Replaces the program's name by its path. */
static void put_exe(struct strbuf *sb)
{
	char exe[4096];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[len > 0 ? len : 0] = '\0';
	host_info__put_text(sb, exe);
}

static void put_own_cmdline(struct strbuf *sb)
{
	char *args, *at;
	uint32_t cnt = 0;
	size_t len;

	args = fs__read_file("/proc/self/cmdline", &len);
	if (!args)
		return;
	for (at = args; at < args + len; at += strlen(at) + 1)
		cnt++;
	put_u32(sb, cnt);
	put_exe(sb);
	for (at = args + strlen(args) + 1; at < args + len; at += strlen(at) + 1)
		host_info__put_text(sb, at);
	free(args);
}

static void put_cmdline(const struct data_writer *w, struct strbuf *sb)
{
	char *const *argv = w->opts.argv;
	uint32_t cnt = 0, i;

	if (!argv || !argv[0]) {
		put_own_cmdline(sb);
		return;
	}
	while (argv[cnt])
		cnt++;
	put_u32(sb, cnt);
	put_exe(sb);
	for (i = 1; i < cnt; i++)
		host_info__put_text(sb, argv[i]);
}

static void put_event_desc(const struct data_writer *w, struct strbuf *sb)
{
	size_t i;

	put_u32(sb, (uint32_t)w->event_cnt);
	put_u32(sb, (uint32_t)w->attr_sz);
	for (i = 0; i < w->event_cnt; i++) {
		const struct written_event *ev = &w->events[i];

		strbuf__add(sb, ev->attr_bytes, w->attr_sz);
		put_u32(sb, (uint32_t)ev->id_cnt);
		host_info__put_text(sb, ev->name);
		strbuf__add(sb, ev->ids, ev->id_cnt * sizeof(*ev->ids));
	}
}

/* Groups: the number of them, then of each its name, its leader and the number of its members. */
static void put_group_desc(const struct data_writer *w, struct strbuf *sb)
{
	uint32_t i, cnt = 0;

	for (i = 0; i < w->event_cnt; i++)
		cnt += w->events[i].member_cnt > 1;
	if (!cnt)
		return;
	put_u32(sb, cnt);
	for (i = 0; i < w->event_cnt; i++) {
		if (w->events[i].member_cnt < 2)
			continue;
		/* Readers take this name for none. */
		host_info__put_text(sb, "{anon_group}");
		put_u32(sb, i);
		put_u32(sb, w->events[i].member_cnt);
	}
}

static uint64_t timespec_ns(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * 1000000000ull + (uint64_t)ts->tv_nsec;
}

static void put_clock_resolution(const struct data_writer *w, struct strbuf *sb)
{
	struct timespec ts;

	if (w->opts.use_clockid && clock_getres(w->opts.clockid, &ts) == 0)
		put_u64(sb, timespec_ns(&ts));
}

/* Writes one moment by both clocks, which `perf script` uses to print dates. */
static void put_clock_data(const struct data_writer *w, struct strbuf *sb)
{
	struct timespec real, before, after;

	if (!w->opts.use_clockid || clock_gettime(w->opts.clockid, &before) ||
	    clock_gettime(CLOCK_REALTIME, &real) || clock_gettime(w->opts.clockid, &after))
		return;
	put_u32(sb, 1);
	put_u32(sb, (uint32_t)w->opts.clockid);
	put_u64(sb, timespec_ns(&real));
	put_u64(sb, (timespec_ns(&before) + timespec_ns(&after)) / 2);
}

/* Version 1; 1 is zstd; the level; the ratio, still unknown; the size of a reader's buffer. */
static void put_compressed(const struct data_writer *w, struct strbuf *sb)
{
	if (!w->opts.zstd)
		return;
	put_u32(sb, 1);
	put_u32(sb, 1);
	put_u32(sb, (uint32_t)w->opts.level);
	put_u32(sb, 1);
	put_u32(sb, 1u << 16);
	_Static_assert(DEFLATE_PIECE_SZ <= 1u << 16, "a piece fits into that buffer");
}

static void put_aux_index(const struct data_writer *w, struct strbuf *sb)
{
	if (!w->aux_index.len)
		return;
	put_u64(sb, w->aux_index.len / 16);
	strbuf__add(sb, w->aux_index.buf, w->aux_index.len);
}

static void put_sample_time(const struct data_writer *w, struct strbuf *sb)
{
	if (!w->last_ns)
		return;
	put_u64(sb, w->first_ns);
	put_u64(sb, w->last_ns);
}

int writer_features__put(struct data_writer *w, unsigned int feature, struct strbuf *sb)
{
	switch (feature) {
	case PERF_FEATURE_TRACING_DATA:
		return put_tracing_data(w, sb);
	case PERF_FEATURE_BUILD_ID:
		strbuf__add(sb, w->build_ids.buf, w->build_ids.len);
		break;
	case PERF_FEATURE_CMDLINE:
		put_cmdline(w, sb);
		break;
	case PERF_FEATURE_EVENT_DESC:
		put_event_desc(w, sb);
		break;
	case PERF_FEATURE_GROUP_DESC:
		put_group_desc(w, sb);
		break;
	case PERF_FEATURE_AUXTRACE:
		put_aux_index(w, sb);
		break;
	case PERF_FEATURE_SAMPLE_TIME:
		put_sample_time(w, sb);
		break;
	case PERF_FEATURE_CLOCKID:
		put_clock_resolution(w, sb);
		break;
	case PERF_FEATURE_CLOCK_DATA:
		put_clock_data(w, sb);
		break;
	case PERF_FEATURE_COMPRESSED:
		put_compressed(w, sb);
		break;
	default:
		host_info__put(sb, feature);
		break;
	}
	return 0;
}
