// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Chooses raw or classic tracepoints for the programs of system calls. */
#include "session/syscall_path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/types.h>
#include <bpf/libbpf.h>

#include "trace.skel.h"

#include "event/tracefs.h"
#include "util/fs.h"
#include "util/log.h"

/* Each program in its two forms, and the classic tracepoint of the second form. */
struct form {
	struct bpf_program *raw, *classic;
	const char *tracepoint;
};

static void forms_of(const struct trace_bpf *skel, struct form forms[SYSCALL_PATH_MAX])
{
	forms[0] = (struct form){ skel->progs.raw_sys_enter, skel->progs.classic_sys_enter,
				  "sys_enter" };
	forms[1] =
		(struct form){ skel->progs.raw_sys_exit, skel->progs.classic_sys_exit, "sys_exit" };
	forms[2] = (struct form){ skel->progs.named_sys_enter, skel->progs.classic_named_sys_enter,
				  "sys_enter" };
	forms[3] = (struct form){ skel->progs.named_sys_exit, skel->progs.classic_named_sys_exit,
				  "sys_exit" };
}

void syscall_path__prepare(struct trace_bpf *skel)
{
	struct form forms[SYSCALL_PATH_MAX];
	size_t i;

	forms_of(skel, forms);
	for (i = 0; i < SYSCALL_PATH_MAX; i++) {
		if (!bpf_program__autoload(forms[i].raw))
			continue;
		bpf_program__set_autoload(forms[i].classic, true);
		bpf_program__set_autoload(skel->progs.probe_sys_enter, true);
	}
}

bool syscall_path__choose(struct trace_bpf *skel, bool preemptible)
{
	struct form forms[SYSCALL_PATH_MAX];
	bool classic = false;
	size_t i;

	forms_of(skel, forms);
	for (i = 0; i < SYSCALL_PATH_MAX; i++) {
		bpf_program__set_autoattach(forms[i].classic, false);
		if (!preemptible || !bpf_program__autoload(forms[i].classic))
			continue;
		bpf_program__set_autoattach(forms[i].raw, false);
		classic = true;
	}
	return classic;
}

int syscall_path__attachments(struct trace_bpf *skel, struct detach_attachment *atts)
{
	struct form forms[SYSCALL_PATH_MAX];
	int cnt = 0, err;
	size_t i;

	forms_of(skel, forms);
	for (i = 0; i < SYSCALL_PATH_MAX; i++) {
		char path[256];
		long id;

		if (!bpf_program__autoload(forms[i].classic))
			continue;
		snprintf(path, sizeof(path), "%s/events/raw_syscalls/%s/id", tracefs__dir(),
			 forms[i].tracepoint);
		err = fs__read_long(path, &id);
		if (err) {
			log_error("cannot read %s: %s", path, strerror(-err));
			return err;
		}
		atts[cnt].tp_id = (uint32_t)id;
		atts[cnt].prog_fd = bpf_program__fd(forms[i].classic);
		cnt++;
	}
	return cnt;
}

bool syscall_path__serves(const char *sys)
{
	return strcmp(sys, "syscalls") == 0 || strcmp(sys, "raw_syscalls") == 0;
}
