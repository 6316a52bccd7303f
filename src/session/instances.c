// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Loads instances of a program, which differ in one constant, the index of their event. The program
 * that libbpf loads is the first of them: verifying a large one takes the kernel milliseconds.
 */
#include "session/instances.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"

/* Maximum number of instructions of a program that load the index of its event. */
#define INDEXES_MAX 4

/*
 * func_info: the instructions where functions begin, and their types. The verifier checks a global
 * function once, by its types; a function without types is checked at each call.
 */
struct functions {
	const struct bpf_program *prog;
	void *info;
	__u32 cnt, rec_sz;
	int btf_fd; /* fd of the object's BTF */
	size_t index_at[INDEXES_MAX]; /* the instructions that load the index */
	size_t index_cnt;
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

static void set_index(const struct functions *f, struct bpf_insn *insns, size_t index)
{
	size_t i;

	for (i = 0; i < f->index_cnt; i++)
		insns[f->index_at[i]].imm = (__s32)index;
}

static int find_indexes(struct functions *f, const struct bpf_insn *insns, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		if (insns[i].code != (BPF_ALU64 | BPF_MOV | BPF_K) ||
		    insns[i].imm != WIRE_INDEX_PLACEHOLDER)
			continue;
		if (f->index_cnt == INDEXES_MAX)
			return -E2BIG;
		f->index_at[f->index_cnt++] = i;
	}
	return 0;
}

/* Makes the program the instance of event 0. A program without an index stays as it is. */
static int become_first(struct functions *f, struct bpf_program *prog)
{
	size_t cnt = bpf_program__insn_cnt(prog), bytes = cnt * sizeof(struct bpf_insn);
	struct bpf_insn *insns;
	int err = find_indexes(f, bpf_program__insns(prog), cnt);

	if (err || !f->index_cnt)
		return err;
	insns = malloc(bytes);
	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(prog), bytes);
	set_index(f, insns, 0);
	err = bpf_program__set_insns(prog, insns, cnt);
	free(insns);
	return err;
}

/* libbpf calls this right before it loads a program. */
static int prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	static size_t next;
	struct functions *f = functions_of(prog);
	size_t sz = (size_t)opts->func_info_cnt * opts->func_info_rec_size;

	if (!f)
		f = &kept[next++ % (sizeof(kept) / sizeof(*kept))];
	free(f->info);
	*f = (struct functions){ .prog = prog, .btf_fd = (int)opts->prog_btf_fd };
	f->info = sz ? malloc(sz) : NULL;
	if (f->info) {
		memcpy(f->info, opts->func_info, sz);
		f->cnt = opts->func_info_cnt;
		f->rec_sz = opts->func_info_rec_size;
	}
	return become_first(f, prog);
}

int instances__prepare(void)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = prepare);
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

static int load_copy(const struct functions *f, const struct bpf_program *prog,
		     struct bpf_insn *insns, size_t index)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts);

	if (f->info) {
		opts.prog_btf_fd = (__u32)f->btf_fd;
		opts.func_info = f->info;
		opts.func_info_cnt = f->cnt;
		opts.func_info_rec_size = f->rec_sz;
	}
	set_index(f, insns, index);
	return bpf_prog_load(bpf_program__type(prog), bpf_program__name(prog), "Dual BSD/GPL",
			     insns, bpf_program__insn_cnt(prog), &opts);
}

int instances__load(struct instances *in, const struct bpf_program *prog, size_t cnt)
{
	size_t bytes = bpf_program__insn_cnt(prog) * sizeof(struct bpf_insn);
	const struct functions *f = functions_of(prog);
	struct bpf_insn *insns = malloc(bytes);
	int err = 0, fd;

	in->fds = calloc(cnt, sizeof(*in->fds));
	if (!insns || !in->fds)
		err = -ENOMEM;
	else if (!f || !f->index_cnt)
		err = -ENOENT;
	else
		memcpy(insns, bpf_program__insns(prog), bytes);
	while (!err && in->cnt < cnt) {
		if (in->cnt)
			fd = load_copy(f, prog, insns, in->cnt);
		else
			fd = fcntl(bpf_program__fd(prog), F_DUPFD_CLOEXEC, 0);
		if (fd < 0)
			err = in->cnt ? fd : -errno;
		else
			in->fds[in->cnt++] = fd;
	}
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
