// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "session/instances.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* The constant of event_index(), as the immediate of a 64-bit move. */
#define INDEX_PLACEHOLDER 0x7e57c0de

static int set_index(struct bpf_insn *insns, size_t cnt, size_t index)
{
	size_t i, found = 0;

	for (i = 0; i < cnt; i++) {
		if (insns[i].code != (BPF_ALU64 | BPF_MOV | BPF_K) ||
		    insns[i].imm != INDEX_PLACEHOLDER)
			continue;
		insns[i].imm = (__s32)index;
		found++;
	}
	return found ? 0 : -ENOENT;
}

int instances__load(struct instances *in, const struct bpf_program *prog, size_t cnt)
{
	size_t insn_cnt = bpf_program__insn_cnt(prog), bytes = insn_cnt * sizeof(struct bpf_insn);
	struct bpf_insn *insns = malloc(bytes);
	int err = 0;

	in->fds = calloc(cnt, sizeof(*in->fds));
	if (!insns || !in->fds) {
		err = -ENOMEM;
		goto cleanup;
	}
	while (in->cnt < cnt) {
		int fd;

		memcpy(insns, bpf_program__insns(prog), bytes);
		err = set_index(insns, insn_cnt, in->cnt);
		if (err)
			goto cleanup;
		fd = bpf_prog_load(bpf_program__type(prog), bpf_program__name(prog), "Dual BSD/GPL",
				   insns, insn_cnt, NULL);
		if (fd < 0) {
			err = fd;
			goto cleanup;
		}
		in->fds[in->cnt++] = fd;
	}
cleanup:
	free(insns);
	return err;
}

void instances__free(struct instances *in)
{
	size_t i;

	for (i = 0; i < in->cnt; i++)
		close(in->fds[i]);
	free(in->fds);
	in->fds = NULL;
	in->cnt = 0;
}
