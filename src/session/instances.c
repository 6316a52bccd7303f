// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Loads copies of a program that differ in one constant, the index of their event. */
#include "session/instances.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"

/*
 * func_info: the instructions where functions begin, and their types. The verifier checks a global
 * function once, by its types; a function without types is checked at each call.
 */
struct functions {
	const struct bpf_program *prog;
	void *info;
	__u32 cnt, rec_sz;
	int btf_fd; /* fd of the object's BTF */
};

/*
 * Data of the last object that was loaded: bpf/stack.bpf.c has two such programs,
 * bpf/tracepoint.bpf.c one.
 */
static struct functions kept[4];

static struct functions *functions_of(const struct bpf_program *prog)
{
	size_t i;

	for (i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (kept[i].prog == prog)
			return &kept[i];
	return NULL;
}

/* libbpf calls this right before it loads a program. */
static int keep_func_info(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	static size_t next;
	struct functions *f = functions_of(prog);
	size_t sz = (size_t)opts->func_info_cnt * opts->func_info_rec_size;

	if (!f)
		f = &kept[next++ % (sizeof(kept) / sizeof(*kept))];
	free(f->info);
	*f = (struct functions){ .prog = prog, .btf_fd = (int)opts->prog_btf_fd };
	f->info = sz ? malloc(sz) : NULL;
	if (!f->info)
		return 0;
	memcpy(f->info, opts->func_info, sz);
	f->cnt = opts->func_info_cnt;
	f->rec_sz = opts->func_info_rec_size;
	return 0;
}

int instances__prepare(void)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = keep_func_info);
	static bool is_prepared;
	int handler;

	if (is_prepared)
		return 0;
	handler = libbpf_register_prog_handler("perf_event", BPF_PROG_TYPE_PERF_EVENT, 0, &opts);
	if (handler >= 0)
		handler = libbpf_register_prog_handler("tracepoint", BPF_PROG_TYPE_TRACEPOINT, 0,
						       &opts);
	is_prepared = handler >= 0;
	return handler < 0 ? handler : 0;
}

static int set_index(struct bpf_insn *insns, size_t cnt, size_t index)
{
	size_t i, found = 0;

	for (i = 0; i < cnt; i++) {
		if (insns[i].code != (BPF_ALU64 | BPF_MOV | BPF_K) ||
		    insns[i].imm != WIRE_INDEX_PLACEHOLDER)
			continue;
		insns[i].imm = (__s32)index;
		found++;
	}
	return found ? 0 : -ENOENT;
}

int instances__load(struct instances *in, const struct bpf_program *prog, size_t cnt)
{
	size_t insn_cnt = bpf_program__insn_cnt(prog), bytes = insn_cnt * sizeof(struct bpf_insn);
	const struct functions *f = functions_of(prog);
	struct bpf_insn *insns = malloc(bytes);
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	int err = 0;

	if (f && f->info) {
		opts.prog_btf_fd = (__u32)f->btf_fd;
		opts.func_info = f->info;
		opts.func_info_cnt = f->cnt;
		opts.func_info_rec_size = f->rec_sz;
	}

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
				   insns, insn_cnt, &opts);
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
