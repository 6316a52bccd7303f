// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "selfmon/why.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "selfmon/arch.h"

#define DEVICES "/sys/bus/event_source/devices"
#define REFUSED "the kernel does not let user space read this counter; "
/* Names of PMUs are short: uncore_pcie_bandwidth_0. */
#define NAME_SZ 64
#define PATH_SZ 256

static const char *root = "";

void why__set_root(const char *dir)
{
	root = dir ? dir : "";
}

/* The number in ROOT/path; -1: there is none. */
static long read_number(const char *path)
{
	char full[2 * PATH_SZ];
	long val = -1;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	file = fopen(full, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &val) != 1)
		val = -1;
	fclose(file);
	return val;
}

static bool has_file(const char *pmu, const char *name)
{
	char full[2 * PATH_SZ];

	snprintf(full, sizeof(full), "%s" DEVICES "/%s/%s", root, pmu, name);
	return !access(full, F_OK);
}

/* True for types that belong to the CPU's own PMU on every machine; others are numbered at boot. */
static bool is_of_core(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static bool is_meant(const char *pmu, uint32_t type)
{
	char path[PATH_SZ];

	if (is_of_core(type))
		return has_file(pmu, ARCH_CORE_FILE);
	snprintf(path, sizeof(path), DEVICES "/%s/type", pmu);
	return read_number(path) == (long)type;
}

/* The PMU of events of that type; those of the CPU's own types have any core PMU. */
static bool find_pmu(uint32_t type, char name[NAME_SZ])
{
	char full[2 * PATH_SZ];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(full, sizeof(full), "%s" DEVICES, root);
	dir = opendir(full);
	while (dir && !found && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || len >= NAME_SZ || !is_meant(entry->d_name, type))
			continue;
		memcpy(name, entry->d_name, len + 1);
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}

/* The switch of a core PMU is there or not, on or off; `pmu` is its name. */
static const char *why_of_core(const char *pmu, char *text, size_t sz)
{
	char path[PATH_SZ];
	long val;

	snprintf(path, sizeof(path), ARCH_SWITCH, pmu);
	val = read_number(path);
	if (val < 0)
		return REFUSED ARCH_NO_SWITCH;
	if (val)
		snprintf(text, sz, REFUSED "%s is %ld, but " ARCH_ALLOWED, path, val);
	else
		snprintf(text, sz, REFUSED "write 1 to %s, and open it again", path);
	return text;
}

const char *why__refused(uint32_t type)
{
	static __thread char text[2 * PATH_SZ];
	char pmu[NAME_SZ];
	bool is_known = type != UINT32_MAX;

	if (find_pmu(is_known ? type : PERF_TYPE_RAW, pmu)) {
		if (!has_file(pmu, ARCH_CORE_FILE)) {
			snprintf(text, sizeof(text),
				 REFUSED "it is of the PMU %s, which only the kernel can "
					 "read: there is no remedy",
				 pmu);
			return text;
		}
		if (is_known)
			return why_of_core(pmu, text, sizeof(text));
		snprintf(text, sizeof(text),
			 REFUSED "if it is of the PMU %s, " ARCH_REMEDY "; else there is no remedy",
			 pmu);
		return text;
	}
	if (is_known && !is_of_core(type))
		return REFUSED "its PMU is not in sysfs, and only the kernel can read its "
			       "counters: there is no remedy";
	return REFUSED "no PMU of this machine has counters that user space can read: there is no "
		       "remedy";
}
