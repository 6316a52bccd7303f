// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/recording.h"

#include <errno.h>
#include <string.h>

#include "data/build_id_bit.h"
#include "data/inflate.h"
#include "data/perf_file.h"
#include "data/reader.h"
#include "data/record_layout.h"
#include "data/recording_parts.h"
#include "util/log.h"
#include "util/stop_signals.h"

/* Bytes of recording__data(), at most. */
#define DATA_WINDOW_SZ (64u << 10)

static int start_unpacking(struct recording *rec, const struct perf_event_header *hdr)
{
	struct reader *r = rec->reader;
	size_t head = hdr->type == PERF_USER_COMPRESSED2 ? 16 : 8, sz = hdr->size;
	const uint8_t *data;
	uint64_t announced;
	int64_t got;

	if (sz < head)
		return reader__log_damaged(rec, "a package of records is empty");
	if (!r->inflate)
		r->inflate = inflate__new();
	if (!r->inflate)
		return reader__log_no_memory(rec);
	if (head == 16) {
		memcpy(&announced, hdr + 1, 8);
		if (announced > sz - head)
			return reader__log_damaged(
				rec, "a package of records is longer than its record");
		sz = head + announced;
	}
	/* Read the header again: r->record is a copy, and the input may have moved. */
	got = input__peek(&r->in, hdr->size, &data);
	if (got < hdr->size)
		return reader__log_damaged(rec, "it ends inside a package of records");
	inflate__feed(r->inflate, data + head, sz - head);
	r->packed_sz = hdr->size;
	r->is_unpacking = true;
	return 0;
}

/* Takes up to `want` bytes from the open package, or from the file. */
static int64_t peek(struct reader *r, size_t want, const uint8_t **data)
{
	return r->is_unpacking ? inflate__peek(r->inflate, want, data)
			       : input__peek(&r->in, want, data);
}

/*
 * Copies the next record into r->record: 1; 0 at the end of the file or of the package; -errno
 * after one sentence. A package may end with part of a record, which the next package continues.
 */
static int take_record(struct recording *rec, bool *is_cut)
{
	struct reader *r = rec->reader;
	struct perf_event_header hdr;
	const uint8_t *data;
	int64_t got;

	got = peek(r, sizeof(hdr), &data);
	if (got < 0)
		goto failed;
	*is_cut = got > 0;
	if ((size_t)got < sizeof(hdr))
		return 0;
	memcpy(&hdr, data, sizeof(hdr));
	if (rec->swap) {
		hdr.type = __builtin_bswap32(hdr.type);
		hdr.misc = __builtin_bswap16(hdr.misc);
		hdr.size = __builtin_bswap16(hdr.size);
	}
	if (hdr.size < sizeof(hdr)) {
		if (!rec->is_quiet)
			log_error("%s is damaged at byte %llu: a record has no size; the records "
				  "before it are complete",
				  reader__path(rec), (unsigned long long)r->in.off);
		return -EBADMSG;
	}
	got = peek(r, hdr.size, &data);
	if (got < 0)
		goto failed;
	if (got < hdr.size)
		return 0;
	memcpy(r->record, data, hdr.size);
	memcpy(r->record, &hdr, sizeof(hdr));
	if (!rec->attrs.want_build_ids)
		build_id_bit__check((struct perf_event_header *)r->record, rec->swap);
	if (rec->swap)
		record_layout__swap((struct perf_event_header *)r->record);
	return 1;
failed:
	if (got == -EBADMSG && rec->is_quiet)
		return -EBADMSG;
	if (got == -EBADMSG)
		log_error("%s is damaged at byte %llu: its records are not zstd data; the records "
			  "before that are complete",
			  reader__path(rec), (unsigned long long)r->in.off);
	else
		log_error("cannot read %s: %s", reader__path(rec), strerror((int)-got));
	return (int)got;
}

/* Moves past the record, or the package, that was handed on. */
static int go_on(struct recording *rec)
{
	struct reader *r = rec->reader;
	int err = 0;

	if (r->after_sz)
		err = input__skip(&r->in, r->after_sz);
	r->after_sz = 0;
	if (err == -ENODATA)
		return reader__log_short(rec, "it ends inside the data after a record");
	if (err)
		log_error("cannot read %s: %s", reader__path(rec), strerror(-err));
	return err;
}

/* So many bytes, if there are as many, tell a text from a record. */
#define TEXT_BEGIN_SZ 64
/* Text behind the records that is looked at; after more of it records may come again. */
#define TEXT_MAX_SZ (1u << 20)

/*
 * Returns whether the rest of the input is printable, in one of the ways that texts are: what CMD,
 * or the recorder itself, wrote to the pipe of the recording. *is_all: up to the end.
 */
static bool is_text(struct reader *r, bool *is_all)
{
	const uint8_t *data;
	int64_t got = input__peek(&r->in, TEXT_MAX_SZ, &data), i;

	for (i = 0; i < got; i++)
		if ((data[i] < ' ' || data[i] == 0x7f) && data[i] != '\n' && data[i] != '\t' &&
		    data[i] != '\r' && data[i] != 27)
			break;
	*is_all = i == got && got < TEXT_MAX_SZ;
	/* The first byte of a record may be a printable one, the second is not. */
	return got > 1 && i >= (got < TEXT_BEGIN_SZ ? got : TEXT_BEGIN_SZ);
}

/* Reports text in place of a record: after it nothing is read. 0: it is the end. */
static int end_in_text(struct recording *rec, bool is_all)
{
	if (!is_all)
		return reader__log_short(rec, "text that CMD may have written to the same pipe is "
					      "among its records");
	if (!rec->is_quiet)
		log_warn("text follows the records of %s, which were all read: CMD, or perf, has "
			 "written it to the same pipe",
			 reader__path(rec));
	return 0;
}

static int next_of_input(struct recording *rec)
{
	bool is_cut, is_all;
	int got = go_on(rec);

	if (got)
		return got;
	got = take_record(rec, &is_cut);
	if (!got && is_cut && !rec->is_cut && is_text(rec->reader, &is_all))
		return end_in_text(rec, is_all);
	if (!got && is_cut && !rec->is_cut)
		return reader__log_short(rec, "it ends inside a record");
	if (!got && rec->reader->in.is_short && !rec->is_cut)
		return reader__log_short(rec, "it ends before all of its records");
	return got;
}

/*
 * A package inside a package, or data after a packed record, could nest without end. TIME_CONV,
 * ID_INDEX and AUXTRACE_INFO are packed by bpfperf, which writes them after the headers.
 */
static bool may_be_packed(uint32_t type)
{
	return type < PERF_USER_HEADER_ATTR || type == PERF_USER_AUXTRACE_INFO ||
	       type == PERF_USER_ID_INDEX || type == PERF_USER_TIME_CONV;
}

int reader__next(struct recording *rec, struct record *raw)
{
	struct reader *r = rec->reader;
	const struct perf_event_header *hdr = (const void *)r->record;
	bool is_cut;
	int got, err;

	for (;;) {
		raw->off = r->in.off;
		if (r->is_unpacking) {
			got = take_record(rec, &is_cut);
			if (got < 0)
				return got;
			if (got) {
				inflate__skip(r->inflate, hdr->size);
				break;
			}
			r->is_unpacking = false;
			input__skip(&r->in, r->packed_sz);
			continue;
		}
		got = next_of_input(rec);
		if (got <= 0)
			return got;
		/* Behind the bytes that followed the record before. */
		raw->off = r->in.off;
		if (hdr->type != PERF_USER_COMPRESSED && hdr->type != PERF_USER_COMPRESSED2) {
			input__skip(&r->in, hdr->size);
			break;
		}
		if (hdr->type == PERF_USER_COMPRESSED)
			rec->package_cnt++;
		else
			rec->package2_cnt++;
		err = start_unpacking(rec, hdr);
		if (err)
			return err;
	}
	if (r->is_unpacking && !may_be_packed(hdr->type))
		return reader__log_damaged(rec,
					   "a package holds records that are not the kernel's");
	err = reader__apply(rec, hdr);
	record__set_hdr(raw, hdr);
	return err ? err : 1;
}

size_t recording__data(struct recording *rec, const uint8_t **data, uint64_t *left)
{
	struct reader *r = rec->reader;
	uint64_t want = r->after_sz < DATA_WINDOW_SZ ? r->after_sz : DATA_WINDOW_SZ;
	int64_t got = want ? input__peek(&r->in, want, data) : 0;

	*left = r->after_sz;
	return got > 0 ? (size_t)((uint64_t)got < want ? (uint64_t)got : want) : 0;
}

void recording__drop_data(struct recording *rec, size_t sz)
{
	if (!input__skip(&rec->reader->in, sz))
		rec->reader->after_sz -= sz;
}

static void note_end(struct recording *rec)
{
	rec->is_stopped = rec->reader->in.is_stopped;
	rec->read_sz = rec->reader->in.off;
	/* From now on there is no writer to wait for. */
	stop_signals__catch_up_to(1);
}

int recording__next(struct recording *rec, struct record *raw)
{
	int got = rec->parts ? recording_parts__next(rec, raw) : reader__next(rec, raw);

	if (got <= 0 && !rec->parts)
		note_end(rec);
	/* Events without any records need names, too. */
	if (got <= 0 && rec->reader->has_new_events) {
		rec->reader->has_new_events = false;
		if (recording__complete_events(rec))
			return reader__log_no_memory(rec);
	}
	return got;
}

bool recording__may_have_stacks(const struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->attrs.cnt; i++)
		if (rec->attrs.events[i].attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	return rec->is_pipe;
}

bool recording__has_bpf_programs(const struct recording *rec)
{
	size_t i;

	/* A recorder that asks for these also writes the records of programs that are there. */
	for (i = 0; i < rec->attrs.cnt; i++)
		if (rec->attrs.events[i].attr.ksymbol && rec->attrs.events[i].attr.bpf_event)
			return true;
	return false;
}

bool recording__is_arm64(const struct recording *rec)
{
	if (rec->arch)
		return !strncmp(rec->arch, "aarch64", 7) || !strncmp(rec->arch, "arm64", 5);
#ifdef __aarch64__
	return true;
#else
	return false;
#endif
}
