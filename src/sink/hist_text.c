// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_text.h"

#include <stdlib.h>
#include <string.h>

#include "sink/block_text.h"
#include "sink/hist_head.h"
#include "sink/hist_hierarchy.h"
#include "sink/hist_table.h"
#include "sink/out.h"

/* The one name that a column would have in each row; NULL: it may have several. */
static const char *only_name(const struct hist_table *t, enum hist_key key)
{
	const struct hist_only *only = &t->cfg->only;
	const char *names = key == HIST_DSO    ? only->dso
			    : key == HIST_COMM ? only->comm
			    : key == HIST_SYM  ? only->symbol
					       : NULL;

	return names && !strchr(names, ',') ? names : NULL;
}

static bool is_printed(const struct hist_table *t, uint32_t column)
{
	uint32_t i;

	if (!hist_table__has_column(&t->hist->cfg, t->hist->cfg.keys[column]))
		return false;
	if (!only_name(t, t->hist->cfg.keys[column]))
		return true;
	/* A row has at least one name. */
	for (i = 0; i < t->hist->cfg.key_cnt; i++)
		if (!only_name(t, t->hist->cfg.keys[i]))
			return false;
	return true;
}

/* Returns whether no column is printed behind this one. */
static bool is_last(const struct hist_table *t, uint32_t column)
{
	while (++column < t->hist->cfg.key_cnt)
		if (is_printed(t, column))
			return false;
	return true;
}

static void put_dots(struct strbuf *out, size_t cnt)
{
	while (cnt--)
		strbuf__putc(out, '.');
}

/* Puts the name of a column, on the right if its width is negative; NULL: dots. */
static void put_column(const struct hist_table *t, struct strbuf *out, const char *name, int width,
		       const char **sep)
{
	strbuf__puts(out, *sep);
	*sep = t->cfg->separator ? t->cfg->separator : "  ";
	if (name)
		strbuf__printf(out, "%*.*s", -width, abs(width), name);
	else
		put_dots(out, (size_t)abs(width));
}

/* Puts the names of the columns, or the dots below them. */
static void put_heading(struct hist_table *t, struct strbuf *out, bool are_names)
{
	const struct hist_config *cfg = &t->hist->cfg;
	enum hist_key numbers[HIST_NUMBER_CNT];
	uint32_t cnt = hist_table__leading(cfg, numbers), i;
	const char *sep = "# ";

	for (i = 0; i < cnt; i++)
		put_column(t, out, are_names ? hist_table__heading(cfg, numbers[i]) : NULL,
			   -(int)hist_table__number_width(t, numbers[i], i), &sep);
	for (i = 0; i < cfg->key_cnt; i++) {
		int width = (int)t->width[i];

		if (is_printed(t, i))
			put_column(t, out,
				   are_names ? hist_table__heading(cfg, cfg->keys[i]) : NULL,
				   cfg->keys[i] < HIST_NUMBER_CNT ? -width : width, &sep);
	}
	strbuf__putc(out, '\n');
}

static void put_headings(struct hist_table *t, struct strbuf *out)
{
	put_heading(t, out, true);
	if (t->cfg->separator)
		return;
	put_heading(t, out, false);
	strbuf__puts(out, "#\n");
}

static void put_entry(struct hist_table *t, const struct hist_entry *e, struct strbuf *out)
{
	const char *sep = t->cfg->separator;
	size_t begin = out->len;
	uint32_t i;

	hist_table__put_all_numbers(t, e, out);
	for (i = 0; i < t->hist->cfg.key_cnt; i++) {
		if (!is_printed(t, i))
			continue;
		strbuf__puts(out, !sep ? "  " : out->len > begin ? sep : "");
		hist_table__put_key(t, e, out, i, is_last(t, i));
	}
	strbuf__putc(out, '\n');
}

static int print_entries(struct hist_table *t)
{
	const struct hist_config *cfg = &t->hist->cfg;
	struct out *out = t->cfg->out;
	size_t i;
	int err = 0;

	for (i = 0; i < t->es.cnt && !err; i++) {
		const struct hist_entry *e = &t->es.all[i];

		if (hist_table__share(t, e, 0, cfg->children && !cfg->is_by_fields) <
			    t->hist->cfg.min_percent ||
		    !hist_table__is_selected(t, e))
			continue;
		put_entry(t, e, &out->buf);
		if (cfg->has_chains)
			err = hist_chain__print(&t->chain, &t->es, e, &out->buf);
		if (!err)
			err = out__commit(out);
	}
	return err;
}

/* Prints an event, or the events of a group side by side. */
static int print_events(const struct hist *hist, const struct hist_text_config *cfg, uint32_t event,
			uint32_t event_cnt)
{
	const struct hist_event *ev = &hist->events[event];
	struct hist_table t = { .hist = hist, .cfg = cfg };
	struct strbuf *out = &cfg->out->buf;
	int err;

	if (!cfg->is_quiet)
		hist_head__put_events(ev, event_cnt, &hist->cfg, cfg, out);
	err = hist_entries__build(&t.es, hist, event, event_cnt);
	if (!err && hist->cfg.is_blocks) {
		err = block_text__print(cfg, &t.es);
		hist_entries__free(&t.es);
		return err;
	}
	if (!err)
		err = hist_chain__init(&t.chain, hist, ev->period);
	if (!err) {
		hist_table__measure(&t);
		if (!cfg->is_quiet && hist->cfg.is_hierarchy)
			hist_hierarchy__put_headings(&t, out);
		else if (!cfg->is_quiet)
			put_headings(&t, out);
		err = hist->cfg.is_hierarchy ? hist_hierarchy__print(&t) : print_entries(&t);
		strbuf__puts(out, "\n\n");
	}
	hist_chain__free(&t.chain);
	hist_entries__free(&t.es);
	strbuf__free(&t.cell);
	return err;
}

/* The number of events that are printed side by side from this one on. */
static uint32_t shown_cnt(const struct hist *hist, uint32_t event)
{
	uint32_t cnt = hist->events[event].member_cnt;

	return hist->cfg.grouping == HIST_GROUPS_NONE || cnt < 2 || cnt > HIST_GROUP_MAX ? 1 : cnt;
}

static bool has_samples(const struct hist *hist, uint32_t event, uint32_t cnt)
{
	uint32_t i;

	for (i = 0; i < cnt; i++)
		if (hist->events[event + i].samples)
			return true;
	return false;
}

int hist_text__print(const struct hist *hist, const struct hist_text_config *cfg)
{
	uint32_t i, cnt;
	int err = 0;

	if (!cfg->is_quiet)
		hist_head__put(hist, cfg, &cfg->out->buf);
	for (i = 0; i < hist->event_cnt && !err; i += cnt) {
		cnt = shown_cnt(hist, i);
		if (has_samples(hist, i, cnt) || hist->event_cnt == 1 || hist->cfg.shows_empty)
			err = print_events(hist, cfg, i, cnt);
	}
	return err;
}
