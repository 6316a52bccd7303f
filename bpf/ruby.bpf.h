/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Reads Ruby's frames of a thread: control frames, which stand at the end of the stack of its
 * execution context (vm_core.h of Ruby). The frame that a call of the interpreter's loop began with
 * is marked, so each run of them belongs to one native frame of vm_exec_core(); but while a call
 * begins or ends its run is there without the native frame, or the reverse. Therefore runs are
 * placed at the end of the native walk, from the outermost on if it was reached. Frames of
 * functions in C have native frames of their own and are omitted here.
 */
#ifndef BPFPERF_RUBY_BPF_H
#define BPFPERF_RUBY_BPF_H

#include <bpf/bpf_helpers.h>

#include "interp_state.bpf.h"

/* rb_control_frame_t */
#define RUBY_FRAME_PC 0
#define RUBY_FRAME_ISEQ 16
#define RUBY_FRAME_EP 32
#define RUBY_FRAME_SZ 40
/* The environment's flags: this frame ends its run; it is one of C. */
#define RUBY_FLAG_FINISH 0x20
#define RUBY_FLAG_C 0x80
/* rb_iseq_t, rb_iseq_constant_body */
#define RUBY_ISEQ_BODY 16
#define RUBY_BODY_INSNS 8
#define RUBY_BODY_PATH 64
#define RUBY_BODY_LABEL 80
#define RUBY_BODY_LINE 88
/* iseq_insn_info: entries, positions, count, table of positions */
#define RUBY_INFO_CNT 16
#define RUBY_INFO_TABLE 24
#define RUBY_INFO_ENTRY_SZ 12
/* The bytes of a body that tell it from another one begin here; INTERP_CODE_SZ of them. */
#define RUBY_BODY_IDENT 56
/* RBasic: types, and bits of a text or an array */
#define RUBY_TYPE_MASK 0x1f
#define RUBY_TYPE_TEXT 5
#define RUBY_TYPE_ARRAY 7
#define RUBY_TEXT_IS_APART (1u << 13)
#define RUBY_TEXT_SZ_SHIFT 14
#define RUBY_TEXT_SZ_MASK 31
#define RUBY_ARRAY_IS_HERE (1u << 13)

/* The most bytes of the entries of a table of lines, and of its positions. */
#define RUBY_ENTRIES_MAX 6144
#define RUBY_POSITIONS_MAX 2032
_Static_assert(sizeof(struct ruby_lines) + RUBY_ENTRIES_MAX + RUBY_POSITIONS_MAX <=
		       INTERP_LINES_MAX,
	       "both fit");

/* Words of the stack of a context: a thread has 131,072. */
#define RUBY_STACK_MAX (1ull << 24)
/* Thread-local words that are looked at. */
#define RUBY_TLS_MAX 8

/* A word of the body that was read last. */
static __always_inline __u64 ruby_of_body(const struct interp_state *p, __u32 off)
{
	__u32 at = (off - RUBY_BODY_IDENT) / 8;

	barrier_var(at);
	return at < INTERP_CODE_SZ / 8 ? p->ident[at] : 0;
}

/* Reads a text. Returns its bytes at `to`: at most max, a constant. */
static __always_inline __u64 ruby_read_text(const struct interp_state *p, struct interp_text *t,
					    __u8 *to, __u64 max, __u64 text)
{
	__u64 head[4] = { 0 }, cnt, at, sz;

	t->sz = t->cnt = t->width = t->is_ascii = 0;
	if (bpf_probe_read_user(head, sizeof(head), (const void *)text) ||
	    (head[0] & RUBY_TYPE_MASK) != RUBY_TYPE_TEXT)
		return 0;
	/* Flags, class, size, and its address or the text itself. */
	cnt = head[2];
	at = text + 24;
	if (head[0] & RUBY_TEXT_IS_APART) {
		at = head[3];
	} else if (p->ruby.has_old_texts) {
		cnt = head[0] >> RUBY_TEXT_SZ_SHIFT & RUBY_TEXT_SZ_MASK;
		at = text + 16;
	}
	if (cnt > 1u << 20)
		return 0;
	sz = interp_copy(to, cnt, max, at);
	t->cnt = (__u32)cnt;
	t->sz = (__u16)sz;
	t->width = sz || !cnt ? INTERP_UTF8 : 0;
	return sz;
}

/* The path of a body is a text, or the first element of an array. */
static __always_inline __u64 ruby_path(const struct interp_state *p)
{
	__u64 path = ruby_of_body(p, RUBY_BODY_PATH), flags = interp_word(path);

	if ((flags & RUBY_TYPE_MASK) != RUBY_TYPE_ARRAY)
		return path;
	return interp_word(flags & RUBY_ARRAY_IS_HERE ? path + 16 : interp_word(path + 32));
}

/*
 * The parts of a definition. Each is a function of its own, which the verifier checks once: the
 * ways through one would otherwise multiply by those through the next. Returns bytes.
 */
__weak __noinline int ruby_read_name(__u32 key)
{
	struct interp_state *p = interp_state_of(key);

	if (UNWIND_OFF || !p)
		return 0;
	return (int)ruby_read_text(p, &p->def.name, p->def.data, INTERP_NAME_MAX,
				   ruby_of_body(p, RUBY_BODY_LABEL));
}

/* The path follows the name. */
__weak __noinline int ruby_read_path(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	__u64 at;

	if (UNWIND_OFF || !p)
		return 0;
	at = p->def.name.sz;
	barrier_var(at);
	if (at > INTERP_NAME_MAX)
		return 0;
	return (int)ruby_read_text(p, &p->def.path, p->def.data + at, INTERP_PATH_MAX,
				   ruby_path(p));
}

/* The table of lines follows the texts: struct ruby_lines, the entries, the positions. */
__weak __noinline int ruby_read_lines(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	struct ruby_lines lines = { 0 };
	__u64 at, cnt, entries, positions;
	__u32 info;
	__u8 *to;

	if (UNWIND_OFF || !p)
		return 0;
	at = (__u64)p->def.name.sz + p->def.path.sz;
	barrier_var(at);
	if (at > INTERP_NAME_MAX + INTERP_PATH_MAX)
		return 0;
	to = p->def.data + at;
	info = p->ruby.body_insns;
	cnt = (__u32)ruby_of_body(p, info + RUBY_INFO_CNT);
	lines.cnt = (__u32)cnt;
	if (cnt > RUBY_ENTRIES_MAX / RUBY_INFO_ENTRY_SZ)
		cnt = RUBY_ENTRIES_MAX / RUBY_INFO_ENTRY_SZ;
	entries = interp_copy(to + sizeof(lines), RUBY_INFO_ENTRY_SZ * cnt, RUBY_ENTRIES_MAX,
			      ruby_of_body(p, info));
	barrier_var(entries);
	if (entries > RUBY_ENTRIES_MAX)
		return 0;
	/* A word for nine positions, up to six; then 80 bytes for 512 positions. */
	positions = p->insn_cnt < 54 ? (p->insn_cnt + 8) / 9 * 8
				     : 48 + (p->insn_cnt - 54 + 511) / 512 * 80;
	positions = interp_copy(to + sizeof(lines) + entries, positions, RUBY_POSITIONS_MAX,
				ruby_of_body(p, info + RUBY_INFO_TABLE));
	lines.entries_sz = (__u32)entries;
	lines.positions_sz = (__u32)positions;
	__builtin_memcpy(to, &lines, sizeof(lines));
	return (int)(sizeof(lines) + entries + positions);
}

/* Reads all that names the code p->key. Returns the bytes of the definition. */
static __always_inline __u64 ruby_describe(struct interp_state *p, __u32 key)
{
	__u64 line = ruby_of_body(p, RUBY_BODY_LINE);
	struct interp_def *d = &p->def;

	d->code = p->key.code;
	d->tgid = p->tgid;
	d->language = INTERP_RUBY;
	d->first_line = (__s32)(p->ruby.has_old_line ? line >> 1 : line);
	ruby_read_name(key);
	ruby_read_path(key);
	d->lines_sz = (__u32)ruby_read_lines(key);
	return __builtin_offsetof(struct interp_def, data) + d->name.sz + d->path.sz + d->lines_sz;
}

/* Reads the frame p->frame, and goes on to the one that called it. Returns 0, INTERP_END, ... */
__weak __noinline int ruby_frame(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	__u64 pc, iseq, flags, insns;
	struct interp_code *known;

	if (UNWIND_OFF || !p || p->flaw || p->frame >= p->frames_end)
		return INTERP_END;
	if (bpf_probe_read_user(p->raw, RUBY_FRAME_SZ, (const void *)p->frame)) {
		p->flaw = INTERP_UNREADABLE;
		return INTERP_END;
	}
	p->frame += p->ruby.frame_sz;
	pc = interp_raw(p, RUBY_FRAME_PC);
	iseq = interp_raw(p, RUBY_FRAME_ISEQ);
	flags = interp_word(interp_raw(p, RUBY_FRAME_EP));
	p->is_entry = (flags & RUBY_FLAG_FINISH) != 0;
	if (!pc || !iseq || flags & RUBY_FLAG_C)
		return p->is_entry ? interp_end_run(p, 0) : 0;
	p->key.code = interp_word(iseq + RUBY_ISEQ_BODY);
	p->key.tgid = p->tgid;
	if (bpf_probe_read_user(p->ident, INTERP_CODE_SZ,
				(const void *)(p->key.code + RUBY_BODY_IDENT))) {
		p->flaw = INTERP_UNREADABLE;
		return INTERP_END;
	}
	p->insn_cnt = interp_word(p->key.code) >> 32;
	insns = interp_word(p->key.code + RUBY_BODY_INSNS);
	p->instr = pc < insns ? 0 : (pc - insns) / 8;
	if (p->instr > INTERP_INSTR_MASK)
		p->instr = INTERP_INSTR_MASK;
	p->code.identity = interp_identity(p);
	known = bpf_map_lookup_elem(&interp_codes, &p->key);
	if (!known || known->identity != p->code.identity)
		return INTERP_DEFINE;
	if (interp_push(p, known->id))
		return INTERP_END;
	return p->is_entry ? interp_end_run(p, 0) : 0;
}

/* Defines the code of the frame that ruby_frame() has read. Results are the same. */
__weak __noinline int ruby_define(__u32 key)
{
	struct interp_state *p = interp_state_of(key);

	if (UNWIND_OFF || !p)
		return INTERP_END;
	interp_send(p, key, ruby_describe(p, key));
	if (interp_push(p, p->code.id))
		return INTERP_END;
	return p->is_entry ? interp_end_run(p, 0) : 0;
}

__weak __noinline int ruby_frame_run(__u32 key)
{
	int i, end;

	if (UNWIND_OFF)
		return 1;
	for (i = 0; i < INTERP_FRAME_RUN; i++) {
		end = ruby_frame(key);
		if (end == INTERP_DEFINE)
			end = ruby_define(key);
		if (end)
			return 1;
	}
	return 0;
}

/* Takes the context at `context`, if it is one: a stack, its words, and a frame within them. */
static __always_inline _Bool ruby_take_context(struct interp_state *p, __u64 context)
{
	__u64 c[3] = { 0 };

	if (!context || bpf_probe_read_user(c, sizeof(c), (const void *)context) || !c[0] ||
	    c[1] > RUBY_STACK_MAX || c[2] - c[0] >= 8 * c[1] || c[2] & 7)
		return 0;
	p->frame = c[2];
	/* The outermost frame is a mark. */
	p->frames_end = c[0] + 8 * c[1] - p->ruby.frame_sz;
	return 1;
}

/*
 * Finds the context of the thread: a thread-local variable of the file, ruby_current_ec. Stripped
 * files do not say which one of a few words it is. 0: the thread is none of Ruby.
 */
__weak __noinline int ruby_find_context(__u32 key)
{
	struct interp_state *p = interp_state_of(key);
	__u64 block;
	int i;

	if (UNWIND_OFF || !p)
		return 0;
	interp_find_self(p);
	if (!p->self)
		return 0;
	/* The thread's vector of blocks (dtv) is at its second word; an element has two words. */
	block = interp_word(interp_word(p->self + 8) +
			    16 * interp_word(p->base + p->ruby.tls_module));
	for (i = 0; i < RUBY_TLS_MAX; i++) {
		if (i >= p->ruby.tls_cnt)
			break;
		if (ruby_take_context(p, interp_word(block + p->ruby.tls_off + 8ull * i)))
			return 1;
	}
	return 0;
}

static __always_inline void ruby_walk(struct interp_state *p, __u32 key)
{
	int i;

	if (!ruby_find_context(key))
		return;
	for (i = 0; i < INTERP_FRAME_RUN; i++)
		if (ruby_frame_run(key))
			return;
	/* Frames of C count, too, where words and runs are none. */
	p->flaw = INTERP_TOO_MANY;
}

/* Notes the native frame that was added last, which is one of the loop. */
static __always_inline void ruby_note_loop(struct unwind_state *s, struct interp_state *p)
{
	__u32 at = p->loop_cnt;

	if (at >= INTERP_RUNS_MAX) {
		p->flaw = INTERP_TOO_MANY;
		return;
	}
	barrier_var(at);
	p->loops[at & (INTERP_RUNS_MAX - 1)] = (__u16)(s->cnt - 1);
	p->loop_cnt++;
}

/* Appends the words from `from` on, up to `end`, to p->stack; less if there is no room. */
static __always_inline void ruby_append(struct interp_state *p, const __u64 *words, __u64 from,
					__u64 end)
{
	__u64 to = p->to, cnt = end - from;

	if (from >= end || to >= INTERP_WORDS_MAX || from >= INTERP_WORDS_MAX)
		return;
	if (cnt > INTERP_WORDS_MAX - to)
		cnt = INTERP_WORDS_MAX - to;
	barrier_var(cnt);
	barrier_var(to);
	barrier_var(from);
	if (cnt > INTERP_WORDS_MAX || to >= INTERP_WORDS_MAX || from >= INTERP_WORDS_MAX)
		return;
	if (!bpf_probe_read_kernel(&p->stack[to], (__u32)(8 * cnt), words + from))
		p->to += (__u32)cnt;
}

static __always_inline __u64 ruby_run_end(const struct interp_state *p, __u32 run)
{
	if (run >= INTERP_RUNS_MAX)
		return 0;
	/* The mask stays: clang 21 compares a copy, of which the verifier learns nothing. */
	barrier_var(run);
	return p->runs[run & (INTERP_RUNS_MAX - 1)].end;
}

/* Adds the next loop with what it called: its run, or itself. Returns 0 if there may be more. */
__weak __noinline int ruby_join(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct interp_state *p = interp_state_of(key);
	__u32 loop, run, at;

	if (UNWIND_OFF || !s || !p)
		return 1;
	loop = p->joined_cnt;
	if (loop >= p->loop_cnt || loop >= INTERP_RUNS_MAX)
		return 1;
	barrier_var(loop);
	at = p->loops[loop & (INTERP_RUNS_MAX - 1)];
	run = loop + p->skew;
	ruby_append(p, s->pcs, p->from, at);
	if (run < p->run_cnt) {
		ruby_append(p, p->words, p->at, ruby_run_end(p, run));
		p->at = (__u32)ruby_run_end(p, run);
	} else {
		ruby_append(p, s->pcs, at, at + 1);
	}
	p->from = at + 1;
	p->joined_cnt++;
	return 0;
}

#define RUBY_JOIN_RUN 17
_Static_assert(INTERP_RUNS_MAX < RUBY_JOIN_RUN * RUBY_JOIN_RUN, "all loops can be joined");

__weak __noinline int ruby_join_run(__u32 key)
{
	int i;

	if (UNWIND_OFF)
		return 1;
	for (i = 0; i < RUBY_JOIN_RUN; i++)
		if (ruby_join(key))
			return 1;
	return 0;
}

/* Puts the stack together, after the native walk. */
__weak __noinline int ruby_end(__u32 key)
{
	struct unwind_state *s = bpf_map_lookup_elem(&unwind_states, &key);
	struct interp_state *p = interp_state_of(key);
	__u64 cnt;
	int i;

	if (UNWIND_OFF || !s || !p)
		return 0;
	p->at = p->from = p->to = p->joined_cnt = p->skew = 0;
	/* The outermost loop has the outermost run, if both are there; else both are inner ones. */
	if (s->end == UNWIND_OUTERMOST && !p->flaw)
		p->skew = p->run_cnt - p->loop_cnt;
	/* A call that begins: its run has no loop yet, and is the innermost one. */
	if (p->skew && p->skew <= p->run_cnt) {
		p->at = (__u32)ruby_run_end(p, p->skew - 1);
		ruby_append(p, p->words, 0, p->at);
	}
	for (i = 0; i < RUBY_JOIN_RUN; i++)
		if (ruby_join_run(key))
			break;
	ruby_append(p, s->pcs, p->from, s->cnt);
	/* A call that ends: its loop has no run any more. */
	if (!p->flaw && p->skew + 1 > 2)
		p->flaw = INTERP_UNORDERED;
	cnt = p->to;
	barrier_var(cnt);
	if (cnt > UNWIND_FRAMES_MAX)
		return 0;
	if (!bpf_probe_read_kernel(s->pcs, (__u32)(8 * cnt), p->stack))
		s->cnt = cnt < s->max ? (__u32)cnt : s->max;
	return 0;
}

#endif
