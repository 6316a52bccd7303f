// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/perf_fd.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "event/event.h"
#include "host/sysctl.h"
#include "kernel/limits.h"
#include "util/log.h"

/* A probe is an event of the PMU uprobe or kprobe; the path or the name is the caller's. */
static void use_probe(struct perf_event_attr *attr, const struct probe *p)
{
	attr->type = p->pmu_type;
	attr->config = p->is_return;
	attr->config1 = (uintptr_t)(p->in_kernel ? p->func : p->path);
	attr->config2 = p->off;
}

void perf_fd__attr(struct perf_event_attr *attr, const struct event *ev)
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
		.exclude_idle = ev->exclude_idle,
		.pinned = ev->pinned,
		.exclusive = ev->exclusive,
		.precise_ip = ev->precise_max ? 3 : ev->precise_ip,
	};
	attr->bp_type = ev->bp_type;
	attr->aux_output = ev->aux_output;
	/* It follows the size; the headers of Debian 12 have a reserved word there. */
	memcpy((char *)attr + offsetof(struct perf_event_attr, aux_sample_size) +
		       sizeof(attr->aux_sample_size),
	       &(uint32_t){ ev->aux_action }, sizeof(uint32_t));
	if (ev->probe)
		use_probe(attr, ev->probe);
}

/* Events that perf_swevent_event() counts: all of software but the clocks, which are timers. */
static bool is_swevent(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_SOFTWARE)
		return attr->config != PERF_COUNT_SW_CPU_CLOCK &&
		       attr->config != PERF_COUNT_SW_TASK_CLOCK;
	return attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT;
}

void perf_fd__keep_rate(struct perf_event_attr *attr)
{
	if (is_swevent(attr) && !attr->freq && attr->sample_period > 1)
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
}

void perf_fd__sampling_attr(struct perf_event_attr *attr, const struct event *ev,
			    const struct perf_sampling *how)
{
	perf_fd__attr(attr, ev);
	attr->exclude_idle |= event__is_clock(ev);
	attr->freq = how->freq_hz != 0;
	if (how->freq_hz)
		attr->sample_freq = how->freq_hz;
	else
		attr->sample_period = how->period;
	/* A sample of a software event may stand for several occurrences. */
	attr->sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	perf_fd__keep_rate(attr);
	/* A program may read the stack of a precise sample only if the kernel has taken it. */
	if (attr->precise_ip)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	/*
	 * The trailer is that of the process records' rings, so that throttling can be reported
	 * there.
	 */
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

int perf_fd__open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		  unsigned long flags)
{
	long fd;

	do {
		fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd,
			     flags | PERF_FLAG_FD_CLOEXEC);
	} while (fd < 0 && errno == EMFILE && limits__raise_files());
	return fd < 0 ? -errno : (int)fd;
}

static void explain_denied(const struct event *ev)
{
	long paranoid = 0;

	sysctl__perf_event_paranoid(&paranoid);
	log_error("cannot sample %s on all CPUs: not allowed; run as root, or with CAP_PERFMON, or "
		  "with sysctl kernel.perf_event_paranoid=-1 (it is %ld)",
		  ev->name, paranoid);
}

static void explain_invalid(const struct event *ev, const struct perf_sampling *how)
{
	long max = 0;

	if (how->freq_hz && !sysctl__max_sample_rate(&max) && how->freq_hz > (uint64_t)max)
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
		log_error("cannot open %s on CPU %d: another user of perf holds the counter; end "
			  "its session, or try -e cpu-clock",
			  ev->name, cpu);
		break;
	case ENODEV:
		log_error("CPU %d is offline; omit it from -C", cpu);
		break;
	default:
		log_error("cannot open %s on CPU %d: %s; try -e cpu-clock", ev->name, cpu,
			  strerror(-err));
	}
}
