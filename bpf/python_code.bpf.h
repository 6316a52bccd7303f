/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Code objects of Python: their names, files and tables of lines, read once each. */
#ifndef BPFPERF_PYTHON_CODE_BPF_H
#define BPFPERF_PYTHON_CODE_BPF_H

#include <bpf/bpf_helpers.h>

#include "interp_state.bpf.h"

/* Bytes of a table of lines that are read. */
#define PYTHON_LINES_MAX 4096
_Static_assert(PYTHON_LINES_MAX <= INTERP_LINES_MAX, "they fit");

/* Reads a text object. Returns its bytes at `to`: at most max, a constant. */
static __always_inline __u64 python_read_text(const struct python_file *f, struct interp_text *t,
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
	sz = interp_copy(to, len * kind, max, addr);
	t->cnt = (__u32)len;
	t->sz = (__u16)sz;
	t->width = sz || !len ? (__u8)kind : 0;
	return sz;
}

static __always_inline __u64 python_read_lines(const struct python_file *f, __u8 *to, __u64 addr)
{
	__u64 len = 0;

	bpf_probe_read_user(&len, sizeof(len), (const void *)(addr + f->bytes_sz));
	return len < 1u << 30 ? interp_copy(to, len, PYTHON_LINES_MAX, addr + f->bytes_data) : 0;
}

/* A pointer of the code object whose last bytes are in p->ident. */
static __always_inline __u64 python_of_code(const struct interp_state *p, __u32 off)
{
	__u32 at = (off - (p->file.code_lines + 8 - INTERP_CODE_SZ)) / 8;

	barrier_var(at);
	return at < INTERP_CODE_SZ / 8 ? p->ident[at] : 0;
}

/*
 * The texts of a definition. Each is read by a function of its own, which the verifier checks once:
 * the ways through one would otherwise multiply by those through the next. Returns bytes.
 */
__weak __noinline int python_read_name(__u32 key)
{
	struct interp_state *p = interp_state_of(key);

	if (UNWIND_OFF || !p)
		return 0;
	return (int)python_read_text(&p->file, &p->def.name, p->def.data, INTERP_NAME_MAX,
				     python_of_code(p, p->file.code_name));
}

/* The path follows the name. */
__weak __noinline int python_read_path(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	__u64 at;

	if (UNWIND_OFF || !p)
		return 0;
	at = p->def.name.sz;
	barrier_var(at);
	if (at > INTERP_NAME_MAX)
		return 0;
	return (int)python_read_text(&p->file, &p->def.path, p->def.data + at, INTERP_PATH_MAX,
				     python_of_code(p, p->file.code_file));
}

/* Reads all that names the code p->key. Returns the bytes of the definition. */
static __always_inline __u64 python_describe(struct interp_state *p, __u32 key)
{
	struct interp_def *d = &p->def;
	__u64 at, sz;

	d->code = p->key.code;
	d->tgid = p->tgid;
	d->first_line = 0;
	d->language = INTERP_PYTHON;
	bpf_probe_read_user(&d->first_line, sizeof(d->first_line),
			    (const void *)(p->key.code + p->file.code_first_line));
	python_read_name(key);
	python_read_path(key);
	at = (__u64)d->name.sz + d->path.sz;
	barrier_var(at);
	if (at > INTERP_NAME_MAX + INTERP_PATH_MAX)
		return 0;
	sz = python_read_lines(&p->file, d->data + at, python_of_code(p, p->file.code_lines));
	d->lines_sz = (__u32)sz;
	return __builtin_offsetof(struct interp_def, data) + at + sz;
}

#endif
