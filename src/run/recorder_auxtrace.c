// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder_auxtrace.h"

#include <errno.h>
#include <string.h>

#include "source/kernel_rings.h"
#include "data/perf_file.h"
#include "data/writer.h"
#include "event/event.h"
#include "perf/sampling.h"
#include "util/mono.h"

/* enum auxtrace_type of perf's tools/perf/util/auxtrace.h. */
enum auxtrace_type {
	AUXTRACE_INTEL_BTS = 2,
	AUXTRACE_ARM_SPE = 4,
};

#define AUXTRACE_INFO_WORDS 6

struct auxtrace_info_record {
	struct perf_event_header hdr;
	uint32_t type, reserved;
	uint64_t words[AUXTRACE_INFO_WORDS];
};

struct auxtrace_record {
	struct perf_event_header hdr;
	uint64_t size, offset, reference;
	uint32_t idx, tid, cpu, reserved;
};

static const struct evsel *aux_event(const struct sampling_events *c)
{
	size_t i;

	for (i = 0; i < c->set.cnt; i++)
		if (c->set.events[i].has_aux)
			return &c->set.events[i];
	return NULL;
}

static bool is_pmu(const struct evsel *ce, const char *prefix)
{
	return ce->ev->pmu && strncmp(ce->ev->pmu, prefix, strlen(prefix)) == 0;
}

/* Fills PMU type, the clock's shift, factor, zero and whether it has one, and snapshot mode. */
static size_t fill_bts(struct auxtrace_info_record *rec, const struct evsel *ce,
		       const struct perf_event_mmap_page *page, bool snapshot)
{
	bool is_bts = is_pmu(ce, "intel_bts"), has_clock = is_bts && page->cap_user_time_zero;

	rec->type = AUXTRACE_INTEL_BTS;
	rec->words[0] = is_bts ? ce->attr.type : UINT32_MAX;
	rec->words[1] = has_clock ? page->time_shift : 0;
	/* perf divides by it. */
	rec->words[2] = has_clock ? page->time_mult : 1;
	rec->words[3] = has_clock ? page->time_zero : 0;
	rec->words[4] = has_clock;
	rec->words[5] = snapshot;
	return 6;
}

/* Fills PMU type and whether there is one ring per CPU. */
static size_t fill_spe(struct auxtrace_info_record *rec, const struct evsel *ce)
{
	rec->type = AUXTRACE_ARM_SPE;
	rec->words[0] = ce->attr.type;
	rec->words[1] = ce->cpus[0] >= 0;
	return 2;
}

int recorder_auxtrace__write_info(struct data_writer *w, const struct sampling_events *c,
				  const struct perf_event_mmap_page *page, bool snapshot)
{
	const struct evsel *ce = aux_event(c);
	struct auxtrace_info_record rec = { .hdr = { .type = PERF_USER_AUXTRACE_INFO } };
	size_t cnt;

	if (!ce || !page)
		return 0;
	cnt = is_pmu(ce, "arm_spe_") ? fill_spe(&rec, ce) : fill_bts(&rec, ce, page, snapshot);
	rec.hdr.size = (uint16_t)(sizeof(rec) - sizeof(rec.words) + cnt * sizeof(rec.words[0]));
	return data_writer__write(w, &rec, rec.hdr.size);
}

/* Decoders sort their queues by it: any clock that is monotonic. */
static uint64_t reference(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return mono_ns();
#endif
}

int recorder_auxtrace__write(struct data_writer *w, const struct kernel_ring *ring,
			     const struct aux_data *data)
{
	struct auxtrace_record rec = {
		.hdr = { .type = PERF_USER_AUXTRACE, .size = sizeof(rec) },
		.size = (data->sz1 + data->sz2 + 7) & ~7ull,
		.offset = data->off,
		.reference = reference(),
		.idx = ring->idx,
		.tid = (uint32_t)ring->tid,
		.cpu = (uint32_t)ring->cpu,
	};

	return data_writer__write_aux(w, &rec.hdr, data->data1, data->sz1, data->data2, data->sz2);
}
