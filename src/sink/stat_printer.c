// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/stat_printer.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stat/diagnosis.h"
#include "stat/table.h"
#include "util/log.h"

/*
 * Rows after which the header is repeated, since the previous one has left the screen; perf does
 * so, too.
 */
#define HEAD_EVERY 25

const struct stat_format *const stat_formats[] = { &stat_text, &stat_csv, &stat_json, NULL };

const struct stat_format *stat_format__find(const char *name)
{
	const struct stat_format *const *f = stat_formats;

	while (strcmp((*f)->name, name))
		f++;
	return *f;
}

static int print_metrics(struct stat_printer *p, const struct stat_table *table, double time_s)
{
	bool again = p->format->is_text && p->printed_cnt % HEAD_EVERY == 0;

	stat_metric__print(&p->out.buf, p->format, &p->style, table->rows, table->cnt, time_s,
			   again || !p->printed_cnt);
	p->printed_cnt++;
	return out__flush(&p->out);
}

/* Programs that know perf's keys read JSON: it has another one only where it is asked for. */
static bool shows_reasons(const struct stat_printer *p)
{
	return p->format->has_reasons && !p->style.metric_only &&
	       (p->format->is_text || p->style.with_reasons);
}

/*
 * A reason that is the same in all intervals is printed in the first. JSON, for programs, has it in
 * each.
 */
static int print_row(struct stat_printer *p, const struct stat_table *table,
		     const struct stat_diagnosis *why, size_t i, double time_s)
{
	struct stat_row row = table->rows[i];

	if (p->style.intervals && p->format->is_text && stat_diagnosis__is_shown(why, i))
		row.why = NULL;
	p->format->row(&p->out.buf, &p->style, &row, time_s);
	return out__commit(&p->out);
}

/* Do messages come between the rows that a program reads, as with -x, 2>&1 | program? */
static bool mixes_messages(const struct stat_printer *p)
{
	struct stat out, err;

	return !isatty(p->out.fd) && !fstat(p->out.fd, &out) && !fstat(STDERR_FILENO, &err) &&
	       out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

/* Has the format no place for the reason of a metric? CSV has columns of bounds. */
static bool leaves_out(const struct stat_printer *p, const struct stat_named *named)
{
	if (named->has_bounds)
		return p->style.metric_only && !p->style.intervals;
	return *named->why && (p->style.metric_only || !p->format->has_reasons);
}

/* Logs the reasons of the metrics of a row, one of each metric. */
static void log_named(const struct stat_printer *p, const struct stat_row *row)
{
	size_t i;

	for (i = 0; i < row->named_cnt; i++) {
		const struct stat_named *named = &row->named[i];

		if (!leaves_out(p, named) || *named->is_logged)
			continue;
		*named->is_logged = true;
		log_note("%s: %s", named->name, named->why);
	}
}

/* A format that has no place for a reason leaves it to the log, once. */
static void log_reasons(const struct stat_printer *p, const struct stat_table *table,
			struct stat_diagnosis *diagnosis)
{
	bool is_quiet = !p->format->is_text && mixes_messages(p);
	const char *why, *last = "";
	size_t i;

	for (i = 0; i < table->cnt; i++) {
		if (!is_quiet)
			log_named(p, &table->rows[i]);
		why = table->rows[i].why;
		if (!why || stat_diagnosis__is_shown(diagnosis, i))
			continue;
		stat_diagnosis__set_shown(diagnosis, i);
		if (is_quiet || shows_reasons(p))
			continue;
		/* The reason that broke a group is logged once for all its members. */
		if (strcmp(why, last))
			log_note("%s: %s", table->rows[i].name, why);
		last = why;
	}
}

int stat_printer__rows(struct stat_printer *p, const struct stat_table *table,
		       struct stat_diagnosis *why, double time_s)
{
	size_t i;
	int err = 0;

	if (p->take)
		return p->take(p->take_ctx, table);
	if (p->style.metric_only)
		err = print_metrics(p, table, time_s);
	for (i = 0; i < table->cnt && !err && !p->style.metric_only; i++)
		if (!p->counted_only || table->rows[i].state != STAT_NOT_COUNTED)
			err = print_row(p, table, why, i, time_s);
	log_reasons(p, table, why);
	return err ? err : out__flush(&p->out);
}

void stat_printer__begin(struct stat_printer *p)
{
	if (p->format->begin && p->style.intervals && !p->take)
		p->format->begin(&p->out.buf, &p->style, &p->summary);
}

void stat_printer__begin_summary(struct stat_printer *p)
{
	p->style.intervals = false;
	p->style.is_summary = true;
}

int stat_printer__end(struct stat_printer *p, const struct stat_table *table,
		      struct stat_diagnosis *why)
{
	int err = 0;

	if (p->format->begin && !p->style.intervals)
		p->format->begin(&p->out.buf, &p->style, &p->summary);
	if (!p->style.intervals)
		err = stat_printer__rows(p, table, why, 0);
	if (p->format->end && !p->take)
		p->format->end(&p->out.buf, &p->style, &p->summary);
	return err;
}
