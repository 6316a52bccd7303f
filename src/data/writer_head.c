// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Writes the headers before the records, and the feature sections after them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/writer_priv.h"
#include "util/log.h"

/* Features known only at the end; all others are known before the first record. */
#define END_FEATURES                                                                               \
	(1ULL << PERF_FEATURE_BUILD_ID | 1ULL << PERF_FEATURE_AUXTRACE |                           \
	 1ULL << PERF_FEATURE_SAMPLE_TIME)

#define RECORD_MAX_SZ 65528

static bool has_branches(const struct data_writer *w)
{
	size_t i;

	for (i = 0; i < w->event_cnt; i++)
		if (w->events[i].attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return true;
	return false;
}

/*
 * True if the feature belongs into the table. BRANCH_STACK has no section: its presence is the
 * information.
 */
static bool has_feature(const struct data_writer *w, unsigned int feature, size_t sz)
{
	return feature == PERF_FEATURE_BRANCH_STACK ? has_branches(w) : sz != 0;
}

/* Appends the sections of the features in `mask` to the file and records them in w->sections. */
static int append_features(struct data_writer *w, uint64_t mask)
{
	struct strbuf sb = STRBUF_INIT;
	unsigned int i;
	int err = 0;

	for (i = 1; i < PERF_FEATURE_WRITTEN_CNT && !err; i++) {
		if (!(mask >> i & 1))
			continue;
		strbuf__reset(&sb);
		err = writer_features__put(w, i, &sb);
		if (err || !has_feature(w, i, sb.len))
			continue;
		w->sections[i] = (struct perf_file_section){ w->off, sb.len };
		w->hdr.features[0] |= 1ULL << i;
		err = writer_io__append(w, sb.buf, sb.len);
	}
	strbuf__free(&sb);
	return err;
}

/*
 * Versions of perf older than a field reject files whose attrs contain it, so trailing members that
 * are 0 in all events are omitted. In a pipe, perf before 6.4 looks for the ids after the last
 * field that it knows, so all are written.
 */
static void choose_attr_sz(struct data_writer *w)
{
	static const size_t sizes[] = { PERF_ATTR_SIZE_VER5, PERF_ATTR_SIZE_VER6,
					PERF_ATTR_SIZE_VER7, ATTR_SZ_CONFIG3, ATTR_MAX_SZ };
	static const char zeros[ATTR_MAX_SZ];
	size_t i, s = w->is_pipe ? 3 : 0;

	for (i = 0; i < w->event_cnt; i++)
		while (memcmp(w->events[i].attr_bytes + sizes[s], zeros, ATTR_MAX_SZ - sizes[s]))
			s++;
	w->attr_sz = sizes[s];
	for (i = 0; i < w->event_cnt; i++)
		w->events[i].attr.size = (uint32_t)w->attr_sz;
}

static int append_attrs(struct data_writer *w)
{
	uint64_t ids_off = w->off;
	struct strbuf sb = STRBUF_INIT;
	struct perf_file_section s;
	size_t i;
	int err;

	for (i = 0; i < w->event_cnt; i++)
		strbuf__add(&sb, w->events[i].ids, w->events[i].id_cnt * sizeof(uint64_t));
	w->hdr.attr_sz = w->attr_sz + sizeof(s);
	w->hdr.attrs = (struct perf_file_section){ w->off + sb.len, w->event_cnt * w->hdr.attr_sz };
	for (i = 0; i < w->event_cnt; i++) {
		s = (struct perf_file_section){ ids_off, w->events[i].id_cnt * sizeof(uint64_t) };
		strbuf__add(&sb, w->events[i].attr_bytes, w->attr_sz);
		strbuf__add(&sb, &s, sizeof(s));
		ids_off += s.sz;
	}
	err = writer_io__append(w, sb.buf, sb.len);
	strbuf__free(&sb);
	return err;
}

static int begin_file(struct data_writer *w)
{
	static const char zeros[4096];
	static const struct perf_event_header round = { .type = PERF_USER_FINISHED_ROUND,
							.size = sizeof(round) };
	int err;

	if (ftruncate(w->fd, 0) && errno != EINVAL)
		return writer_io__log(w, -errno);
	w->hdr.magic = PERF_FILE_MAGIC;
	w->hdr.hdr_sz = sizeof(w->hdr);
	w->off = sizeof(w->hdr);
	err = append_attrs(w);
	if (!err)
		err = append_features(w, ~END_FEATURES);
	if (!err)
		err = writer_io__append(w, zeros, -w->off & (sizeof(zeros) - 1));
	w->hdr.data.off = w->off;
	w->hdr.features[0] |= 1ULL << PERF_FEATURE_NONE;
	/* Append one record, since perf takes a size of 0 for an empty recording. */
	if (!err)
		err = writer_io__append(w, &round, sizeof(round));
	if (!err)
		err = writer_thread__save(w);
	if (err)
		return err;
	/* The magic makes the file a recording, so it is written last. */
	err = writer_io__patch(w, 0, &w->hdr, sizeof(w->hdr));
	return err ? writer_io__log(w, err) : 0;
}

static int end_file(struct data_writer *w)
{
	struct perf_file_section table[PERF_FEATURE_WRITTEN_CNT] = { 0 };
	uint64_t end = w->off;
	unsigned int i, cnt = 0;
	int err;

	/* The table comes first, followed by the sections that it describes. */
	writer_io__moved(w, sizeof(table));
	err = append_features(w, END_FEATURES);
	if (err)
		return err;
	w->hdr.data.sz = end - w->hdr.data.off;
	w->hdr.features[0] &= ~(1ULL << PERF_FEATURE_NONE);
	for (i = 1; i < PERF_FEATURE_WRITTEN_CNT; i++)
		if (w->hdr.features[0] >> i & 1)
			table[cnt++] = w->sections[i];
	err = writer_io__patch(w, end, table, sizeof(table));
	if (!err)
		err = writer_io__patch(w, 0, &w->hdr, sizeof(w->hdr));
	return err ? writer_io__log(w, err) : 0;
}

/* Appends one of perf's own records: `head` precedes the body in it. */
static int append_record(struct data_writer *w, uint32_t type, const void *head, size_t head_sz,
			 const void *body, size_t sz)
{
	static const char zeros[8];
	struct perf_event_header hdr = { .type = type };
	/* perf since 6.13 takes no record of another size. */
	size_t pad = -sz & 7;
	int err;

	hdr.size = (uint16_t)(sizeof(hdr) + head_sz + sz + pad);
	err = writer_io__append(w, &hdr, sizeof(hdr));
	if (!err)
		err = writer_io__append(w, head, head_sz);
	if (!err)
		err = writer_io__append(w, body, sz);
	return err ? err : writer_io__append(w, zeros, pad);
}

static int append_pipe_event(struct data_writer *w, const struct written_event *ev)
{
	size_t ids_sz = ev->id_cnt * sizeof(*ev->ids);
	uint64_t head[2] = { PERF_EVENT_UPDATE_NAME, ev->id_cnt ? ev->ids[0] : 0 };
	int err;

	if (w->attr_sz + ids_sz > RECORD_MAX_SZ - 8 || strlen(ev->name) > 4096) {
		log_error("%s is open on too many CPUs and threads for a pipe; write to a file: -o "
			  "FILE",
			  ev->name);
		return -E2BIG;
	}
	err = append_record(w, PERF_USER_HEADER_ATTR, ev->attr_bytes, w->attr_sz, ev->ids, ids_sz);
	if (err || !ev->id_cnt)
		return err;
	return append_record(w, PERF_USER_EVENT_UPDATE, head, sizeof(head), ev->name,
			     strlen(ev->name) + 1);
}

static int append_pipe_tracing_data(struct data_writer *w)
{
	static const char zeros[8];
	struct strbuf sb = STRBUF_INIT;
	uint32_t sz;
	int err = writer_features__put(w, PERF_FEATURE_TRACING_DATA, &sb);

	if (!err && sb.len) {
		/* perf expects the size to include the padding. */
		sz = (uint32_t)((sb.len + 7) & ~(size_t)7);
		err = append_record(w, PERF_USER_TRACING_DATA, NULL, 0, &sz, sizeof(sz));
		if (!err)
			err = writer_io__append(w, sb.buf, sb.len);
		if (!err)
			err = writer_io__append(w, zeros, -sb.len & 7);
	}
	strbuf__free(&sb);
	return err;
}

static int begin_pipe(struct data_writer *w)
{
	const uint64_t head[2] = { PERF_FILE_MAGIC, PERF_PIPE_HEADER_SZ };
	const uint64_t skipped = END_FEATURES | 1ULL << PERF_FEATURE_TRACING_DATA;
	struct strbuf sb = STRBUF_INIT;
	uint64_t feature;
	size_t i;
	int err = writer_io__append(w, head, sizeof(head));

	for (i = 0; i < w->event_cnt && !err; i++)
		err = append_pipe_event(w, &w->events[i]);
	for (feature = 1; feature < PERF_FEATURE_WRITTEN_CNT && !err; feature++) {
		if (skipped >> feature & 1)
			continue;
		strbuf__reset(&sb);
		err = writer_features__put(w, (unsigned int)feature, &sb);
		/*
		 * A section larger than a record is omitted: the names are also sent with the
		 * events.
		 */
		if (!err && has_feature(w, (unsigned int)feature, sb.len) &&
		    sb.len <= RECORD_MAX_SZ - 24)
			err = append_record(w, PERF_USER_HEADER_FEATURE, &feature, sizeof(feature),
					    sb.buf, sb.len);
	}
	strbuf__free(&sb);
	/*
	 * No end mark follows, which is the number of features that the reader's perf knows: perf
	 * report takes no other.
	 */
	return err ? err : append_pipe_tracing_data(w);
}

/* In a pipe each is a record of equal layout except for its type, and its size. */
static int end_pipe(struct data_writer *w)
{
	static const char zeros[8];
	struct perf_event_header hdr;
	size_t at, sz;
	int err = 0;

	for (at = 0; at < w->build_ids.len && !err; at += sz) {
		memcpy(&hdr, w->build_ids.buf + at, sizeof(hdr));
		sz = hdr.size;
		hdr.type = PERF_USER_BUILD_ID;
		hdr.size = (uint16_t)((sz + 7) & ~(size_t)7);
		err = writer_io__append(w, &hdr, sizeof(hdr));
		if (!err)
			err = writer_io__append(w, w->build_ids.buf + at + sizeof(hdr),
						sz - sizeof(hdr));
		if (!err)
			err = writer_io__append(w, zeros, hdr.size - sz);
	}
	return err;
}

int writer_head__begin(struct data_writer *w)
{
	choose_attr_sz(w);
	return w->is_pipe ? begin_pipe(w) : begin_file(w);
}

int writer_head__end(struct data_writer *w)
{
	return w->is_pipe ? end_pipe(w) : end_file(w);
}
