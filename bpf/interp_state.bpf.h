/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The state of a walk through an interpreter's frames, and what the walkers of all languages do: a
 * frame becomes a word, code that is met for the first time is defined, and the words of one call
 * of the interpreter's loop are a run.
 */
#ifndef BPFPERF_INTERP_STATE_BPF_H
#define BPFPERF_INTERP_STATE_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "interp_wire.h"

/* Builds of interpreters; the loader sets max_entries of these maps, if interpreters are wanted. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct interp_file);
} interp_files __weak SEC(".maps");

/* One per state of a native walk. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct interp_state);
} interp_states __weak SEC(".maps");

/* Code objects that have an id. If it is full, user space clears it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct interp_key);
	__type(value, struct interp_code);
} interp_codes __weak SEC(".maps");

/* Definitions, struct interp_def up to its last line. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} interp_defs __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, INTERP_CNT_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} interp_counts __weak SEC(".maps");

static __always_inline struct interp_state *interp_state_of(__u32 key)
{
	return bpf_map_lookup_elem(&interp_states, &key);
}

static __always_inline __u64 interp_word(__u64 addr)
{
	__u64 word = 0;

	bpf_probe_read_user(&word, sizeof(word), (const void *)addr);
	return word;
}

static __always_inline void interp_count(__u32 what, __u64 cnt)
{
	__u64 *c = bpf_map_lookup_elem(&interp_counts, &what);

	if (c)
		*c += cnt;
}

static __always_inline __u64 interp_identity(struct interp_state *p)
{
	__u64 h = 0x9e3779b97f4a7c15ull;
	int i;

#pragma clang loop unroll(full)
	for (i = 0; i < INTERP_CODE_SZ / 8; i++) {
		h = (h ^ p->ident[i]) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	return h;
}

/* Copies at most max bytes, a constant. Returns how many. */
static __always_inline __u64 interp_copy(__u8 *to, __u64 sz, __u64 max, __u64 addr)
{
	if (sz > max)
		sz = max;
	barrier_var(sz);
	if (sz > max || bpf_probe_read_user(to, (__u32)sz, (const void *)addr))
		return 0;
	return sz;
}

/* Its square is more than the frames that are looked at. */
#define INTERP_FRAME_RUN 28
_Static_assert(INTERP_WORDS_MAX + INTERP_RUNS_MAX < INTERP_FRAME_RUN * INTERP_FRAME_RUN,
	       "all words and runs can be read");

/* Results of a walker that reads a frame, besides 0: the next one. */
#define INTERP_END 1
#define INTERP_DEFINE 2 /* the code of the frame is new: the walker defines it, then the next one */

static __always_inline __u64 interp_raw(const struct interp_state *p, __u32 off)
{
	off &= 127;
	barrier_var(off);
	return *(const __u64 *)(p->raw + (off & 127));
}

/* Ends the run of the words since the last one. Returns 0 if there may be more frames. */
static __always_inline int interp_end_run(struct interp_state *p, __u64 owner)
{
	__u32 run = p->run_cnt;

	/* A call that has no frame yet. */
	if (p->at == p->cnt)
		return 0;
	if (run >= INTERP_RUNS_MAX) {
		p->flaw = INTERP_TOO_MANY;
		return 1;
	}
	barrier_var(run);
	run &= INTERP_RUNS_MAX - 1;
	p->runs[run].owner = owner;
	p->runs[run].end = p->at = p->cnt;
	p->run_cnt++;
	return 0;
}

static __always_inline int interp_push(struct interp_state *p, __u64 id)
{
	__u32 at = p->cnt;

	if (at >= INTERP_WORDS_MAX) {
		p->flaw = INTERP_TOO_MANY;
		return 1;
	}
	barrier_var(at);
	p->words[at & (INTERP_WORDS_MAX - 1)] = INTERP_FRAME | id << INTERP_INSTR_BITS | p->instr;
	p->cnt++;
	return 0;
}

/* Sends a definition of sz bytes, and gives it an id: p->code.id. */
static __always_inline void interp_send(struct interp_state *p, __u32 key, __u64 sz)
{
	struct interp_def *d = &p->def;

	p->number = (p->number + 1) & ((1u << INTERP_NUMBER_BITS) - 1);
	if (p->number < INTERP_ID_FIRST)
		p->number = INTERP_ID_FIRST;
	p->code.id = (__u64)bpf_get_smp_processor_id() << (INTERP_NUMBER_BITS + INTERP_LEVEL_BITS) |
		     (__u64)(key & 3) << INTERP_NUMBER_BITS | p->number;
	p->code.id &= (1ull << INTERP_ID_BITS) - 1;
	d->id = p->code.id;
	barrier_var(sz);
	/* User space looks when it needs to. */
	if (!sz || sz > sizeof(*d) || bpf_ringbuf_output(&interp_defs, d, sz, BPF_RB_NO_WAKEUP)) {
		interp_count(INTERP_CNT_UNSENT, 1);
		p->code.id = p->language;
		return;
	}
	interp_count(INTERP_CNT_CODES, 1);
	/* Texts that are not in memory may be when the code is met again. */
	if (!d->name.width || !d->path.width)
		return;
	/* Only now may other CPUs find it. If there is no room, it is defined again. */
	bpf_map_update_elem(&interp_codes, &p->key, &p->code, BPF_ANY);
}

struct thread_struct___interp {
	unsigned long fsbase; /* x86-64 */
} __attribute__((preserve_access_index));
struct upid___interp {
	int nr;
} __attribute__((preserve_access_index));
struct pid___interp {
	unsigned int level;
	struct upid___interp numbers[1];
} __attribute__((preserve_access_index));
struct task_struct___interp {
	struct thread_struct___interp thread;
	struct pid___interp *thread_pid;
} __attribute__((preserve_access_index));

/* The thread's names for itself: its pthread_t, where that is a register, and its thread id. */
static __always_inline void interp_find_self(struct interp_state *p)
{
	struct task_struct___interp *task = (void *)bpf_get_current_task();
	struct pid___interp *pid = BPF_CORE_READ(task, thread_pid);
	void *nr = (void *)pid + bpf_core_field_offset(pid->numbers) +
		   BPF_CORE_READ(pid, level) * bpf_core_type_size(struct upid___interp);

	p->self = 0;
	if (bpf_core_field_exists(task->thread.fsbase))
		p->self = BPF_CORE_READ(task, thread.fsbase);
	p->native = (__u32)BPF_CORE_READ((struct upid___interp *)nr, nr);
}

#endif
