// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The words of AUXTRACE_INFO, of each kind of PMU: those of perf's headers (util/intel-pt.h,
 * cs-etm.h and others), from files of sysfs as these PMUs have them.
 */
#include "perf/auxtrace_info.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "event/event.h"
#include "event_tree.h"
#include "perf/evset.h"
#include "tap.h"

static struct evsel sel;
static struct event_list list;

static const struct event *resolve(const char *spec)
{
	event_list__free(&list);
	memset(&list, 0, sizeof(list));
	if (!is_s64(event_list__add(&list, spec), 0, "%s: an event", spec))
		exit(99);
	return list.events[0];
}

static void make_info(struct auxtrace_info *info, const char *spec, int cpu, size_t cpu_cnt,
		      struct auxtrace_setup setup)
{
	static int cpus[] = { 0, 1 };
	const struct event *ev = resolve(spec);

	sel = (struct evsel){ .ev = ev,
			      .cpus = cpu < 0 ? (int[]){ -1 } : cpus,
			      .cpu_cnt = cpu_cnt };
	sel.attr.type = ev->type;
	sel.attr.config = ev->config;
	setup.event = &sel;
	ok(!auxtrace_info__fill(info, &setup), "%s: a description", spec);
}

static void same_words(const struct auxtrace_info *info, const uint64_t *want, size_t cnt,
		       const char *name)
{
	size_t i, wrong = 0;

	is_u64(info->cnt, cnt, "%s: so many words", name);
	for (i = 0; i < cnt && i < info->cnt; i++)
		if (info->words[i] != want[i] && ++wrong)
			diag("word %zu: %#" PRIx64 ", expected %#" PRIx64, i, info->words[i],
			     want[i]);
	is_u64(wrong, 0, "%s: the words", name);
}

static void make_pt(void)
{
	tree_intel_pt();
	tree_file("1\n", "pmu/intel_pt/caps/event_trace");
	tree_file("36\n", "pmu/intel_pt/max_nonturbo_ratio");
}

static void test_pt(void)
{
	struct perf_event_mmap_page page = { .time_shift = 31, .time_mult = 7, .time_zero = 99 };
	struct auxtrace_setup setup = { .page = &page, .whole_cpus = true, .has_switches = true };
	uint64_t want[] = { 8,       31, 7, 99,  1,  0x400, 0x800, 3, 0, 1, 0x200,
			    0x3c000, 0,  0, 0x2, 36, 16,    0,     0, 0, 1 };
	struct auxtrace_info info;
	const char filter[] = "filter 0x10/0x20";

	make_pt();
	page.cap_user_time_zero = 1;
	memcpy(&want[17], filter, 16);
	is_u64(resolve("intel_pt//")->config, 0x300e601, "intel_pt//: the defaults of perf");
	is_u64(resolve("intel_pt/mtc=0,tsc=0/u")->config, 0x300e001, "intel_pt/mtc=0/: terms win");
	is_u64(resolve("intel_pt/config=1/u")->config, 1, "intel_pt/config=1/: the whole config");
	event_list__free(&list);
	make_info(&info, "intel_pt//", 0, 2, setup);
	list.events[0]->filter = strdup(filter);
	auxtrace_info__free(&info);
	is_s64(auxtrace_info__fill(&info,
				   &(struct auxtrace_setup){ &sel, &page, false, true, true }),
	       0, "intel_pt with a filter: a description");
	is_u64(info.type, 1, "intel_pt: the type");
	/* The ratio of the TSC is this CPU's. */
	want[12] = info.words[12];
	want[13] = info.words[13];
	same_words(&info, want, sizeof(want) / sizeof(want[0]), "intel_pt -a");
	auxtrace_info__free(&info);
	make_info(&info, "intel_pt//u", -1, 1, setup);
	is_u64(info.words[7], 0, "intel_pt of a thread: no switches");
	is_u64(info.words[9], 0, "intel_pt of a thread: areas of threads");
	auxtrace_info__free(&info);
	setup.whole_cpus = false;
	setup.snapshot = true;
	page.cap_user_time_zero = 0;
	make_info(&info, "intel_pt//u", 0, 2, setup);
	is_u64(info.words[7], 2, "intel_pt of tasks: their switches");
	is_u64(info.words[8], 1, "intel_pt: snapshots are told");
	is_u64(info.words[1] + info.words[2] + info.words[3] + info.words[4], 0,
	       "intel_pt without the TSC as clock: no parameters of it");
	auxtrace_info__free(&info);
}

static void make_etm(void)
{
	unsigned int cpu;

	tree_file("9\n", "pmu/cs_etm/type");
	tree_file("config:14\n", "pmu/cs_etm/format/contextid");
	tree_file("config:14\n", "pmu/cs_etm/format/contextid1");
	tree_file("config:15\n", "pmu/cs_etm/format/contextid2");
	tree_file("config:12\n", "pmu/cs_etm/format/cycacc");
	tree_file("config:28\n", "pmu/cs_etm/format/timestamp");
	tree_file("config:29\n", "pmu/cs_etm/format/retstack");
	for (cpu = 0; cpu < 2; cpu++) {
		tree_file("0x28000ea1\n", "pmu/cs_etm/cpu%u/trcidr/trcidr0", cpu);
		tree_file("0x4100f403\n", "pmu/cs_etm/cpu%u/trcidr/trcidr1", cpu);
		tree_file("0x488\n", "pmu/cs_etm/cpu%u/trcidr/trcidr2", cpu);
		tree_file("0x0\n", "pmu/cs_etm/cpu%u/trcidr/trcidr8", cpu);
		tree_file("0xcc\n", "pmu/cs_etm/cpu%u/mgmt/trcauthstatus", cpu);
	}
	/* The second is an ETE. */
	tree_file("0x47705a13\n", "pmu/cs_etm/cpu1/mgmt/trcdevarch");
	tree_file("-1\n", "pmu/cs_etm/cpu1/ts_source");
}

static void test_etm(void)
{
	static const uint64_t want[] = {
		2,
		9ULL << 32 | 2,
		1,
		/* CPU 0: an ETM 4 with context ids, times and cycles */
		0x4040404040404040,
		0,
		8,
		1 << 4 | 1 << 6 | 1 << 11,
		0x10,
		0x28000ea1,
		0x4100f403,
		0x488,
		0,
		0xcc,
		UINT64_MAX,
		/* CPU 1 */
		0x5050505050505050,
		1,
		9,
		1 << 4 | 1 << 6 | 1 << 11,
		0x12,
		0x28000ea1,
		0x4100f403,
		0x488,
		0,
		0xcc,
		0x47705a13,
		UINT64_MAX,
	};
	struct auxtrace_setup setup = { .snapshot = true, .has_switches = true };
	struct auxtrace_info info;

	make_etm();
	make_info(&info, "cs_etm/cycacc/", 0, 2, setup);
	is_u64(info.type, 3, "cs_etm: the type");
	same_words(&info, want, sizeof(want) / sizeof(want[0]), "cs_etm");
	auxtrace_info__free(&info);
}

static void test_others(void)
{
	static const uint64_t bts[] = { 11, 5, 6, 7, 1, 0 }, spe[] = { 13, 1 }, ptt[] = { 14 },
			      unknown[] = { UINT32_MAX, 0, 1, 0, 0, 0 };
	struct perf_event_mmap_page page = { .time_shift = 5, .time_mult = 6, .time_zero = 7 };
	struct auxtrace_setup setup = { .page = &page };
	struct auxtrace_info info;

	page.cap_user_time_zero = 1;
	tree_file("11\n", "pmu/intel_bts/type");
	tree_file("13\n", "pmu/arm_spe_0/type");
	tree_file("14\n", "pmu/hisi_ptt0_2/type");
	tree_file("15\n", "pmu/intel_ptx/type");
	make_info(&info, "intel_bts//", 0, 2, setup);
	is_u64(info.type, 2, "intel_bts: the type");
	same_words(&info, bts, 6, "intel_bts");
	auxtrace_info__free(&info);
	make_info(&info, "arm_spe_0//", 0, 2, setup);
	is_u64(info.type, 4, "arm_spe: the type");
	same_words(&info, spe, 2, "arm_spe");
	auxtrace_info__free(&info);
	make_info(&info, "hisi_ptt0_2//", 0, 2, setup);
	is_u64(info.type, 6, "hisi_ptt: the type");
	same_words(&info, ptt, 1, "hisi_ptt");
	auxtrace_info__free(&info);
	make_info(&info, "intel_ptx//", 0, 2, setup);
	is_u64(info.type, 2, "a PMU without a decoder: declared as Intel BTS");
	same_words(&info, unknown, 6, "a PMU without a decoder");
	auxtrace_info__free(&info);
}

int main(void)
{
	tree_make();
	test_pt();
	test_etm();
	test_others();
	event_list__free(&list);
	return done_testing();
}
