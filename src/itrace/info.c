// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "itrace/info.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/perf_event.h>

#include "data/bytes.h"
#include "data/recording.h"

#define AUXTRACE_INTEL_PT 1

/* Positions in the record, as in perf's tools/perf/util/intel-pt.h. */
enum {
	INFO_PMU_TYPE,
	INFO_TIME_SHIFT,
	INFO_TIME_MULT,
	INFO_TIME_ZERO,
	INFO_SNAPSHOT_MODE = 8,
	INFO_PER_CPU_MMAPS,
	INFO_MTC_BIT,
	INFO_MTC_FREQ_BITS,
	INFO_TSC_CTC_N,
	INFO_TSC_CTC_D,
	INFO_CYC_BIT,
	INFO_MAX_NONTURBO_RATIO,
	INFO_CNT,
};

/* The bits of config that a mask of consecutive bits selects. */
static uint64_t field(uint64_t config, uint64_t mask)
{
	return mask ? (config & mask) >> __builtin_ctzll(mask) : 0;
}

static uint64_t config_of(const struct recording *rec, uint64_t pmu_type)
{
	size_t i;

	for (i = 0; i < rec->attrs.cnt; i++)
		if (rec->attrs.events[i].attr.type == pmu_type)
			return rec->attrs.events[i].attr.config;
	return 0;
}

uint64_t info__tsc_hz(const struct itrace_job *job)
{
	const uint64_t second = 1000000000;

	if (!job->time_mult || job->time_shift > 32)
		return 0;
	return (second / job->time_mult << job->time_shift) +
	       (second % job->time_mult << job->time_shift) / job->time_mult;
}

int info__parse(struct itrace_job *job, const struct recording *rec,
		const struct perf_event_header *hdr)
{
	struct bytes b = bytes__of(hdr + 1, hdr->size - sizeof(*hdr), false);
	uint32_t type = bytes__u32(&b);
	uint64_t priv[INFO_CNT] = { 0 };
	size_t i, cnt;
	unsigned int family = 0, model = 0, stepping = 0;

	bytes__u32(&b);
	if (type != AUXTRACE_INTEL_PT)
		return -ENOENT;
	cnt = bytes__left(&b) / 8;
	if (cnt <= INFO_PER_CPU_MMAPS)
		return -EBADMSG;
	for (i = 0; i < cnt && i < INFO_CNT; i++) {
		priv[i] = bytes__u64(&b);
		/* perf writes it in the order of the machine that recorded. */
		if (rec->swap)
			priv[i] = __builtin_bswap64(priv[i]);
	}
	job->time_shift = priv[INFO_TIME_SHIFT] < 64 ? (uint16_t)priv[INFO_TIME_SHIFT] : 0;
	job->time_mult = (uint32_t)priv[INFO_TIME_MULT];
	job->time_zero = priv[INFO_TIME_ZERO];
	job->is_snapshot = priv[INFO_SNAPSHOT_MODE] != 0;
	job->ctc_ratio_n = (uint32_t)priv[INFO_TSC_CTC_N];
	job->ctc_ratio_d = (uint32_t)priv[INFO_TSC_CTC_D];
	job->mtc_freq =
		(uint8_t)field(config_of(rec, priv[INFO_PMU_TYPE]), priv[INFO_MTC_FREQ_BITS]);
	job->nom_freq = (uint8_t)priv[INFO_MAX_NONTURBO_RATIO];
	if (!job->nom_freq)
		job->nom_freq = (uint8_t)((info__tsc_hz(job) + 50000000) / 100000000);
	/* "GenuineIntel,6,85,4" */
	if (rec->cpuid &&
	    sscanf(rec->cpuid, "GenuineIntel,%u,%u,%u", &family, &model, &stepping) == 3) {
		job->family = (uint16_t)family;
		job->model = (uint8_t)model;
		job->stepping = (uint8_t)stepping;
	}
	return 0;
}
