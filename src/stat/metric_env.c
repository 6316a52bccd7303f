// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "stat/metric_env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/event.h"
#include "event/pmu.h"
#include "host/cpuinfo.h"
#include "host/topology.h"
#include "perf/perf_probe.h"
#include "util/fs.h"
#include "util/log.h"

/* Counts the sockets, dies or cores of all CPUs; one that is offline may count as one more. */
static double place_cnt(enum topology_level level)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF), i, j;
	struct topology_place *seen = calloc((size_t)(cpus > 0 ? cpus : 1), sizeof(*seen));
	double cnt = 0;

	for (i = 0; seen && i < cpus; i++) {
		topology__find((int)i, level, &seen[i]);
		for (j = 0; j < i && topology__compare(&seen[i], &seen[j]);)
			j++;
		cnt += j == i;
	}
	free(seen);
	return cnt;
}

static bool read_long(const char *path, double *value)
{
	long num;

	if (fs__read_long(path, &num))
		return false;
	*value = (double)num;
	return true;
}

/* The width of arm64's pipeline; 0 where the PMU does not report it. */
static bool find_slots(double *value)
{
	char **names, path[256];
	bool found = false;
	size_t cnt, i;

	if (pmu__names(&names, &cnt))
		return false;
	for (i = 0; i < cnt && !found; i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/caps/slots",
			 names[i]);
		found = read_long(path, value) && *value > 0;
	}
	pmu__free_names(names, cnt);
	return found;
}

/* Intel's model names have the frequency: "… CPU @ 2.10GHz". */
static bool find_tsc(double *value)
{
	char name[128];
	const char *at;

	if (cpuinfo__value("model name", name, sizeof(name)))
		return false;
	at = strrchr(name, '@');
	if (!at || !strstr(at, "GHz"))
		return false;
	*value = strtod(at + 1, NULL) * 1e9;
	return *value > 0;
}

bool metric_env__literal(const char *name, bool by_cpu, double *value)
{
	double smt = 0;

	read_long("/sys/devices/system/cpu/smt/active", &smt);
	if (!strcasecmp(name, "#smt_on"))
		*value = smt;
	else if (!strcmp(name, "#core_wide"))
		*value = smt == 0 || by_cpu;
	else if (!strcmp(name, "#target_cpu"))
		*value = by_cpu;
	else if (!strcmp(name, "#num_cpus"))
		*value = (double)sysconf(_SC_NPROCESSORS_CONF);
	else if (!strcmp(name, "#num_cpus_online"))
		*value = (double)sysconf(_SC_NPROCESSORS_ONLN);
	else if (!strcmp(name, "#num_cores"))
		*value = place_cnt(TOPOLOGY_CORE);
	else if (!strcmp(name, "#num_dies"))
		*value = place_cnt(TOPOLOGY_DIE);
	else if (!strcmp(name, "#num_packages"))
		*value = place_cnt(TOPOLOGY_SOCKET);
	else if (!strcmp(name, "#has_pmem"))
		*value = !access("/sys/firmware/acpi/tables/NFIT", F_OK);
	else if (!strcmp(name, "#slots"))
		return find_slots(value);
	else if (!strcmp(name, "#system_tsc_freq"))
		return find_tsc(value);
	else
		return false;
	return true;
}

static bool has_core_pmu(void)
{
	char **names;
	bool found = false;
	size_t cnt, i;

	if (pmu__names(&names, &cnt))
		return false;
	for (i = 0; i < cnt && !found; i++) {
		struct pmu *pmu = pmu__load(names[i]);

		found = pmu && pmu->is_core;
		pmu__free(pmu);
	}
	pmu__free_names(names, cnt);
	return found;
}

/* Names of the kernel's generic events exist without a PMU, and not on each. */
static bool can_count(const struct event *ev)
{
	if (!event__is_hw(ev))
		return true;
	if (ev->kind != EVENT_HARDWARE && has_core_pmu())
		return true;
	return perf_probe__event(ev, NULL) & PERF_CAN_COUNT;
}

bool metric_env__has_event(const char *name, bool *is_hw, unsigned int *cnt)
{
	struct event_list list = { 0 };
	bool found;

	log__mute(true);
	found = !event_list__add(&list, name) && list.cnt && can_count(list.events[0]);
	log__mute(false);
	if (found && is_hw)
		*is_hw = event__is_hw(list.events[0]);
	if (found && cnt)
		*cnt = (unsigned int)list.cnt;
	event_list__free(&list);
	return found;
}
