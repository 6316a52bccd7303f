/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads Python's frames of a thread. Each call of the interpreter's loop has a struct of the
 * interpreter on its stack, whose address the frames lead to: the native frame with that address
 * is replaced by the Python frames of that call (interp.bpf.h). So no symbol of the loop is needed.
 */
#ifndef BPFPERF_PYTHON_BPF_H
#define BPFPERF_PYTHON_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "interp_state.bpf.h"
#include "python_code.bpf.h"
#include "python_thread.bpf.h"

/* Interpreters that a thread runs within each other, of which frames are read. */
#define PYTHON_STATES_MAX 4

/* The most bytes that _PyRuntime has: 300,000 in 3.15. */
#define PYTHON_RUNTIME_SZ (1u << 20)

/* The most bytes of a native frame of the loop. */
#define PYTHON_LOOP_SZ 8192

/* The bits of a reference to an object that are no address (3.14). */
#define PYTHON_TAGS 7ull

/* 3.11: goes on with the frames of the call before. */
static __always_inline int python_leave_cframe(struct interp_state *p)
{
	__u64 cframe = p->cframe, before = p->frame;

	p->cframe = interp_word(cframe + p->file.cframe_previous);
	p->frame = p->cframe ? interp_word(p->cframe + p->file.cframe_frame) : 0;
	if (p->frame != before)
		p->flaw = INTERP_UNORDERED;
	return interp_end_run(p, cframe);
}

/* Computes the index of the instruction that the frame is at. */
static __always_inline void python_find_instr(struct interp_state *p, __u64 code)
{
	__u64 first = code + p->file.code_instrs, at = interp_raw(p, p->file.frame_instr);
	__u32 copy = 0;

	if (p->file.has_own_code)
		copy = (__u32)interp_raw(p, p->file.frame_own_code);
	if (copy)
		first = interp_word(interp_word(code + p->file.code_own) + 8 + 8ull * copy);
	/* Before its first instruction a frame of 3.11 and 3.12 is at the word before it. */
	p->instr = at < first ? 0 : (at - first) / 2;
	if (p->instr > INTERP_INSTR_MASK)
		p->instr = INTERP_INSTR_MASK;
}

/* Reads the frame p->frame, and goes on to the one that called it. */
__weak __noinline int python_frame(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	__u64 code, frame;
	struct interp_code *known;
	_Bool is_entry;

	if (UNWIND_OFF || !p || !p->frame || p->flaw)
		return INTERP_END;
	frame = p->frame;
	if (bpf_probe_read_user(p->raw, INTERP_FRAME_SZ, (const void *)frame)) {
		p->flaw = INTERP_UNREADABLE;
		return INTERP_END;
	}
	p->frame = interp_raw(p, p->file.frame_previous);
	if (!p->file.has_entry &&
	    (__u8)interp_raw(p, p->file.frame_owner) >= p->file.owner_interpreter)
		return interp_end_run(p, frame);
	is_entry = p->file.has_entry && (__u8)interp_raw(p, p->file.frame_entry);
	code = interp_raw(p, p->file.frame_code) & ~PYTHON_TAGS;
	if (bpf_probe_read_user(p->ident, INTERP_CODE_SZ,
				(const void *)(code + p->file.code_lines + 8 - INTERP_CODE_SZ))) {
		p->flaw = INTERP_UNREADABLE;
		return INTERP_END;
	}
	python_find_instr(p, code);
	p->key.code = code;
	p->key.tgid = p->tgid;
	p->code.identity = interp_identity(p);
	known = bpf_map_lookup_elem(&interp_codes, &p->key);
	if (!known || known->identity != p->code.identity) {
		/* Ends its run only once it has its word. */
		p->is_entry = is_entry;
		return INTERP_DEFINE;
	}
	if (interp_push(p, known->id))
		return INTERP_END;
	return is_entry ? python_leave_cframe(p) : 0;
}

/*
 * Code of the interpreter's own, between a class and its __init__(): its name is its file's, too,
 * and one of the texts that _PyRuntime contains.
 */
static __always_inline _Bool python_is_internal(const struct interp_state *p, __u64 name)
{
	return name == python_of_code(p, p->file.code_file) &&
	       name - p->runtime < PYTHON_RUNTIME_SZ;
}

/* Defines the code of the frame that python_frame() has read. Results are the same. */
__weak __noinline int python_define(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	_Bool is_entry;
	__u64 name;

	if (UNWIND_OFF || !p)
		return INTERP_END;
	is_entry = p->is_entry;
	name = python_of_code(p, p->file.code_name);
	/* No code has none: an offset is another one than the build says. */
	if (!name) {
		p->flaw = INTERP_UNREADABLE;
		return INTERP_END;
	}
	if (python_is_internal(p, name))
		return is_entry ? python_leave_cframe(p) : 0;
	interp_send(p, key, python_describe(p, key));
	if (interp_push(p, p->code.id))
		return INTERP_END;
	return is_entry ? python_leave_cframe(p) : 0;
}

__weak __noinline int python_frame_run(__u32 key)
{
	int i, end;

	if (UNWIND_OFF)
		return 1;
	for (i = 0; i < INTERP_FRAME_RUN; i++) {
		end = python_frame(key);
		if (end == INTERP_DEFINE)
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
	for (i = 0; i < INTERP_FRAME_RUN; i++)
		if (python_frame_run(key))
			break;
	return 0;
}

/*
 * 3.12: a call that begins has a _PyCFrame without a frame for some instructions. The struct that
 * ends its first run is in the same native frame.
 */
static __always_inline _Bool python_is_of_cframe(const struct interp_state *p)
{
	__u64 owner = p->runs[0].owner;

	if (!p->file.has_cframe || p->file.has_entry || p->is_one_of_many || !p->run_cnt)
		return 1;
	return owner - p->cframe + PYTHON_LOOP_SZ < 2 * PYTHON_LOOP_SZ;
}

/* Puts the first frame into p->frame. Not 0: the thread is one of Python. */
__weak __noinline int python_first(__u32 key)
{
	struct interp_state *p = interp_state_of(key);

	if (UNWIND_OFF || !p || !p->thread)
		return 0;
	p->frame = interp_word(p->thread + p->file.thread_frame);
	if (p->file.has_cframe) {
		p->cframe = p->frame;
		p->frame = p->cframe ? interp_word(p->cframe + p->file.cframe_frame) : 0;
	}
	return 1;
}

static __always_inline void python_walk(struct interp_state *p, __u32 key)
{
	int i;

	p->runtime = p->base + p->file.runtime;
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
	if (!p->flaw && p->at == p->cnt && !python_is_of_cframe(p))
		p->flaw = INTERP_UNORDERED;
}

#endif
