// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Events of this machine, asked of the kernel for a plan: those that perf_event_open(2) refuses are
 * absent, and <not supported>; software events are not asked for.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

#include "event/event.h"
#include "plan/plan.h"
#include "stat/host_machine.h"

static const char events[] = "cycles,instructions,bus-cycles,stalled-cycles-backend,faults,"
			     "LLC-loads,LLC-prefetches,node-stores,r11";

/* 0, or -errno of a disabled event of this thread. */
static int try_to_open(const struct event *ev)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = ev->type, .config = ev->config, .disabled = 1
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int main(void)
{
	struct plan_machine machine = { .model = model__find("skl"), .watchdog_counter = -1 };
	struct event_list list = { 0 };
	static struct plan plan;
	size_t i;

	if (!ok(!event_list__add(&list, events), "%s", events))
		return done_testing();
	plan__init(&plan, &machine);
	plan__add_list(&plan, &list, PLAN_CTX_TASK);
	host_machine__ask(&plan, 0, &list);
	plan__open(&plan);
	for (i = 0; i < list.cnt; i++) {
		int err = event__is_hw(list.events[i]) ? try_to_open(list.events[i]) : 0;

		if (err == -EACCES || err == -EPERM) {
			diag("%s: this user may not open it", list.events[i]->name);
			continue;
		}
		ok(plan.events[i].absent == (err != 0), "%s is %s", list.events[i]->name,
		   err ? "absent" : "there");
		if (err)
			ok(plan.events[i].refusal != PLAN_OPENS, "%s: the plan refuses it",
			   list.events[i]->name);
	}
	event_list__free(&list);
	return done_testing();
}
