// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_dump.h"

#include <errno.h>

#include "data/perf_file.h"
#include "data/perf_sample.h"
#include "data/record_layout.h"
#include "data/recording.h"
#include "sink/out.h"

typedef unsigned long long ull;

static uint64_t value_of(const uint8_t *p, unsigned int sz)
{
	uint64_t v = 0;
	uint32_t v32;
	uint16_t v16;

	if (sz == 8)
		memcpy(&v, p, 8);
	else if (sz == 4)
		memcpy(&v32, p, 4), v = v32;
	else if (sz == 2)
		memcpy(&v16, p, 2), v = v16;
	else
		v = *p;
	return v;
}

static void put_hex_bytes(struct strbuf *out, const uint8_t *p, size_t sz)
{
	size_t i;

	for (i = 0; i < sz; i++)
		strbuf__printf(out, "%02x", p[i]);
}

static void put_field(struct strbuf *out, const struct record_field *f, const uint8_t *p, size_t sz)
{
	strbuf__printf(out, " %s=", f->name);
	switch (f->kind) {
	case FIELD_TEXT:
		strbuf__put_escaped_cstr(out, (const char *)p, sz);
		break;
	case FIELD_BYTES:
		put_hex_bytes(out, p, sz);
		break;
	case FIELD_HEX:
		strbuf__printf(out, "0x%llx", (ull)value_of(p, f->sz));
		break;
	case FIELD_SIGNED:
		strbuf__put_s64(out, (int32_t)value_of(p, f->sz));
		break;
	default:
		strbuf__put_u64(out, value_of(p, f->sz));
		break;
	}
}

/* Puts the namespaces of a task: device and inode of each. */
static void put_namespaces(struct strbuf *out, const uint8_t *p, const uint8_t *end)
{
	for (; p + 16 <= end; p += 16)
		strbuf__printf(out, " 0x%llx/%llu", (ull)value_of(p, 8), (ull)value_of(p + 8, 8));
}

static void put_fields(struct strbuf *out, const struct perf_event_header *hdr)
{
	const struct record_field *f = record_layout__fields(hdr->type, hdr->misc);
	const uint8_t *p = (const uint8_t *)(hdr + 1), *end = (const uint8_t *)hdr + hdr->size;

	for (; f && f->name; f++) {
		size_t sz = f->kind == FIELD_TEXT ? (size_t)(end - p) : f->sz;

		if (sz > (size_t)(end - p)) {
			strbuf__puts(out, " [cut off]");
			return;
		}
		if (f->name[0])
			put_field(out, f, p, sz);
		p += sz;
	}
	end = (const uint8_t *)hdr + record_layout__body_end(hdr);
	if (hdr->type == PERF_RECORD_NAMESPACES)
		put_namespaces(out, p, end);
	else if (hdr->type == PERF_RECORD_TEXT_POKE && p < end) {
		strbuf__puts(out, " bytes=");
		put_hex_bytes(out, p, (size_t)(end - p));
	}
}

static void put_words(struct strbuf *out, const char *name, const struct perf_words *w)
{
	uint64_t i;

	if (!w->cnt)
		return;
	strbuf__printf(out, " %s=", name);
	for (i = 0; i < w->cnt; i++)
		strbuf__printf(out, "%s0x%llx", i ? "," : "", (ull)perf_words__get(w, i));
}

/* Puts the numbers of a sample, each with the attr bit that selects it. */
static void put_numbers(struct strbuf *out, const struct perf_sample *s)
{
	const struct {
		uint64_t bit;
		const char *fmt;
		uint64_t val;
	} numbers[] = {
		{ PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, " id=%llu", s->id },
		{ PERF_SAMPLE_STREAM_ID, " stream_id=%llu", s->stream_id },
		{ PERF_SAMPLE_CPU, " cpu=%llu", s->cpu },
		{ PERF_SAMPLE_TIME, " time=%llu", s->time_ns },
		{ PERF_SAMPLE_IP, " ip=0x%llx", s->ip },
		{ PERF_SAMPLE_ADDR, " addr=0x%llx", s->addr },
		{ PERF_SAMPLE_PERIOD, " period=%llu", s->period },
		{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, " weight=0x%llx", s->weight },
		{ PERF_SAMPLE_DATA_SRC, " data_src=0x%llx", s->data_src },
		{ PERF_SAMPLE_TRANSACTION, " transaction=0x%llx", s->transaction },
		{ PERF_SAMPLE_PHYS_ADDR, " phys_addr=0x%llx", s->phys_addr },
		{ PERF_SAMPLE_CGROUP, " cgroup=%llu", s->cgroup },
		{ PERF_SAMPLE_DATA_PAGE_SIZE, " data_page_size=%llu", s->data_page_sz },
		{ PERF_SAMPLE_CODE_PAGE_SIZE, " code_page_size=%llu", s->code_page_sz },
	};
	size_t i;

	if (s->have & PERF_SAMPLE_TID)
		strbuf__printf(out, " pid=%d tid=%d", (int)s->pid, (int)s->tid);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (s->have & numbers[i].bit)
			strbuf__printf(out, numbers[i].fmt, (ull)numbers[i].val);
}

static void put_sample(struct strbuf *out, const struct perf_sample *s)
{
	strbuf__puts(out, " event=");
	strbuf__put_escaped(out, s->event->name, strlen(s->event->name));
	put_numbers(out, s);
	if (s->have & PERF_SAMPLE_READ)
		strbuf__printf(out, " read_format=0x%llx", (ull)s->read_format);
	put_words(out, "read", &s->read);
	put_words(out, "callchain", &s->callchain);
	put_words(out, "branches", &s->branches);
	put_words(out, "branch_counters", &s->branch_counters);
	if (s->have & PERF_SAMPLE_REGS_USER)
		strbuf__printf(out, " user_abi=%llu", (ull)s->user_abi);
	put_words(out, "user_regs", &s->user_regs);
	if (s->have & PERF_SAMPLE_REGS_INTR)
		strbuf__printf(out, " intr_abi=%llu", (ull)s->intr_abi);
	put_words(out, "intr_regs", &s->intr_regs);
	if (s->have & PERF_SAMPLE_STACK_USER)
		strbuf__printf(out, " user_stack=%llu", (ull)s->user_stack_sz);
	if (s->have & PERF_SAMPLE_AUX)
		strbuf__printf(out, " aux=%llu", (ull)s->aux_sz);
	if (s->have & PERF_SAMPLE_RAW) {
		strbuf__puts(out, " raw=");
		put_hex_bytes(out, s->raw, s->raw_sz);
	}
}

/* Bytes of a READ record before the words that its event's read_format selects. */
#define READ_HEAD_SZ (sizeof(struct perf_event_header) + 8)

/*
 * Puts what follows the first word of a READ record: times, id and losses, or with a group the
 * words of all its members.
 */
static void put_read(struct strbuf *out, const struct perf_event_header *hdr,
		     const struct perf_sample *s)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} parts[] = { { PERF_FORMAT_TOTAL_TIME_ENABLED, "time_enabled" },
		      { PERF_FORMAT_TOTAL_TIME_RUNNING, "time_running" },
		      { PERF_FORMAT_ID, "id" },
		      { PERF_FORMAT_LOST, "lost" } };
	uint64_t format = s->event->attr.read_format, i = 0, n;
	struct perf_words w = { (const uint8_t *)hdr + READ_HEAD_SZ + 8, 0, s->swap };
	size_t trailer_sz = perf_sample__trailer_sz(&s->event->attr);

	if (hdr->size < READ_HEAD_SZ + 8 + trailer_sz)
		return;
	w.cnt = (hdr->size - READ_HEAD_SZ - 8 - trailer_sz) / 8;
	if (format & PERF_FORMAT_GROUP) {
		put_words(out, "read", &w);
		return;
	}
	for (n = 0; n < sizeof(parts) / sizeof(*parts); n++)
		if (format & parts[n].bit && i < w.cnt)
			strbuf__printf(out, " %s=%llu", parts[n].name,
				       (ull)perf_words__get(&w, i++));
}

static void put_record(struct recording *rec, const struct record *raw, struct strbuf *out)
{
	const struct perf_event_header *hdr = raw->hdr;
	const char *name = record_layout__name(hdr->type);
	struct perf_sample s;
	int err;

	strbuf__printf(out, "0x%llx [0x%x]: ", (ull)raw->off, hdr->size);
	if (name)
		strbuf__puts(out, name);
	else
		strbuf__printf(out, "type %u", hdr->type);
	strbuf__printf(out, " misc=0x%x", hdr->misc);
	if (hdr->type == PERF_RECORD_SAMPLE) {
		err = perf_sample__parse(&s, &rec->attrs, rec->swap, hdr);
		if (s.event)
			put_sample(out, &s);
		if (err)
			strbuf__puts(out, err == -ENOENT ? " [of no event]" : " [cut off]");
	} else {
		put_fields(out, hdr);
		if (hdr->type < PERF_USER_HEADER_ATTR &&
		    !perf_sample__parse(&s, &rec->attrs, rec->swap, hdr) && s.have) {
			if (hdr->type == PERF_RECORD_READ && s.event)
				put_read(out, hdr, &s);
			strbuf__puts(out, " |");
			put_numbers(out, &s);
		}
	}
	strbuf__putc(out, '\n');
}

/* The number of Intel PT in AUXTRACE_INFO. */
#define AUXTRACE_INTEL_PT 1

static bool is_intel_pt(const struct perf_event_header *hdr)
{
	uint32_t type;

	if (hdr->size < sizeof(*hdr) + sizeof(type))
		return false;
	memcpy(&type, hdr + 1, sizeof(type));
	return type == AUXTRACE_INTEL_PT;
}

/* Prints the packets that follow an AUXTRACE record. */
static int put_trace(struct recording *rec, struct out *out, const struct script_dump_trace *trace)
{
	const uint8_t *data;
	uint64_t left, at = 0;
	size_t sz, taken;
	int err = 0;

	while (!err && (sz = recording__data(rec, &data, &left)) > 0) {
		if (!at)
			strbuf__printf(&out->buf,
				       ". ... Intel Processor Trace data: size %llu bytes\n",
				       (ull)left);
		taken = trace->put(trace->ctx, data, sz, at, sz == left, &out->buf);
		if (!taken)
			return 0;
		recording__drop_data(rec, taken);
		at += taken;
		err = out__commit(out);
	}
	return err;
}

int script_dump(struct recording *rec, struct out *out, const struct script_dump_trace *trace)
{
	bool is_pt = false;
	struct record raw;
	int got, err;

	while ((got = recording__next(rec, &raw)) > 0) {
		put_record(rec, &raw, &out->buf);
		if (raw.hdr->type == PERF_USER_AUXTRACE_INFO)
			is_pt = is_intel_pt(raw.hdr);
		if (rec->is_live && raw.hdr->type == PERF_USER_FINISHED_ROUND)
			err = out__flush(out);
		else
			err = out__commit(out);
		if (!err && is_pt && raw.hdr->type == PERF_USER_AUXTRACE)
			err = put_trace(rec, out, trace);
		if (err)
			return err;
	}
	return got;
}
