// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Asks the kernel, by a program, whether tasks are preempted inside programs. */
#include "session/preempt.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "kernel/features.h"

void preempt__prepare(struct trace_bpf *skel)
{
	bpf_program__set_autoload(skel->progs.probe_sys_enter, true);
}

bool preempt__found(struct trace_bpf *skel)
{
	struct bpf_link *link;

	if (!bpf_program__autoload(skel->progs.probe_sys_enter))
		return false;
	/* The skeleton's own attach must skip this program. */
	bpf_program__set_autoattach(skel->progs.probe_sys_enter, false);
	if (!feature__have(FEATURE_SYSCALL_GUARD))
		return true;
	link = bpf_program__attach(skel->progs.probe_sys_enter);
	if (!link)
		return false;
	skel->bss->probe_tid = (__u32)syscall(SYS_gettid);
	syscall(SYS_gettid);
	bpf_link__destroy(link);
	return skel->bss->probe_found_preemptible;
}
