// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Instances of a program: the first is the program that libbpf loaded, so that the kernel verifies
 * it once, and each contains the index of its own event.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "kernel/kernel_btf.h"
#include "session/instances.h"
#include "stack.skel.h"

#include "tap.h"

#define EVENTS 3

static __u32 id_of(int fd)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &len) ? 0 : info.id;
}

/* Number of instructions of the loaded program that load this constant. */
static size_t loads_of(int fd, __s32 value)
{
	struct bpf_prog_info info = { 0 };
	__u32 len = sizeof(info);
	struct bpf_insn *insns;
	size_t i, found = 0;

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return 0;
	insns = calloc(1, info.xlated_prog_len);
	len = info.xlated_prog_len;
	info = (struct bpf_prog_info){
		.xlated_prog_len = len,
		.xlated_prog_insns = (__u64)(unsigned long)insns,
	};
	len = sizeof(info);
	if (insns && !bpf_obj_get_info_by_fd(fd, &info, &len))
		for (i = 0; i < info.xlated_prog_len / sizeof(*insns); i++)
			found += insns[i].code == (BPF_ALU64 | BPF_MOV | BPF_K) &&
				 insns[i].imm == value;
	free(insns);
	return found;
}

static void check_instances(const struct bpf_program *prog, const struct instances *in)
{
	size_t per_index = loads_of(in->fds[1], 1) - loads_of(in->fds[0], 1);

	ok(id_of(in->fds[0]) && id_of(in->fds[0]) == id_of(bpf_program__fd(prog)),
	   "instances: event 0 is served by the program that libbpf loaded");
	ok(id_of(in->fds[1]) != id_of(in->fds[0]) && id_of(in->fds[2]) != id_of(in->fds[1]),
	   "instances: each other event has a program of its own");
	ok(per_index > 0 && loads_of(in->fds[0], 0) == loads_of(in->fds[1], 0) + per_index &&
		   loads_of(in->fds[2], 2) == loads_of(in->fds[0], 2) + per_index,
	   "instances: each program has the index of its event");
	ok(!loads_of(in->fds[0], WIRE_INDEX_PLACEHOLDER) &&
		   !loads_of(in->fds[2], WIRE_INDEX_PLACEHOLDER),
	   "instances: no program has the placeholder of the index");
}

int main(void)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = kernel_btf__path());
	struct instances in = { 0 }, none = { 0 };
	struct bpf_program *prog;
	struct stack_bpf *skel;

	libbpf_set_print(NULL);
	instances__prepare();
	skel = stack_bpf__open_opts(&opts);
	if (!skel || kernel_btf__prepare(skel->obj))
		return 1;
	bpf_object__for_each_program (prog, skel->obj)
		bpf_program__set_autoload(prog, prog == skel->progs.take_stack_tp ||
							prog == skel->progs.take_stack);
	if (stack_bpf__load(skel)) {
		ok(false, "instances: the programs load");
	} else if (ok(!instances__load(&in, skel->progs.take_stack_tp, EVENTS) && in.cnt == EVENTS,
		      "instances: one for each event")) {
		check_instances(skel->progs.take_stack_tp, &in);
	}
	ok(instances__load(&none, skel->progs.flush_batch, 1) == -ENOENT && !none.cnt,
	   "instances: a program without an index has none");
	instances__free(&in);
	instances__free(&none);
	stack_bpf__destroy(skel);
	return done_testing();
}
