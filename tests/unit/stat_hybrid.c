// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Generic events on a machine with core PMUs of two kinds, in a sysfs of our own. */
#include <linux/perf_event.h>

#include "event/event.h"
#include "stat/hybrid.h"
#include "stat/stat.h"
#include "tap.h"
#include "tests/unit/event_tree.h"

static struct event_list expanded(const char *spec)
{
	struct event_list list = { 0 };

	is_s64(event_list__add(&list, spec), 0, "%s: names that exist", spec);
	is_s64(stat_hybrid__expand(&list), 0, "%s: expanded", spec);
	return list;
}

static void is_event(const struct event_list *list, size_t at, const char *name, uint64_t config,
		     int group)
{
	const struct event *ev = at < list->cnt ? list->events[at] : NULL;

	is_str(ev ? ev->name : "(none)", name, "event %zu is %s", at, name);
	is_u64(ev ? ev->config : 0, config, "event %zu is %s: its config", at, name);
	is_s64(ev ? ev->group : -2, group, "event %zu is %s: its group", at, name);
}

static void check_events(void)
{
	struct event_list list = expanded("cycles:u,context-switches,LLC-loads");

	is_u64(list.cnt, 5, "single events: two for each generic one");
	is_event(&list, 0, "cpu_core/cycles/u", 4ull << 32, -1);
	is_event(&list, 1, "cpu_atom/cycles/u", 10ull << 32, -1);
	is_event(&list, 2, "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES, -1);
	is_event(&list, 3, "cpu_core/LLC-loads/", 4ull << 32 | PERF_COUNT_HW_CACHE_LL, -1);
	ok(list.events[1]->exclude_kernel, "cpu_atom/cycles/u: user space only");
	is_str(list.events[0]->cpus, "0-7", "cpu_core/cycles/u: the CPUs of its PMU");
	is_str(list.events[1]->cpus, "8-15", "cpu_atom/cycles/u: the CPUs of its PMU");
	event_list__free(&list);
}

static void check_groups(void)
{
	struct event_list list =
		expanded("{cycles,instructions,cs}:D,{branches,cpu_core/event=1/},{cs,dummy}");

	is_u64(list.cnt, 10, "groups: one for each PMU, others as they are");
	is_event(&list, 0, "cpu_core/cycles/", 4ull << 32, 0);
	is_event(&list, 1, "cpu_core/instructions/", 4ull << 32 | 1, 0);
	is_event(&list, 2, "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, 0);
	is_event(&list, 3, "cpu_atom/cycles/", 10ull << 32, 3);
	is_event(&list, 5, "cs", PERF_COUNT_SW_CONTEXT_SWITCHES, 3);
	is_event(&list, 6, "branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1);
	ok(list.events[3]->pinned, "cpu_atom/cycles/: pinned like the first group");
	event_list__free(&list);
}

/* Ratios are of one PMU. */
static void check_ratios(void)
{
	struct event_list list = expanded("cycles,instructions");
	struct stat_row rows[4] = { { 0 } };
	static const double values[] = { 100, 400, 150, 200 };
	size_t i;

	for (i = 0; i < 4 && i < list.cnt; i++)
		rows[i] = (struct stat_row){ .ev = list.events[i],
					     .name = list.events[i]->name,
					     .unit = "",
					     .value = values[i],
					     .cpu = -1 };
	stat_metric__derive(rows, 4, 1e9);
	ok(rows[2].metric.value == 1.5, "cpu_core/instructions/: per cycle of its own PMU");
	ok(rows[3].metric.value == 0.5, "cpu_atom/instructions/: per cycle of its own PMU");
	event_list__free(&list);
}

int main(void)
{
	struct event_list list = { 0 };
	char path[64];

	if (!mkdtemp(tree))
		return 99;
	snprintf(path, sizeof(path), "%s/pmus", tree);
	pmu__set_sysfs(path);
	tree_file("4\n", "pmus/cpu_core/type");
	tree_file("0-7\n", "pmus/cpu_core/cpus");
	tree_file("config:0-7\n", "pmus/cpu_core/format/event");
	event_list__add(&list, "cycles");
	stat_hybrid__expand(&list);
	is_event(&list, 0, "cycles", 0, -1);
	event_list__free(&list);
	tree_file("10\n", "pmus/cpu_atom/type");
	tree_file("8-15\n", "pmus/cpu_atom/cpus");
	check_events();
	check_groups();
	check_ratios();
	tree_remove();
	return done_testing();
}
