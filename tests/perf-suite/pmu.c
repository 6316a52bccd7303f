// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A library for LD_PRELOAD around perf_event_open(2), by which the suite sees the events that a
 * tool opens, without a hook in the tool:
 *
 *   SUITE_ATTRS=FILE  appends a line for each event that was opened
 *   SUITE_PMU=1       hardware events open on machines that have no PMU: a clock runs in place of
 *                     each, a dummy in place of one whose samples a clock cannot give
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long (*next_syscall)(long nr, ...);

static FILE *log_file(void)
{
	const char *path = getenv("SUITE_ATTRS");

	return path ? fopen(path, "ae") : NULL;
}

static void log_bits(FILE *f, const struct perf_event_attr *a)
{
#define PUT(bit) fprintf(f, " " #bit "=%d", (int)a->bit)
	PUT(disabled);
	PUT(inherit);
	PUT(pinned);
	PUT(exclusive);
	PUT(exclude_user);
	PUT(exclude_kernel);
	PUT(exclude_hv);
	PUT(exclude_idle);
	PUT(mmap);
	PUT(comm);
	PUT(freq);
	PUT(inherit_stat);
	PUT(enable_on_exec);
	PUT(task);
	PUT(watermark);
	PUT(precise_ip);
	PUT(mmap_data);
	PUT(sample_id_all);
	PUT(exclude_host);
	PUT(exclude_guest);
	PUT(exclude_callchain_kernel);
	PUT(exclude_callchain_user);
	PUT(mmap2);
	PUT(comm_exec);
	PUT(context_switch);
	PUT(write_backward);
	PUT(namespaces);
	PUT(use_clockid);
	PUT(wakeup_events);
	PUT(bp_type);
#undef PUT
}

/* The names are those of attr.py, which perf's tests compare by. */
static void log_open(const struct perf_event_attr *a, const unsigned long *arg, long fd)
{
	FILE *f = log_file();

	if (!f)
		return;
	fprintf(f, "fd=%ld pid=%d cpu=%d group_fd=%d flags=%lu type=%u size=%u config=%llu", fd,
		(int)arg[1], (int)arg[2], (int)arg[3], arg[4], a->type, a->size,
		(unsigned long long)a->config);
	fprintf(f,
		" sample_period=%llu sample_type=%llu read_format=%llu config1=%llu config2=%llu",
		(unsigned long long)a->sample_period, (unsigned long long)a->sample_type,
		(unsigned long long)a->read_format, (unsigned long long)a->config1,
		(unsigned long long)a->config2);
	fprintf(f, " branch_sample_type=%llu sample_regs_user=%llu sample_stack_user=%u",
		(unsigned long long)a->branch_sample_type, (unsigned long long)a->sample_regs_user,
		a->sample_stack_user);
	log_bits(f, a);
	fputc('\n', f);
	fclose(f);
}

/* A clock that interrupts every 100 ns, a period of the tests, leaves a program no time. */
#define PERIOD_MIN_NS 100000

/* Turns an event of the processor into one that every kernel has. */
static void pretend(struct perf_event_attr *a)
{
	const unsigned long long absent = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_DATA_SRC |
					  PERF_SAMPLE_WEIGHT | PERF_SAMPLE_TRANSACTION;

	if (a->type != PERF_TYPE_HARDWARE && a->type != PERF_TYPE_HW_CACHE &&
	    a->type != PERF_TYPE_RAW && !(a->sample_type & PERF_SAMPLE_BRANCH_STACK))
		return;
	a->type = PERF_TYPE_SOFTWARE;
	a->config = a->sample_type & absent ? PERF_COUNT_SW_DUMMY : PERF_COUNT_SW_CPU_CLOCK;
	a->config1 = a->config2 = 0;
	a->precise_ip = 0;
	a->sample_type &= ~absent;
	a->branch_sample_type = 0;
	if (!a->freq && a->sample_period && a->sample_period < PERIOD_MIN_NS)
		a->sample_period = PERIOD_MIN_NS;
}

static long open_event(const unsigned long *arg)
{
	const char *pmu = getenv("SUITE_PMU");
	/* Room for attrs of later kernels. */
	union {
		struct perf_event_attr attr;
		char room[512];
	} copy = { .room = { 0 } };
	const struct perf_event_attr *attr = (const void *)arg[0];
	long fd;

	/* perf probes with a NULL, too. */
	if (!attr || attr->size > sizeof(copy))
		return next_syscall(SYS_perf_event_open, arg[0], arg[1], arg[2], arg[3], arg[4]);
	memcpy(&copy, attr, attr->size ? attr->size : PERF_ATTR_SIZE_VER0);
	if (pmu && *pmu)
		pretend(&copy.attr);
	fd = next_syscall(SYS_perf_event_open, &copy, arg[1], arg[2], arg[3], arg[4]);
	if (fd >= 0)
		log_open(attr, arg, fd);
	return fd;
}

long syscall(long nr, ...)
{
	unsigned long arg[6];
	va_list ap;
	size_t i;

	/* Constructors of other libraries call it, too. */
	if (!next_syscall)
		next_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	va_start(ap, nr);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (nr == SYS_perf_event_open)
		return open_event(arg);
	return next_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}
