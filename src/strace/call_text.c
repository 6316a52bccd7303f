// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* --format text: the lines of strace. */
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "strace/call_format.h"
#include "strace/view.h"

/* Without printf, which took an eighth of the time of a short line. */
static void put_thread(struct call_format *f, const struct call_line *l)
{
	const struct text_opts *o = &f->opts->text;
	size_t at;

	if (!f->opts->all_pids && !l->many_threads)
		return;
	if (!f->opts->all_pids)
		strbuf__puts(f->out, "[pid ");
	at = f->out->len;
	if (o->decode_pids && l->name) {
		put_pid(f->out, o, (int)l->tid);
	} else if (f->opts->all_pids) {
		strbuf__put_u64(f->out, l->tid);
		strbuf__pad(f->out, at, 5);
	} else {
		strbuf__put_u64_pad(f->out, l->tid, 5, ' ');
	}
	strbuf__puts(f->out, f->opts->all_pids ? " " : "] ");
}

/* Seconds to the microsecond, in a field for the seconds. */
static void put_seconds(struct strbuf *out, uint64_t ns, unsigned int width)
{
	strbuf__put_u64_pad(out, ns / 1000000000, width, ' ');
	strbuf__putc(out, '.');
	strbuf__put_u64_pad(out, ns % 1000000000 / 1000, 6, '0');
}

static void put_time(struct call_format *f, uint64_t mono_ns)
{
	int64_t ns = (int64_t)mono_ns + f->opts->mono_to_real_ns, sec = ns / 1000000000;
	unsigned int us = (unsigned int)(ns % 1000000000 / 1000);

	if (f->opts->relative) {
		int64_t since = f->last_ns ? (int64_t)(mono_ns - f->last_ns) : 0;

		f->last_ns = mono_ns;
		put_seconds(f->out, since < 0 ? 0 : (uint64_t)since, 6);
		strbuf__putc(f->out, ' ');
	}
	if (f->opts->time == PRINT_NO_TIME)
		return;
	if (f->opts->time == PRINT_EPOCH) {
		put_seconds(f->out, (uint64_t)ns, 1);
		strbuf__putc(f->out, ' ');
		return;
	}
	if (sec != f->second) {
		time_t t = (time_t)sec;
		struct tm tm;

		f->second = sec;
		f->date[0] = '\0';
		if (localtime_r(&t, &tm))
			strftime(f->date, sizeof(f->date), "%H:%M:%S", &tm);
	}
	strbuf__puts(f->out, f->date);
	if (f->opts->time == PRINT_MICROS) {
		strbuf__putc(f->out, '.');
		strbuf__put_u64_pad(f->out, us, 6, '0');
	}
	strbuf__putc(f->out, ' ');
}

static void put_head(struct call_format *f, const struct call_line *l)
{
	put_thread(f, l);
	put_time(f, l->time_ns);
}

/* Fills the line up to the column of results. */
static void put_equals(struct call_format *f, size_t line_at)
{
	size_t len = f->out->len + 1 - line_at;

	strbuf__putc(f->out, ' ');
	if (len < f->opts->column) {
		size_t more = f->opts->column - len;

		if (strbuf__reserve(f->out, more))
			return;
		memset(f->out->buf + f->out->len, ' ', more);
		f->out->len += more;
	}
	strbuf__puts(f->out, "= ");
}

static void put_duration(struct call_format *f, uint64_t ns)
{
	strbuf__puts(f->out, " <");
	put_seconds(f->out, ns, 1);
	strbuf__putc(f->out, '>');
}

static void text_call(struct call_format *f, const struct call_line *l, struct call_view *v,
		      const struct wire_call *result, bool unfinished)
{
	size_t line_at = f->out->len;
	bool more;

	put_head(f, l);
	call_view__put_name(v);
	strbuf__putc(f->out, '(');
	more = call_view__put_args(v, unfinished || v->was_killed);
	if (unfinished) {
		strbuf__puts(f->out, more ? ",  <unfinished ...>\n" : " <unfinished ...>\n");
		return;
	}
	strbuf__puts(f->out, more ? ",  <unfinished ...>)" : ")");
	put_equals(f, line_at);
	if (result) {
		call_view__print_result(v);
		if (f->opts->durations && result->enter_ns) {
			put_duration(f, result->head.time_ns - result->enter_ns);
		}
	} else {
		strbuf__putc(f->out, '?');
	}
	strbuf__putc(f->out, '\n');
}

static void text_signal(struct call_format *f, const struct call_line *l,
			const struct wire_signal *rec)
{
	put_head(f, l);
	strbuf__puts(f->out, "--- ");
	put_signal(f->out, (int)rec->sig);
	strbuf__putc(f->out, ' ');
	put_siginfo(f->out, &f->opts->text, rec->info);
	strbuf__puts(f->out, " ---\n");
}

static void text_exit(struct call_format *f, const struct call_line *l, const struct wire_exit *rec)
{
	int status = (int)rec->code;

	put_head(f, l);
	if (rec->exec_tid) {
		strbuf__printf(f->out, "+++ superseded by execve in pid %u +++\n", rec->exec_tid);
	} else if (WIFSIGNALED(status)) {
		strbuf__puts(f->out, "+++ killed by ");
		put_signal(f->out, WTERMSIG(status));
		strbuf__puts(f->out, WCOREDUMP(status) ? " (core dumped) +++\n" : " +++\n");
	} else {
		strbuf__printf(f->out, "+++ exited with %d +++\n", WEXITSTATUS(status));
	}
}

static void text_stack(struct call_format *f, const struct strbuf *lines)
{
	strbuf__add(f->out, lines->buf, lines->len);
}

static void text_end(struct call_format *f)
{
	(void)f;
}

static void text_lost(struct call_format *f, uint64_t time_ns, uint64_t cnt, const char *cause)
{
	(void)time_ns;
	strbuf__printf(f->out, "LOST %llu records (%s)\n", (unsigned long long)cnt, cause);
}

const struct call_format_ops call_text = {
	.name = "text",
	.call = text_call,
	.signal = text_signal,
	.exit = text_exit,
	.stack = text_stack,
	.end = text_end,
	.lost = text_lost,
};
