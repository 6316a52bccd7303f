/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Finds the current thread's states in the interpreters of its process. */
#ifndef BPFPERF_PYTHON_THREAD_BPF_H
#define BPFPERF_PYTHON_THREAD_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "python_code.bpf.h"

/* States of threads by thread id. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct python_thread);
} python_threads __weak SEC(".maps");

/* Its square is more than the threads that are looked at. */
#define PYTHON_THREAD_RUN 40

static __always_inline _Bool python_is_own(const struct interp_state *p, __u64 thread)
{
	if (!thread)
		return 0;
	if (p->self && interp_word(thread + p->file.thread_id) == p->self)
		return 1;
	return interp_word(thread + p->file.thread_native_id) == p->native;
}

/* Looks at one thread or interpreter. Returns 0 if the search goes on. */
__weak __noinline int python_seek(__u32 key)
{
	struct interp_state *p = interp_state_of(key);

	if (UNWIND_OFF || !p)
		return 1;
	if (!p->next_thread) {
		if (!p->interpreter)
			return 1;
		p->next_thread = interp_word(p->interpreter + p->file.interpreter_threads);
		p->interpreter = interp_word(p->interpreter + p->file.interpreter_next);
		return 0;
	}
	if (python_is_own(p, p->next_thread))
		p->thread = p->next_thread;
	p->next_thread = interp_word(p->next_thread + p->file.thread_next);
	return p->thread != 0;
}

__weak __noinline int python_seek_run(__u32 key)
{
	int i;

	if (UNWIND_OFF)
		return 1;
	for (i = 0; i < PYTHON_THREAD_RUN; i++)
		if (python_seek(key))
			return 1;
	return 0;
}

/* Finds the thread's next state in the interpreters: p->thread, or 0. */
__weak __noinline int python_search(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	int i;

	if (UNWIND_OFF || !p)
		return 0;
	p->thread = 0;
	for (i = 0; i < PYTHON_THREAD_RUN; i++)
		if (python_seek_run(key))
			break;
	return 0;
}

/*
 * A thread has a state in each interpreter that it runs; most processes have one interpreter, and
 * then the state that was found last is looked at first. Returns 0 if the thread is to be searched.
 */
__weak __noinline int python_known_thread(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	struct python_thread *known;

	if (UNWIND_OFF || !p)
		return 0;
	interp_find_self(p);
	p->next_thread = 0;
	p->interpreter = interp_word(p->runtime + p->file.interpreters);
	p->is_one_of_many = interp_word(p->interpreter + p->file.interpreter_next) != 0;
	known = bpf_map_lookup_elem(&python_threads, &p->tid);
	if (!known || p->is_one_of_many || known->runtime != p->runtime ||
	    !python_is_own(p, known->state))
		return 0;
	p->thread = known->state;
	return 1;
}

/* Keeps the state that a search has found. */
__weak __noinline int python_remember_thread(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	struct python_thread found = { 0 };

	if (UNWIND_OFF || !p || !p->thread)
		return 0;
	found.runtime = p->runtime;
	found.state = p->thread;
	bpf_map_update_elem(&python_threads, &p->tid, &found, BPF_ANY);
	interp_count(INTERP_CNT_THREADS, 1);
	return 0;
}

/*
 * Finds the first state of the thread. It is inlined: each function on the way to python_seek()
 * takes 32 bytes and more of the 512 that a path of calls has.
 */
static __always_inline void python_find_thread(__u32 key)
{
	if (python_known_thread(key))
		return;
	python_search(key);
	python_remember_thread(key);
}

#endif
