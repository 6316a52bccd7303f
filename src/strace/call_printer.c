// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "strace/call_printer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "strace/fd_names.h"
#include "strace/fetch_user.h"
#include "util/u64map.h"

#define HELD_SIGNALS 4
/* Result of a call that restart_syscall resumes: the kernel's ERESTART_RESTARTBLOCK. */
#define RESTART_BLOCK 516

/* A thread that has made a call and has not exited. */
struct printed_thread {
	uint32_t tid;
	bool is_live;
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
	struct strbuf *out;
	struct strbuf note;
	struct u64map by_tid;
	struct printed_thread *threads;
	size_t thread_cnt, thread_cap, live_cnt;
	uint64_t last_ns; /* time of the line before, for -r */
	int64_t second; /* the second that date has */
	char date[32];
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
	p->second = -1;
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

static void put_pid(struct call_printer *p, uint32_t tid)
{
	if (p->opts.all_pids || p->live_cnt > 1)
		strbuf__printf(p->out, p->opts.all_pids ? "%-5u " : "[pid %5u] ", tid);
}

static void put_time(struct call_printer *p, uint64_t mono_ns)
{
	int64_t ns = (int64_t)mono_ns + p->opts.mono_to_real_ns, sec = ns / 1000000000;
	unsigned int us = (unsigned int)(ns % 1000000000 / 1000);

	if (p->opts.relative) {
		int64_t since = p->last_ns ? (int64_t)(mono_ns - p->last_ns) : 0;

		p->last_ns = mono_ns;
		if (since < 0)
			since = 0;
		strbuf__printf(p->out, "%6lld.%06lld ", (long long)since / 1000000000,
			       (long long)since % 1000000000 / 1000);
	}
	if (p->opts.time == PRINT_NO_TIME)
		return;
	if (p->opts.time == PRINT_EPOCH) {
		strbuf__printf(p->out, "%lld.%06u ", (long long)sec, us);
		return;
	}
	if (sec != p->second) {
		time_t t = (time_t)sec;
		struct tm tm;

		p->second = sec;
		p->date[0] = '\0';
		if (localtime_r(&t, &tm))
			strftime(p->date, sizeof(p->date), "%H:%M:%S", &tm);
	}
	strbuf__puts(p->out, p->date);
	if (p->opts.time == PRINT_MICROS) {
		strbuf__putc(p->out, '.');
		strbuf__put_u64_pad(p->out, us, 6, '0');
	}
	strbuf__putc(p->out, ' ');
}

static void put_head(struct call_printer *p, uint32_t tid, uint64_t mono_ns)
{
	put_pid(p, tid);
	put_time(p, mono_ns);
}

/* Fills the line up to the column of results. */
static void put_equals(struct call_printer *p, size_t line_at)
{
	size_t len = p->out->len + 1 - line_at;

	strbuf__putc(p->out, ' ');
	if (len < p->opts.column) {
		size_t more = p->opts.column - len;

		if (strbuf__reserve(p->out, more))
			return;
		memset(p->out->buf + p->out->len, ' ', more);
		p->out->len += more;
	}
	strbuf__puts(p->out, "= ");
}

static void put_duration(struct call_printer *p, uint64_t ns)
{
	strbuf__printf(p->out, " <%llu.%06llu>", (unsigned long long)ns / 1000000000,
		       (unsigned long long)ns % 1000000000 / 1000);
}

static void init_view(struct call_printer *p, struct call_view *v, const struct wire_call *rec,
		      bool returned)
{
	v->out = p->out;
	v->note = &p->note;
	v->opts = &p->opts.text;
	v->exec = NULL;
	v->interrupted = NULL;
	v->names_path = false;
	call_view__init(v, &p->table->calls[rec->nr % (STRACE_ABIS * STRACE_CALLS)], rec, returned);
}

/* Takes back a line that names no path of -P. Returns whether the line stays. */
static bool keeps_line(struct call_printer *p, const struct call_view *v, size_t line_at,
		       uint64_t last_ns)
{
	if (!p->opts.text.paths || v->names_path)
		return true;
	p->out->len = line_at;
	p->last_ns = last_ns;
	return false;
}

/*
 * Prints a call; `result` has its result, or is NULL if it has none. t: its thread, or NULL.
 * Returns false if -P does not want it.
 */
static bool print_call(struct call_printer *p, const struct wire_call *rec,
		       const struct wire_call *result, const struct printed_thread *t)
{
	uint64_t last_ns = p->last_ns;
	size_t line_at = p->out->len;
	struct call_view v;

	put_head(p, rec->tid, rec->enter_ns ? rec->enter_ns : rec->head.time_ns);
	init_view(p, &v, rec, result != NULL);
	/* Only the record of the entry lacks what the program's memory may not have had yet. */
	if (t && rec == t->begun)
		v.exec = t->exec;
	if (t)
		v.interrupted = t->interrupted;
	if (result) {
		v.ret = result->ret;
		v.err = result->ret < 0 && result->ret >= -4095 ? (int)-result->ret : 0;
	}
	if (p->opts.text.fds)
		fd_names__before(p->opts.text.fds, &v);
	call_view__print_call(&v);
	put_equals(p, line_at);
	if (result) {
		call_view__print_result(&v);
		if (p->opts.durations && result->enter_ns)
			put_duration(p, result->head.time_ns - result->enter_ns);
	} else {
		strbuf__putc(p->out, '?');
	}
	if (p->opts.text.fds)
		fd_names__after(p->opts.text.fds, &v);
	strbuf__putc(p->out, '\n');
	return keeps_line(p, &v, line_at, last_ns);
}

static void put_stack(struct call_printer *p, const struct wire_call *rec, struct strbuf *out)
{
	if (p->opts.put_stack)
		p->opts.put_stack(p->opts.stack_ctx, rec, out);
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
	strbuf__reset(&t->begun_stack);
	put_stack(p, rec, &t->begun_stack);
	return 0;
}

static int on_begin(struct call_printer *p, const struct wire_call *rec)
{
	const struct call *call = &p->table->calls[rec->nr % (STRACE_ABIS * STRACE_CALLS)];
	struct printed_thread *t = thread_of(p, rec->tid);

	if (call->desc && call->desc->flags & STRACE_NO_RETURN) {
		if (!print_call(p, rec, NULL, NULL))
			return 0;
		put_stack(p, rec, p->out);
		return 1;
	}
	if (t)
		keep_begun(p, t, rec);
	return 0;
}

static void print_signal(struct call_printer *p, const struct wire_signal *rec)
{
	put_head(p, rec->tid, rec->head.time_ns);
	strbuf__puts(p->out, "--- ");
	put_signal(p->out, (int)rec->sig);
	strbuf__putc(p->out, ' ');
	put_siginfo(p->out, rec->info);
	strbuf__puts(p->out, " ---\n");
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

	if (rec->ret != -RESTART_BLOCK)
		t->interrupted = NULL;
	else if (!t->interrupted)
		t->interrupted = name;
}

static int on_call(struct call_printer *p, const struct wire_call *rec)
{
	struct printed_thread *t = thread_of(p, rec->tid);
	bool begun = t && t->begun && t->begun->head.sz && rec->flags & WIRE_CALL_BEGUN;
	bool replaced = begun && rec->ret >= 0, printed;
	size_t len = p->out->len;

	print_held(p, t, rec->enter_ns);
	/* The record of a failed execve has its memory; that of a successful one is gone. */
	if (!replaced)
		printed = print_call(p, rec, rec, t);
	else
		printed = print_call(p, t->begun, rec, t);
	/* A successful execve has replaced the program that called it. */
	if (printed && replaced && t->begun_stack.len)
		strbuf__add(p->out, t->begun_stack.buf, t->begun_stack.len);
	else if (printed)
		put_stack(p, rec, p->out);
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

static int on_exec(struct call_printer *p, const struct wire_exec *rec)
{
	struct printed_thread *t = thread_of(p, rec->tid);

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
	int code = (int)rec->code;

	print_held(p, t, UINT64_MAX);
	print_fatal(p, rec, t);
	put_head(p, rec->tid, rec->head.time_ns);
	if (WIFSIGNALED(code)) {
		strbuf__puts(p->out, "+++ killed by ");
		put_signal(p->out, WTERMSIG(code));
		strbuf__puts(p->out, WCOREDUMP(code) ? " (core dumped) +++\n" : " +++\n");
	} else {
		strbuf__printf(p->out, "+++ exited with %d +++\n", WEXITSTATUS(code));
	}
	if (t) {
		t->is_live = false;
		p->live_cnt--;
		t->sent.sig = 0;
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
	uint64_t last_ns = p->last_ns;
	size_t line_at = p->out->len;
	struct call_view v;

	put_head(p, rec->tid, rec->enter_ns);
	init_view(p, &v, rec, false);
	call_view__print_begin(&v);
	strbuf__puts(p->out, " <unfinished ...>\n");
	keeps_line(p, &v, line_at, last_ns);
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
