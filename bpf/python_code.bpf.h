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

/* Reads a text object. */
static __always_inline void python_read_text(const struct python_file *f, struct python_text *t,
					     __u8 *to, __u32 max, __u64 addr)
{
	__u32 state = 0, kind;
	__u64 len = 0, sz;

	t->sz = 0;
	if (bpf_probe_read_user(&len, sizeof(len), (const void *)(addr + f->text_len)) ||
	    bpf_probe_read_user(&state, sizeof(state), (const void *)(addr + f->text_state)))
		return;
	kind = state >> (f->kind_shift & 15);
	t->is_ascii = kind >> 4 & 1;
	/* Texts of two blocks (3.11) are no names of code. */
	if (!(kind >> 3 & 1) || len > 1u << 20)
		return;
	kind &= 7;
	t->width = (__u8)kind;
	t->cnt = (__u32)len;
	len *= kind;
	sz = len < max ? len : max;
	barrier_var(sz);
	if (sz > max)
		return;
	addr += t->is_ascii ? f->text_ascii : f->text_wide;
	if (!bpf_probe_read_user(to, (__u32)sz, (const void *)addr))
		t->sz = (__u16)sz;
}

static __always_inline void python_read_lines(const struct python_file *f, struct python_def *d,
					      __u64 addr)
{
	__u64 len = 0, sz;

	d->lines_got = 0;
	bpf_probe_read_user(&len, sizeof(len), (const void *)(addr + f->bytes_sz));
	d->lines_sz = len < 1u << 30 ? (__u32)len : 0;
	sz = d->lines_sz;
	if (sz > PYTHON_LINES_MAX)
		sz = PYTHON_LINES_MAX;
	barrier_var(sz);
	if (sz > PYTHON_LINES_MAX)
		return;
	if (!bpf_probe_read_user(d->lines, (__u32)sz, (const void *)(addr + f->bytes_data)))
		d->lines_got = (__u32)sz;
}

/* A pointer of the code object whose last bytes are in p->ident. */
static __always_inline __u64 python_of_code(const struct python_state *p, __u32 off)
{
	__u32 at = (off - (p->file.code_lines + 8 - PYTHON_CODE_SZ)) / 8;

	barrier_var(at);
	return at < PYTHON_CODE_SZ / 8 ? p->ident[at] : 0;
}

/* Sends the definition of p->key and gives it an id: p->code.id, or 0 if there was no room. */
static __always_inline void python_send(struct python_state *p, __u32 key)
{
	struct python_def *d = &p->def;
	__u64 sz;

	p->number = (p->number + 1) & ((1u << PYTHON_NUMBER_BITS) - 1);
	p->code.id = (__u64)bpf_get_smp_processor_id() << (PYTHON_NUMBER_BITS + PYTHON_LEVEL_BITS) |
		     (__u64)(key & 3) << PYTHON_NUMBER_BITS | p->number;
	p->code.id &= (1ull << PYTHON_ID_BITS) - 1;
	d->id = p->code.id;
	sz = __builtin_offsetof(struct python_def, lines) +
	     (d->lines_got & (2 * PYTHON_LINES_MAX - 1));
	barrier_var(sz);
	if (sz > sizeof(*d) || bpf_ringbuf_output(&python_defs, d, sz, 0)) {
		python_count(PYTHON_CNT_UNSENT, 1);
		p->code.id = 0;
		return;
	}
	python_count(PYTHON_CNT_CODES, 1);
	/* Only now may other CPUs find it. If there is no room, it is defined again. */
	bpf_map_update_elem(&python_codes, &p->key, &p->code, BPF_ANY);
}

#endif
