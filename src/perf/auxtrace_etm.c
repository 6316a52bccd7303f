// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* PERF_RECORD_AUXTRACE_INFO of CoreSight: the registers of each trace unit, read from sysfs. */
#include <stdio.h>
#include <string.h>

#include "event/event.h"
#include "event/pmu.h"
#include "host/cpu_list.h"
#include "perf/auxtrace_priv.h"
#include "perf/evset.h"

/* Versions of trace units: "magic" numbers of the block of each CPU. */
#define ETM3_MAGIC 0x3030303030303030ULL
#define ETM4_MAGIC 0x4040404040404040ULL
#define ETE_MAGIC 0x5050505050505050ULL

#define ETM_HEADER_VERSION 2

/* TRCDEVARCH of an Embedded Trace Extension: architecture version 5 of part 0xA13. */
#define ETE_ARCH_MASK 0xffffULL
#define ETE_ARCH 0x5a13ULL

/* The trace id of a CPU where the kernel does not report it (before 6.3). */
static uint64_t etm_trace_id(unsigned int cpu)
{
	return 0x10 + cpu % 48 * 2;
}

static uint64_t read_etm(const struct evsel *sel, unsigned int cpu, const char *file, int base,
			 uint64_t missing)
{
	char path[64];

	snprintf(path, sizeof(path), "cpu%u/%s", cpu, file);
	return auxtrace_info__read(sel, path, base, missing);
}

static bool has_etm(const struct evsel *sel, unsigned int cpu, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "cpu%u/%s", cpu, file);
	return pmu__has_file(sel->ev->pmu, path);
}

/* Returns the field's value in the event; 0: the PMU has no such field. */
static uint64_t field_value(const struct pmu *pmu, const struct evsel *sel, const char *name)
{
	const struct pmu_format *format = pmu ? pmu__format(pmu, name) : NULL;
	const uint64_t words[] = { sel->attr.config, sel->attr.config1, sel->attr.config2 };
	uint64_t left = format ? format->mask : 0, val = 0, bit = 1;

	for (; left; left &= left - 1, bit <<= 1)
		if (words[format->word] & left & -left)
			val |= bit;
	return val;
}

/*
 * Returns TRCCONFIGR (is_v3: ETMCR) as the kernel sets it for the event, as far as decoders look.
 */
static uint64_t etm_config(const struct evsel *sel, bool is_v3)
{
	static const struct {
		const char *field;
		uint64_t v4, v3;
	} bits[] = {
		{ "branch_broadcast", 1 << 3, 0 }, { "cycacc", 1 << 4, 1 << 12 },
		{ "contextid1", 1 << 6, 0 },       { "contextid2", 1 << 7 | 1 << 15, 0 },
		{ "timestamp", 1 << 11, 1 << 28 }, { "retstack", 1 << 12, 1 << 29 },
	};
	struct pmu *pmu = pmu__load(sel->ev->pmu);
	uint64_t config = 0;
	size_t i;

	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (field_value(pmu, sel, bits[i].field))
			config |= is_v3 ? bits[i].v3 : bits[i].v4;
	pmu__free(pmu);
	return config;
}

static int put_one(struct auxtrace_info *info, uint64_t word)
{
	return auxtrace_info__put(info, &word, 1);
}

static int put_etm3(struct auxtrace_info *info, const struct evsel *sel, unsigned int cpu)
{
	const uint64_t words[] = {
		ETM3_MAGIC,
		cpu,
		4,
		etm_config(sel, true),
		etm_trace_id(cpu),
		read_etm(sel, cpu, "mgmt/etmccer", 16, 0),
		read_etm(sel, cpu, "mgmt/etmidr", 16, 0),
	};

	return auxtrace_info__put(info, words, sizeof(words) / sizeof(words[0]));
}

/* An ETE has one word more than an ETM 4: TRCDEVARCH. */
static int put_etm4(struct auxtrace_info *info, const struct evsel *sel, unsigned int cpu,
		    bool is_ete)
{
	const uint64_t words[] = {
		is_ete ? ETE_MAGIC : ETM4_MAGIC,
		cpu,
		is_ete ? 9 : 8,
		etm_config(sel, false),
		etm_trace_id(cpu),
		read_etm(sel, cpu, "trcidr/trcidr0", 16, 0),
		read_etm(sel, cpu, "trcidr/trcidr1", 16, 0),
		read_etm(sel, cpu, "trcidr/trcidr2", 16, 0),
		read_etm(sel, cpu, "trcidr/trcidr8", 16, 0),
		read_etm(sel, cpu, "mgmt/trcauthstatus", 16, 0),
	};
	int err = auxtrace_info__put(info, words, sizeof(words) / sizeof(words[0]));

	if (!err && is_ete)
		err = put_one(info, read_etm(sel, cpu, "mgmt/trcdevarch", 16, 0));
	/* Unknown before 5.19. */
	return err ? err : put_one(info, read_etm(sel, cpu, "ts_source", 10, UINT64_MAX));
}

static int put_etm(struct auxtrace_info *info, const struct evsel *sel, unsigned int cpu)
{
	uint64_t arch = read_etm(sel, cpu, "mgmt/trcdevarch", 16, 0) & ETE_ARCH_MASK;

	if (!has_etm(sel, cpu, "trcidr/trcidr0") && has_etm(sel, cpu, "mgmt/etmccer"))
		return put_etm3(info, sel, cpu);
	return put_etm4(info, sel, cpu, arch == ETE_ARCH);
}

/* Sets the CPUs of the trace units: the event's, or all that are online. 0 or -errno. */
static int etm_cpus(const struct evsel *sel, bool *set)
{
	size_t i;

	memset(set, 0, CPU_LIST_MAX);
	if (sel->cpus[0] < 0)
		return cpu_list__online(set);
	for (i = 0; i < sel->cpu_cnt; i++)
		if (sel->cpus[i] < CPU_LIST_MAX)
			set[sel->cpus[i]] = true;
	return 0;
}

/* Version, PMU and number of CPUs, snapshot; then a block for each CPU. */
int auxtrace_etm__fill(struct auxtrace_info *info, const struct auxtrace_setup *s)
{
	uint64_t head[3] = { ETM_HEADER_VERSION, 0, s->snapshot };
	bool cpus[CPU_LIST_MAX];
	unsigned int i, cnt = 0;
	int err = etm_cpus(s->event, cpus);

	for (i = 0; i < CPU_LIST_MAX; i++)
		cnt += cpus[i];
	head[1] = (uint64_t)s->event->attr.type << 32 | cnt;
	if (!err)
		err = auxtrace_info__put(info, head, 3);
	for (i = 0; i < CPU_LIST_MAX && !err; i++)
		if (cpus[i])
			err = put_etm(info, s->event, i);
	return err;
}
