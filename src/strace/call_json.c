// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format json: one object per line. Arguments and results are the texts of the lines of strace;
 * numbers, names and times have members of their own.
 */
#include <string.h>
#include <sys/wait.h>

#include "strace/call_format.h"
#include "strace/view.h"

static void put_member(struct call_format *f, const char *member)
{
	strbuf__printf(f->out, ",\"%s\":", member);
	strbuf__put_json(f->out, f->text.buf ? f->text.buf : "", f->text.len);
}

/* {"time":…,"real":…,"pid":…,"tid":… in nanoseconds of CLOCK_MONOTONIC and CLOCK_REALTIME */
static void put_head(struct call_format *f, const struct call_line *l)
{
	strbuf__puts(f->out, "{\"time\":");
	strbuf__put_u64(f->out, l->time_ns);
	strbuf__puts(f->out, ",\"real\":");
	strbuf__put_s64(f->out, (int64_t)l->time_ns + f->opts->mono_to_real_ns);
	strbuf__puts(f->out, ",\"pid\":");
	strbuf__put_u64(f->out, l->tgid);
	strbuf__puts(f->out, ",\"tid\":");
	strbuf__put_u64(f->out, l->tid);
	if (!f->opts->text.decode_pids || !l->name)
		return;
	strbuf__puts(f->out, ",\"comm\":");
	strbuf__put_json(f->out, l->name, strlen(l->name));
}

static void put_args(struct call_format *f, struct call_view *v, bool unfinished)
{
	unsigned int i;

	strbuf__puts(f->out, ",\"args\":[");
	for (i = 0;; i++) {
		strbuf__reset(&f->text);
		if (!call_view__put_arg(v, i, unfinished))
			break;
		/* The call does not use it. */
		if (!f->text.len)
			continue;
		if (f->out->buf[f->out->len - 1] != '[')
			strbuf__putc(f->out, ',');
		strbuf__put_json(f->out, f->text.buf, f->text.len);
	}
	strbuf__putc(f->out, ']');
}

static void json_call(struct call_format *f, const struct call_line *l, struct call_view *v,
		      const struct wire_call *result, bool unfinished)
{
	put_head(f, l);
	v->out = &f->text;
	strbuf__reset(&f->text);
	call_view__put_name(v);
	put_member(f, "call");
	put_args(f, v, unfinished || v->was_killed);
	if (result) {
		strbuf__puts(f->out, ",\"ret\":");
		strbuf__put_s64(f->out, v->err ? -1 : v->ret);
		if (v->err) {
			strbuf__reset(&f->text);
			put_errno(&f->text, v->err);
			put_member(f, "error");
		}
		strbuf__reset(&f->text);
		call_view__print_result(v);
		put_member(f, "result");
		if (result->enter_ns) {
			strbuf__puts(f->out, ",\"duration\":");
			strbuf__put_u64(f->out, result->head.time_ns - result->enter_ns);
		}
	} else if (unfinished || v->was_killed) {
		strbuf__puts(f->out, ",\"unfinished\":true");
	}
	v->out = f->out;
}

static void json_signal(struct call_format *f, const struct call_line *l,
			const struct wire_signal *rec)
{
	put_head(f, l);
	strbuf__reset(&f->text);
	put_signal(&f->text, (int)rec->sig);
	put_member(f, "signal");
	strbuf__reset(&f->text);
	put_siginfo(&f->text, &f->opts->text, rec->info);
	put_member(f, "info");
}

static void json_exit(struct call_format *f, const struct call_line *l, const struct wire_exit *rec)
{
	int status = (int)rec->code;

	put_head(f, l);
	if (rec->exec_tid) {
		strbuf__printf(f->out, ",\"superseded_by\":%u", rec->exec_tid);
		return;
	}
	if (!WIFSIGNALED(status)) {
		strbuf__printf(f->out, ",\"exited\":%d", WEXITSTATUS(status));
		return;
	}
	strbuf__reset(&f->text);
	put_signal(&f->text, WTERMSIG(status));
	put_member(f, "killed");
	if (WCOREDUMP(status))
		strbuf__puts(f->out, ",\"core\":true");
}

/* One text for each line. */
static void json_stack(struct call_format *f, const struct strbuf *lines)
{
	const char *at = lines->buf, *end = at + lines->len, *nl;

	strbuf__puts(f->out, ",\"stack\":[");
	for (; at < end && (nl = memchr(at, '\n', (size_t)(end - at))); at = nl + 1) {
		if (at != lines->buf)
			strbuf__putc(f->out, ',');
		at += strspn(at, " >");
		strbuf__put_json(f->out, at, (size_t)(nl - at));
	}
	strbuf__putc(f->out, ']');
}

static void json_end(struct call_format *f)
{
	strbuf__puts(f->out, "}\n");
}

static void json_lost(struct call_format *f, uint64_t time_ns, uint64_t cnt, const char *cause)
{
	strbuf__printf(f->out,
		       "{\"time\":%llu,\"lost\":%llu,\"cause\":", (unsigned long long)time_ns,
		       (unsigned long long)cnt);
	strbuf__put_json(f->out, cause, strlen(cause));
	strbuf__puts(f->out, "}\n");
}

const struct call_format_ops call_json = {
	.name = "json",
	.call = json_call,
	.signal = json_signal,
	.exit = json_exit,
	.stack = json_stack,
	.end = json_end,
	.lost = json_lost,
};
