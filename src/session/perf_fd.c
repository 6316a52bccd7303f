// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/perf_fd.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "event/event.h"
#include "util/fs.h"
#include "util/log.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define MAX_RATE "/proc/sys/kernel/perf_event_max_sample_rate"

static bool is_clock(const struct event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE &&
	       (ev->config == PERF_COUNT_SW_CPU_CLOCK || ev->config == PERF_COUNT_SW_TASK_CLOCK);
}

static void fill_attr(struct perf_event_attr *attr, const struct event *ev,
		      const struct perf_sampling *how)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = ev->type,
		.config = ev->config,
		.config1 = ev->config1,
		.config2 = ev->config2,
		.disabled = 1,
		.exclude_user = ev->exclude_user,
		.exclude_kernel = ev->exclude_kernel,
		.exclude_hv = ev->exclude_hv,
		.exclude_host = ev->exclude_host,
		.exclude_guest = ev->exclude_guest,
		.exclude_idle = ev->exclude_idle || is_clock(ev),
		.pinned = ev->pinned,
		.exclusive = ev->exclusive,
		.precise_ip = ev->precise_max ? 3 : ev->precise_ip,
		.freq = how->freq_hz != 0,
	};
	if (how->freq_hz)
		attr->sample_freq = how->freq_hz;
	else
		attr->sample_period = how->period;
}

static bool raise_file_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return false;
	lim.rlim_cur = lim.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &lim);
}

int perf_fd__open_sampling(const struct event *ev, const struct perf_sampling *how, int cpu)
{
	struct perf_event_attr attr;
	long fd;

	fill_attr(&attr, ev, how);
	for (;;) {
		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			return (int)fd;
		if (errno == EMFILE && raise_file_limit())
			continue;
		/* P asks for as much as the PMU can. */
		if (!ev->precise_max || !attr.precise_ip ||
		    (errno != EOPNOTSUPP && errno != EINVAL && errno != ENOENT))
			return -errno;
		attr.precise_ip--;
	}
}

static void explain_denied(const struct event *ev)
{
	long paranoid = 0;

	fs__read_long(PARANOID, &paranoid);
	log_error("cannot sample %s on all CPUs: not allowed; run as root, or with CAP_PERFMON, or "
		  "with sysctl kernel.perf_event_paranoid=-1 (it is %ld)",
		  ev->name, paranoid);
}

static void explain_invalid(const struct event *ev, const struct perf_sampling *how)
{
	long max = 0;

	if (how->freq_hz && !fs__read_long(MAX_RATE, &max) && how->freq_hz > (uint64_t)max)
		log_error("-F %llu is above what this kernel allows, %ld; give less, or raise "
			  "sysctl kernel.perf_event_max_sample_rate",
			  (unsigned long long)how->freq_hz, max);
	else
		log_error("%s cannot be sampled with these modifiers or this period here; "
			  "try -e cpu-clock",
			  ev->name);
}

void perf_fd__explain(const struct event *ev, const struct perf_sampling *how, int cpu, int err)
{
	switch (-err) {
	case EACCES:
	case EPERM:
		explain_denied(ev);
		break;
	case ENOENT:
	case EOPNOTSUPP:
	case ENXIO:
		log_error("this machine cannot sample %s (no hardware counter for it here, as in "
			  "most virtual machines); try -e cpu-clock",
			  ev->name);
		break;
	case EINVAL:
		explain_invalid(ev, how);
		break;
	case EMFILE:
		log_error("cannot open %s on CPU %d: too many open files; raise `ulimit -n`",
			  ev->name, cpu);
		break;
	case EBUSY:
		log_error("cannot open %s on CPU %d: the counter is taken by another user of perf; "
			  "stop that one, or try -e cpu-clock",
			  ev->name, cpu);
		break;
	case ENODEV:
		log_error("CPU %d is offline; leave it out of -C", cpu);
		break;
	default:
		log_error("cannot open %s on CPU %d: %s; try -e cpu-clock", ev->name, cpu,
			  strerror(-err));
	}
}
