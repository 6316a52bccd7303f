// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* --format csv: one row for each call, signal and exit; the columns are those of csv_begin(). */
#include <string.h>
#include <sys/wait.h>

#include "strace/call_format.h"
#include "strace/view.h"

static void csv_begin(struct call_format *f)
{
	strbuf__puts(f->out, "time,real,pid,tid,kind,call,args,ret,error,result,duration,stack\n");
}

/* Puts a cell, and the comma before it. */
static void put_cell(struct call_format *f, const char *text, size_t len)
{
	strbuf__putc(f->out, ',');
	if (len)
		strbuf__put_csv(f->out, text, len);
}

static void put_scratch(struct call_format *f)
{
	put_cell(f, f->text.buf, f->text.len);
	strbuf__reset(&f->text);
}

static void put_head(struct call_format *f, const struct call_line *l, const char *kind)
{
	strbuf__put_u64(f->out, l->time_ns);
	strbuf__putc(f->out, ',');
	strbuf__put_s64(f->out, (int64_t)l->time_ns + f->opts->mono_to_real_ns);
	strbuf__printf(f->out, ",%u,%u,%s", l->tgid, l->tid, kind);
	strbuf__reset(&f->text);
}

static void csv_call(struct call_format *f, const struct call_line *l, struct call_view *v,
		     const struct wire_call *result, bool unfinished)
{
	put_head(f, l, unfinished || v->was_killed ? "unfinished" : "call");
	v->out = &f->text;
	call_view__put_name(v);
	put_scratch(f);
	call_view__put_args(v, unfinished || v->was_killed);
	put_scratch(f);
	strbuf__putc(f->out, ',');
	if (result) {
		strbuf__put_s64(f->out, v->err ? -1 : v->ret);
		if (v->err)
			put_errno(&f->text, v->err);
		put_scratch(f);
		call_view__print_result(v);
		put_scratch(f);
		strbuf__putc(f->out, ',');
		if (result->enter_ns)
			strbuf__put_u64(f->out, result->head.time_ns - result->enter_ns);
	} else {
		strbuf__puts(f->out, ",,,");
	}
	strbuf__putc(f->out, ',');
	v->out = f->out;
}

static void csv_signal(struct call_format *f, const struct call_line *l,
		       const struct wire_signal *rec)
{
	put_head(f, l, "signal");
	put_signal(&f->text, (int)rec->sig);
	put_scratch(f);
	put_siginfo(&f->text, &f->opts->text, rec->info);
	put_scratch(f);
	strbuf__puts(f->out, ",,,,,");
}

/* The result is the status, or the thread that calls exec. */
static void csv_exit(struct call_format *f, const struct call_line *l, const struct wire_exit *rec)
{
	int status = (int)rec->code;

	if (rec->exec_tid)
		put_head(f, l, "superseded");
	else
		put_head(f, l, WIFSIGNALED(status) ? "killed" : "exited");
	if (WIFSIGNALED(status))
		put_signal(&f->text, WTERMSIG(status));
	put_scratch(f);
	strbuf__putc(f->out, ',');
	strbuf__putc(f->out, ',');
	if (!WIFSIGNALED(status))
		strbuf__put_s64(f->out, rec->exec_tid ? rec->exec_tid : WEXITSTATUS(status));
	strbuf__puts(f->out, ",,,,");
}

static void csv_stack(struct call_format *f, const struct strbuf *lines)
{
	strbuf__put_csv(f->out, lines->buf, lines->len);
}

static void csv_end(struct call_format *f)
{
	strbuf__putc(f->out, '\n');
}

static void csv_lost(struct call_format *f, uint64_t time_ns, uint64_t cnt, const char *cause)
{
	strbuf__put_u64(f->out, time_ns);
	strbuf__puts(f->out, ",,,,lost");
	put_cell(f, cause, strlen(cause));
	strbuf__putc(f->out, ',');
	strbuf__printf(f->out, ",%llu,,,,\n", (unsigned long long)cnt);
}

const struct call_format_ops call_csv = {
	.name = "csv",
	.begin = csv_begin,
	.call = csv_call,
	.signal = csv_signal,
	.exit = csv_exit,
	.stack = csv_stack,
	.end = csv_end,
	.lost = csv_lost,
};
