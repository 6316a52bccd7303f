// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * CoreSight in a recording: the registers of its trace units (tools/perf/util/cs-etm.h), their ids,
 * and the parts of AUX areas that were written at once.
 */
#include <errno.h>
#include <stdlib.h>

#include <linux/perf_event.h>

#include "data/bytes.h"
#include "data/perf_file.h"
#include "data/perf_sample.h"
#include "data/proc_layout.h"
#include "data/recording.h"
#include "itrace/collect_priv.h"
#include "util/array.h"
#include "util/partition.h"

#define AUXTRACE_CS_ETM 3

/* The first word of a unit's block. */
#define ETM3_MAGIC 0x3030303030303030ULL
#define ETM4_MAGIC 0x4040404040404040ULL
#define ETE_MAGIC 0x5050505050505050ULL

#define UNITS_MAX 65536

/* Words behind the magic number, the CPU and, from version 1 on, the number of words. */
enum {
	ETM_CONFIGR,
	ETM_TRACEIDR,
	ETM_IDR0,
	ETM_IDR1,
	ETM_IDR2,
	ETM_IDR8,
	ETM_AUTHSTATUS,
	ETM_TS_SOURCE,
	ETE_DEVARCH = ETM_TS_SOURCE,
	ETE_TS_SOURCE,
	ETM_WORDS,
};
/* Version 0 does not tell their number. */
#define ETM_WORDS_V0 7

/* TRCTRACEIDR, as the recorder knows it: the kernel chose another id, which a record tells. */
#define TRACE_ID_MASK 0x7f

/* PERF_RECORD_AUX_OUTPUT_HW_ID (6.0), and what CoreSight's has. */
#define RECORD_AUX_OUTPUT_HW_ID 21
struct hw_id_record {
	struct perf_event_header hdr;
	uint64_t hw_id;
};

static uint64_t word(struct bytes *b, const struct recording *rec)
{
	uint64_t val = bytes__u64(b);

	/* perf writes them in the order of the machine that recorded. */
	return rec->swap ? __builtin_bswap64(val) : val;
}

/* One unit. 0 or -errno. */
static int parse_unit(struct collect *c, struct bytes *b, uint64_t version)
{
	uint64_t magic = word(b, c->rec), cpu = word(b, c->rec), words[ETM_WORDS] = { 0 }, val;
	uint64_t cnt = version ? word(b, c->rec) : ETM_WORDS_V0, i;
	const bool is_ete = magic == ETE_MAGIC;
	uint32_t ts_source = is_ete ? ETE_TS_SOURCE : ETM_TS_SOURCE;

	if (magic == ETM3_MAGIC)
		return -ENOTSUP;
	if (b->bad || (magic != ETM4_MAGIC && !is_ete) || cnt < ETM_WORDS_V0 ||
	    cnt > bytes__left(b) / 8 || cpu > INT16_MAX)
		return -EBADMSG;
	for (i = 0; i < cnt; i++) {
		val = word(b, c->rec);
		if (i < ETM_WORDS)
			words[i] = val;
	}
	c->has_virtual = c->has_virtual && cnt > ts_source && words[ts_source] == 1;
	c->etms[c->etm_cnt++] = (struct itrace_etm){
		.cpu = (int32_t)cpu,
		.is_ete = is_ete,
		.trace_id = words[ETM_TRACEIDR] & TRACE_ID_MASK,
		.idr0 = (uint32_t)words[ETM_IDR0],
		.idr1 = (uint32_t)words[ETM_IDR1],
		.idr2 = (uint32_t)words[ETM_IDR2],
		.idr8 = (uint32_t)words[ETM_IDR8],
		.configr = (uint32_t)words[ETM_CONFIGR],
		.devarch = is_ete ? (uint32_t)words[ETE_DEVARCH] : 0,
	};
	return 0;
}

int collect_etm__info(struct collect *c, const struct perf_event_header *hdr)
{
	struct bytes b = bytes__of(hdr + 1, hdr->size - sizeof(*hdr), false);
	uint32_t type = bytes__u32(&b), cnt;
	uint64_t version;
	int err = 0;

	bytes__u32(&b);
	if (type != AUXTRACE_CS_ETM)
		return -ENOENT;
	version = word(&b, c->rec);
	cnt = (uint32_t)word(&b, c->rec);
	c->info.is_snapshot = word(&b, c->rec) != 0;
	if (b.bad || !cnt || cnt > UNITS_MAX)
		return -EBADMSG;
	free(c->etms);
	c->etm_cnt = 0;
	c->etms = calloc(cnt, sizeof(*c->etms));
	if (!c->etms)
		return -ENOMEM;
	c->info.unit = ITRACE_UNIT_ETM;
	c->has_virtual = true;
	while (cnt-- && !err)
		err = parse_unit(c, &b, version);
	return err;
}

int collect_etm__aux(struct collect *c, const struct record *rec)
{
	const struct aux_record *r = (const void *)rec->hdr;
	struct perf_sample s;

	if (c->info.unit != ITRACE_UNIT_ETM || r->hdr.size < sizeof(*r) || !r->sz ||
	    perf_sample__parse(&s, &c->rec->attrs, c->rec->swap, rec->hdr))
		return 0;
	if (array__reserve((void **)&c->auxes, &c->aux_cap, c->aux_cnt + 1, sizeof(*c->auxes)))
		return -ENOMEM;
	c->auxes[c->aux_cnt] = (struct collect_aux){
		.order = (uint32_t)c->aux_cnt,
		.time_ns = rec->time_ns,
		.off = r->off,
		.sz = r->sz,
		.flags = r->flags,
		.tid = s.have & PERF_SAMPLE_TID ? (int32_t)s.tid : -1,
		.cpu = s.have & PERF_SAMPLE_CPU ? (int32_t)s.cpu : -1,
	};
	c->aux_cnt++;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct collect_aux *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void collect_etm__sort(struct collect *c)
{
	bool is_by_thread = false;
	size_t i;

	for (i = 0; i < c->queue_cnt; i++)
		is_by_thread = is_by_thread || c->queues[i].cpu < 0;
	for (i = 0; i < c->aux_cnt; i++)
		c->auxes[i].key = is_by_thread ? c->auxes[i].tid : c->auxes[i].cpu;
	if (c->aux_cnt)
		qsort(c->auxes, c->aux_cnt, sizeof(*c->auxes), by_key);
}

size_t collect_etm__first_aux(const struct collect *c, const struct collect_queue *q)
{
	const int32_t key = q->cpu < 0 ? q->tid : q->cpu;
	size_t lo = partition_point(0, c->aux_cnt, i, c->auxes[i].key < key);

	return lo < c->aux_cnt && c->auxes[lo].key == key ? lo : c->aux_cnt;
}

/* The id that the kernel chose for a CPU's unit, in bits 0 to 7. */
static void take_hw_id(struct collect *c, const struct record *rec)
{
	const struct hw_id_record *r = (const void *)rec->hdr;
	struct perf_sample s;
	size_t i;

	if (r->hdr.size < sizeof(*r) ||
	    perf_sample__parse(&s, &c->rec->attrs, c->rec->swap, rec->hdr) ||
	    !(s.have & PERF_SAMPLE_CPU))
		return;
	for (i = 0; i < c->etm_cnt; i++)
		if (c->etms[i].cpu == (int32_t)s.cpu)
			c->etms[i].trace_id = r->hw_id & TRACE_ID_MASK;
}

static void take_time_conv(struct collect *c, const struct perf_event_header *hdr)
{
	struct bytes b = bytes__of(hdr + 1, hdr->size - sizeof(*hdr), false);
	uint64_t shift = bytes__u64(&b), mult = bytes__u64(&b), zero = bytes__u64(&b);

	if (b.bad || shift > 63 || !mult || mult > UINT32_MAX || !c->has_virtual)
		return;
	c->info.time_shift = (uint16_t)shift;
	c->info.time_mult = (uint32_t)mult;
	c->info.time_zero = zero;
	c->info.has_ns = true;
}

void collect_etm__record(struct collect *c, const struct record *rec)
{
	if (c->info.unit != ITRACE_UNIT_ETM)
		return;
	if (rec->hdr->type == RECORD_AUX_OUTPUT_HW_ID)
		take_hw_id(c, rec);
	else if (rec->hdr->type == PERF_USER_TIME_CONV)
		take_time_conv(c, rec->hdr);
}
