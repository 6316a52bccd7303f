// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "kernel/bpf_symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/bpf.h>

/* The kernel's BPF_MAX_SUBPROGS. */
#define FUNCS_MAX 256
#define TAG_SZ 8

struct funcs {
	uint64_t addr[FUNCS_MAX];
	uint32_t len[FUNCS_MAX];
	uint8_t tag[FUNCS_MAX][TAG_SZ];
	struct bpf_func_info func[FUNCS_MAX];
};

/*
 * Composes the kernel's name of the function: bpf_prog_TAG_NAME. NAME comes from the program's BTF,
 * if it has any.
 */
static void put_name(char *buf, size_t sz, const struct funcs *f, uint32_t i,
		     const struct bpf_prog_info *info, const struct btf *btf)
{
	const struct btf_type *t = NULL;
	const char *name = info->name;
	size_t at = 0, j;

	if (btf && i < info->nr_func_info)
		t = btf__type_by_id(btf, f->func[i].type_id);
	if (t)
		name = btf__name_by_offset(btf, t->name_off);
	at += (size_t)snprintf(buf, sz, "bpf_prog_");
	for (j = 0; j < TAG_SZ; j++)
		at += (size_t)snprintf(buf + at, sz - at, "%02x", f->tag[i][j]);
	if (name && *name)
		snprintf(buf + at, sz - at, "_%s", name);
}

static int each_function(const struct funcs *f, const struct bpf_prog_info *info, bpf_symbol_fn fn,
			 void *ctx)
{
	struct btf *btf = info->btf_id ? btf__load_from_kernel_by_id(info->btf_id) : NULL;
	char name[512];
	uint32_t i;
	int err = 0;

	for (i = 0; i < info->nr_jited_ksyms && i < FUNCS_MAX && !err; i++) {
		if (!f->addr[i])
			continue;
		put_name(name, sizeof(name), f, i, info, btf);
		err = fn(ctx, f->addr[i], f->len[i], name);
	}
	btf__free(btf);
	return err;
}

static int each_of(int fd, struct funcs *f, bpf_symbol_fn fn, void *ctx)
{
	struct bpf_prog_info info = {
		.jited_ksyms = (uint64_t)(uintptr_t)f->addr,
		.nr_jited_ksyms = FUNCS_MAX,
		.jited_func_lens = (uint64_t)(uintptr_t)f->len,
		.nr_jited_func_lens = FUNCS_MAX,
		.prog_tags = (uint64_t)(uintptr_t)f->tag,
		.nr_prog_tags = FUNCS_MAX,
		.func_info = (uint64_t)(uintptr_t)f->func,
		.nr_func_info = FUNCS_MAX,
		.func_info_rec_size = sizeof(f->func[0]),
	};
	uint32_t sz = sizeof(info);

	memset(f, 0, sizeof(*f));
	if (bpf_obj_get_info_by_fd(fd, &info, &sz))
		return 0;
	if (info.nr_func_info > FUNCS_MAX || info.func_info_rec_size != sizeof(f->func[0]))
		info.nr_func_info = 0;
	return each_function(f, &info, fn, ctx);
}

int bpf_symbols__each(bpf_symbol_fn fn, void *ctx)
{
	struct funcs *f = malloc(sizeof(*f));
	__u32 id = 0;
	int err = 0;

	if (!f)
		return -ENOMEM;
	while (!err && bpf_prog_get_next_id(id, &id) == 0) {
		int fd = bpf_prog_get_fd_by_id(id);

		/* The program may have been unloaded meanwhile. */
		if (fd < 0)
			continue;
		err = each_of(fd, f, fn, ctx);
		close(fd);
	}
	free(f);
	return err;
}
