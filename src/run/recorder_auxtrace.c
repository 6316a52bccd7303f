// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/recorder_auxtrace.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "source/kernel_rings.h"
#include "data/perf_file.h"
#include "data/proc_layout.h"
#include "data/writer.h"
#include "perf/auxtrace_info.h"
#include "perf/sampling.h"
#include "util/log.h"
#include "util/mono.h"

const struct evsel *recorder_auxtrace__event(const struct sampling_events *c)
{
	size_t i;

	for (i = 0; i < c->set.cnt; i++)
		if (c->set.events[i].has_aux)
			return &c->set.events[i];
	return NULL;
}

int recorder_auxtrace__write_clock(struct data_writer *w, const struct perf_event_mmap_page *page)
{
	struct {
		struct perf_event_header hdr;
		struct auxtrace_clock clock;
	} rec = { .hdr = { .type = PERF_USER_TIME_CONV, .size = sizeof(rec) } };

	return auxtrace_info__clock(&rec.clock, page) ? data_writer__write(w, &rec, sizeof(rec))
						      : 0;
}

/* Words of a record, the size of which has 16 bits. */
#define INFO_WORDS_MAX ((UINT16_MAX & ~7u) / 8 - 2)

int recorder_auxtrace__write_info(struct data_writer *w, const struct auxtrace_setup *setup)
{
	struct {
		struct perf_event_header hdr;
		uint32_t type, reserved;
	} * rec;
	struct auxtrace_info info;
	size_t sz;
	int err = auxtrace_info__fill(&info, setup);

	if (err)
		return err;
	if (info.cnt > INFO_WORDS_MAX) {
		log_error("the parameters of %zu trace units do not fit into a recording; choose "
			  "fewer CPUs by -C",
			  setup->event->cpu_cnt);
		auxtrace_info__free(&info);
		return -E2BIG;
	}
	sz = sizeof(*rec) + info.cnt * sizeof(*info.words);
	rec = calloc(1, sz);
	if (rec) {
		rec->hdr = (struct perf_event_header){ .type = PERF_USER_AUXTRACE_INFO,
						       .size = (uint16_t)sz };
		rec->type = info.type;
		memcpy(rec + 1, info.words, info.cnt * sizeof(*info.words));
		err = data_writer__write(w, rec, sz);
	}
	free(rec);
	auxtrace_info__free(&info);
	return rec ? err : -ENOMEM;
}

struct id_entry {
	uint64_t id, idx, cpu, tid;
};

/* The largest number of entries in a record, the size of which has 16 bits. */
#define IDS_MAX ((UINT16_MAX & ~7u) / sizeof(struct id_entry) - 1)

struct id_index {
	struct perf_event_header hdr;
	uint64_t cnt;
	struct id_entry entries[IDS_MAX];
};

static int write_index(struct data_writer *w, struct id_index *rec)
{
	size_t sz = offsetof(struct id_index, entries) + rec->cnt * sizeof(rec->entries[0]);

	rec->hdr = (struct perf_event_header){ .type = PERF_USER_ID_INDEX, .size = (uint16_t)sz };
	return rec->cnt ? data_writer__write(w, rec, sz) : 0;
}

static int add_ids(struct data_writer *w, struct id_index *rec, const struct evsel *sel,
		   const struct kernel_rings *rings)
{
	size_t i;
	int err = 0;

	for (i = 0; i < evsel__cell_cnt(sel) && !err; i++) {
		struct id_entry *e = &rec->entries[rec->cnt];
		int cpu = evsel__cpu(sel, i);
		pid_t tid = evsel__tid(sel, i);

		if (sel->fds[i] < 0 || ioctl(sel->fds[i], PERF_EVENT_IOC_ID, &e->id))
			continue;
		e->idx = kernel_rings__aux_idx(rings, cpu, tid);
		e->cpu = (uint64_t)cpu;
		e->tid = (uint64_t)tid;
		if (++rec->cnt < IDS_MAX)
			continue;
		err = write_index(w, rec);
		rec->cnt = 0;
	}
	return err;
}

int recorder_auxtrace__write_ids(struct data_writer *w, const struct sampling_events *c,
				 const struct kernel_rings *rings)
{
	struct id_index *rec = calloc(1, sizeof(*rec));
	int err = rec ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < c->set.cnt && !err; i++)
		err = add_ids(w, rec, &c->set.events[i], rings);
	if (!err)
		err = write_index(w, rec);
	free(rec);
	return err;
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
		.sz = (data->sz1 + data->sz2 + 7) & ~7ull,
		.off = data->off,
		.reference = reference(),
		.idx = ring->idx,
		.tid = (uint32_t)ring->tid,
		.cpu = (uint32_t)ring->cpu,
	};

	return data_writer__write_aux(w, &rec.hdr, data->data1, data->sz1, data->data2, data->sz2);
}
