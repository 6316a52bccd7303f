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
#include "strace/printed_threads.h"

/* A thread that has made a call and has not exited. */
struct call_printer {
	const struct call_table *table;
	struct printer_opts opts;
	struct call_format format;
	struct strbuf *out;
	struct strbuf note;
	struct strbuf stack; /* lines of a call's stack */
	uint64_t wide[CALL_ARGS][NARROW_WORDS]; /* structures of 32-bit programs */
	struct printed_threads threads;
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
	if (!p)
		return;
	printed_threads__free(&p->threads);
	strbuf__free(&p->note);
	strbuf__free(&p->stack);
	strbuf__free(&p->format.text);
	free(p);
}

/* Notes the name of a line's thread. */
static void name_line(struct call_printer *p, struct call_line *line)
{
	const struct text_opts *o = &p->opts.text;
	struct printed_thread *t = printed_threads__find(&p->threads, line->tid);

	line->name = o->task_name ? o->task_name(o->task_ctx, line->tid) : NULL;
	if (!line->name || !t || strncmp(t->name, line->name, sizeof(t->name) - 1) == 0)
		return;
	snprintf(t->name, sizeof(t->name), "%s", line->name);
	line->is_named = true;
}

static struct call_line line_of(struct call_printer *p, const struct wire_rec *head, uint32_t tid,
				uint64_t time_ns)
{
	struct call_line line = {
		.tgid = head->tgid,
		.tid = tid,
		.time_ns = time_ns,
		.many_threads = p->threads.live_cnt > 1,
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
	struct printed_thread *t = printed_threads__get(&p->threads, rec->tid);

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
	struct printed_thread *t = printed_threads__get(&p->threads, rec->tid);
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
	struct printed_thread *caller =
		first->exec_tid ? printed_threads__find(&p->threads, first->exec_tid) : NULL;
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
	printed_threads__retire(&p->threads, caller);
}

static int on_exec(struct call_printer *p, const struct wire_exec *rec)
{
	struct printed_thread *t = printed_threads__get(&p->threads, rec->tid);

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
	struct printed_thread *t = printed_threads__get(&p->threads, rec->tid);

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
	struct printed_thread *t = printed_threads__get(&p->threads, rec->tid);
	struct call_line line;

	print_held(p, t, UINT64_MAX);
	print_fatal(p, rec, t);
	line = line_of(p, &rec->head, rec->tid, rec->head.time_ns);
	p->format.ops->exit(&p->format, &line, rec);
	p->format.ops->end(&p->format);
	if (t && !rec->exec_tid) {
		printed_threads__retire(&p->threads, t);
	} else if (t) {
		/* The thread that has called exec takes its place. */
		t->is_live = false;
		p->threads.live_cnt--;
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

	for (i = 0; i < p->threads.cnt; i++) {
		const struct wire_call *begun = p->threads.threads[i].begun;

		if (begun && begun->head.sz)
			print_unfinished(p, begun);
	}
}
