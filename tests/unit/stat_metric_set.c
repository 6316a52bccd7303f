// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Metrics by name on PMUs of a sysfs of our own: which definition is chosen, in which groups its
 * events are, and the values and bounds of counts made here.
 */
#include <errno.h>
#include <math.h>

#include "event/event.h"
#include "stat/metric_set.h"
#include "stat/rate_slices.h"
#include "stat/table.h"
#include "perf/perf_counters.h"
#include "tap.h"
#include "util/log.h"
#include "tests/unit/event_tree.h"

#define PMU "pmus/cpu/"

static const char *const l1[] = { "retiring", "bad-spec", "fe-bound", "be-bound" };
static const char *const l2[] = { "heavy-ops", "br-mispredict", "fetch-lat", "mem-bound" };

/* A core PMU with the events that the kernel shows of Ice Lake (level 1) or Sapphire Rapids. */
static void make_pmu(unsigned int levels)
{
	char text[64];
	unsigned int i;

	tree_file("4\n", PMU "type");
	tree_file("config:0-7,32-35\n", PMU "format/event");
	tree_file("config:8-15\n", PMU "format/umask");
	tree_file("config:24-31\n", PMU "format/cmask");
	tree_file("event=0x00,umask=0x4\n", PMU "events/slots");
	for (i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "event=0x00,umask=0x%x\n", 0x80 + i);
		tree_file(text, PMU "events/topdown-%s", l1[i]);
		snprintf(text, sizeof(text), "event=0x00,umask=0x%x\n", 0x84 + i);
		if (levels > 1)
			tree_file(text, PMU "events/topdown-%s", l2[i]);
	}
}

/* Returns the position of an event in the list, or -1. */
static int find(const struct event_list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->cnt; i++)
		if (!strcmp(list->events[i]->name, name))
			return (int)i;
	return -1;
}

static void check_levels(void)
{
	struct metric_set set = { 0 };
	struct event_list list = { 0 };
	bool all_in_group = true;
	size_t i;

	setenv("PERF_CPUID", "GenuineIntel-6-6A-6", 1);
	make_pmu(1);
	is_s64(metric_set__choose(&set, "", TOPDOWN_ALL, NULL, true, &list), 0,
	       "Ice Lake --topdown: found");
	is_u64(set.cnt, 4, "Ice Lake --topdown: the four of level 1");
	is_u64(list.cnt, 5, "Ice Lake --topdown: five events for all of them");
	is_s64(find(&list, "cpu/slots/"), 0, "Ice Lake --topdown: slots leads the group");
	for (i = 0; i < list.cnt; i++)
		all_in_group &= list.events[i]->group == 0;
	ok(all_in_group, "Ice Lake --topdown: one group");
	ok(list.cnt && list.events[0]->weak_group, "Ice Lake --topdown: the group may be split");
	metric_set__free(&set);
	event_list__free(&list);

	is_s64(metric_set__choose(&set, "", 2, NULL, true, &list), -EINVAL,
	       "Ice Lake --td-level 2: refused");
	metric_set__free(&set);
	event_list__free(&list);

	setenv("PERF_CPUID", "GenuineIntel-6-8F-8", 1);
	make_pmu(2);
	is_s64(metric_set__choose(&set, "", TOPDOWN_ALL, NULL, true, &list), 0,
	       "Sapphire Rapids --topdown: found");
	is_u64(set.cnt, 12, "Sapphire Rapids --topdown: levels 1 and 2");
	is_u64(list.cnt, 9, "Sapphire Rapids --topdown: slots and eight metrics, each once");
	is_s64(find(&list, "cpu/slots/"), 0, "Sapphire Rapids --topdown: slots leads the group");
	for (i = 0, all_in_group = true; i < list.cnt; i++)
		all_in_group &= list.events[i]->group == 0;
	ok(all_in_group, "Sapphire Rapids --topdown: one group, so that none takes turns");
	metric_set__free(&set);
	event_list__free(&list);
	is_s64(metric_set__choose(&set, "", 1, NULL, true, &list), 0,
	       "Sapphire Rapids --td-level 1: found");
	is_u64(set.cnt, 4, "Sapphire Rapids --td-level 1: four metrics");
	metric_set__free(&set);
	event_list__free(&list);
	unsetenv("PERF_CPUID");
}

static void check_zen(void)
{
	struct metric_set set = { 0 };
	struct event_list list = { 0 };

	setenv("PERF_CPUID", "AuthenticAMD-25-11-1", 1);
	is_s64(metric_set__choose(&set, "PipelineL1", 0, NULL, true, &list), 0,
	       "Zen 4: a group of metrics");
	is_u64(set.cnt, 5, "Zen 4: five metrics of level 1");
	ok(find(&list, "cpu/event=0x1a0,umask=0x1/") >= 0, "Zen 4: the code of its event");
	metric_set__free(&set);
	event_list__free(&list);
	setenv("PERF_CPUID", "AuthenticAMD-25-21-1", 1);
	is_s64(metric_set__choose(&set, "smt_contention", 0, NULL, true, &list), -EINVAL,
	       "Zen 3: a metric of Zen 4 is refused");
	metric_set__free(&set);
	event_list__free(&list);
	unsetenv("PERF_CPUID");
}

#define TURNS 40

/*
 * Rows of `events`, of which each had its counter for half of the time: in each turn it counted at
 * the rate that its phase has, and it waited as long.
 */
static void check_values(void)
{
	static const char *const names[] = { "cpu/slots/", "cpu/topdown-retiring/",
					     "cpu/topdown-bad-spec/", "cpu/topdown-fe-bound/",
					     "cpu/topdown-be-bound/" };
	struct metric_set set = { 0 };
	struct event_list list = { 0 };
	struct stat_table table = { 0 };
	struct stat_row rows[5] = { { 0 } }, *ret;
	size_t i;

	metric_set__choose(&set, "tma_retiring,two=cpu@slots@ * 2 / cpu@slots@", 0, NULL, true,
			   &list);
	table.rows = rows;
	table.cnt = list.cnt;
	/* Rows whose counters ran all the time need no slots of the table. */
	for (i = 0; i < list.cnt && i < 5; i++) {
		int at = find(&list, names[i]);

		rows[at] = (struct stat_row){ .ev = list.events[at],
					      .name = list.events[at]->name,
					      .unit = "",
					      .cpu = -1,
					      .value = 1000 + 10 * (double)i,
					      .counted = 1000 + 10 * (double)i,
					      .enabled_ns = 5,
					      .running_ns = 5 };
	}
	is_s64(metric_set__derive(&set, &table), 0, "values: derived from five rows");
	ret = &rows[find(&list, names[1])];
	is_u64(ret->named_cnt, 1, "values: a metric is at its first event");
	ok(rows[0].named_cnt == 1 && rows[0].named[0].metric.value == 2,
	   "values: a metric of one event");
	ok(ret->named && fabs(ret->named[0].metric.value - 100 * 1010.0 / 4100) < 1e-9,
	   "values: tma_retiring by perf's formula");
	is_str(ret->named ? ret->named[0].metric.unit : "", "%",
	       "values: the unit of tma_retiring");
	ok(ret->named && !ret->named[0].has_bounds, "values: no bounds without turns");
	rows[2].state = STAT_NOT_COUNTED;
	metric_set__derive(&set, &table);
	ok(isnan(ret->named[0].metric.value), "values: none without a count");
	is_str(ret->named[0].why, "cpu/topdown-fe-bound/ was not counted",
	       "values: an event that was not counted is named");
	rows[2].state = STAT_NOT_SUPPORTED;
	metric_set__derive(&set, &table);
	is_str(ret->named[0].why, "cpu/topdown-fe-bound/ is not supported",
	       "values: an event that is not supported is named");
	rows[2].cpu = 3;
	metric_set__derive(&set, &table);
	is_str(ret->named[0].why, "cpu/topdown-fe-bound/ was not counted here",
	       "values: an event without a row at the place is named");
	metric_set__free(&set);
	event_list__free(&list);
}

/* A counter read every 10 ms that has every second turn: rates by phase, and halves when full. */
static void check_slices(void)
{
	static struct rate_slices s;
	struct counter_count now = { 0 };
	double least = INFINITY, most = 0;
	size_t i;

	for (i = 0; i < 10 * RATE_SLICES; i++) {
		const uint64_t rate = i < 5 * RATE_SLICES ? 2 : 6;

		now.enabled_ns += 10000000;
		now.running_ns += 5000000;
		now.value += 5000000 * rate;
		rate_slices__take(&s, &now);
	}
	for (i = 0; i < s.cnt; i++) {
		least = fmin(least, s.rates[i]);
		most = fmax(most, s.rates[i]);
	}
	ok(s.cnt > RATE_SLICES / 2 - 2 && s.cnt <= RATE_SLICES, "slices: memory is bounded");
	ok(least == 2 && most == 6, "slices: both phases keep their rates");
	ok(s.slice_ns > RATE_SLICE_NS, "slices: they last longer in a long run");
	s = (struct rate_slices){ 0 };
	now = (struct counter_count){ 3000000, 9000000, 1000000 };
	rate_slices__take(&s, &now);
	now = (struct counter_count){ 1000000, 2000000, 2000000 };
	rate_slices__take(&s, &now);
	ok(s.cnt == 2 && s.rates[1] == 0.5, "slices: counters that begin anew");
	now.running_ns += RATE_SLICE_NS / 2;
	rate_slices__take(&s, &now);
	is_u64(s.cnt, 2, "slices: a short turn is none of its own");
}

/* Hostile text: all beginnings of a file of metrics, and bytes exchanged. */
static void check_files(void)
{
	static const char good[] =
		"[{\"MetricName\":\"a\",\"MetricExpr\":\"b / c\",\"ScaleUnit\":\"1e-3x\","
		"\"Other\":[1,{\"y\":[]}],\"MetricGroup\":\"G;H\"},{\"z\":1},7]";
	struct metric_defs defs = { 0 };
	char bad[sizeof(good)];
	unsigned int refused = 0;
	size_t i;

	is_s64(metric_defs__add_text(&defs, good, strlen(good), "text"), 0,
	       "file: read as a whole");
	ok(defs.cnt == 1 && defs.at[0].scale == 1e-3 && !strcmp(defs.at[0].unit, "x"),
	   "file: one metric, its factor and its unit");
	ok(metric_def__in_group(&defs.at[0], "h") && !metric_def__in_group(&defs.at[0], "G;"),
	   "file: names of its groups");
	metric_defs__free(&defs);
	log__mute(true);
	for (i = 0; i < strlen(good); i++) {
		refused += metric_defs__add_text(&defs, good, i, "text") != 0;
		metric_defs__free(&defs);
		memcpy(bad, good, sizeof(bad));
		bad[i] = (char)(i * 37);
		metric_defs__add_text(&defs, bad, strlen(good), "text");
		metric_defs__free(&defs);
	}
	log__mute(false);
	is_u64(refused, strlen(good), "file: each beginning of it is refused");
}

int main(void)
{
	char path[64];

	if (!mkdtemp(tree))
		return 99;
	snprintf(path, sizeof(path), "%s/pmus", tree);
	pmu__set_sysfs(path);
	check_levels();
	check_zen();
	check_values();
	check_slices();
	check_files();
	tree_remove();
	return done_testing();
}
