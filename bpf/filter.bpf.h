/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Is this event wanted? Cheapest question first. */
#ifndef BPFPERF_FILTER_BPF_H
#define BPFPERF_FILTER_BPF_H

#include "knobs.bpf.h"
#include "maps.bpf.h"

/* The watch state of a thread, or NULL where its id is out of the map's range. */
static __always_inline __u8 *task_state(__u32 tid)
{
	__u32 elem = tid / WIRE_TASKS_PER_ELEM;
	struct wire_tasks *t = bpf_map_lookup_elem(&tasks, &elem);

	return t ? &t->state[tid % WIRE_TASKS_PER_ELEM] : NULL;
}

/* The record that a program is making; and for whom. */
struct slot {
	struct wire_cpu *cpu;
	struct wire_rec *rec;
	__u32 tgid, tid;
	__u32 level;
};

static __always_inline _Bool wanted(struct slot *s)
{
	__u32 cpu;
	__u64 id;

	if (!active)
		return 0;
	cpu = bpf_get_smp_processor_id();
	s->cpu = bpf_map_lookup_elem(&cpus, &cpu);
	if (!s->cpu || !s->cpu->watched)
		return 0;
	id = bpf_get_current_pid_tgid();
	s->tgid = id >> 32;
	s->tid = (__u32)id;
	if (self_tgid && s->tgid == self_tgid)
		return 0;
	if (hide_cmd && s->tgid == hidden_tgid)
		return 0;
	if (filter_tasks) {
		__u8 *state = task_state(s->tid);

		if (!state || *state != WIRE_TASK_WATCHED)
			return 0;
	}
	return 1;
}

#endif
