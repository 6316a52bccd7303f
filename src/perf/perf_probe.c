// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "perf/perf_probe.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "event/event.h"
#include "host/cpu_list.h"
#include "kernel/guest_events.h"

/* Long enough that no sample is taken while the event is open. */
#define PROBE_PERIOD 1000000007

static bool can_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	long fd;

	do {
		fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	} while (fd < 0 && guest_events__leave_out(attr, -errno));
	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}

/*
 * A whole CPU is tried first: the first event of a task makes the kernel wait for an RCU grace
 * period. A user who may observe no CPU may still observe their own processes, outside the kernel.
 */
static bool can_open_anyhow(struct perf_event_attr *attr, const struct event *ev)
{
	int cpu = cpu_list__any_online(ev->cpus);

	if (can_open(attr, -1, cpu))
		return true;
	if (ev->system_wide || (errno != EACCES && errno != EPERM))
		return false;
	if (can_open(attr, 0, -1))
		return true;
	attr->exclude_kernel = attr->exclude_hv = 1;
	return can_open(attr, 0, -1);
}

/* Sets *err if errno says that the kernel was not able to answer, in place of what it cannot do. */
static void note_failure(int *err)
{
	switch (errno) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EINTR:
		*err = -errno;
	}
}

static struct perf_event_attr attr_of(const struct event *ev)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = ev->type,
		.config = ev->config,
		.config1 = ev->config1,
		.config2 = ev->config2,
		.bp_type = ev->bp_type,
		.exclude_kernel = ev->exclude_kernel,
		.exclude_hv = ev->exclude_hv,
		.disabled = 1,
	};
}

int perf_probe__open(const struct event *ev)
{
	struct perf_event_attr attr = attr_of(ev);

	return can_open_anyhow(&attr, ev) ? 0 : -errno;
}

static unsigned int probe(const struct event *ev, int *err)
{
	struct perf_event_attr attr = attr_of(ev);
	unsigned int can = 0;

	if (!can_open_anyhow(&attr, ev)) {
		note_failure(err);
		return 0;
	}
	can |= PERF_CAN_COUNT;
	attr.sample_period = PROBE_PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	if (can_open_anyhow(&attr, ev))
		can |= PERF_CAN_SAMPLE;
	else
		note_failure(err);
	return can;
}

unsigned int perf_probe__event(const struct event *ev, int *err)
{
	static struct {
		uint32_t type;
		unsigned int can;
	} * known;
	static size_t known_cnt;
	unsigned int can;
	void *moved;
	int ignored = 0;
	size_t i;

	err = err ?: &ignored;
	if (ev->kind == EVENT_TOOL)
		return PERF_CAN_COUNT;
	if (ev->kind != EVENT_SOFTWARE && ev->kind != EVENT_PMU)
		return probe(ev, err);
	for (i = 0; i < known_cnt; i++)
		if (known[i].type == ev->type)
			return known[i].can;
	can = probe(ev, err);
	moved = reallocarray(known, known_cnt + 1, sizeof(*known));
	if (!moved)
		return can;
	known = moved;
	known[known_cnt].type = ev->type;
	known[known_cnt++].can = can;
	return can;
}

static bool can_load_program(void)
{
	/* r0 = 0; exit */
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_TRACEPOINT, NULL, "Dual BSD/GPL", insns, 2, NULL);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

unsigned int perf_probe__tracepoints(int *err)
{
	static int known = -1;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};

	if (known >= 0)
		return (unsigned int)known;
	known = 0;
	/* For a tracepoint on a CPU the kernel demands the permission of any event there. */
	if (can_open(&attr, -1, cpu_list__any_online(NULL))) {
		known = PERF_CAN_COUNT | PERF_CAN_SAMPLE;
		if (can_load_program())
			known |= PERF_CAN_TRACE;
		else
			note_failure(err);
	} else if (errno != EACCES && errno != EPERM) {
		/* Each kernel has this event. */
		*err = -errno;
	}
	return (unsigned int)known;
}
