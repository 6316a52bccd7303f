// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/programs.h"

#include <stddef.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "session/raw_events.h"

#define PROG(member) offsetof(struct trace_bpf, progs.member)

/* clang-format off */
static const struct {
	size_t prog; /* offset of the struct bpf_program * in the skeleton */
	struct program desc;
} programs[] = {
	{ PROG(classic_tp), { .role = PROGRAM_CLASSIC } },
	/* System calls, on raw tracepoints and on classic ones (syscall_path.h). */
	{ PROG(classic_sys_enter), { PROGRAM_EVENT, "raw_syscalls", "sys_enter" } },
	{ PROG(classic_sys_exit), { PROGRAM_EVENT, "raw_syscalls", "sys_exit" } },
	{ PROG(named_sys_enter), { PROGRAM_SYSCALLS, "syscalls", "sys_enter" } },
	{ PROG(named_sys_exit), { PROGRAM_SYSCALLS, "syscalls", "sys_exit" } },
	{ PROG(classic_named_sys_enter), { PROGRAM_SYSCALLS, "syscalls", "sys_enter" } },
	{ PROG(classic_named_sys_exit), { PROGRAM_SYSCALLS, "syscalls", "sys_exit" } },
	/* Functions (trace_probes.h). */
	{ PROG(uprobe_hit), { .role = PROGRAM_UPROBE } },
	{ PROG(uprobe_count), { .role = PROGRAM_UPROBE } },
	{ PROG(uprobe_begin), { .role = PROGRAM_UPROBE } },
	{ PROG(uprobe_end), { .role = PROGRAM_UPROBE } },
	{ PROG(uprobe_session), { .role = PROGRAM_UPROBE } },
	{ PROG(kprobe_hit), { .role = PROGRAM_KPROBE } },
	{ PROG(kprobe_count), { .role = PROGRAM_KPROBE } },
	{ PROG(kprobe_begin), { .role = PROGRAM_KPROBE } },
	{ PROG(kprobe_end), { .role = PROGRAM_KPROBE } },
	{ PROG(kprobe_session), { .role = PROGRAM_KPROBE } },
	{ PROG(bring_sys_enter), { .role = PROGRAM_STATE } }, /* user_data.h */
	{ PROG(probe_sys_enter), { .role = PROGRAM_STATE } }, /* preempt.h */
	{ PROG(span_thread_gone), { .role = PROGRAM_STATE } }, /* span_maps.h */
	/* Target tasks and their children (task_filter.h). */
	{ PROG(follow_newtask), { .role = PROGRAM_STATE } },
	{ PROG(follow_exec), { .role = PROGRAM_STATE } },
	/* Unwind tables of processes (unwinder.h). */
	{ PROG(follow_mappings), { .role = PROGRAM_STATE } },
	{ PROG(follow_programs), { .role = PROGRAM_STATE } },
	/* --counters by task (trace_counters.h). */
	{ PROG(follow_switch), { .role = PROGRAM_STATE } },
	{ PROG(follow_counted), { .role = PROGRAM_STATE } },
	{ PROG(flush_batch), { .role = PROGRAM_ON_DEMAND } }, /* run by the source */
};
/* clang-format on */

struct program programs__describe(const struct trace_bpf *skel, const struct bpf_program *prog)
{
	struct program p = { PROGRAM_UNKNOWN, NULL, NULL };
	size_t i;

	if (raw_events__of_program(skel, prog, &p.sys, &p.event)) {
		p.role = PROGRAM_EVENT;
		return p;
	}
	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (*(struct bpf_program *const *)((const char *)skel + programs[i].prog) == prog)
			return programs[i].desc;
	return p;
}

bool program__is_probe(const struct program *p)
{
	return p->role == PROGRAM_UPROBE || p->role == PROGRAM_KPROBE;
}

bool program__sends(const struct program *p)
{
	return p->role == PROGRAM_EVENT || p->role == PROGRAM_SYSCALLS ||
	       p->role == PROGRAM_CLASSIC || program__is_probe(p);
}

bool program__serves(const struct program *p, const struct event *ev, bool is_classic)
{
	const struct tp_format *fmt = ev->fmt;
	size_t len;

	if (ev->probe || program__is_probe(p))
		return ev->probe &&
		       p->role == (ev->probe->in_kernel ? PROGRAM_KPROBE : PROGRAM_UPROBE);
	if (is_classic || p->role == PROGRAM_CLASSIC)
		return is_classic && p->role == PROGRAM_CLASSIC;
	if (!p->sys || strcmp(p->sys, fmt->sys) != 0)
		return false;
	len = strlen(p->event);
	if (p->role == PROGRAM_SYSCALLS)
		return strncmp(fmt->name, p->event, len) == 0 && fmt->name[len] == '_';
	return strcmp(fmt->name, p->event) == 0;
}
