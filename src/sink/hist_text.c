// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hist_chain.h"
#include "profile/hist_entries.h"
#include "sink/out.h"
#include "util/name_list.h"

typedef unsigned long long ull;

/* Columns of an address, and of a file's cell if the address has no file. */
#define ADDR_WIDTH 16
#define PERCENT_WIDTH 8
#define NUMBER_WIDTH 12
#define INLINED " (inlined)"

struct table {
	const struct hist *hist;
	const struct hist_text_config *cfg;
	struct hist_entries es;
	struct hist_chain chain;
	size_t width[HIST_MAX_KEYS];
	struct strbuf cell;
};

static const char *heading(enum hist_key key)
{
	static const char *const headings[] = {
		[HIST_COMM] = "Command",        [HIST_PID] = "    Pid:Command",
		[HIST_TID] = "    Tid:Command", [HIST_CPU] = "CPU",
		[HIST_DSO] = "Shared Object",   [HIST_SYM] = "Symbol",
		[HIST_SRCLINE] = "Source:Line", [HIST_EVENT] = "Event",
		[HIST_TRACE] = "Trace output",
	};

	return headings[key];
}

/* The one name that a column would have in each row; NULL: it may have several. */
static const char *only_name(const struct table *t, enum hist_key key)
{
	const struct hist_only *only = &t->cfg->only;
	const char *names = key == HIST_DSO    ? only->dso
			    : key == HIST_COMM ? only->comm
			    : key == HIST_SYM  ? only->symbol
					       : NULL;

	return names && !strchr(names, ',') ? names : NULL;
}

static bool is_printed(const struct table *t, uint32_t column)
{
	uint32_t i;

	if (!only_name(t, t->hist->cfg.keys[column]))
		return true;
	/* A row has at least one name. */
	for (i = 0; i < t->hist->cfg.key_cnt; i++)
		if (!only_name(t, t->hist->cfg.keys[i]))
			return false;
	return true;
}

/* Returns whether no column is printed behind this one. */
static bool is_last(const struct table *t, uint32_t column)
{
	while (++column < t->hist->cfg.key_cnt)
		if (is_printed(t, column))
			return false;
	return true;
}

static const char *text_of(const struct table *t, uint32_t idx)
{
	return idx == TEXTS_NONE ? "" : texts__get(&t->hist->texts, idx);
}

static void put_sym(const struct table *t, const struct hist_entry *e, struct strbuf *out)
{
	const struct hist_func *f = &t->hist->funcs[e->func];

	strbuf__printf(out, "[%c] ", e->level);
	if (f->name == TEXTS_NONE)
		strbuf__printf(out, "%#.*llx", ADDR_WIDTH, (ull)f->addr);
	else
		strbuf__puts(out, text_of(t, f->name));
	if (f->is_inlined)
		strbuf__puts(out, INLINED);
}

static const char *put_cell(struct table *t, const struct hist_entry *e, uint32_t column)
{
	struct strbuf *out = &t->cell;
	const char *comm;

	strbuf__reset(out);
	switch (t->hist->cfg.keys[column]) {
	case HIST_COMM:
		return text_of(t, e->comm);
	case HIST_PID:
	case HIST_TID:
		comm = t->cfg->comm_of(t->cfg->ctx, e->tid);
		strbuf__printf(out, "%7d:", e->tid);
		strbuf__put_escaped(out, comm, strlen(comm));
		break;
	case HIST_CPU:
		strbuf__printf(out, "%.3d", (int32_t)e->cpu);
		break;
	case HIST_DSO:
		return text_of(t, t->hist->funcs[e->func].dso);
	case HIST_SYM:
		put_sym(t, e, out);
		break;
	case HIST_SRCLINE:
		return text_of(t, e->srcline);
	case HIST_TRACE:
		return text_of(t, e->trace);
	case HIST_EVENT:
		strbuf__put_escaped(out, t->hist->events[t->es.event].name,
				    strlen(t->hist->events[t->es.event].name));
		break;
	}
	return strbuf__cstr(out);
}

/* Returns the width that a cell requires; an address takes the width of any address. */
static size_t width_of(struct table *t, const struct hist_entry *e, uint32_t column)
{
	const struct hist_func *f = &t->hist->funcs[e->func];
	size_t width;

	/* Like perf: wide enough for CPU numbers, not for the -001 of an unknown one. */
	if (t->hist->cfg.keys[column] == HIST_CPU)
		return 3;
	if (t->hist->cfg.keys[column] == HIST_SYM && f->name == TEXTS_NONE)
		return ADDR_WIDTH + 6;
	width = strlen(put_cell(t, e, column));
	/* The width counts the name, without its remark. */
	if (t->hist->cfg.keys[column] == HIST_SYM && f->is_inlined)
		width -= strlen(INLINED);
	if (t->hist->cfg.keys[column] == HIST_DSO && f->name == TEXTS_NONE && width < ADDR_WIDTH)
		return ADDR_WIDTH;
	return width;
}

/* A function that calls those which were selected may itself be another. */
static bool is_selected(const struct table *t, const struct hist_entry *e)
{
	const struct hist_only *only = &t->cfg->only;
	const struct hist_func *f = &t->hist->funcs[e->func];

	if (hist__has_key(&t->hist->cfg, HIST_DSO) && only->dso &&
	    !name_list__has_file(only->dso, text_of(t, f->dso)))
		return false;
	return !only->symbol || !hist__has_key(&t->hist->cfg, HIST_SYM) ||
	       name_list__has(only->symbol, text_of(t, f->name));
}

static void measure(struct table *t)
{
	uint32_t i;
	size_t e, width;

	for (i = 0; i < t->hist->cfg.key_cnt; i++) {
		t->width[i] = strlen(heading(t->hist->cfg.keys[i]));
		for (e = 0; e < t->es.cnt; e++) {
			if (!is_selected(t, &t->es.all[e]))
				continue;
			width = width_of(t, &t->es.all[e], i);
			if (width > t->width[i])
				t->width[i] = width;
		}
	}
}

static void put_dots(struct strbuf *out, size_t cnt)
{
	while (cnt--)
		strbuf__putc(out, '.');
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? (double)part * 100.0 / (double)whole : 0;
}

/* Does the share of an entry include its callees? */
static bool has_total(const struct hist_config *cfg)
{
	return cfg->children && !cfg->is_by_fields;
}

static double share(const struct table *t, const struct hist_entry *e)
{
	return percent(has_total(&t->hist->cfg) ? e->total : e->self,
		       t->hist->events[t->es.event].period);
}

static void put_column(struct strbuf *out, const char *name, size_t width, const char **sep)
{
	strbuf__puts(out, *sep);
	*sep = "  ";
	if (name)
		strbuf__printf(out, "%-*s", (int)width, name);
	else
		put_dots(out, width);
}

/* Puts the names of the columns, or the dots below them. */
static void put_heading(struct table *t, struct strbuf *out, bool are_names)
{
	const struct hist_config *cfg = &t->hist->cfg;
	const char *sep = "# ";
	uint32_t i;

	if (!cfg->no_share)
		put_column(out, are_names ? has_total(cfg) ? "Children" : "Overhead" : NULL,
			   PERCENT_WIDTH, &sep);
	if (has_total(cfg))
		put_column(out, are_names ? "    Self" : NULL, PERCENT_WIDTH, &sep);
	if (cfg->has_samples)
		put_column(out, are_names ? "     Samples" : NULL, NUMBER_WIDTH, &sep);
	if (cfg->has_period)
		put_column(out, are_names ? "      Period" : NULL, NUMBER_WIDTH, &sep);
	for (i = 0; i < cfg->key_cnt; i++)
		if (is_printed(t, i))
			put_column(out, are_names ? heading(cfg->keys[i]) : NULL, t->width[i],
				   &sep);
	strbuf__putc(out, '\n');
}

static void put_headings(struct table *t, struct strbuf *out)
{
	put_heading(t, out, true);
	put_heading(t, out, false);
	strbuf__puts(out, "#\n");
}

static void put_entry(struct table *t, const struct hist_entry *e, struct strbuf *out)
{
	const struct hist_config *cfg = &t->hist->cfg;
	uint32_t i;

	if (!cfg->no_share)
		strbuf__printf(out, "  %7.2f%%", share(t, e));
	if (has_total(cfg))
		strbuf__printf(out, "  %7.2f%%",
			       percent(e->self, t->hist->events[t->es.event].period));
	if (cfg->has_samples)
		strbuf__printf(out, "  %*llu", NUMBER_WIDTH, (ull)e->samples);
	if (cfg->has_period)
		strbuf__printf(out, "  %*llu", NUMBER_WIDTH, (ull)e->self);
	for (i = 0; i < cfg->key_cnt; i++) {
		if (!is_printed(t, i))
			continue;
		/* A column of variable width is not padded at the end of the line. */
		if (is_last(t, i) && (cfg->keys[i] == HIST_SYM || cfg->keys[i] == HIST_SRCLINE ||
				      cfg->keys[i] == HIST_TRACE))
			strbuf__printf(out, "  %s", put_cell(t, e, i));
		else
			strbuf__printf(out, "  %-*s", (int)t->width[i], put_cell(t, e, i));
	}
	strbuf__putc(out, '\n');
}

/* Puts a count in thousands, millions, … if it is large. */
static void put_samples(struct strbuf *out, uint64_t cnt)
{
	const char *unit = " KMG";

	while (cnt > 1000 && unit[1]) {
		cnt /= 1000;
		unit++;
	}
	strbuf__printf(out, "# Samples: %llu%c of event '", (ull)cnt, *unit);
}

static int compare_cells(const void *a, const void *b, void *arg)
{
	struct table *t = arg;
	const struct hist_entry *x = a, *y = b;
	struct strbuf left = STRBUF_INIT;
	uint32_t i;
	int diff = 0;

	if (!t->hist->cfg.no_share && x->self != y->self)
		return x->self < y->self ? 1 : -1;
	for (i = 0; i < t->hist->cfg.key_cnt && !diff; i++) {
		/* Functions by their names, behind "[k] ". */
		size_t skip = t->hist->cfg.keys[i] == HIST_SYM ? 4 : 0;

		strbuf__reset(&left);
		strbuf__puts(&left, put_cell(t, a, i) + skip);
		diff = strcmp(strbuf__cstr(&left), put_cell(t, b, i) + skip);
	}
	strbuf__free(&left);
	return diff;
}

static void sort_by_cells(struct table *t)
{
	qsort_r(t->es.all, t->es.cnt, sizeof(*t->es.all), compare_cells, t);
}

static int print_entries(struct table *t)
{
	struct out *out = t->cfg->out;
	size_t i;
	int err = 0;

	for (i = 0; i < t->es.cnt && !err; i++) {
		const struct hist_entry *e = &t->es.all[i];

		if (share(t, e) < t->hist->cfg.min_percent || !is_selected(t, e))
			continue;
		put_entry(t, e, &out->buf);
		if (t->hist->cfg.has_chains)
			err = hist_chain__print(&t->chain, &t->es, e, &out->buf);
		if (!err)
			err = out__commit(out);
	}
	return err;
}

static void put_event_head(const struct hist_event *ev, const struct hist_text_config *cfg,
			   struct strbuf *out)
{
	put_samples(out, ev->samples);
	strbuf__put_escaped(out, ev->name, strlen(ev->name));
	strbuf__puts(out, "'");
	if (cfg->only.time)
		strbuf__printf(out, " (time slices: %s)", cfg->only.time);
	strbuf__printf(out, "\n# Event count (approx.): %llu\n#\n", (ull)ev->period);
}

static int print_event(const struct hist *hist, const struct hist_text_config *cfg, uint32_t event)
{
	const struct hist_event *ev = &hist->events[event];
	struct table t = { .hist = hist, .cfg = cfg };
	struct strbuf *out = &cfg->out->buf;
	int err;

	if (!cfg->is_quiet)
		put_event_head(ev, cfg, out);
	err = hist_entries__build(&t.es, hist, event);
	if (!err)
		err = hist_chain__init(&t.chain, hist, ev->period);
	if (!err) {
		measure(&t);
		if (!cfg->is_quiet)
			put_headings(&t, out);
		if (hist->cfg.is_by_fields)
			sort_by_cells(&t);
		err = print_entries(&t);
		strbuf__puts(out, "\n\n");
	}
	hist_chain__free(&t.chain);
	hist_entries__free(&t.es);
	strbuf__free(&t.cell);
	return err;
}

static void put_only(const struct hist *hist, struct strbuf *out, enum hist_key key,
		     const char *column, const char *names)
{
	if (!hist__has_key(&hist->cfg, key) || !names || strchr(names, ','))
		return;
	strbuf__printf(out, "# %s: ", column);
	strbuf__put_escaped(out, names, strlen(names));
	strbuf__putc(out, '\n');
}

static void put_head(const struct hist *hist, const struct hist_text_config *cfg,
		     struct strbuf *out)
{
	strbuf__puts(out, "#\n");
	put_only(hist, out, HIST_COMM, "comm", cfg->only.comm);
	put_only(hist, out, HIST_DSO, "dso", cfg->only.dso);
	put_only(hist, out, HIST_SYM, "symbol", cfg->only.symbol);
	strbuf__printf(out, "#\n# Total Lost Samples: %llu\n#\n", (ull)hist->lost);
}

int hist_text__print(const struct hist *hist, const struct hist_text_config *cfg)
{
	uint32_t i;
	int err = 0;

	if (!cfg->is_quiet)
		put_head(hist, cfg, &cfg->out->buf);
	for (i = 0; i < hist->event_cnt && !err; i++)
		if (hist->events[i].samples || hist->event_cnt == 1)
			err = print_event(hist, cfg, i);
	return err;
}
