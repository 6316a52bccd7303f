/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Python's frames in a walk by unwind tables. When a walk reaches the first frame that is in a file
 * with an interpreter, all frames of the thread are read, innermost first. Each call of the
 * interpreter's loop has a struct of the interpreter on its stack, whose address the frames lead
 * to: the native frame with that address is replaced by the Python frames of that call. So no
 * symbol of the loop is needed, and frames of C in between keep their places.
 *
 * Nothing of it runs for other processes: the head of a table tells that its file is an interpreter
 * (unwind_wire.h). A code object is read when it is first met, while its frame is on the stack: it
 * cannot be gone.
 */
#ifndef BPFPERF_PYTHON_BPF_H
#define BPFPERF_PYTHON_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "python_code.bpf.h"
#include "python_thread.bpf.h"
#include "python_wire.h"

/* Builds of Python; the loader sets max_entries of these maps, if Python is wanted. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct python_file);
} python_files __weak SEC(".maps");

/* Its square is more than the frames that are looked at. */
#define PYTHON_FRAME_RUN 28
_Static_assert(PYTHON_WORDS_MAX + PYTHON_RUNS_MAX < PYTHON_FRAME_RUN * PYTHON_FRAME_RUN,
	       "all words and runs can be read");

/* Interpreters that a thread runs within each other, of which frames are read. */
#define PYTHON_STATES_MAX 4

/* The most bytes that _PyRuntime has: 300,000 in 3.15. */
#define PYTHON_RUNTIME_SZ (1u << 20)

/* The most bytes of a native frame of the loop. */
#define PYTHON_LOOP_SZ 8192

/* The bits of a reference to an object that are no address (3.14). */
#define PYTHON_TAGS 7ull

static __always_inline __u64 python_raw(const struct python_state *p, __u32 off)
{
	off &= 127;
	barrier_var(off);
	return *(const __u64 *)(p->raw + (off & 127));
}

/* Ends the run of the words since the last one. Returns 0 if there may be more frames. */
static __always_inline int python_end_run(struct python_state *p, __u64 owner)
{
	__u32 run = p->run_cnt;

	/* A call that has no frame yet. */
	if (p->at == p->cnt)
		return 0;
	if (run >= PYTHON_RUNS_MAX) {
		p->flaw = PYTHON_TOO_MANY;
		return 1;
	}
	barrier_var(run);
	run &= PYTHON_RUNS_MAX - 1;
	p->runs[run].owner = owner;
	p->runs[run].end = p->at = p->cnt;
	p->run_cnt++;
	return 0;
}

/* 3.11: goes on with the frames of the call before. */
static __always_inline int python_leave_cframe(struct python_state *p)
{
	__u64 cframe = p->cframe, before = p->frame;

	p->cframe = python_word(cframe + p->file.cframe_previous);
	p->frame = p->cframe ? python_word(p->cframe + p->file.cframe_frame) : 0;
	if (p->frame != before)
		p->flaw = PYTHON_UNORDERED;
	return python_end_run(p, cframe);
}

static __always_inline int python_push(struct python_state *p, __u64 id)
{
	__u32 at = p->cnt;

	if (at >= PYTHON_WORDS_MAX) {
		p->flaw = PYTHON_TOO_MANY;
		return 1;
	}
	barrier_var(at);
	p->words[at & (PYTHON_WORDS_MAX - 1)] = PYTHON_FRAME | id << PYTHON_INSTR_BITS | p->instr;
	p->cnt++;
	return 0;
}

/* Computes the index of the instruction that the frame is at. */
static __always_inline void python_find_instr(struct python_state *p, __u64 code)
{
	__u64 first = code + p->file.code_instrs, at = python_raw(p, p->file.frame_instr);
	__u32 copy = 0;

	if (p->file.has_own_code)
		copy = (__u32)python_raw(p, p->file.frame_own_code);
	if (copy)
		first = python_word(python_word(code + p->file.code_own) + 8 + 8ull * copy);
	/* Before its first instruction a frame of 3.11 and 3.12 is at the word before it. */
	p->instr = at < first ? 0 : (at - first) / 2;
	if (p->instr > PYTHON_INSTR_MASK)
		p->instr = PYTHON_INSTR_MASK;
}

/* Results of python_frame(), besides 0: the next one. */
#define PYTHON_END 1
#define PYTHON_DEFINE 2 /* the code of the frame is new: python_define(), then the next one */

/* Reads the frame p->frame, and goes on to the one that called it. */
__weak __noinline int python_frame(__u32 key)
{
	struct python_state *p = python_state_of(key);
	__u64 code, frame;
	struct python_code *known;
	_Bool is_entry;

	if (UNWIND_OFF || !p || !p->frame || p->flaw)
		return PYTHON_END;
	frame = p->frame;
	if (bpf_probe_read_user(p->raw, PYTHON_FRAME_SZ, (const void *)frame)) {
		p->flaw = PYTHON_UNREADABLE;
		return PYTHON_END;
	}
	p->frame = python_raw(p, p->file.frame_previous);
	if (!p->file.has_entry &&
	    (__u8)python_raw(p, p->file.frame_owner) >= p->file.owner_interpreter)
		return python_end_run(p, frame);
	is_entry = p->file.has_entry && (__u8)python_raw(p, p->file.frame_entry);
	code = python_raw(p, p->file.frame_code) & ~PYTHON_TAGS;
	if (bpf_probe_read_user(p->ident, PYTHON_CODE_SZ,
				(const void *)(code + p->file.code_lines + 8 - PYTHON_CODE_SZ))) {
		p->flaw = PYTHON_UNREADABLE;
		return PYTHON_END;
	}
	python_find_instr(p, code);
	p->key.code = code;
	p->key.tgid = p->tgid;
	p->code.identity = python_identity(p);
	known = bpf_map_lookup_elem(&python_codes, &p->key);
	if (!known || known->identity != p->code.identity) {
		/* Ends its run only once it has its word. */
		p->is_entry = is_entry;
		return PYTHON_DEFINE;
	}
	if (python_push(p, known->id))
		return PYTHON_END;
	return is_entry ? python_leave_cframe(p) : 0;
}

/*
 * Code of the interpreter's own, between a class and its __init__(): its name is its file's, too,
 * and one of the texts that _PyRuntime contains.
 */
static __always_inline _Bool python_is_internal(const struct python_state *p, __u64 name)
{
	return name == python_of_code(p, p->file.code_file) &&
	       name - p->runtime < PYTHON_RUNTIME_SZ;
}

/* Defines the code of the frame that python_frame() has read. Results are the same. */
__weak __noinline int python_define(__u32 key)
{
	struct python_state *p = python_state_of(key);
	_Bool is_entry;
	__u64 name;

	if (UNWIND_OFF || !p)
		return PYTHON_END;
	is_entry = p->is_entry;
	name = python_of_code(p, p->file.code_name);
	if (!name || python_is_internal(p, name))
		return is_entry ? python_leave_cframe(p) : 0;
	python_send(p, key, python_describe(p, name));
	if (python_push(p, p->code.id))
		return PYTHON_END;
	return is_entry ? python_leave_cframe(p) : 0;
}

__weak __noinline int python_frame_run(__u32 key)
{
	int i, end;

	if (UNWIND_OFF)
		return 1;
	for (i = 0; i < PYTHON_FRAME_RUN; i++) {
		end = python_frame(key);
		if (end == PYTHON_DEFINE)
			end = python_define(key);
		if (end)
			return 1;
	}
	return 0;
}

/* Reads all frames of a state of the thread. */
__weak __noinline int python_read_frames(__u32 key)
{
	int i;

	if (UNWIND_OFF)
		return 0;
	for (i = 0; i < PYTHON_FRAME_RUN; i++)
		if (python_frame_run(key))
			break;
	return 0;
}

/*
 * 3.12: a call that begins has a _PyCFrame without a frame for some instructions. The struct that
 * ends its first run is in the same native frame.
 */
static __always_inline _Bool python_is_of_cframe(const struct python_state *p)
{
	__u64 owner = p->runs[0].owner;

	if (!p->file.has_cframe || p->file.has_entry || p->is_one_of_many || !p->run_cnt)
		return 1;
	return owner - p->cframe + PYTHON_LOOP_SZ < 2 * PYTHON_LOOP_SZ;
}

/* Puts the address of the run that is to be placed next where the native walk compares it. */
static __always_inline void python_next_owner(struct unwind_state *s, struct python_state *p)
{
	__u32 run = p->run;

	s->owner = ~0ull;
	if (run >= p->run_cnt || run >= PYTHON_RUNS_MAX)
		return;
	barrier_var(run);
	s->owner = p->runs[run & (PYTHON_RUNS_MAX - 1)].owner;
}

/* Copies the interpreter's offsets, and finds its data. 0: there is none. */
__weak __noinline int python_open(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct python_state *p = python_state_of(key);
	struct python_file *file;

	if (UNWIND_OFF || !s || !p)
		return 0;
	file = bpf_map_lookup_elem(&python_files, &s->interpreter);
	if (!file)
		return 0;
	p->file = *file;
	p->tgid = s->tgid;
	p->tid = (__u32)current_ids();
	p->runtime = s->mapping.base + file->runtime;
	p->cnt = p->run_cnt = p->run = p->at = p->flaw = 0;
	return 1;
}

/* Puts the first frame into p->frame. Not 0: the thread is one of Python. */
__weak __noinline int python_first(__u32 key)
{
	struct python_state *p = python_state_of(key);

	if (UNWIND_OFF || !p || !p->thread)
		return 0;
	p->frame = python_word(p->thread + p->file.thread_frame);
	if (p->file.has_cframe) {
		p->cframe = p->frame;
		p->frame = p->cframe ? python_word(p->cframe + p->file.cframe_frame) : 0;
	}
	return 1;
}

/* Reads the frames of the thread, whose native walk has just come to a frame of Python's file. */
__weak __noinline int python_begin(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct python_state *p = python_state_of(key);
	int i;

	if (UNWIND_OFF || !s || !p)
		return 0;
	s->is_interpreted = 1;
	if (!python_open(key))
		return 0;
	python_find_thread(key);
	/* An interpreter that another one runs is younger, and stands before it. */
	for (i = 0; i < PYTHON_STATES_MAX; i++) {
		if (!python_first(key))
			break;
		python_read_frames(key);
		if (!p->is_one_of_many)
			break;
		python_search(key);
	}
	if (p->cnt)
		python_count(PYTHON_CNT_FRAMES, p->cnt);
	/* Each frame belongs to a call of the loop. */
	if (!p->flaw && (p->at != p->cnt || !python_is_of_cframe(p)))
		p->flaw = PYTHON_UNORDERED;
	p->at = 0;
	python_next_owner(s, p);
	return 0;
}

/* Appends words from p->at on, up to `end`, at `to`; less if there is no room. */
static __always_inline void python_put(struct unwind_state *s, struct python_state *p, __u64 to,
				       __u64 end)
{
	__u64 from = p->at, sz = 8 * (end - from);

	p->at = (__u32)end;
	if (end > PYTHON_WORDS_MAX || from >= end)
		return;
	barrier_var(to);
	barrier_var(sz);
	if (to >= UNWIND_FRAMES_MAX || sz > 8 * PYTHON_WORDS_MAX)
		return;
	if (bpf_probe_read_kernel(&s->pcs[to], (__u32)sz, &p->words[from & (PYTHON_WORDS_MAX - 1)]))
		return;
	to += sz / 8;
	s->cnt = to < s->max ? (__u32)to : s->max;
}

/*
 * Replaces the native frame that was added last by the frames of its run, if it is the owner of the
 * next run.
 */
__weak __noinline int python_place(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct python_state *p = python_state_of(key);
	__u32 run, to;

	if (UNWIND_OFF || !s || !p || s->regs.sp <= s->frame_sp ||
	    s->owner - s->frame_sp >= s->regs.sp - s->frame_sp)
		return 0;
	run = p->run;
	if (run >= PYTHON_RUNS_MAX)
		return 0;
	barrier_var(run);
	to = s->cnt - 1;
	/* The function that runs an instruction is the loop's, too. */
	if (p->file.is_tail_called && to && s->was_interpreter)
		to--;
	python_put(s, p, to, p->runs[run & (PYTHON_RUNS_MAX - 1)].end);
	s->was_interpreter = 0;
	p->run++;
	python_next_owner(s, p);
	return 0;
}

/* At the end of the walk: frames that have found no place are at its end. */
__weak __noinline int python_end(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct python_state *p = python_state_of(key);

	if (UNWIND_OFF || !s || !p)
		return 0;
	if (p->at != p->cnt && !p->flaw)
		p->flaw = PYTHON_UNORDERED;
	if (p->at != p->cnt && s->end != UNWIND_FULL)
		python_put(s, p, s->cnt, p->cnt);
	if (p->flaw && s->end == UNWIND_OUTERMOST)
		s->end = UNWIND_INTERPRETER;
	return 0;
}

#endif
