// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpfperf_why(): the remedy is one that helps the event in question. */
#include <linux/perf_event.h>
#include <string.h>

#include "selfmon/arch.h"
#include "selfmon/bpfperf.h"
#include "selfmon/owner.h"
#include "tap.h"

#define PMU_TYPE 13 /* a PMU that got its number at boot, such as msr */

static const struct {
	const char *name;
	uint32_t type;
	bool by_kernel, may_be_core;
} rows[] = {
	{ "a software event", PERF_TYPE_SOFTWARE, true, false },
	{ "a tracepoint", PERF_TYPE_TRACEPOINT, true, false },
	{ "a breakpoint", PERF_TYPE_BREAKPOINT, true, false },
	{ "a hardware event", PERF_TYPE_HARDWARE, false, true },
	{ "a cache event", PERF_TYPE_HW_CACHE, false, true },
	{ "a raw event", PERF_TYPE_RAW, false, true },
	{ "an event of a further PMU", PMU_TYPE, false, false },
	{ "an attached counter", UINT32_MAX, false, false },
};

static bool names_setting(const char *why)
{
	return why && strstr(why, ARCH_REMEDY);
}

int main(void)
{
	struct perf_event_mmap_page page = { .cap_user_rdpmc = 0 };
	struct bpfperf_counter c = { .page = &page, .owner = owner__take() };
	const char *why;
	size_t i;

	if (!ARCH_HAS_PMC) {
		ok(true, "no counter can be read in user space here");
		return done_testing();
	}
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&page, 0, sizeof(page));
		c.type = rows[i].type;
		why = bpfperf_why(&c);
		ok(why && !!strstr(why, "by the kernel") == rows[i].by_kernel,
		   "%s: the kernel counts it: %s", rows[i].name, rows[i].by_kernel ? "yes" : "no");
		ok(names_setting(why) != rows[i].by_kernel, "%s: the setting is a remedy: %s",
		   rows[i].name, rows[i].by_kernel ? "no" : "yes");
		if (!rows[i].by_kernel)
			ok(!!strstr(why, "else there is no remedy") != rows[i].may_be_core,
			   "%s: the remedy has a condition: %s", rows[i].name,
			   rows[i].may_be_core ? "no" : "yes");
		page.cap_user_rdpmc = page.cap_user_time = page.index = 1;
		page.pmc_width = 48;
		ok(rows[i].by_kernel || !bpfperf_why(&c), "%s on its PMU needs no remedy",
		   rows[i].name);
		page.index = 0;
		if (!rows[i].by_kernel)
			ok(strstr(bpfperf_why(&c), ARCH_REMEDY_OFF) != NULL,
			   "%s off its PMU: other events are to be omitted", rows[i].name);
	}
	c.page = NULL;
	c.type = PERF_TYPE_HARDWARE;
	ok(strstr(bpfperf_why(&c), "mlock") != NULL, "a page that could not be mapped");
	return done_testing();
}
