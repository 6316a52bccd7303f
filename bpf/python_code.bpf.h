/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Code objects of Python: their names, files and tables of lines, read once each. */
#ifndef BPFPERF_PYTHON_CODE_BPF_H
#define BPFPERF_PYTHON_CODE_BPF_H

#include <bpf/bpf_helpers.h>

#include "python_wire.h"

/* Code objects that have an id. If it is full, user space clears it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct python_key);
	__type(value, struct python_code);
} python_codes __weak SEC(".maps");

/* Definitions, struct python_def up to its last line. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} python_defs __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, PYTHON_CNT_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} python_counts __weak SEC(".maps");

static __always_inline void python_count(__u32 what, __u64 cnt)
{
	__u64 *c = bpf_map_lookup_elem(&python_counts, &what);

	if (c)
		*c += cnt;
}

static __always_inline __u64 python_identity(struct python_state *p)
{
	__u64 h = 0x9e3779b97f4a7c15ull;
	int i;

#pragma clang loop unroll(full)
	for (i = 0; i < PYTHON_CODE_SZ / 8; i++) {
		h = (h ^ p->ident[i]) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	return h;
}

/* Copies at most max bytes, a constant. Returns how many. */
static __always_inline __u64 python_copy(__u8 *to, __u64 sz, __u64 max, __u64 addr)
{
	if (sz > max)
		sz = max;
	barrier_var(sz);
	if (sz > max || bpf_probe_read_user(to, (__u32)sz, (const void *)addr))
		return 0;
	return sz;
}

/* Reads a text object. Returns its bytes at `to`: at most max, a constant. */
static __always_inline __u64 python_read_text(const struct python_file *f, struct python_text *t,
					      __u8 *to, __u64 max, __u64 addr)
{
	__u32 state = 0, kind;
	__u64 len = 0, sz;

	t->sz = t->width = 0;
	if (bpf_probe_read_user(&len, sizeof(len), (const void *)(addr + f->text_len)) ||
	    bpf_probe_read_user(&state, sizeof(state), (const void *)(addr + f->text_state)))
		return 0;
	kind = state >> (f->kind_shift & 15);
	t->is_ascii = kind >> 4 & 1;
	/* Texts of two blocks (3.11) are no names of code. */
	if (!(kind >> 3 & 1) || len > 1u << 20)
		return 0;
	kind &= 7;
	addr += t->is_ascii ? f->text_ascii : f->text_wide;
	sz = python_copy(to, len * kind, max, addr);
	t->cnt = (__u32)len;
	t->sz = (__u16)sz;
	t->width = sz || !len ? (__u8)kind : 0;
	return sz;
}

static __always_inline __u64 python_read_lines(const struct python_file *f, __u8 *to, __u64 addr)
{
	__u64 len = 0;

	bpf_probe_read_user(&len, sizeof(len), (const void *)(addr + f->bytes_sz));
	return len < 1u << 30 ? python_copy(to, len, PYTHON_LINES_MAX, addr + f->bytes_data) : 0;
}

/* A pointer of the code object whose last bytes are in p->ident. */
static __always_inline __u64 python_of_code(const struct python_state *p, __u32 off)
{
	__u32 at = (off - (p->file.code_lines + 8 - PYTHON_CODE_SZ)) / 8;

	barrier_var(at);
	return at < PYTHON_CODE_SZ / 8 ? p->ident[at] : 0;
}

/* Reads all that names the code p->key. Returns the bytes of the definition. */
static __always_inline __u64 python_describe(struct python_state *p, __u64 name)
{
	struct python_def *d = &p->def;
	__u64 at, sz;

	d->code = p->key.code;
	d->tgid = p->tgid;
	d->first_line = 0;
	bpf_probe_read_user(&d->first_line, sizeof(d->first_line),
			    (const void *)(p->key.code + p->file.code_first_line));
	at = python_read_text(&p->file, &d->name, d->data, PYTHON_NAME_MAX, name);
	barrier_var(at);
	if (at > PYTHON_NAME_MAX)
		return 0;
	sz = python_read_text(&p->file, &d->path, d->data + at, PYTHON_PATH_MAX,
			      python_of_code(p, p->file.code_file));
	at += sz;
	barrier_var(at);
	if (at > PYTHON_NAME_MAX + PYTHON_PATH_MAX)
		return 0;
	sz = python_read_lines(&p->file, d->data + at, python_of_code(p, p->file.code_lines));
	d->lines_sz = (__u32)sz;
	return __builtin_offsetof(struct python_def, data) + at + sz;
}

/* Sends a definition of sz bytes, and gives it an id: p->code.id, or 0 if there was no room. */
static __always_inline void python_send(struct python_state *p, __u32 key, __u64 sz)
{
	struct python_def *d = &p->def;

	p->number = (p->number + 1) & ((1u << PYTHON_NUMBER_BITS) - 1);
	p->code.id = (__u64)bpf_get_smp_processor_id() << (PYTHON_NUMBER_BITS + PYTHON_LEVEL_BITS) |
		     (__u64)(key & 3) << PYTHON_NUMBER_BITS | p->number;
	p->code.id &= (1ull << PYTHON_ID_BITS) - 1;
	d->id = p->code.id;
	barrier_var(sz);
	/* User space looks when it needs to. */
	if (!sz || sz > sizeof(*d) || bpf_ringbuf_output(&python_defs, d, sz, BPF_RB_NO_WAKEUP)) {
		python_count(PYTHON_CNT_UNSENT, 1);
		p->code.id = 0;
		return;
	}
	python_count(PYTHON_CNT_CODES, 1);
	/* Texts that are not in memory may be when the code is met again. */
	if (!d->name.width || !d->path.width)
		return;
	/* Only now may other CPUs find it. If there is no room, it is defined again. */
	bpf_map_update_elem(&python_codes, &p->key, &p->code, BPF_ANY);
}

#endif
