// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/user_data.h"

#include <errno.h>
#include <stdio.h>

#include <linux/bpf.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "event/tracefs.h"
#include "kernel/features.h"
#include "kernel/kernel_btf.h"
#include "util/fs.h"
#include "util/log.h"

#define NO_WAITING                                                                                 \
	"this kernel runs no sleepable programs on tracepoints: a file name that is not in "       \
	"memory at the time of the call is empty in its record"

void user_data__select(struct trace_bpf *skel, const struct syscall_layout *layout)
{
	char path[256];
	long sz;

	if (!layout->user_cnt)
		return;
	skel->rodata->user_data_by_nr[layout->nr] = syscall_layout__user_data(layout);
	if (skel->rodata->has_user_data)
		return;
	skel->rodata->has_user_data = true;
	snprintf(path, sizeof(path), "%s/syscall_user_buf_size", tracefs__dir());
	if (fs__read_long(path, &sz) == 0 && sz >= 0)
		skel->rodata->user_data_sz = sz < WIRE_DATA_MAX ? (__u32)sz : WIRE_DATA_MAX;
}

void user_data__prepare(struct trace_bpf *skel)
{
	struct bpf_program *prog = skel->progs.bring_sys_enter;

	bpf_program__set_autoattach(prog, false);
	if (!skel->rodata->has_user_data || !skel->rodata->user_data_sz)
		return;
	if (!feature__have(FEATURE_SLEEPABLE_TP)) {
		log_info(NO_WAITING);
		return;
	}
	bpf_program__set_flags(prog, BPF_F_SLEEPABLE);
	bpf_program__set_autoload(prog, true);
}

struct bpf_link *user_data__attach(struct trace_bpf *skel)
{
	struct bpf_link *link;

	if (!bpf_program__autoload(skel->progs.bring_sys_enter))
		return NULL;
	link = kernel_btf__attach(skel->progs.bring_sys_enter);
	if (!link)
		log_info(NO_WAITING);
	return link;
}
