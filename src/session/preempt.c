// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Asks the kernel, by a program, whether tasks are preempted inside programs. */
#include "session/preempt.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "kernel/features.h"

bool preempt__found(struct bpf_program *probe, volatile __u32 *tid, const volatile bool *found)
{
	struct bpf_link *link;

	if (!bpf_program__autoload(probe))
		return false;
	/* The skeleton's own attach must skip this program. */
	bpf_program__set_autoattach(probe, false);
	if (!feature__have(FEATURE_SYSCALL_GUARD))
		return true;
	link = bpf_program__attach(probe);
	if (!link)
		return false;
	*tid = (__u32)syscall(SYS_gettid);
	syscall(SYS_gettid);
	bpf_link__destroy(link);
	return *found;
}
