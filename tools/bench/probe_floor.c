// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * probe_floor [-s] EVENT CMD [ARG…]: runs CMD while an empty program is attached to a probe of one
 * place, such as u:PATH:FUNC(), by the link that bpfperf uses: what a hit costs at least. -s: a
 * session, at both ends.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "event/event.h"
#include "kernel/multi_link.h"
#include "probe/events.h"

int main(int argc, char **argv)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	bool is_session = argc > 1 && !strcmp(argv[1], "-s");
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type = (enum bpf_attach_type)(
			    is_session ? ATTACH_UPROBE_SESSION : ATTACH_UPROBE_MULTI));
	struct event_list events = { NULL };
	struct uprobe_multi at = { .cnt = 1, .is_session = is_session };
	int prog, link, status;
	pid_t pid;

	argv += is_session;
	argc -= is_session;
	if (argc < 3) {
		fprintf(stderr, "usage: probe_floor [-s] EVENT CMD [ARG...]\n");
		return 2;
	}
	probe_events__enable();
	if (event_list__add(&events, argv[1]))
		return 1;
	at.path = events.events[0]->probe->path;
	at.offs = &events.events[0]->probe->off;
	prog = bpf_prog_load(BPF_PROG_TYPE_KPROBE, NULL, "GPL", insns, 2, &opts);
	link = prog < 0 ? prog : uprobe_multi__attach(prog, &at);
	if (link < 0) {
		fprintf(stderr, "probe_floor: %s\n", strerror(-link));
		return 1;
	}
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : 1;
}
