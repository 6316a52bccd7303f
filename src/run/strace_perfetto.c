// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/strace_perfetto.h"

#include <string.h>
#include <sys/wait.h>

#include "sink/trace_event.h"
#include "strace/call_format.h"
#include "strace/view.h"

static struct trace_event_writer writer_of(struct call_format *f)
{
	return (struct trace_event_writer){ f->out, f->has_items };
}

static void perfetto_begin(struct call_format *f)
{
	strbuf__puts(f->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

/* Begins an event, before which its thread is named. */
static void begin_event(struct call_format *f, const struct call_line *l, char ph)
{
	struct trace_event_writer w = writer_of(f);

	if (l->is_named) {
		trace_event__meta_name(&w, "thread_name", l->tgid, l->tid, l->name);
		if (l->tid == l->tgid)
			trace_event__meta_name(&w, "process_name", l->tgid, l->tid, l->name);
	}
	trace_event__begin(&w, ph, l->time_ns, l->tgid, l->tid);
	f->has_items = w.has_any;
	strbuf__reset(&f->text);
}

/* Puts the name of an event, which has been collected in f->text. */
static void put_name(struct call_format *f, const char *category)
{
	struct trace_event_writer w = writer_of(f);

	trace_event__name(&w, strbuf__cstr(&f->text), category);
	strbuf__reset(&f->text);
}

/* Puts a member of args: the text that has been collected. */
static void put_member(struct call_format *f, const char *member)
{
	if (f->out->buf[f->out->len - 1] != '{')
		strbuf__putc(f->out, ',');
	strbuf__printf(f->out, "\"%s\":", member);
	strbuf__put_json(f->out, strbuf__cstr(&f->text), f->text.len);
	strbuf__reset(&f->text);
}

static void perfetto_call(struct call_format *f, const struct call_line *l, struct call_view *v,
			  const struct wire_call *result, bool unfinished)
{
	struct trace_event_writer w;
	/* A slice without an end goes on; a call that does not return is an instant. */
	char ph = result && result->enter_ns ? 'X' : unfinished ? 'B' : 'i';

	begin_event(f, l, ph);
	w = writer_of(f);
	if (ph == 'X')
		trace_event__dur(&w, result->head.time_ns - result->enter_ns);
	if (ph == 'i')
		strbuf__puts(f->out, ",\"s\":\"t\"");
	v->out = &f->text;
	call_view__put_name(v);
	put_name(f, "call");
	strbuf__puts(f->out, ",\"args\":{");
	call_view__put_args(v, unfinished);
	put_member(f, "args");
	if (result) {
		call_view__print_result(v);
		put_member(f, "result");
	}
	if (v->err) {
		put_errno(&f->text, v->err);
		put_member(f, "error");
	}
	v->out = f->out;
}

static void perfetto_signal(struct call_format *f, const struct call_line *l,
			    const struct wire_signal *rec)
{
	begin_event(f, l, 'i');
	strbuf__puts(f->out, ",\"s\":\"t\"");
	put_signal(&f->text, (int)rec->sig);
	put_name(f, "signal");
	strbuf__puts(f->out, ",\"args\":{");
	put_siginfo(&f->text, &f->opts->text, rec->info);
	put_member(f, "info");
}

static void perfetto_exit(struct call_format *f, const struct call_line *l,
			  const struct wire_exit *rec)
{
	int status = (int)rec->code;

	begin_event(f, l, 'i');
	strbuf__puts(f->out, ",\"s\":\"t\"");
	if (rec->exec_tid) {
		strbuf__printf(&f->text, "superseded by execve in pid %u", rec->exec_tid);
	} else if (WIFSIGNALED(status)) {
		strbuf__puts(&f->text, "killed by ");
		put_signal(&f->text, WTERMSIG(status));
	} else {
		strbuf__printf(&f->text, "exited with %d", WEXITSTATUS(status));
	}
	put_name(f, "exit");
	strbuf__puts(f->out, ",\"args\":{");
}

static void perfetto_stack(struct call_format *f, const struct strbuf *lines)
{
	strbuf__add(&f->text, lines->buf, lines->len);
	put_member(f, "stack");
}

static void perfetto_end(struct call_format *f)
{
	strbuf__puts(f->out, "}}");
}

static void perfetto_lost(struct call_format *f, uint64_t time_ns, uint64_t cnt, const char *cause)
{
	struct call_line line = { .time_ns = time_ns };

	begin_event(f, &line, 'i');
	strbuf__printf(&f->text, "LOST %llu records", (unsigned long long)cnt);
	put_name(f, "lost");
	strbuf__printf(f->out, ",\"s\":\"g\",\"args\":{\"count\":%llu", (unsigned long long)cnt);
	strbuf__puts(&f->text, cause);
	put_member(f, "cause");
	perfetto_end(f);
}

static void perfetto_finish(struct call_format *f)
{
	strbuf__puts(f->out, "\n]}\n");
}

const struct call_format_ops call_perfetto = {
	.name = "perfetto",
	.begin = perfetto_begin,
	.call = perfetto_call,
	.signal = perfetto_signal,
	.exit = perfetto_exit,
	.stack = perfetto_stack,
	.end = perfetto_end,
	.lost = perfetto_lost,
	.finish = perfetto_finish,
};
