// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Reads perf's own records, which replace the headers in a pipe. */
#include "data/reader.h"

#include <errno.h>
#include <string.h>

#include "data/bytes.h"
#include "data/perf_file.h"
#include "data/recording.h"
#include "util/log.h"

const char *reader__path(const struct recording *rec)
{
	return rec->reader->path ? rec->reader->path : rec->path;
}

int reader__log_damaged(const struct recording *rec, const char *what)
{
	if (!rec->is_quiet)
		log_error("%s is damaged: %s; record it again, or take a complete copy of it",
			  reader__path(rec), what);
	return -EBADMSG;
}

int reader__log_short(const struct recording *rec, const char *what)
{
	return rec->reader->in.is_stopped ? 0 : reader__log_damaged(rec, what);
}

int reader__log_no_memory(const struct recording *rec)
{
	log_error("no memory to read %s", reader__path(rec));
	return -ENOMEM;
}

/*
 * Reads the blob that follows a record of the pipe: memory grows only with the bytes that are read.
 */
static int pipe_tracing_data(struct recording *rec, uint32_t sz)
{
	struct reader *r = rec->reader;
	const uint8_t *data;
	int64_t got;
	int err;

	if (sz > SECTION_MAX_SZ)
		return reader__log_damaged(rec, "its tracing data is too large");
	got = input__peek(&r->in, sz, &data);
	if (got < 0)
		return got == -ENOMEM ? reader__log_no_memory(rec) : (int)got;
	r->after_sz = ((uint64_t)sz + 7) & ~7ULL;
	if ((uint64_t)got < sz)
		return reader__log_short(rec, "it ends inside its tracing data");
	err = recording__feature(rec, PERF_FEATURE_TRACING_DATA, data, sz);
	return err ? reader__log_no_memory(rec) : 0;
}

/* perf's record has the number of bytes alone, which may be padded. */
#define PIPE_TRACING_DATA_SZ 8

/* In files and pipes alike; sz: the bytes that there are, of which `used` are data. */
static int inner_tracing_data(struct recording *rec, const void *data, size_t sz, uint32_t used)
{
	if (used > sz)
		return reader__log_damaged(rec, "its tracing data ends before its end");
	return recording__feature(rec, PERF_FEATURE_TRACING_DATA, data, used)
		       ? reader__log_no_memory(rec)
		       : 0;
}

static int pipe_attr(struct recording *rec, const void *data, size_t sz)
{
	struct bytes head = bytes__of(data, sz, rec->swap), ids;
	uint32_t attr_sz;
	int err;

	bytes__u32(&head); /* type */
	attr_sz = bytes__u32(&head);
	if (!attr_sz)
		attr_sz = PERF_ATTR_SIZE_VER0;
	if (attr_sz > sz)
		return reader__log_damaged(rec, "one of its events is invalid");
	err = attrs__add(&rec->attrs, data, attr_sz, rec->swap);
	if (err)
		return err == -ENOMEM ? reader__log_no_memory(rec)
				      : reader__log_damaged(rec, "one of its events is invalid");
	ids = bytes__of((const char *)data + attr_sz, sz - attr_sz, rec->swap);
	return attrs__add_ids(&rec->attrs, rec->attrs.cnt - 1, &ids) ? reader__log_no_memory(rec)
								     : 0;
}

static int pipe_event_update(struct recording *rec, const void *data, size_t sz)
{
	/* Its fixed fields are already in this machine's byte order. */
	struct bytes b = bytes__of(data, sz, false);
	uint64_t type = bytes__u64(&b), id = bytes__u64(&b);
	struct recorded_event *ev = attrs__find(&rec->attrs, id);

	if (type != PERF_EVENT_UPDATE_NAME || !ev || !bytes__left(&b))
		return 0;
	return attrs__set_name(ev, (const char *)b.p, strnlen((const char *)b.p, bytes__left(&b)));
}

static int pipe_feature(struct recording *rec, const void *data, size_t sz)
{
	struct bytes b = bytes__of(data, sz, false);
	uint64_t feature = bytes__u64(&b);

	/* Tracing data and build ids can grow, so they have record types of their own. */
	if (b.bad || feature >= PERF_FEATURE_CNT || feature <= PERF_FEATURE_BUILD_ID)
		return 0;
	return recording__feature(rec, (unsigned int)feature, b.p, bytes__left(&b));
}

/* True if a record of this type describes events, formats or dsos. */
static bool is_description(uint32_t type)
{
	return type == PERF_USER_HEADER_ATTR || type == PERF_USER_TRACING_DATA ||
	       type == PERF_USER_BUILD_ID || type == PERF_USER_EVENT_UPDATE ||
	       type == PERF_USER_HEADER_FEATURE;
}

int reader__apply(struct recording *rec, const struct perf_event_header *hdr)
{
	const void *body = hdr + 1;
	size_t sz = hdr->size - sizeof(*hdr);
	struct reader *r = rec->reader;
	uint64_t after;
	uint32_t blob;
	int err = 0;

	if (rec->before_change &&
	    (is_description(hdr->type) || (r->has_new_events && hdr->type < PERF_USER_HEADER_ATTR)))
		rec->before_change(rec->before_change_ctx);
	r->has_new_events |= is_description(hdr->type);
	switch (hdr->type) {
	case PERF_USER_HEADER_ATTR:
		return pipe_attr(rec, body, sz);
	case PERF_USER_TRACING_DATA:
		if (sz < 4)
			return reader__log_damaged(rec, "its tracing data has no size");
		memcpy(&blob, body, 4);
		/* simpleperf before 2018 has the data in the record. */
		if (sz > PIPE_TRACING_DATA_SZ)
			return inner_tracing_data(rec, (const char *)body + 4, sz - 4, blob);
		return pipe_tracing_data(rec, blob);
	case PERF_USER_AUXTRACE:
		if (sz < 8)
			return reader__log_damaged(rec, "AUX data has no size");
		memcpy(&after, body, 8);
		r->after_sz = after;
		return 0;
	case PERF_USER_BUILD_ID:
		err = recording__build_id(rec, hdr->misc, body, sz);
		break;
	case PERF_USER_EVENT_UPDATE:
		err = pipe_event_update(rec, body, sz);
		break;
	case PERF_USER_HEADER_FEATURE:
		err = pipe_feature(rec, body, sz);
		break;
	default:
		if (r->has_new_events && hdr->type < PERF_USER_HEADER_ATTR) {
			r->has_new_events = false;
			err = recording__complete_events(rec);
		}
		break;
	}
	return err ? reader__log_no_memory(rec) : 0;
}
