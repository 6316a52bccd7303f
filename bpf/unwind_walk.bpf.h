/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Walks the user stack of the current task by unwind tables in maps. Each frame is a call of one
 * global function, which verifiers check only once (5.6), so 300 frames need neither tail calls nor
 * bpf_loop(). Frames are taken in runs, since a verifier follows each iteration of a loop: two
 * loops of 18 cost it a ninth of one loop of 301.
 */
#ifndef BPFPERF_UNWIND_WALK_BPF_H
#define BPFPERF_UNWIND_WALK_BPF_H

#include <bpf/bpf_helpers.h>

#if defined(__TARGET_ARCH_arm64)
#define UNWIND_ARM64 1
#else
#define UNWIND_ARM64 0
#endif

#include "unwind_wire.h"

/* Equals WIRE_LEVELS. */
#define UNWIND_LEVELS 4

/* The words of one file's table. */
struct unwind_words {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	/* Tables differ in size (5.10), and user space writes them by mmap. */
	__uint(map_flags, BPF_F_INNER_MAP | BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, __u64);
};
/* Tables by file. The loader sets max_entries of these three maps if stacks are walked. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct unwind_words);
} unwind_tables __weak SEC(".maps");

/* The executable mappings of a process, ascending; the first entry has their number in start. */
struct unwind_mappings {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_INNER_MAP);
	/* The key is given by size: compilers leave the type of an inner map's value incomplete. */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct unwind_mapping));
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct unwind_mappings);
} unwind_sets __weak SEC(".maps");

/* Processes by process id. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_proc);
} unwind_procs __weak SEC(".maps");

/*
 * One state per level: the program of an interrupt may walk while a task's program is walking. One
 * more is for exec, which walks no stack.
 */
#define UNWIND_EXEC_STATE UNWIND_LEVELS
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, UNWIND_LEVELS + 1);
	__type(key, __u32);
	__type(value, struct unwind_state);
} unwind_states __weak SEC(".maps");

static __always_inline long unwind_read(__u64 *value, __u64 addr)
{
	return bpf_probe_read_user(value, sizeof(*value), (const void *)addr);
}

static __always_inline long unwind_sample_reg(void *ctx, __u32 reg, __u64 *v)
{
	struct unwind_state *s = ctx;

	if (reg >= UNWIND_REGS_MAX)
		return -1;
	/* Verifiers do not carry the bound over to the register that is used. */
	barrier_var(reg);
	*v = s->sample[reg & (UNWIND_REGS_MAX - 1)];
	return 0;
}

/*
 * Keeps the bounds of a search in memory, where the verifier forgets them: with bounds in registers
 * it would follow each of 2^26 paths through a table.
 */
#define UNWIND_FORGET(x) (*(volatile typeof(x) *)&(x))

/*
 * A knob of the including file: programs without walks have the functions below verified all the
 * same.
 */
#ifndef UNWIND_OFF
#define UNWIND_OFF 0
#endif
/* A knob of the including file: no steps by frame pointer. */
#ifndef UNWIND_NO_FP
#define UNWIND_NO_FP 0
#endif

/* Whether walks look for the frames of interpreters. */
#ifndef UNWIND_INTERPRETERS
#define UNWIND_INTERPRETERS 0
#endif

/* Returned by unwind_find_rule() for a file that has no table yet. */
#define UNWIND_LATER 1

#include "unwind_vma.bpf.h"

/* Finds the mapping of s->find_pc in the set and stores it in s->mapping. Not 0: there is none. */
__weak __noinline int unwind_find_mapping(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct unwind_mapping *m;
	__u32 i, mid = 0;
	void *maps;

	if (UNWIND_OFF || !s)
		return -1;
	maps = bpf_map_lookup_elem(&unwind_sets, &s->set);
	m = maps ? bpf_map_lookup_elem(maps, &mid) : NULL;
	if (!m)
		return -1;
	UNWIND_FORGET(s->low) = 1;
	UNWIND_FORGET(s->high) = (__u32)m->start + 1;
	for (i = 0; i < UNWIND_MAPPING_STEPS; i++) {
		__u32 low = UNWIND_FORGET(s->low), high = UNWIND_FORGET(s->high);

		if (low >= high)
			return -1;
		mid = (low + high) / 2;
		m = bpf_map_lookup_elem(maps, &mid);
		if (!m)
			return -1;
		if (s->find_pc < m->start) {
			UNWIND_FORGET(s->high) = mid;
		} else if (s->find_pc >= m->end) {
			UNWIND_FORGET(s->low) = mid + 1;
		} else {
			s->mapping = *m;
			return 0;
		}
	}
	return -1;
}

/*
 * Returns how many rows of s->mapping's table begin at or before s->find_pc, with the last of them
 * in s->row: looking it up again would be a tenth of the search.
 */
static __always_inline __u32 unwind_rows_until(struct unwind_state *s, void *table, __u32 cnt)
{
	__u64 want = (s->find_pc - s->mapping.base) << UNWIND_RULE_BITS | UNWIND_RULE_MASK;
	__u32 i, at;

	UNWIND_FORGET(s->low) = 0;
	UNWIND_FORGET(s->high) = cnt;
	for (i = 0; i < UNWIND_ROW_STEPS; i++) {
		__u32 low = UNWIND_FORGET(s->low), high = UNWIND_FORGET(s->high);
		__u64 *row;

		if (low >= high)
			return low;
		at = UNWIND_HEAD_WORDS + (low + high) / 2;
		row = bpf_map_lookup_elem(table, &at);
		if (!row)
			return 0;
		if (*row <= want) {
			s->row = *row;
			UNWIND_FORGET(s->low) = at - UNWIND_HEAD_WORDS + 1;
		} else {
			UNWIND_FORGET(s->high) = at - UNWIND_HEAD_WORDS;
		}
	}
	return 0;
}

/*
 * Finds the rule for s->find_pc in the table of s->mapping and stores it in s->rule. Not 0: none.
 */
__weak __noinline int unwind_find_rule(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	__u32 at = 0, cnt, row, i;
	__u64 *word, *to;
	void *table;

	if (UNWIND_OFF || !s || !s->mapping.table)
		return -1;
	table = bpf_map_lookup_elem(&unwind_tables, &s->mapping.table);
	word = table ? bpf_map_lookup_elem(table, &at) : NULL;
	if (!word)
		return UNWIND_LATER;
	cnt = (__u32)*word;
	s->interpreter = (__u32)(*word >> UNWIND_INTERPRETER_SHIFT);
	if (!unwind_rows_until(s, table, cnt))
		return -1;
	row = (__u32)(s->row & UNWIND_RULE_MASK);
	to = (__u64 *)&s->rule;
	for (i = 0; i < UNWIND_RULE_WORDS; i++) {
		at = UNWIND_HEAD_WORDS + cnt + UNWIND_RULE_WORDS * row + i;
		word = bpf_map_lookup_elem(table, &at);
		if (!word)
			return -1;
		to[i] = *word;
	}
	return 0;
}

/* Notes data that is missing now and may come later; only the first gap of a walk is reported. */
static __always_inline void unwind_lack(struct unwind_state *s, __u64 pc, __u32 table)
{
	/* A pc reached by a guess is no evidence of a gap, unless it lies in a file. */
	if (s->lacking || s->gone || (s->by_fp && !table && !s->mapping.is_unknown))
		return;
	s->lacking = 1;
	s->lacking_pc = pc;
	s->lacking_table = table;
}

/* Puts the mapping of s->find_pc into s->mapping, if it is a recent one or in the set. */
static __always_inline _Bool unwind_knows_mapping(struct unwind_state *s)
{
	struct unwind_mapping last;

	/* Most callers are in the file of the previous frame, and most others in the one before. */
	if (s->find_pc >= s->mapping.start && s->find_pc < s->mapping.end)
		return 1;
	if (s->find_pc >= s->other.start && s->find_pc < s->other.end) {
		last = s->mapping;
		s->mapping = s->other;
		s->other = last;
		return 1;
	}
	s->other = s->mapping;
	s->mapping.end = s->mapping.is_unknown = 0;
	return s->set && !unwind_find_mapping(s->key);
}

/* In s->found: the tree was not searched for the pc of this frame. */
#define UNWIND_NOT_SOUGHT UNWIND_DEEPER

/* Puts the mapping of the frame's pc into s->mapping. Not 0: the tree must be searched first. */
static __always_inline _Bool unwind_must_seek(struct unwind_state *s)
{
	/*
	 * A call may be the last instruction of its function; its return address is then in the
	 * next function.
	 */
	s->find_pc = s->regs.pc - !s->regs.is_exact;
	if (unwind_knows_mapping(s))
		s->found = UNWIND_FOUND;
	else if (!UNWIND_HAS_TREE)
		s->found = UNWIND_NOT_SURE;
	return s->found == UNWIND_NOT_SOUGHT;
}

/* pc is that of the frame: its mapping has been looked for. */
static __always_inline const struct unwind_rule *unwind_find(void *ctx, __u64 pc)
{
	struct unwind_state *s = ctx;
	long err;

	if (s->found != UNWIND_FOUND) {
		/* execve(2) returns to the code of another program, whose memory it has already. */
		if (s->found == UNWIND_NO_MAPPING && s->cnt == 1)
			s->gone = 1;
		if (s->found == UNWIND_NOT_SURE)
			unwind_lack(s, pc, 0);
		return NULL;
	}
	err = s->mapping.is_unknown ? UNWIND_LATER : unwind_find_rule(s->key);
	if (err) {
		if (err == UNWIND_LATER)
			unwind_lack(s, pc, s->mapping.table);
		return NULL;
	}
	return &s->rule;
}

#include "unwind.bpf.h"

/* Returned by unwind_one(): call unwind_find_vma(), and again. */
#define UNWIND_SEEK UNWIND_END_CNT
/* The frame is the first one in a file with an interpreter: call interp_begin(). */
#define UNWIND_MEETS (UNWIND_END_CNT + 1)
/* A flag: the frame is the next owner of frames of an interpreter: call interp_place(). */
#define UNWIND_OWNS 0x100

/* Do frames of an interpreter belong to the frame that was added last? */
static __always_inline _Bool unwind_is_owner(const struct unwind_state *s)
{
	if (s->find_pc - s->loop < s->loop_sz)
		return 1;
	return s->regs.sp > s->frame_sp && s->owner - s->frame_sp < s->regs.sp - s->frame_sp;
}

#if UNWIND_INTERPRETERS
#include "interp.bpf.h"
#endif

/*
 * Goes one frame up in the state of this CPU and level. Returns an enum unwind_end, or UNWIND_SEEK.
 */
__weak __noinline int unwind_one(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	__u32 cnt, below;
	int end;

	if (UNWIND_OFF || !s)
		return UNWIND_NO_RULE;
	cnt = s->cnt;
	if (cnt >= UNWIND_FRAMES_MAX || cnt >= s->max)
		return s->end = UNWIND_FULL;
	if (unwind_must_seek(s))
		return UNWIND_SEEK;
	if (s->regs.by_fp) {
		if (UNWIND_NO_FP)
			return s->end = s->lacking ? UNWIND_NOT_YET : UNWIND_NO_RULE;
		s->by_fp++;
		s->pcs[cnt] = s->regs.pc | UNWIND_PC_BY_FP;
	} else if (UNWIND_PC_IS_CODE(s->regs.pc)) {
		/* A process may write whatever it likes as a return address. */
		s->pcs[cnt] = s->regs.pc & ~UNWIND_PC_CODE;
	} else if (s->regs.is_exact) {
		/*
		 * A handler returns to its trampoline, which has not called it: the pc of that
		 * frame is exact, too.
		 */
		below = cnt - 1;
		barrier_var(below);
		if (below < UNWIND_FRAMES_MAX && !UNWIND_PC_IS_CODE(s->pcs[below]))
			s->pcs[below] |= UNWIND_PC_EXACT;
		s->pcs[cnt] = s->regs.pc | UNWIND_PC_EXACT;
	} else {
		s->pcs[cnt] = s->regs.pc;
	}
	s->cnt = cnt + 1;
	s->frame_sp = s->regs.sp;
	s->was_interpreter = s->interpreter != 0;
	s->interpreter = 0;
	end = unwind_step(s, &s->regs);
	s->found = UNWIND_NOT_SOUGHT;
	/* A walk that used guesses in place of a table may look complete, too. */
	if (s->gone)
		end = UNWIND_GONE;
	else if (s->lacking && (end == UNWIND_NO_RULE || end == UNWIND_OUTERMOST))
		end = UNWIND_NOT_YET;
	s->end = end;
	if (UNWIND_INTERPRETERS && s->interpreter && !s->is_interpreted)
		return UNWIND_MEETS;
	if (UNWIND_INTERPRETERS && unwind_is_owner(s))
		end |= UNWIND_OWNS;
	return end;
}

/* Frames of a run; its square is more than UNWIND_FRAMES_MAX. */
#define UNWIND_RUN 23
_Static_assert(UNWIND_FRAMES_MAX < UNWIND_RUN * UNWIND_RUN, "each walk comes to its end");

/*
 * Goes up to UNWIND_RUN frames up. Returns 0 if the walk goes on, or UNWIND_MEETS. The tree is
 * searched from here, not from below unwind_one(): the stacks of nested functions may use 512 bytes
 * together.
 */
__weak __noinline int unwind_run(__u32 key)
{
	int i, end;

	for (i = 0; i < UNWIND_RUN; i++) {
		end = unwind_one(key);
		if (end == UNWIND_SEEK) {
			unwind_find_vma(key);
			end = unwind_one(key);
		}
		/* Most frames; the verifier follows each way that goes on for each of them. */
		if (!end)
			continue;
#if UNWIND_INTERPRETERS
		if (end == UNWIND_MEETS)
			return UNWIND_MEETS;
		if (end & UNWIND_OWNS) {
			interp_place(key);
			if (end == UNWIND_OWNS)
				continue;
		}
#endif
		return 1;
	}
	return 0;
}

/*
 * Walks the whole stack, from pc, sp, fp, base, lr and sample in a state; the caller has also set
 * tgid, set and max.
 */
static __always_inline void unwind_walk(struct unwind_state *s, __u32 key)
{
	int i, end;

	s->key = key;
	s->cnt = 0;
	s->by_fp = 0;
	s->lacking = 0;
	s->found = UNWIND_NOT_SOUGHT;
	s->mapping.end = s->mapping.is_unknown = s->other.end = 0;
	s->regs.has_fp = s->regs.has_base = s->regs.has_lr = 1;
	s->regs.is_sample = s->regs.is_exact = 1;
	s->regs.by_fp = 0;
	s->owner = ~0ull;
	s->interpreter = s->is_interpreted = 0;
	s->loop_sz = 0;
	/* The run that meets an interpreter is cut short. */
	for (i = 0; i < UNWIND_RUN + UNWIND_INTERPRETERS; i++) {
		end = unwind_run(key);
#if UNWIND_INTERPRETERS
		if (end == UNWIND_MEETS) {
			interp_begin(key);
			interp_place(key);
			end = s->end;
		}
#endif
		if (end)
			break;
	}
#if UNWIND_INTERPRETERS
	if (s->is_interpreted)
		interp_end(key);
#endif
}

#endif
