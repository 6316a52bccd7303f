/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Copies of the memory that a system call's arguments point to, as the table describes it. At the
 * return the kernel has already faulted in what it read and wrote, so that hardly any copy fails.
 */
#ifndef BPFPERF_STRACE_DATA_BPF_H
#define BPFPERF_STRACE_DATA_BPF_H

#include <bpf/bpf_helpers.h>

#include "wire.h"
#include "strace_wire.h"

/*
 * State between two copies, and between the parts of one. It is in map memory, and is read again
 * behind a barrier: verifiers see the same unknown numbers there whatever way led to it, where they
 * would follow each way to the end.
 */
struct strace_scratch {
	__u64 at; /* offset of the next chunk in the record */
	__u64 fetch; /* index of the current strace_fetch */
	__u64 elem; /* STRACE_EACH: index of the current element */
	__u64 chunk_at[STRACE_FETCHES]; /* offsets of the copies' data; 0: none */
	__u64 chunk_sz[STRACE_FETCHES];
	__u64 dirent_off; /* STRACE_DIRENTS: offset of the next entry */
	/* The current copy. */
	__u64 ptr; /* user memory */
	__u64 last; /* no element follows */
	__u64 elem_cnt;
	__u64 want; /* bytes */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct strace_scratch);
} strace_scratch __weak SEC(".maps");

/* An offset in a record, bounded for verifiers. */
static __always_inline __u64 record_off(__u64 off)
{
	barrier_var(off);
	off &= 8191;
	barrier_var(off);
	return off;
}

static __always_inline __u64 fetch_index(__u64 i)
{
	barrier_var(i);
	i &= STRACE_FETCHES - 1;
	barrier_var(i);
	return i;
}

/* Reads a number of a record: 8 bytes at an offset. */
static __always_inline __u64 number_at(const struct wire_call *rec, __u64 off)
{
	return *(const __u64 *)((const void *)rec + record_off(off));
}

static __always_inline __u64 arg_at(const struct wire_call *rec, __u64 i)
{
	return number_at(rec, __builtin_offsetof(struct wire_call, args) + 8 * fetch_index(i));
}

/* Returns the number of elements of a copy. base: offset of the element of a STRACE_EACH. */
static __always_inline __u64 element_cnt(const struct wire_call *rec,
					 const struct strace_scratch *x,
					 const struct strace_fetch *f)
{
	__u8 cnt = f->cnt;
	__u64 off;

	if (cnt == STRACE_ONE)
		return 1;
	if (cnt == STRACE_RESULT)
		return rec->ret < 0 ? 0 : (__u64)rec->ret;
	if (cnt >= STRACE_POINTED) {
		__u32 n = 0;

		bpf_probe_read_user(&n, sizeof(n), (const void *)arg_at(rec, cnt));
		return n;
	}
	if (cnt >= STRACE_BITS)
		return ((arg_at(rec, cnt) & 0xffff) + 63) / 64 * 8;
	if (cnt < STRACE_CHUNK)
		return arg_at(rec, cnt);
	off = x->chunk_at[fetch_index(cnt)];
	if (!off)
		return 0;
	off = number_at(rec, off + f->cnt_off + x->elem * f->stride);
	return cnt >= STRACE_CHUNK32 || f->kind & STRACE_NARROW ? (__u32)off : off;
}

/* Copies up to sz bytes. Returns the bytes copied. */
static __noinline __u64 copy_bytes(void *to, const void *from, __u64 sz)
{
	/* The memory may end with the page. */
	__u64 left = 4096 - ((__u64)from & 4095);

	barrier_var(sz);
	if (sz > STRACE_COPY_MAX)
		sz = STRACE_COPY_MAX;
	if (!bpf_probe_read_user(to, (__u32)sz, from))
		return sz;
	if (left >= sz)
		return 0;
	barrier_var(left);
	if (left > STRACE_COPY_MAX)
		left = STRACE_COPY_MAX;
	return bpf_probe_read_user(to, (__u32)left, from) ? 0 : left;
}

static __noinline __u64 copy_text(void *to, const void *from, __u64 max)
{
	__s64 got;

	barrier_var(max);
	if (max > STRACE_COPY_MAX)
		max = STRACE_COPY_MAX;
	got = bpf_probe_read_user_str(to, (__u32)max, from);
	return got > 0 ? (__u64)got : 0;
}

/* Does the text go on where a copy of the greatest size has its NUL? */
static __always_inline _Bool goes_on(const void *from)
{
	char next = 0;

	bpf_probe_read_user(&next, sizeof(next), from + STRACE_COPY_MAX - 1);
	return next;
}

/* Copies the memory at `from` behind the chunk. Returns the bytes copied, of x->want. */
static __always_inline __u64 copy_elements(const struct wire_call *rec, struct strace_scratch *x,
					   const struct strace_fetch *f, struct strace_chunk *chunk,
					   const void *from)
{
	__u64 max = f->max_sz, limit = (__u64)rec->ret, n;

	x->elem_cnt = element_cnt(rec, x, f);
	barrier();
	n = x->elem_cnt;
	if (f->kind & STRACE_PER_RESULT && n > limit)
		n = limit;
	if (n > max)
		n = max;
	n *= f->elem_sz;
	x->want = n < max ? n : max;
	barrier();
	n = x->want;
	return n ? copy_bytes(chunk + 1, from, n) : 0;
}

/* Adds a chunk with the memory at `from`. */
static __noinline int put_chunk(struct wire_call *rec, struct strace_scratch *x,
				const struct strace_fetch *f, const void *from)
{
	struct strace_chunk *chunk;
	__u64 at = x->at, sz;

	barrier_var(at);
	if (at > STRACE_AT_MAX)
		return 0;
	chunk = (void *)rec + at;
	if (f->kind & STRACE_TEXT) {
		x->want = f->max_sz;
		chunk->sz = (__u16)copy_text(chunk + 1, from, x->want);
	} else {
		chunk->sz = (__u16)copy_elements(rec, x, f, chunk, from);
	}
	barrier();
	sz = chunk->sz;
	chunk->step = (__u16)(sizeof(*chunk) + ((sz + 7) & ~7ull));
	chunk->fetch = (__u8)x->fetch;
	chunk->elem = (__u8)x->elem;
	chunk->failed = x->want && !sz;
	chunk->cut = sz == STRACE_COPY_MAX && f->kind & STRACE_TEXT && goes_on(from);
	if (!(f->kind & STRACE_EACH)) {
		x->chunk_at[fetch_index(x->fetch)] = sz ? at + sizeof(*chunk) : 0;
		x->chunk_sz[fetch_index(x->fetch)] = sz;
	}
	x->at = at + chunk->step;
	return 1;
}

/*
 * Counts one directory entry more at `from`; behind the last one, adds a chunk with their number.
 * Returns whether there are more.
 */
static __noinline int count_dirent(struct wire_call *rec, struct strace_scratch *x,
				   const void *from)
{
	__u64 at = x->at, off = x->elem ? x->dirent_off : 0;
	struct strace_chunk *chunk;
	__u16 sz = 0;

	/* The size of an entry (struct linux_dirent64) is behind two numbers. */
	if (off < (__u64)rec->ret)
		bpf_probe_read_user(&sz, sizeof(sz), from + off + 16);
	if (sz) {
		x->dirent_off = off + sz;
		x->elem++;
		return 1;
	}
	barrier_var(at);
	if (at > STRACE_AT_MAX)
		return 0;
	chunk = (void *)rec + at;
	*chunk = (struct strace_chunk){
		.sz = sizeof(__u64),
		.step = sizeof(*chunk) + sizeof(__u64),
		.fetch = (__u8)x->fetch,
	};
	*(__u64 *)(chunk + 1) = x->elem;
	x->at = at + chunk->step;
	return 0;
}

/* Makes the next copy. Returns 0: there are no more. */
static __noinline int fetch_step(struct wire_call *rec, const struct strace_call *call,
				 struct strace_scratch *x)
{
	const struct strace_fetch *f;
	__u64 i = x->fetch, from, base, off, ptr;

	if (i >= call->fetch_cnt || i >= STRACE_FETCHES || x->at > STRACE_AT_MAX)
		return 0;
	f = &call->fetch[fetch_index(i)];
	from = f->from;
	x->last = 1;
	if (f->kind & STRACE_ON_SUCCESS && rec->ret < 0)
		goto next;
	if (from < STRACE_CHUNK) {
		x->ptr = arg_at(rec, from);
	} else {
		base = x->chunk_at[fetch_index(from)];
		off = x->elem * f->stride + f->ptr_off;
		if (!base ||
		    off + (f->kind & STRACE_NARROW ? 4 : 8) > x->chunk_sz[fetch_index(from)])
			goto next;
		ptr = number_at(rec, base + off);
		if (f->kind & STRACE_NARROW)
			ptr = (__u32)ptr;
		x->last = !(f->kind & STRACE_EACH) || (f->kind & STRACE_TEXT && !ptr);
		x->ptr = ptr;
	}
	barrier();
	ptr = x->ptr;
	if (ptr && f->kind & STRACE_DIRENTS) {
		if (count_dirent(rec, x, (const void *)ptr))
			return 1;
		goto next;
	}
	if (ptr)
		put_chunk(rec, x, f, (const void *)ptr);
	if (!x->last) {
		x->elem++;
		return 1;
	}
next:
	x->elem = 0;
	x->fetch = i + 1;
	return 1;
}

struct fetch_job {
	struct wire_call *rec;
	const struct strace_call *call;
	struct strace_scratch *x;
};

static long fetch_in_loop(__u32 step, struct fetch_job *job)
{
	return !fetch_step(job->rec, job->call, job->x);
}

/*
 * How the copies are made one after the other. bpf_loop() (5.17) needs a hundredth of the
 * verifier's time; a kernel without it refuses a program that refers to the function of the loop,
 * even where it is not called, so that it has programs of its own.
 */
enum fetch_how {
	FETCH_BY_HELPER,
	FETCH_BY_BRANCH,
};

/* Adds all copies of the table to a record of `at` bytes. Returns the record's new size. */
static __always_inline __u64 fetch_all(struct wire_call *rec, const struct strace_call *call,
				       __u64 at, enum fetch_how how)
{
	__u32 zero = 0, step;
	struct strace_scratch *x = bpf_map_lookup_elem(&strace_scratch, &zero);
	struct fetch_job job = { rec, call, x };

	if (!x)
		return at;
	x->at = at;
	x->fetch = x->elem = 0;
	/* Most calls have one copy at most. */
	if (call->fetch_cnt <= 1) {
		if (call->fetch_cnt)
			fetch_step(rec, call, x);
		return x->at;
	}
	__builtin_memset(x->chunk_at, 0, sizeof(x->chunk_at));
	if (how == FETCH_BY_HELPER) {
		bpf_loop(STRACE_STEPS, fetch_in_loop, &job, 0);
		return x->at;
	}
	for (step = 0; step < STRACE_OLD_STEPS; step++)
		if (!fetch_step(rec, call, x))
			break;
	return x->at;
}

static __always_inline void fetch_entry_at(struct strace_thread *t, const struct strace_fetch *f,
					   __u32 i)
{
	__u64 sz = f->elem_sz, arg = f->from, cnt = f->cnt, from;

	barrier_var(arg);
	arg &= 7;
	if (arg > 5)
		arg = 5;
	from = t->args[arg];
	if (cnt >= STRACE_BITS && cnt < STRACE_POINTED) {
		cnt &= 7;
		if (cnt > 5)
			cnt = 5;
		barrier_var(cnt);
		sz = ((t->args[cnt] & 0xffff) + 63) / 64 * 8;
	}
	t->entry[i].head = (struct strace_chunk){
		.sz = (__u16)(sz < STRACE_ENTRY_SZ ? sz : STRACE_ENTRY_SZ),
		.step = sizeof(t->entry[i]),
		.fetch = (__u8)(STRACE_AT_ENTRY + i),
	};
	barrier();
	sz = t->entry[i].head.sz;
	if (sz > STRACE_ENTRY_SZ)
		return;
	if (!from || bpf_probe_read_user(t->entry[i].data, (__u32)sz, (void *)from)) {
		t->entry[i].head.sz = 0;
		t->entry[i].head.failed = 1;
	}
}

/* Copies what the call would overwrite: a few bytes of an argument, into the thread's state. */
static __always_inline void fetch_entry(struct strace_thread *t, const struct strace_call *call)
{
	__u32 i;

	for (i = 0; i < STRACE_ENTRIES; i++) {
		if (i >= call->entry_cnt)
			break;
		fetch_entry_at(t, &call->entry[i], i);
	}
}

/* At the return: copies what had not been in memory before the call read it. */
static __always_inline void fetch_late(struct strace_thread *t, const struct strace_call *call)
{
	__u32 i;

	for (i = 0; i < STRACE_ENTRIES; i++) {
		if (i >= call->entry_cnt)
			break;
		if (t->entry[i].head.failed && call->entry[i].kind & STRACE_LATE)
			fetch_entry_at(t, &call->entry[i], i);
	}
}

#endif
