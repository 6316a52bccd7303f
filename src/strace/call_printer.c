// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/call_printer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "strace/call_format.h"
#include "strace/fd_names.h"
#include "strace/fetch_user.h"
#include "util/u64map.h"

#define HELD_SIGNALS 4

/* A thread that has made a call and has not exited. */
struct printed_thread {
	uint32_t tid;
	bool is_live;
	uint32_t exec_tid; /* the thread that has ended it by exec; or 0 */
	char name[16]; /* in the last line */
	struct wire_call *begun; /* record of a call that has begun; NULL: none */
	size_t begun_sz; /* bytes that it has room for */
	struct strbuf begun_stack; /* lines of its stack */
	struct wire_exec *exec; /* the program that an execve runs; NULL: none */
	const char *interrupted; /* the call that a restart_syscall resumes; NULL: none */
	/* Signals that are printed after the call that the thread is inside of. */
	struct wire_signal held[HELD_SIGNALS];
	unsigned int held_cnt;
	/* The last signal that was sent to it and not delivered: it may end the process. */
	struct wire_signal sent;
};

struct call_printer {
	const struct call_table *table;
	struct printer_opts opts;
	struct call_format format;
	struct strbuf *out;
	struct strbuf note;
	struct strbuf stack; /* lines of a call's stack */
	uint64_t wide[CALL_ARGS][NARROW_WORDS]; /* structures of 32-bit programs */
	struct u64map by_tid;
	struct printed_thread *threads;
	size_t thread_cnt, thread_cap, live_cnt;
};

struct call_printer *call_printer__new(const struct call_table *table,
				       const struct printer_opts *opts, struct strbuf *out)
{
	struct call_printer *p = calloc(1, sizeof(*p));

	if (!p) {
		errno = ENOMEM;
		return NULL;
	}
	p->table = table;
	p->opts = *opts;
	p->out = out;
	p->format = (struct call_format){
		.ops = opts->format ? opts->format : &call_text,
		.opts = &p->opts,
		.out = out,
		.second = -1,
	};
	return p;
}

void call_printer__free(struct call_printer *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->thread_cnt; i++) {
		free(p->threads[i].begun);
		free(p->threads[i].exec);
		strbuf__free(&p->threads[i].begun_stack);
	}
	free(p->threads);
	u64map__free(&p->by_tid);
	strbuf__free(&p->note);
	strbuf__free(&p->stack);
	strbuf__free(&p->format.text);
	free(p);
}

/* Returns the thread, which is new if it has exited before. NULL: no memory. */
static struct printed_thread *thread_of(struct call_printer *p, uint32_t tid)
{
	uint32_t *slot = u64map__slot(&p->by_tid, tid);
	struct printed_thread *t;

	if (!slot)
		return NULL;
	if (*slot == U64MAP_NONE) {
		if (p->thread_cnt == p->thread_cap) {
			size_t cap = p->thread_cap ? 2 * p->thread_cap : 16;
			void *more = realloc(p->threads, cap * sizeof(*p->threads));

			if (!more)
				return NULL;
			p->threads = more;
			p->thread_cap = cap;
		}
		*slot = (uint32_t)p->thread_cnt;
		p->threads[p->thread_cnt++] = (struct printed_thread){ .tid = tid };
	}
	t = &p->threads[*slot];
	if (!t->is_live) {
		t->is_live = true;
		p->live_cnt++;
	}
	return t;
}

/* Notes the name of a line's thread. */
static void name_line(struct call_printer *p, struct call_line *line)
{
	const struct text_opts *o = &p->opts.text;
	uint32_t i = u64map__get(&p->by_tid, line->tid);

	line->name = o->task_name ? o->task_name(o->task_ctx, line->tid) : NULL;
	if (!line->name || i == U64MAP_NONE ||
	    strncmp(p->threads[i].name, line->name, sizeof(p->threads[i].name) - 1) == 0)
		return;
	snprintf(p->threads[i].name, sizeof(p->threads[i].name), "%s", line->name);
	line->is_named = true;
}

static struct call_line line_of(struct call_printer *p, const struct wire_rec *head, uint32_t tid,
				uint64_t time_ns)
{
	struct call_line line = {
		.tgid = head->tgid,
		.tid = tid,
		.time_ns = time_ns,
		.many_threads = p->live_cnt > 1,
	};

	name_line(p, &line);
	return line;
}

static void init_view(struct call_printer *p, struct call_view *v, const struct wire_call *rec,
		      bool returned)
{
	v->out = p->out;
	v->note = &p->note;
	v->opts = &p->opts.text;
	v->wide = p->wide;
	v->exec = NULL;
	v->interrupted = NULL;
	v->was_killed = false;
	v->names_path = false;
	call_view__init(v, &p->table->calls[rec->nr % (STRACE_ABIS * STRACE_CALLS)], rec, returned);
}

/*
 * Prints a call, without its end; `result` has its result, or is NULL if it has none. t: its
 * thread, or NULL. Returns false if -P does not want it.
 */
static bool print_call(struct call_printer *p, const struct wire_call *rec,
		       const struct wire_call *result, const struct printed_thread *t,
		       bool unfinished)
{
	/* A thread that has called exec has another id when it returns. */
	struct call_line line = line_of(p, &rec->head, result ? result->tid : rec->tid,
					rec->enter_ns ? rec->enter_ns : rec->head.time_ns);
	struct fd_names *fds = unfinished ? NULL : p->opts.text.fds;
	bool killed = result && result->flags & WIRE_CALL_KILLED;
	uint64_t last_ns = p->format.last_ns;
	size_t line_at = p->out->len;
	struct call_view v;

	init_view(p, &v, rec, result && !killed);
	v.was_killed = killed;
	/* Only the record of the entry lacks what the program's memory may not have had yet. */
	if (t && rec == t->begun)
		v.exec = t->exec;
	if (t)
		v.interrupted = t->interrupted;
	if (v.returned) {
		v.ret = result->ret;
		v.err = result->ret < 0 && result->ret >= -4095 ? (int)-result->ret : 0;
	}
	if (fds)
		fd_names__before(fds, &v);
	p->format.ops->call(&p->format, &line, &v, killed ? NULL : result, unfinished);
	if (fds)
		fd_names__after(fds, &v);
	if (!p->opts.text.paths || v.names_path)
		return true;
	p->out->len = line_at;
	p->format.last_ns = last_ns;
	return false;
}

/* Appends the lines of a stack to an empty buffer. */
static void take_stack(struct call_printer *p, const struct wire_call *rec, struct strbuf *lines)
{
	strbuf__reset(lines);
	if (p->opts.put_stack)
		p->opts.put_stack(p->opts.stack_ctx, rec, lines);
}

/* Ends what print_call() has begun, with a stack if there is one. */
static void end_call(struct call_printer *p, const struct strbuf *stack)
{
	if (stack->len)
		p->format.ops->stack(&p->format, stack);
	p->format.ops->end(&p->format);
}

static int keep_begun(struct call_printer *p, struct printed_thread *t, const struct wire_call *rec)
{
	size_t sz = rec->head.sz;

	if (sz > t->begun_sz) {
		void *more = realloc(t->begun, sz);

		if (!more)
			return -ENOMEM;
		t->begun = more;
		t->begun_sz = sz;
	}
	memcpy(t->begun, rec, sz);
	take_stack(p, rec, &t->begun_stack);
	return 0;
}

static int on_begin(struct call_printer *p, const struct wire_call *rec)
{
	const struct call *call = &p->table->calls[rec->nr % (STRACE_ABIS * STRACE_CALLS)];
	struct printed_thread *t = thread_of(p, rec->tid);

	if (call->desc && call->desc->flags & STRACE_NO_RETURN) {
		if (!print_call(p, rec, NULL, NULL, false))
			return 0;
		take_stack(p, rec, &p->stack);
		end_call(p, &p->stack);
		return 1;
	}
	if (t)
		keep_begun(p, t, rec);
	return 0;
}

static void print_signal(struct call_printer *p, const struct wire_signal *rec)
{
	struct call_line line = line_of(p, &rec->head, rec->tid, rec->head.time_ns);

	p->format.ops->signal(&p->format, &line, rec);
	p->format.ops->end(&p->format);
}

/* Prints the signals that were held back and are older than this time. */
static void print_held(struct call_printer *p, struct printed_thread *t, uint64_t before_ns)
{
	unsigned int i, kept = 0;

	for (i = 0; t && i < t->held_cnt; i++) {
		if (t->held[i].head.time_ns < before_ns)
			print_signal(p, &t->held[i]);
		else
			t->held[kept++] = t->held[i];
	}
	if (t)
		t->held_cnt = kept;
}

/* A call that restart_syscall resumes, also more than once. */
static void note_interrupted(struct call_printer *p, struct printed_thread *t,
			     const struct wire_call *rec)
{
	const char *name = p->table->calls[rec->nr % (STRACE_ABIS * STRACE_CALLS)].name;

	if (rec->ret != -ERESTART_RESTARTBLOCK)
		t->interrupted = NULL;
	else if (!t->interrupted)
		t->interrupted = name;
}

static int on_call(struct call_printer *p, const struct wire_call *rec)
{
	struct printed_thread *t = thread_of(p, rec->tid);
	bool begun = t && t->begun && t->begun->head.sz && rec->flags & WIRE_CALL_BEGUN;
	bool replaced = begun && rec->ret >= 0;
	size_t len = p->out->len;

	print_held(p, t, rec->enter_ns);
	/* The record of a failed execve has its memory; that of a successful one is gone. */
	if (print_call(p, replaced ? t->begun : rec, rec, t, false)) {
		take_stack(p, rec, &p->stack);
		/* A successful execve has replaced the program that called it. */
		end_call(p, replaced && t->begun_stack.len ? &t->begun_stack : &p->stack);
	}
	if (begun)
		t->begun->head.sz = 0;
	if (t) {
		free(t->exec);
		t->exec = NULL;
		note_interrupted(p, t, rec);
	}
	print_held(p, t, UINT64_MAX);
	return p->out->len > len;
}

/* The call of exec belongs to the first thread from now on: it has taken that thread's place. */
static void supersede(struct call_printer *p, struct printed_thread *first)
{
	uint32_t i = first->exec_tid ? u64map__get(&p->by_tid, first->exec_tid) : U64MAP_NONE;
	struct printed_thread *caller = i == U64MAP_NONE ? NULL : &p->threads[i];
	struct wire_call *begun = first->begun;
	size_t sz = first->begun_sz;

	first->exec_tid = 0;
	if (!caller || !caller->is_live || !caller->begun || !caller->begun->head.sz)
		return;
	first->begun = caller->begun;
	first->begun_sz = caller->begun_sz;
	caller->begun = begun;
	caller->begun_sz = sz;
	if (begun)
		begun->head.sz = 0;
	strbuf__reset(&first->begun_stack);
	strbuf__add(&first->begun_stack, caller->begun_stack.buf, caller->begun_stack.len);
	caller->is_live = false;
	p->live_cnt--;
}

static int on_exec(struct call_printer *p, const struct wire_exec *rec)
{
	struct printed_thread *t = thread_of(p, rec->tid);

	if (t)
		supersede(p, t);
	if (!t || sizeof(*rec) + rec->path_sz + rec->args_sz > rec->head.sz)
		return 0;
	free(t->exec);
	t->exec = malloc(rec->head.sz);
	if (t->exec)
		memcpy(t->exec, rec, rec->head.sz);
	return 0;
}

static int on_signal(struct call_printer *p, const struct wire_signal *rec)
{
	struct printed_thread *t = thread_of(p, rec->tid);

	if (rec->how == WIRE_SIGNAL_SENT) {
		if (t)
			t->sent = *rec;
		return 0;
	}
	if (rec->how == WIRE_SIGNAL_IGNORED && t && t->held_cnt < HELD_SIGNALS) {
		t->held[t->held_cnt++] = *rec;
		return 0;
	}
	if (t)
		t->sent.sig = 0;
	print_signal(p, rec);
	return 1;
}

/* Prints the signal that has ended the process, which no thread of it was delivered. */
static void print_fatal(struct call_printer *p, const struct wire_exit *rec,
			const struct printed_thread *t)
{
	int code = (int)rec->code;

	if (t && WIFSIGNALED(code) && t->sent.sig == WTERMSIG(code))
		print_signal(p, &t->sent);
}

static int on_exit_of(struct call_printer *p, const struct wire_exit *rec)
{
	struct printed_thread *t = thread_of(p, rec->tid);
	struct call_line line;

	print_held(p, t, UINT64_MAX);
	print_fatal(p, rec, t);
	line = line_of(p, &rec->head, rec->tid, rec->head.time_ns);
	p->format.ops->exit(&p->format, &line, rec);
	p->format.ops->end(&p->format);
	if (t) {
		t->is_live = false;
		p->live_cnt--;
		t->sent.sig = 0;
		t->exec_tid = rec->exec_tid;
		if (t->begun)
			t->begun->head.sz = 0;
	}
	return 1;
}

int call_printer__record(struct call_printer *p, const struct wire_rec *rec)
{
	switch (rec->kind) {
	case WIRE_CALL:
		return on_call(p, (const struct wire_call *)rec);
	case WIRE_CALL_BEGIN:
		return on_begin(p, (const struct wire_call *)rec);
	case WIRE_SIGNAL:
		return on_signal(p, (const struct wire_signal *)rec);
	case WIRE_EXEC:
		return on_exec(p, (const struct wire_exec *)rec);
	case WIRE_EXIT:
		return on_exit_of(p, (const struct wire_exit *)rec);
	}
	return 0;
}

/* Prints the beginning of a call that goes on. */
static void print_unfinished(struct call_printer *p, const struct wire_call *rec)
{
	if (print_call(p, rec, NULL, NULL, true))
		p->format.ops->end(&p->format);
}

void call_printer__begin(struct call_printer *p)
{
	if (p->format.ops->begin)
		p->format.ops->begin(&p->format);
}

void call_printer__finish(struct call_printer *p)
{
	if (p->format.ops->finish)
		p->format.ops->finish(&p->format);
}

void call_printer__lost(struct call_printer *p, uint64_t time_ns, uint64_t cnt, const char *cause)
{
	p->format.ops->lost(&p->format, time_ns, cnt, cause);
}

void call_printer__unfinished(struct call_printer *p, const struct strace_thread *t)
{
	union {
		struct wire_call rec;
		char bytes[sizeof(struct wire_call) + FETCH_USER_MAX];
	} u = {};
	struct wire_call *rec = &u.rec;
	uint32_t nr = t->nr % (STRACE_ABIS * STRACE_CALLS);

	/* Its record has come already, and is printed by call_printer__end(). */
	if (t->sent)
		return;
	rec->head =
		(struct wire_rec){ .sz = sizeof(*rec), .tgid = t->tgid, .time_ns = t->enter_ns };
	rec->tid = t->tid;
	rec->nr = (__u16)nr;
	rec->enter_ns = t->enter_ns;
	memcpy(rec->args, t->args, sizeof(rec->args));
	fetch_user__complete(rec, &p->table->wire[nr], t);
	print_unfinished(p, rec);
}

void call_printer__end(struct call_printer *p)
{
	size_t i;

	for (i = 0; i < p->thread_cnt; i++) {
		const struct wire_call *begun = p->threads[i].begun;

		if (begun && begun->head.sz)
			print_unfinished(p, begun);
	}
}
