// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/breakpoints.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/perf_fd.h"
#include "util/log.h"

/* Tries one on memory of this thread. True, too, where it cannot be opened: that is said later. */
static bool breakpoints_fire(void)
{
	static volatile uint64_t word;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_RW,
		.bp_addr = (uintptr_t)&word,
		.bp_len = sizeof(word),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = perf_fd__open(&attr, 0, -1, -1, 0);
	uint64_t hits = 0;
	bool can_tell;

	if (fd < 0)
		return true;
	word = word + 1;
	can_tell = read(fd, &hits, sizeof(hits)) == sizeof(hits);
	close(fd);
	return hits || !can_tell;
}

void breakpoints__warn(const struct event *const *events, size_t cnt)
{
	static bool is_said;
	size_t i;

	for (i = 0; i < cnt && events[i]->kind != EVENT_BREAKPOINT; i++)
		;
	if (i == cnt || is_said || breakpoints_fire())
		return;
	is_said = true;
	log_warn("%s: breakpoints never fire on this machine, and this counts nothing: its "
		 "hypervisor does not deliver them; count a function by u:PATH:FUNC, or run "
		 "elsewhere",
		 events[i]->name);
}
