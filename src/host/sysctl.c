// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "host/sysctl.h"

#include <stdio.h>

#include "util/fs.h"

int sysctl__perf_event_paranoid(long *level)
{
	return fs__read_long("/proc/sys/kernel/perf_event_paranoid", level);
}

int sysctl__max_sample_rate(long *hz)
{
	return fs__read_long("/proc/sys/kernel/perf_event_max_sample_rate", hz);
}

int sysctl__nmi_watchdog(long *on)
{
	return fs__read_long("/proc/sys/kernel/nmi_watchdog", on);
}

int sysctl__mux_interval_ms(const char *pmu, long *ms)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/perf_event_mux_interval_ms",
		 pmu);
	return fs__read_long(path, ms);
}
