// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "cmd/stat_print.h"

#include <string.h>

#include "cmd/stat_cmd.h"
#include "cmd/stat_opts.h"
#include "util/log.h"

static void fill_summary(struct stat_cmd *st)
{
	st->summary = (struct stat_summary){
		.whom = strbuf__cstr(&st->whom),
		.done_cnt = (unsigned int)((st->elapsed_s.n + (double)st->fit_cnt - 1) /
					   (double)st->fit_cnt),
		.elapsed_s = st->elapsed_s.mean,
		.elapsed_spread_s = stat_mean__spread(&st->elapsed_s),
		.has_usage = stat_opts__of_cmd(st->opts, st->argc > 0) && st->ended_by_itself,
		.user_s = st->user_s.mean,
		.system_s = st->system_s.mean,
	};
}

static bool is_everybody(const struct targets *t)
{
	return !t->pid_cnt && !t->tid_cnt;
}

/* The header again where the first has left a screen, as perf does. */
#define HEAD_EVERY 25

static int print_metrics(struct stat_cmd *st, double time_s)
{
	bool again = st->format == &stat_text && st->printed_cnt % HEAD_EVERY == 0;

	stat_metric__print(&st->out.buf, st->format, &st->style, st->table.rows, st->table.cnt,
			   time_s, again || !st->printed_cnt);
	st->printed_cnt++;
	return out__flush(&st->out);
}

/* A reason that each interval has is said in the first. JSON, which nobody reads, has it always. */
static int print_row(struct stat_cmd *st, size_t i, double time_s)
{
	struct stat_row row = st->table.rows[i];

	if (st->style.intervals && st->format == &stat_text && stat_diagnosis__is_told(&st->why, i))
		row.why = NULL;
	st->format->row(&st->out.buf, &st->style, &row, time_s);
	return out__commit(&st->out);
}

/* Columns have no place for a reason; it is talk, once. */
static void tell_why(struct stat_cmd *st)
{
	const char *why, *last = "";
	size_t i;

	for (i = 0; i < st->table.cnt; i++) {
		why = st->table.rows[i].why;
		if (!why || stat_diagnosis__is_told(&st->why, i))
			continue;
		stat_diagnosis__set_told(&st->why, i);
		if (st->format != &stat_csv && !st->style.metric_only)
			continue;
		/* What broke a group is told for all its members at once. */
		if (strcmp(why, last))
			log_note("%s: %s", st->table.rows[i].name, why);
		last = why;
	}
}

int stat_print__rows(struct stat_cmd *st, double time_s)
{
	size_t i;
	int err = 0;

	if (st->style.metric_only)
		err = print_metrics(st, time_s);
	for (i = 0; i < st->table.cnt && !err && !st->style.metric_only; i++) {
		/* Of all the machine's threads, those that did something. */
		if (st->opts->per_thread && is_everybody(&st->opts->common.targets) &&
		    st->table.rows[i].state == STAT_NOT_COUNTED)
			continue;
		err = print_row(st, i, time_s);
	}
	tell_why(st);
	return err ? err : out__flush(&st->out);
}

void stat_print__begin(struct stat_cmd *st)
{
	if (st->format->begin && st->style.intervals)
		st->format->begin(&st->out.buf, &st->style, &st->summary);
}

int stat_print__all(struct stat_cmd *st)
{
	int err = 0;

	fill_summary(st);
	if (st->format->begin && !st->style.intervals)
		st->format->begin(&st->out.buf, &st->style, &st->summary);
	if (!st->style.intervals)
		err = stat_print__rows(st, 0);
	if (st->format->end)
		st->format->end(&st->out.buf, &st->style, &st->summary);
	return err;
}
