// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/auxtrace_info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "event/event.h"
#include "event/pmu.h"
#include "perf/auxtrace_priv.h"
#include "perf/evset.h"
#include "selfmon/page.h"

/* enum auxtrace_type of perf's tools/perf/util/auxtrace.h. */
enum auxtrace_type {
	AUXTRACE_INTEL_PT = 1,
	AUXTRACE_INTEL_BTS = 2,
	AUXTRACE_CS_ETM = 3,
	AUXTRACE_ARM_SPE = 4,
	AUXTRACE_HISI_PTT = 6,
};

/* CPUID leaf of the ratio of the TSC to the crystal clock. */
#define CPUID_TSC 0x15

/* How the decoder of Intel PT learns of switches (INTEL_PT_HAVE_SCHED_SWITCH). */
enum pt_switches {
	PT_SWITCHES_NONE = 0,
	PT_SWITCHES_OF_TASKS = 2, /* PERF_RECORD_SWITCH */
	PT_SWITCHES_OF_CPUS = 3, /* PERF_RECORD_SWITCH_CPU_WIDE */
};

static int put(struct auxtrace_info *info, uint64_t word)
{
	uint64_t *words = realloc(info->words, (info->cnt + 1) * sizeof(*words));

	if (!words)
		return -ENOMEM;
	words[info->cnt++] = word;
	info->words = words;
	return 0;
}

int auxtrace_info__put(struct auxtrace_info *info, const uint64_t *words, size_t cnt)
{
	size_t i;
	int err = 0;

	for (i = 0; i < cnt && !err; i++)
		err = put(info, words[i]);
	return err;
}

uint64_t auxtrace_info__read(const struct evsel *sel, const char *file, int base, uint64_t missing)
{
	uint64_t val;

	return pmu__read_number(sel->ev->pmu, file, base, &val) ? missing : val;
}

/* Returns the bits of config that hold the field; 0: the PMU has no such field there. */
static uint64_t field_bits(const struct pmu *pmu, const char *name)
{
	const struct pmu_format *format = pmu ? pmu__format(pmu, name) : NULL;

	return format && !format->word ? format->mask : 0;
}

bool auxtrace_info__clock(struct auxtrace_clock *clock, const struct perf_event_mmap_page *page)
{
	uint32_t seq;

	do {
		seq = page__begin(page);
		*clock = (struct auxtrace_clock){
			.shift = ONCE(page->time_shift),
			.mult = ONCE(page->time_mult),
			.zero = ONCE(page->time_zero),
			.has_zero = page->cap_user_time_zero,
			.is_short = page->cap_user_time_short,
		};
		if (clock->is_short) {
			clock->cycles = ONCE(page->time_cycles);
			clock->mask = ONCE(page->time_mask);
		}
	} while (page__retry(page, seq));
	return clock->has_zero;
}

/* Shift, factor, zero and whether there is a clock: how perf's time follows from the TSC. */
static int put_clock(struct auxtrace_info *info, const struct perf_event_mmap_page *page,
		     uint64_t no_mult)
{
	struct auxtrace_clock clock;
	bool has = page && auxtrace_info__clock(&clock, page);
	const uint64_t words[] = {
		has ? clock.shift : 0,
		has ? clock.mult : no_mult,
		has ? clock.zero : 0,
		has,
	};

	return auxtrace_info__put(info, words, 4);
}

static void tsc_ratio(uint64_t *n, uint64_t *d)
{
	unsigned int eax = 0, ebx = 0;
#ifdef __x86_64__
	unsigned int ecx, edx;

	if (!__get_cpuid(CPUID_TSC, &eax, &ebx, &ecx, &edx))
		eax = ebx = 0;
#endif
	*n = ebx;
	*d = eax;
}

/* The text of --filter, zeros up to a multiple of 8 bytes. */
static int put_text(struct auxtrace_info *info, const char *text)
{
	size_t len = text ? strlen(text) : 0, at;
	uint64_t word;
	int err = 0;

	for (at = 0; len && at <= len && !err; at += sizeof(word)) {
		word = 0;
		memcpy(&word, text + at, len - at < sizeof(word) ? len - at : sizeof(word));
		err = put(info, word);
	}
	return err;
}

static int fill_pt(struct auxtrace_info *info, const struct auxtrace_setup *s)
{
	const struct evsel *sel = s->event;
	struct pmu *pmu = pmu__load(sel->ev->pmu);
	uint64_t n, d;
	int err;

	tsc_ratio(&n, &d);
	err = put(info, sel->attr.type);
	if (!err)
		err = put_clock(info, s->page, 0);
	if (!err) {
		const uint64_t words[] = {
			field_bits(pmu, "tsc"),
			field_bits(pmu, "noretcomp"),
			/* The area of a thread has no other threads. */
			!s->has_switches || sel->cpus[0] < 0 ? PT_SWITCHES_NONE
			: s->whole_cpus                      ? PT_SWITCHES_OF_CPUS
							     : PT_SWITCHES_OF_TASKS,
			s->snapshot,
			sel->cpus[0] >= 0,
			field_bits(pmu, "mtc"),
			field_bits(pmu, "mtc_period"),
			n,
			d,
			field_bits(pmu, "cyc"),
			auxtrace_info__read(sel, "max_nonturbo_ratio", 10, 0),
			sel->ev->filter ? strlen(sel->ev->filter) : 0,
		};

		err = auxtrace_info__put(info, words, sizeof(words) / sizeof(words[0]));
	}
	pmu__free(pmu);
	if (!err)
		err = put_text(info, sel->ev->filter);
	return err ? err : put(info, auxtrace_info__read(sel, "caps/event_trace", 10, 0));
}

static int fill_bts(struct auxtrace_info *info, const struct auxtrace_setup *s)
{
	int err = put(info, s->event->attr.type);

	/* perf divides by the factor. */
	if (!err)
		err = put_clock(info, s->page, 1);
	return err ? err : put(info, s->snapshot);
}

/* Intel BTS of no PMU: the bytes are not decoded. */
static int fill_unknown(struct auxtrace_info *info, const struct auxtrace_setup *s)
{
	const uint64_t words[] = { UINT32_MAX, 0, 1, 0, 0, s->snapshot };

	return auxtrace_info__put(info, words, 6);
}

static int fill_spe(struct auxtrace_info *info, const struct auxtrace_setup *s)
{
	const uint64_t words[] = { s->event->attr.type, s->event->cpus[0] >= 0 };

	return auxtrace_info__put(info, words, 2);
}

static int fill_ptt(struct auxtrace_info *info, const struct auxtrace_setup *s)
{
	return put(info, s->event->attr.type);
}

/* One row for each kind of PMU. is_prefix: PMUs of this kind are numbered. */
static const struct aux_kind {
	const char *pmu;
	bool is_prefix;
	enum auxtrace_type type;
	bool needs_switches; /* to tell tasks of a CPU apart */
	bool needs_perf_clock; /* their times are translated to perf's */
	int (*fill)(struct auxtrace_info *info, const struct auxtrace_setup *setup);
} kinds[] = {
	{ "intel_pt", false, AUXTRACE_INTEL_PT, true, true, fill_pt },
	{ "intel_bts", false, AUXTRACE_INTEL_BTS, false, true, fill_bts },
	{ "cs_etm", false, AUXTRACE_CS_ETM, true, true, auxtrace_etm__fill },
	{ "arm_spe_", true, AUXTRACE_ARM_SPE, true, false, fill_spe },
	{ "hisi_ptt", true, AUXTRACE_HISI_PTT, false, false, fill_ptt },
};

static const struct aux_kind unknown = {
	NULL, false, AUXTRACE_INTEL_BTS, false, false, fill_unknown
};

static const struct aux_kind *find_kind(const struct event *ev)
{
	size_t i;

	for (i = 0; ev->pmu && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].is_prefix ? !strncmp(ev->pmu, kinds[i].pmu, strlen(kinds[i].pmu))
				       : !strcmp(ev->pmu, kinds[i].pmu))
			return &kinds[i];
	return &unknown;
}

int auxtrace_info__fill(struct auxtrace_info *info, const struct auxtrace_setup *setup)
{
	const struct aux_kind *kind = find_kind(setup->event->ev);
	int err;

	*info = (struct auxtrace_info){ .type = kind->type };
	err = kind->fill(info, setup);
	if (err)
		auxtrace_info__free(info);
	return err;
}

void auxtrace_info__free(struct auxtrace_info *info)
{
	free(info->words);
	*info = (struct auxtrace_info){ 0 };
}

bool auxtrace_info__needs_switches(const struct event *ev)
{
	return find_kind(ev)->needs_switches;
}

bool auxtrace_info__needs_perf_clock(const struct event *ev)
{
	return find_kind(ev)->needs_perf_clock;
}
