// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Every BPF program of trace has a role, and serves the events that its role says. */
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "session/programs.h"
#include "tap.h"

static void test_all(const struct trace_bpf *skel)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, skel->obj)
		ok(programs__describe(skel, prog).role != PROGRAM_UNKNOWN,
		   "program %s is in the table of roles", bpf_program__name(prog));
}

static void test_serves(const struct trace_bpf *skel)
{
	const struct program enter = programs__describe(skel, skel->progs.named_sys_enter);
	const struct program raw = programs__describe(skel, skel->progs.raw_sys_enter);
	const struct program classic = programs__describe(skel, skel->progs.classic_tp);
	const struct program on_exec = programs__describe(skel, skel->progs.follow_exec);
	struct tp_format fmt = { .sys = "syscalls", .name = "sys_enter_openat" };
	const struct event ev = { .fmt = &fmt };

	ok(program__serves(&enter, &ev, false),
	   "syscalls:sys_enter_openat has the program of its kind");
	ok(!program__serves(&enter, &ev, true),
	   "an event of the classic path has no other program");
	ok(program__serves(&classic, &ev, true),
	   "the classic program serves all of the classic path");
	ok(!program__serves(&classic, &ev, false), "the classic program serves no raw event");
	ok(!program__serves(&raw, &ev, false), "raw_syscalls:sys_enter serves no single call");
	fmt.name = "sys_enterprise";
	ok(!program__serves(&enter, &ev, false), "a name that only begins alike is not served");
	fmt = (struct tp_format){ .sys = "raw_syscalls", .name = "sys_enter" };
	ok(program__serves(&raw, &ev, false), "raw_syscalls:sys_enter has its program");
	ok(!program__serves(&on_exec, &ev, false) && !program__sends(&on_exec),
	   "a program that keeps state sends no records");
}

int main(void)
{
	struct trace_bpf *skel = trace_bpf__open();

	if (!ok(skel, "the skeleton opens without privileges"))
		return done_testing();
	test_all(skel);
	test_serves(skel);
	trace_bpf__destroy(skel);
	return done_testing();
}
