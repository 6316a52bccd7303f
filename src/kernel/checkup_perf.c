// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The questions about perf events, answered by opening some. */
#include "kernel/checkup_priv.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "event/pmu.h"
#include "host/cpu_list.h"
#include "host/sysctl.h"
#include "kernel/guest_events.h"
#include "util/fs.h"

static const char run_as_root[] = "run as root, or with CAP_PERFMON";

/* No PMU has as many counters for one event. */
#define GROUP_MAX 64

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd)
{
	long fd;

	do {
		fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
	} while (fd < 0 && guest_events__leave_out(attr, -errno));
	return fd < 0 ? -errno : (int)fd;
}

/* trace and stack read perf rings of whole CPUs. */
void checkup__sampling(struct finding *f)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000007,
		.disabled = 1,
	};
	int fd = open_event(&attr, -1, cpu_list__any_online(NULL), -1);

	if (fd >= 0) {
		close(fd);
		finding__set(f, VERDICT_OK, "perf events of whole CPUs can be opened");
		return;
	}
	finding__set(f, VERDICT_MISSING, "perf events of whole CPUs cannot be opened (%s)",
		     strerror(-fd));
	if (fd == -ENOSYS)
		finding__remedy(f, "use a kernel built with CONFIG_PERF_EVENTS=y");
	else
		finding__remedy(f, "%s", run_as_root);
}

int checkup__group_size(const struct pmu *pmu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		/* The PMU's type matters if there are several PMUs; 5.13: 55bcf6ef314a. */
		.config = (uint64_t)pmu->type << 32 | PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		/*
		 * The exec never happens; but arm64 omits events that are merely disabled from its
		 * sum.
		 */
		.enable_on_exec = 1,
	};
	int cpu = cpu_list__any_online(pmu->cpus), fds[GROUP_MAX], cnt = 0, err;
	pid_t pid = -1;

	err = fds[0] = open_event(&attr, pid, cpu, -1);
	if (err == -EACCES || err == -EPERM) {
		/* A user that may observe no CPU may still observe itself, outside the kernel. */
		attr.exclude_kernel = attr.exclude_hv = 1;
		pid = 0;
		cpu = -1;
		err = fds[0] = open_event(&attr, pid, cpu, -1);
	}
	if (err < 0) {
		attr.config = PERF_COUNT_HW_CPU_CYCLES;
		err = fds[0] = open_event(&attr, pid, cpu, -1);
	}
	if (err < 0)
		return err;
	attr.disabled = attr.enable_on_exec = 0;
	for (cnt = 1; cnt < GROUP_MAX; cnt++) {
		fds[cnt] = open_event(&attr, pid, cpu, fds[0]);
		if (fds[cnt] < 0)
			break;
	}
	/* Members first: closing a leader makes each member a group of its own. */
	for (err = cnt; err > 0; err--)
		close(fds[err - 1]);
	return cnt;
}

void checkup__counters(struct finding *f)
{
	char **names = NULL;
	size_t cnt = 0, i, len;
	bool none = true, refused = false;

	if (pmu__names(&names, &cnt))
		cnt = 0;
	f->detail[0] = '\0';
	for (i = 0; i < cnt; i++) {
		struct pmu *pmu = pmu__load(names[i]);
		int size = pmu && pmu->is_core ? checkup__group_size(pmu) : 0;

		len = strlen(f->detail);
		if (size > 0)
			snprintf(f->detail + len, sizeof(f->detail) - len,
				 "%s%s: %d counters for cycles", len ? "; " : "", names[i], size);
		none = none && size <= 0;
		refused = refused || size == -EACCES || size == -EPERM;
		pmu__free(pmu);
	}
	pmu__free_names(names, cnt);
	if (!none)
		return;
	if (refused) {
		finding__set(f, VERDICT_UNKNOWN, "needs the right to open perf events");
		finding__remedy(f, "%s", run_as_root);
		return;
	}
	finding__set(f, VERDICT_LIMITED, "the CPU's own PMUs are missing: stack samples cpu-clock");
	finding__remedy(
		f, "in a virtual machine, have the host pass its PMU (QEMU: -cpu host,pmu=on)");
}

void checkup__pmus(struct finding *f)
{
	char **names;
	size_t cnt, i;

	if (pmu__names(&names, &cnt)) {
		finding__set(f, VERDICT_LIMITED, "/sys/bus/event_source/devices is not there");
		finding__remedy(f, "mount -t sysfs sysfs /sys");
		return;
	}
	for (i = 0; i < cnt; i++) {
		size_t len = strlen(f->detail);

		snprintf(f->detail + len, sizeof(f->detail) - len, "%s%s", i ? " " : "", names[i]);
	}
	pmu__free_names(names, cnt);
}

void checkup__paranoid(struct finding *f)
{
	long level;

	if (sysctl__perf_event_paranoid(&level)) {
		finding__set(f, VERDICT_UNKNOWN,
			     "/proc/sys/kernel/perf_event_paranoid is not there");
		return;
	}
	/* The level limits users without privileges. */
	if (level < 0)
		finding__set(f, VERDICT_OK, "%ld: all users may observe everything", level);
	else if (level == 0)
		finding__set(f, VERDICT_OK, "0: all users may observe whole CPUs");
	else if (level == 1)
		finding__set(f, VERDICT_OK,
			     "1: users without privileges may observe their own processes");
	else
		finding__set(f, VERDICT_OK,
			     "%ld: users without privileges may observe their own processes, %s",
			     level, level == 2 ? "outside the kernel" : "or nothing");
}

void checkup__watchdog(struct finding *f)
{
	long on;

	if (sysctl__nmi_watchdog(&on)) {
		finding__set(f, VERDICT_OK, "this kernel has none");
	} else if (!on) {
		finding__set(f, VERDICT_OK, "off");
	} else {
		finding__set(f, VERDICT_LIMITED, "on: it occupies one counter of each CPU");
		finding__remedy(f, "sysctl kernel.nmi_watchdog=0");
	}
}

/* Can programs read their own counters without a system call? */
void checkup__user_reads(struct finding *f)
{
	static const char *const paths[] = { "/sys/bus/event_source/devices/cpu/rdpmc",
					     "/sys/bus/event_source/devices/cpu_core/rdpmc",
					     "/proc/sys/kernel/perf_user_access" };
	size_t i;
	long on;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (fs__read_long(paths[i], &on))
			continue;
		if (on) {
			finding__set(f, VERDICT_OK, "allowed (%s is %ld)", paths[i], on);
			return;
		}
		finding__set(f, VERDICT_LIMITED, "counters are read by system calls (%s is 0)",
			     paths[i]);
		finding__remedy(f, "echo 1 >%s", paths[i]);
		return;
	}
	finding__set(f, VERDICT_LIMITED, "counters are read by system calls: no PMU offers more");
}
