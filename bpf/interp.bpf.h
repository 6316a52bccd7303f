/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Frames of interpreters in a walk by unwind tables. When a walk reaches the first frame that is in
 * a file with an interpreter, the walker of its language reads all frames of the thread, innermost
 * first, in runs: one for each call of the interpreter's loop. The native frames of the loop are
 * replaced by them, so that functions of C in between keep their places.
 *
 * Nothing of it runs for other processes: the head of a table tells that its file is an interpreter
 * (unwind_wire.h). Code is read when it is first met, while its frame is on the stack: it cannot be
 * gone.
 */
#ifndef BPFPERF_INTERP_BPF_H
#define BPFPERF_INTERP_BPF_H

#include "interp_state.bpf.h"
#include "python.bpf.h"
#include "ruby.bpf.h"

/*
 * Puts the address of the run that is to be placed next where the native walk compares it. Ruby's
 * runs have none: each frame of the loop's function is the next one's.
 */
static __always_inline void interp_next_owner(struct unwind_state *s, struct interp_state *p)
{
	__u32 run = p->run;

	s->owner = ~0ull;
	if (p->language == INTERP_RUBY || run >= p->run_cnt || run >= INTERP_RUNS_MAX)
		return;
	barrier_var(run);
	s->owner = p->runs[run & (INTERP_RUNS_MAX - 1)].owner;
}

/* Copies the interpreter's offsets, and finds its data. 0: there is none. */
__weak __noinline int interp_open(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct interp_state *p = interp_state_of(key);
	struct interp_file *file;

	if (UNWIND_OFF || !s || !p)
		return 0;
	file = bpf_map_lookup_elem(&interp_files, &s->interpreter);
	if (!file)
		return 0;
	p->language = file->language;
	p->base = s->mapping.base;
	p->tgid = s->tgid;
	p->tid = (__u32)current_ids();
	p->cnt = p->run_cnt = p->run = p->at = p->flaw = p->loop_cnt = 0;
	if (p->language == INTERP_RUBY) {
		p->ruby = file->ruby;
		s->loop = p->base + p->ruby.loop;
		s->loop_sz = p->ruby.loop_sz;
	} else {
		p->file = file->python;
	}
	return 1;
}

/* Reads the frames of the thread, whose native walk has just come to the interpreter's file. */
__weak __noinline int interp_begin(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct interp_state *p = interp_state_of(key);

	if (UNWIND_OFF || !s || !p)
		return 0;
	s->is_interpreted = 1;
	if (!interp_open(key))
		return 0;
	if (p->language == INTERP_RUBY)
		ruby_walk(p, key);
	else
		python_walk(p, key);
	if (p->cnt)
		interp_count(INTERP_CNT_FRAMES, p->cnt);
	/* Each frame belongs to a call of the loop. */
	if (!p->flaw && p->at != p->cnt)
		p->flaw = INTERP_UNORDERED;
	p->at = 0;
	interp_next_owner(s, p);
	return 0;
}

/* Appends words from p->at on, up to `end`, at `to`; less if there is no room. */
static __always_inline void interp_put(struct unwind_state *s, struct interp_state *p, __u64 to,
				       __u64 end)
{
	__u64 from = p->at, sz = 8 * (end - from);

	p->at = (__u32)end;
	if (end > INTERP_WORDS_MAX || from >= end)
		return;
	barrier_var(to);
	barrier_var(sz);
	if (to >= UNWIND_FRAMES_MAX || sz > 8 * INTERP_WORDS_MAX)
		return;
	if (bpf_probe_read_kernel(&s->pcs[to], (__u32)sz, &p->words[from & (INTERP_WORDS_MAX - 1)]))
		return;
	to += sz / 8;
	s->cnt = to < s->max ? (__u32)to : s->max;
}

/*
 * Replaces the native frame that was added last by the frames of its run, if it is the owner of the
 * next run.
 */
__weak __noinline int interp_place(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct interp_state *p = interp_state_of(key);
	__u32 run, to;

	if (UNWIND_OFF || !s || !p || !unwind_is_owner(s))
		return 0;
	if (p->language == INTERP_RUBY) {
		ruby_note_loop(s, p);
		return 0;
	}
	run = p->run;
	if (run >= INTERP_RUNS_MAX)
		return 0;
	barrier_var(run);
	to = s->cnt - 1;
	/* The function that runs an instruction is the loop's, too. */
	if (p->file.is_tail_called && to && s->was_interpreter)
		to--;
	interp_put(s, p, to, p->runs[run & (INTERP_RUNS_MAX - 1)].end);
	s->was_interpreter = 0;
	p->run++;
	interp_next_owner(s, p);
	return 0;
}

/* At the end of the walk: frames that have found no place are at its end. */
__weak __noinline int interp_end(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct interp_state *p = interp_state_of(key);

	if (UNWIND_OFF || !s || !p)
		return 0;
	if (p->language == INTERP_RUBY) {
		if (p->run_cnt)
			ruby_end(key);
	} else {
		if (p->at != p->cnt && !p->flaw)
			p->flaw = INTERP_UNORDERED;
		if (p->at != p->cnt && s->end != UNWIND_FULL)
			interp_put(s, p, s->cnt, p->cnt);
	}
	if (p->flaw && s->end == UNWIND_OUTERMOST)
		s->end = UNWIND_INTERPRETER;
	return 0;
}

#endif
