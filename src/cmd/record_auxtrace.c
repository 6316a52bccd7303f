// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/record_auxtrace.h"

#include <errno.h>
#include <string.h>

#include "cmd/record_rings.h"
#include "data/perf_file.h"
#include "data/writer.h"
#include "event/event.h"
#include "session/capture.h"
#include "util/mono.h"

/* enum auxtrace_type of perf's tools/perf/util/auxtrace.h. */
enum auxtrace_type {
	AUXTRACE_UNKNOWN = 0,
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

static const struct capture_event *aux_event(const struct capture *c)
{
	size_t i;

	for (i = 0; i < c->cnt; i++)
		if (c->events[i].has_aux)
			return &c->events[i];
	return NULL;
}

static enum auxtrace_type type_of(const struct capture *c)
{
	const struct capture_event *ce = aux_event(c);
	const char *pmu = ce && ce->ev->pmu ? ce->ev->pmu : "";

	if (strncmp(pmu, "arm_spe_", 8) == 0)
		return AUXTRACE_ARM_SPE;
	return strcmp(pmu, "intel_bts") == 0 ? AUXTRACE_INTEL_BTS : AUXTRACE_UNKNOWN;
}

bool record_auxtrace__has_info(const struct capture *c)
{
	return type_of(c) != AUXTRACE_UNKNOWN;
}

int record_auxtrace__write_info(struct data_writer *w, const struct capture *c, bool snapshot)
{
	const struct capture_event *ce = aux_event(c);
	struct auxtrace_info_record rec = { .type = type_of(c) };
	size_t cnt;

	rec.words[0] = ce->attr.type;
	if (rec.type == AUXTRACE_ARM_SPE) {
		rec.words[1] = ce->cpus[0] >= 0;
		cnt = 2;
	} else {
		/* Without the clock's conversion, which perf does without: words 1 to 4. */
		rec.words[5] = snapshot;
		cnt = 6;
	}
	rec.hdr.type = PERF_USER_AUXTRACE_INFO;
	rec.hdr.size = (uint16_t)(sizeof(rec) - sizeof(rec.words) + cnt * sizeof(rec.words[0]));
	return data_writer__write(w, &rec, rec.hdr.size);
}

/* Queues of decoders begin in the order of it: any clock that grows. */
static uint64_t reference(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return mono_ns();
#endif
}

int record_auxtrace__write(struct data_writer *w, const struct record_ring *ring,
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
