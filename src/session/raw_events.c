// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Hand-written programs on raw tracepoints, and the layouts of records that they make. */
#include "session/raw_events.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "trace.skel.h"

#include "bpf/wire.h"
#include "session/syscall_layout.h"
#include "session/user_data.h"

#define PROG(member) offsetof(struct trace_bpf, progs.member)
#define KNOB(member) offsetof(struct trace_bpf__rodata, member)
#define NO_KNOB SIZE_MAX

/*
 * One layout of one event. `layout` lists the fields behind the common ones:
 *   NAME:4     that many bytes, aligned as C aligns them
 *   NAME:C     a task's name: char[16], or a dynamic string; all C of one
 *              event are of the same kind, which goes to the `dyn` knob
 *   NAME:D     a dynamic string
 */
struct raw_event {
	const char *sys, *name, *layout;
	size_t prog; /* offset of the struct bpf_program * in the skeleton */
	size_t id; /* offsets of knobs in the skeleton's rodata */
	size_t dyn;
	size_t flag; /* a _Bool set when this layout is chosen */
	bool locked; /* always hit with preemption off: within the scheduler's locks */
};

#define COMM_EVENT(n, s)                                                                           \
	{                                                                                          \
		"sched", #n, s, PROG(raw_##n), KNOB(id_##n), KNOB(dyn_##n), NO_KNOB, false         \
	}
#define LOCKED_EVENT(n, s)                                                                         \
	{                                                                                          \
		"sched", #n, s, PROG(raw_##n), KNOB(id_##n), KNOB(dyn_##n), NO_KNOB, true          \
	}
#define FIXED_EVENT(n, s)                                                                          \
	{                                                                                          \
		"sched", #n, s, PROG(raw_##n), KNOB(id_##n), NO_KNOB, NO_KNOB, false               \
	}
#define NUMA_SIDE(p) p "pid:4 " p "tgid:4 " p "ngid:4 " p "cpu:4 " p "nid:4"

static const struct raw_event raw_events[] = {
	LOCKED_EVENT(sched_switch, "prev_comm:16 prev_pid:4 prev_prio:4 prev_state:8 "
				   "next_comm:16 next_pid:4 next_prio:4"),
	LOCKED_EVENT(sched_wakeup, "comm:C pid:4 prio:4 target_cpu:4"),
	LOCKED_EVENT(sched_wakeup_new, "comm:C pid:4 prio:4 target_cpu:4"),
	LOCKED_EVENT(sched_waking, "comm:C pid:4 prio:4 target_cpu:4"),
	LOCKED_EVENT(sched_migrate_task, "comm:C pid:4 prio:4 orig_cpu:4 dest_cpu:4"),
	COMM_EVENT(sched_process_free, "comm:C pid:4 prio:4"),
	LOCKED_EVENT(sched_wait_task, "comm:C pid:4 prio:4"),
	{ "sched", "sched_process_exit", "comm:C pid:4 prio:4 group_dead:1",
	  PROG(raw_sched_process_exit), KNOB(id_sched_process_exit), KNOB(dyn_sched_process_exit),
	  KNOB(exit_has_group_dead), false },
	COMM_EVENT(sched_process_exit, "comm:C pid:4 prio:4"),
	COMM_EVENT(sched_process_wait, "comm:C pid:4 prio:4"),
	COMM_EVENT(sched_process_fork, "parent_comm:C parent_pid:4 child_comm:C child_pid:4"),
	FIXED_EVENT(sched_process_exec, "filename:D pid:4 old_pid:4"),
	FIXED_EVENT(sched_prepare_exec, "interp:D filename:D pid:4 comm:D"),
	LOCKED_EVENT(sched_stat_runtime, "comm:C pid:4 runtime:8"),
	LOCKED_EVENT(sched_stat_wait, "comm:C pid:4 delay:8"),
	LOCKED_EVENT(sched_stat_sleep, "comm:C pid:4 delay:8"),
	LOCKED_EVENT(sched_stat_iowait, "comm:C pid:4 delay:8"),
	LOCKED_EVENT(sched_stat_blocked, "comm:C pid:4 delay:8"),
	LOCKED_EVENT(sched_pi_setprio, "comm:C pid:4 oldprio:4 newprio:4"),
	COMM_EVENT(sched_process_hang, "comm:C pid:4"),
	COMM_EVENT(sched_kthread_stop, "comm:C pid:4"),
	FIXED_EVENT(sched_kthread_stop_ret, "ret:4"),
	FIXED_EVENT(sched_wake_idle_without_ipi, "cpu:4"),
	FIXED_EVENT(sched_kthread_work_queue_work, "work:8 function:8 worker:8"),
	FIXED_EVENT(sched_kthread_work_execute_start, "work:8 function:8"),
	FIXED_EVENT(sched_kthread_work_execute_end, "work:8 function:8"),
	FIXED_EVENT(sched_skip_vma_numa, "numa_scan_offset:8 vm_start:8 vm_end:8 reason:4"),
	FIXED_EVENT(sched_move_numa, "pid:4 tgid:4 ngid:4 src_cpu:4 src_nid:4 dst_cpu:4 dst_nid:4"),
	FIXED_EVENT(sched_stick_numa, NUMA_SIDE("src_") " " NUMA_SIDE("dst_")),
	FIXED_EVENT(sched_swap_numa, NUMA_SIDE("src_") " " NUMA_SIDE("dst_")),
	FIXED_EVENT(sched_skip_cpuset_numa, "comm:16 pid:4 tgid:4 ngid:4 mem_allowed:N"),
	{ "raw_syscalls", "sys_enter", "id:8 args:48", PROG(raw_sys_enter), KNOB(id_sys_enter),
	  NO_KNOB, NO_KNOB, false },
	{ "raw_syscalls", "sys_exit", "id:8 ret:8", PROG(raw_sys_exit), KNOB(id_sys_exit), NO_KNOB,
	  NO_KNOB, false },
};

/* Does one field match one element of a layout? Advances *end over the element. */
static bool field_fits(const struct tp_field *f, const char *want, size_t want_len,
		       unsigned int *end, int *dynamic)
{
	bool is_dyn = f->flags & TP_FIELD_DYNAMIC, any_size = false;
	size_t name_len = strlen(f->name);
	unsigned int align = f->elem_size, size;
	char kind;

	if (want_len < name_len + 2 || memcmp(want, f->name, name_len) || want[name_len] != ':')
		return false;
	kind = want[name_len + 1];
	if (kind == 'D' || (kind == 'C' && is_dyn)) {
		size = align = 4;
	} else {
		size = kind == 'C' ? 16 : (unsigned int)atoi(want + name_len + 1);
		any_size = kind == 'N';
	}
	if (kind == 'C') {
		if (*dynamic >= 0 && *dynamic != is_dyn)
			return false;
		*dynamic = is_dyn;
	}
	if ((kind == 'D' || (kind == 'C' && *dynamic)) != is_dyn || f->flags & TP_FIELD_REL)
		return false;
	if ((!any_size && f->size != size) || !align)
		return false;
	if (f->off != (*end + align - 1) / align * align)
		return false;
	*end = f->off + f->size;
	return true;
}

bool raw_events__layout_matches(const struct tp_format *fmt, const char *layout, bool *dynamic)
{
	unsigned int end = sizeof(struct wire_entry);
	int dyn = -1;
	size_t i;

	for (i = 0; i < fmt->field_cnt; i++) {
		const struct tp_field *f = &fmt->fields[i];
		size_t len = strcspn(layout, " ");

		if (f->flags & TP_FIELD_COMMON)
			continue;
		if (!field_fits(f, layout, len, &end, &dyn))
			return false;
		layout += len;
		layout += *layout == ' ';
	}
	*dynamic = dyn > 0;
	return *layout == '\0';
}

static struct bpf_program *program_at(const struct trace_bpf *skel, size_t prog_off)
{
	return *(struct bpf_program *const *)((const char *)skel + prog_off);
}

static void load_program(struct trace_bpf *skel, size_t prog_off)
{
	bpf_program__set_autoload(program_at(skel, prog_off), true);
}

static bool select_syscall(struct trace_bpf *skel, const struct tp_format *fmt)
{
	struct syscall_layout layout;

	if (!syscall_layout__of(fmt, &layout))
		return false;
	if (layout.is_enter) {
		skel->rodata->id_sys_enter_by_nr[layout.nr] = fmt->id;
		skel->rodata->sys_enter_args_by_nr[layout.nr] = layout.arg_cnt;
		user_data__select(skel, &layout);
		load_program(skel, PROG(named_sys_enter));
	} else {
		skel->rodata->id_sys_exit_by_nr[layout.nr] = fmt->id;
		load_program(skel, PROG(named_sys_exit));
	}
	return true;
}

bool raw_events__is_locked(const struct tp_format *fmt)
{
	size_t i;

	for (i = 0; i < sizeof(raw_events) / sizeof(raw_events[0]); i++)
		if (strcmp(raw_events[i].sys, fmt->sys) == 0 &&
		    strcmp(raw_events[i].name, fmt->name) == 0)
			return raw_events[i].locked;
	return false;
}

bool raw_events__select(struct trace_bpf *skel, const struct tp_format *fmt)
{
	char *rodata = (char *)skel->rodata;
	size_t i;

	if (strcmp(fmt->sys, "syscalls") == 0)
		return select_syscall(skel, fmt);
	for (i = 0; i < sizeof(raw_events) / sizeof(raw_events[0]); i++) {
		const struct raw_event *e = &raw_events[i];
		bool dynamic;

		if (strcmp(e->sys, fmt->sys) != 0 || strcmp(e->name, fmt->name) != 0 ||
		    !raw_events__layout_matches(fmt, e->layout, &dynamic))
			continue;
		*(__u16 *)(rodata + e->id) = fmt->id;
		if (e->dyn != NO_KNOB)
			*(bool *)(rodata + e->dyn) = dynamic;
		if (e->flag != NO_KNOB)
			*(bool *)(rodata + e->flag) = true;
		if (e->prog == PROG(raw_sched_skip_cpuset_numa))
			skel->rodata->nodemask_sz = fmt->fields[fmt->field_cnt - 1].size;
		load_program(skel, e->prog);
		return true;
	}
	return false;
}

bool raw_events__of_program(const struct trace_bpf *skel, const struct bpf_program *prog,
			    const char **sys, const char **name)
{
	size_t i;

	for (i = 0; i < sizeof(raw_events) / sizeof(raw_events[0]); i++) {
		if (program_at(skel, raw_events[i].prog) != prog)
			continue;
		*sys = raw_events[i].sys;
		*name = raw_events[i].name;
		return true;
	}
	return false;
}

bool raw_events__covers(const char *sys)
{
	return strcmp(sys, "sched") == 0 || strcmp(sys, "syscalls") == 0 ||
	       strcmp(sys, "raw_syscalls") == 0;
}

void raw_events__set_topology(struct trace_bpf *skel)
{
	int cpu, node;

	for (cpu = 0; cpu < WIRE_MAX_CPUS; cpu++) {
		char path[64];
		struct dirent *e;
		DIR *dir;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
		dir = opendir(path);
		if (!dir)
			break;
		while ((e = readdir(dir)))
			if (sscanf(e->d_name, "node%d", &node) == 1)
				skel->rodata->node_of_cpu[cpu] = (__s16)node;
		closedir(dir);
	}
}
