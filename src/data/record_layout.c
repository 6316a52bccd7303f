// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "data/record_layout.h"

#include <string.h>

#include "data/perf_file.h"

#define RECORD_MAX 84
/* linux/perf_event.h of 6.12 and later; written out, since older headers lack the last ones. */
#define RECORD_AUX_OUTPUT_HW_ID 21

#define DEC(n, s)                                                                                  \
	{                                                                                          \
		n, FIELD_DEC, s                                                                    \
	}
#define SGN(n, s)                                                                                  \
	{                                                                                          \
		n, FIELD_SIGNED, s                                                                 \
	}
#define HEX(n, s)                                                                                  \
	{                                                                                          \
		n, FIELD_HEX, s                                                                    \
	}
#define RAW(n, s)                                                                                  \
	{                                                                                          \
		n, FIELD_BYTES, s                                                                  \
	}
#define TEXT(n)                                                                                    \
	{                                                                                          \
		n, FIELD_TEXT, 0                                                                   \
	}
#define FIELDS(...) ((const struct record_field[]){ __VA_ARGS__, { NULL, 0, 0 } })
#define MMAP2_WITH(...)                                                                            \
	FIELDS(SGN("pid", 4), SGN("tid", 4), HEX("addr", 8), HEX("len", 8), HEX("pgoff", 8),       \
	       __VA_ARGS__, HEX("prot", 4), HEX("flags", 4), TEXT("filename"))
#define TASK_FIELDS                                                                                \
	FIELDS(SGN("pid", 4), SGN("ppid", 4), SGN("tid", 4), SGN("ptid", 4), DEC("time", 8))

struct record_layout {
	const char *name;
	const struct record_field *fields;
};

static const struct record_layout layouts[RECORD_MAX] = {
	[PERF_RECORD_MMAP] = { "PERF_RECORD_MMAP",
			       FIELDS(SGN("pid", 4), SGN("tid", 4), HEX("addr", 8), HEX("len", 8),
				      HEX("pgoff", 8), TEXT("filename")) },
	[PERF_RECORD_LOST] = { "PERF_RECORD_LOST", FIELDS(DEC("id", 8), DEC("lost", 8)) },
	[PERF_RECORD_COMM] = { "PERF_RECORD_COMM",
			       FIELDS(SGN("pid", 4), SGN("tid", 4), TEXT("comm")) },
	[PERF_RECORD_EXIT] = { "PERF_RECORD_EXIT", TASK_FIELDS },
	[PERF_RECORD_THROTTLE] = { "PERF_RECORD_THROTTLE",
				   FIELDS(DEC("time", 8), DEC("id", 8), DEC("stream_id", 8)) },
	[PERF_RECORD_UNTHROTTLE] = { "PERF_RECORD_UNTHROTTLE",
				     FIELDS(DEC("time", 8), DEC("id", 8), DEC("stream_id", 8)) },
	[PERF_RECORD_FORK] = { "PERF_RECORD_FORK", TASK_FIELDS },
	[PERF_RECORD_READ] = { "PERF_RECORD_READ",
			       FIELDS(SGN("pid", 4), SGN("tid", 4), DEC("value", 8)) },
	[PERF_RECORD_SAMPLE] = { "PERF_RECORD_SAMPLE", NULL },
	[PERF_RECORD_MMAP2] = { "PERF_RECORD_MMAP2",
				MMAP2_WITH(DEC("maj", 4), DEC("min", 4), DEC("ino", 8),
					   DEC("ino_generation", 8)) },
	[PERF_RECORD_AUX] = { "PERF_RECORD_AUX",
			      FIELDS(HEX("aux_offset", 8), HEX("aux_size", 8), HEX("flags", 8)) },
	[PERF_RECORD_ITRACE_START] = { "PERF_RECORD_ITRACE_START",
				       FIELDS(SGN("pid", 4), SGN("tid", 4)) },
	[PERF_RECORD_LOST_SAMPLES] = { "PERF_RECORD_LOST_SAMPLES", FIELDS(DEC("lost", 8)) },
	[PERF_RECORD_SWITCH] = { "PERF_RECORD_SWITCH", NULL },
	[PERF_RECORD_SWITCH_CPU_WIDE] = { "PERF_RECORD_SWITCH_CPU_WIDE",
					  FIELDS(SGN("next_prev_pid", 4),
						 SGN("next_prev_tid", 4)) },
	[PERF_RECORD_NAMESPACES] = { "PERF_RECORD_NAMESPACES", FIELDS(SGN("pid", 4), SGN("tid", 4),
								      DEC("nr_namespaces", 8)) },
	[PERF_RECORD_KSYMBOL] = { "PERF_RECORD_KSYMBOL",
				  FIELDS(HEX("addr", 8), DEC("len", 4), DEC("ksym_type", 2),
					 HEX("flags", 2), TEXT("name")) },
	[PERF_RECORD_BPF_EVENT] = { "PERF_RECORD_BPF_EVENT",
				    FIELDS(DEC("bpf_type", 2), HEX("flags", 2), DEC("id", 4),
					   RAW("tag", 8)) },
	[PERF_RECORD_CGROUP] = { "PERF_RECORD_CGROUP", FIELDS(DEC("id", 8), TEXT("path")) },
	[PERF_RECORD_TEXT_POKE] = { "PERF_RECORD_TEXT_POKE",
				    FIELDS(HEX("addr", 8), DEC("old_len", 2), DEC("new_len", 2)) },
	[RECORD_AUX_OUTPUT_HW_ID] = { "PERF_RECORD_AUX_OUTPUT_HW_ID", FIELDS(HEX("hw_id", 8)) },
	[RECORD_CALLCHAIN_DEFERRED] = { "PERF_RECORD_CALLCHAIN_DEFERRED",
					FIELDS(HEX("cookie", 8), DEC("nr", 8)) },
	[PERF_USER_HEADER_ATTR] = { "PERF_RECORD_HEADER_ATTR", NULL },
	[PERF_USER_EVENT_TYPE] = { "PERF_RECORD_HEADER_EVENT_TYPE", NULL },
	[PERF_USER_TRACING_DATA] = { "PERF_RECORD_HEADER_TRACING_DATA", FIELDS(DEC("size", 4)) },
	[PERF_USER_BUILD_ID] = { "PERF_RECORD_HEADER_BUILD_ID",
				 FIELDS(SGN("pid", 4), RAW("build_id", 24), TEXT("filename")) },
	[PERF_USER_FINISHED_ROUND] = { "PERF_RECORD_FINISHED_ROUND", NULL },
	[PERF_USER_ID_INDEX] = { "PERF_RECORD_ID_INDEX", FIELDS(DEC("nr", 8)) },
	[PERF_USER_AUXTRACE_INFO] = { "PERF_RECORD_AUXTRACE_INFO", FIELDS(DEC("type", 4)) },
	[PERF_USER_AUXTRACE] = { "PERF_RECORD_AUXTRACE",
				 FIELDS(HEX("size", 8), HEX("offset", 8), HEX("reference", 8),
					DEC("idx", 4), SGN("tid", 4), SGN("cpu", 4)) },
	[PERF_USER_AUXTRACE_ERROR] = { "PERF_RECORD_AUXTRACE_ERROR",
				       FIELDS(DEC("type", 4), DEC("code", 4), SGN("cpu", 4),
					      SGN("pid", 4), SGN("tid", 4), DEC("fmt", 4),
					      HEX("ip", 8), DEC("time", 8), TEXT("msg")) },
	[PERF_USER_THREAD_MAP] = { "PERF_RECORD_THREAD_MAP", FIELDS(DEC("nr", 8)) },
	[PERF_USER_CPU_MAP] = { "PERF_RECORD_CPU_MAP", FIELDS(DEC("type", 2)) },
	[PERF_USER_STAT_CONFIG] = { "PERF_RECORD_STAT_CONFIG", FIELDS(DEC("nr", 8)) },
	[PERF_USER_STAT] = { "PERF_RECORD_STAT",
			     FIELDS(DEC("id", 8), SGN("cpu", 4), SGN("thread", 4), DEC("val", 8),
				    DEC("ena", 8), DEC("run", 8)) },
	[PERF_USER_STAT_ROUND] = { "PERF_RECORD_STAT_ROUND",
				   FIELDS(DEC("type", 8), DEC("time", 8)) },
	[PERF_USER_EVENT_UPDATE] = { "PERF_RECORD_EVENT_UPDATE",
				     FIELDS(DEC("type", 8), DEC("id", 8)) },
	[PERF_USER_TIME_CONV] = { "PERF_RECORD_TIME_CONV",
				  FIELDS(DEC("time_shift", 8), DEC("time_mult", 8),
					 DEC("time_zero", 8)) },
	[PERF_USER_HEADER_FEATURE] = { "PERF_RECORD_HEADER_FEATURE", FIELDS(DEC("feat_id", 8)) },
	[PERF_USER_COMPRESSED] = { "PERF_RECORD_COMPRESSED", NULL },
	[PERF_USER_FINISHED_INIT] = { "PERF_RECORD_FINISHED_INIT", NULL },
	[PERF_USER_COMPRESSED2] = { "PERF_RECORD_COMPRESSED2", FIELDS(DEC("data_size", 8)) },
};

static const struct record_field mmap2_build_id[] = {
	SGN("pid", 4),   SGN("tid", 4),           HEX("addr", 8),   HEX("len", 8),
	HEX("pgoff", 8), DEC("build_id_size", 1), RAW("", 3),       RAW("build_id", 20),
	HEX("prot", 4),  HEX("flags", 4),         TEXT("filename"), { NULL, 0, 0 },
};

const char *record_layout__name(uint32_t type)
{
	return type < RECORD_MAX ? layouts[type].name : NULL;
}

const struct record_field *record_layout__fields(uint32_t type, uint16_t misc)
{
	if (type == PERF_RECORD_MMAP2 && misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		return mmap2_build_id;
	return type < RECORD_MAX ? layouts[type].fields : NULL;
}

/* Size of the bytes after the fixed fields that these fields count. */
static size_t counted_sz(const struct perf_event_header *hdr)
{
	const uint8_t *body = (const uint8_t *)(hdr + 1);
	uint16_t lens[2];
	uint64_t cnt;

	if (hdr->type == PERF_RECORD_NAMESPACES && hdr->size >= 24) {
		memcpy(&cnt, body + 8, 8);
		return cnt < UINT16_MAX ? cnt * 16 : UINT16_MAX;
	}
	if (hdr->type == RECORD_CALLCHAIN_DEFERRED && hdr->size >= 24) {
		memcpy(&cnt, body + 8, 8);
		return cnt < UINT16_MAX / 8 ? cnt * 8 : UINT16_MAX;
	}
	if (hdr->type == PERF_RECORD_TEXT_POKE && hdr->size >= 20) {
		memcpy(lens, body + 8, 4);
		return ((12u + lens[0] + lens[1] + 7) & ~7u) - 12;
	}
	return 0;
}

size_t record_layout__body_end(const struct perf_event_header *hdr)
{
	const struct record_field *f = record_layout__fields(hdr->type, hdr->misc);
	size_t off = sizeof(*hdr);

	for (; f && f->name && off <= hdr->size; f++) {
		if (f->kind == FIELD_TEXT) {
			off += strnlen((const char *)hdr + off, hdr->size - off) + 1;
			off = (off + 7) & ~(size_t)7;
		} else {
			off += f->sz;
		}
	}
	off += counted_sz(hdr);
	return off < hdr->size ? off : hdr->size;
}

size_t record_layout__size(const struct perf_event_header *hdr, size_t trailer_sz)
{
	size_t end;

	if (hdr->type != PERF_RECORD_KSYMBOL && hdr->type != PERF_RECORD_BPF_EVENT)
		return hdr->size;
	end = record_layout__body_end(hdr) + trailer_sz;
	return end < hdr->size ? end : hdr->size;
}

static void swap_value(uint8_t *p, unsigned int sz)
{
	unsigned int i;

	for (i = 0; i < sz / 2; i++) {
		uint8_t b = p[i];

		p[i] = p[sz - 1 - i];
		p[sz - 1 - i] = b;
	}
}

void record_layout__swap(struct perf_event_header *hdr)
{
	const struct record_field *f = record_layout__fields(hdr->type, hdr->misc);
	size_t off = sizeof(*hdr), end;

	for (; f && f->name && f->kind != FIELD_TEXT && off + f->sz <= hdr->size; f++) {
		if (f->kind != FIELD_BYTES)
			swap_value((uint8_t *)hdr + off, f->sz);
		off += f->sz;
	}
	if (hdr->type != PERF_RECORD_NAMESPACES && hdr->type != RECORD_CALLCHAIN_DEFERRED)
		return;
	for (end = record_layout__body_end(hdr); off + 8 <= end; off += 8)
		swap_value((uint8_t *)hdr + off, 8);
}
