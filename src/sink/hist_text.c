// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_text.h"

#include <errno.h>
#include <stdio.h>
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

static void put_headings(struct table *t, struct strbuf *out)
{
	const struct hist_config *cfg = &t->hist->cfg;
	uint32_t i;

	strbuf__puts(out, cfg->children ? "# Children      Self" : "# Overhead");
	if (cfg->has_samples)
		strbuf__printf(out, "  %*s", NUMBER_WIDTH, "Samples");
	if (cfg->has_period)
		strbuf__printf(out, "  %*s", NUMBER_WIDTH, "Period");
	for (i = 0; i < cfg->key_cnt; i++)
		if (is_printed(t, i))
			strbuf__printf(out, "  %-*s", (int)t->width[i], heading(cfg->keys[i]));
	strbuf__puts(out, "\n# ");
	put_dots(out, PERCENT_WIDTH);
	if (cfg->children) {
		strbuf__puts(out, "  ");
		put_dots(out, PERCENT_WIDTH);
	}
	for (i = 0; i < (uint32_t)cfg->has_samples + cfg->has_period; i++) {
		strbuf__puts(out, "  ");
		put_dots(out, NUMBER_WIDTH);
	}
	for (i = 0; i < cfg->key_cnt; i++) {
		if (!is_printed(t, i))
			continue;
		strbuf__puts(out, "  ");
		put_dots(out, t->width[i]);
	}
	strbuf__puts(out, "\n#\n");
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? (double)part * 100.0 / (double)whole : 0;
}

static void put_entry(struct table *t, const struct hist_entry *e, struct strbuf *out)
{
	const struct hist_config *cfg = &t->hist->cfg;
	uint64_t whole = t->hist->events[t->es.event].period;
	uint32_t i;

	strbuf__printf(out, "  %7.2f%%", percent(cfg->children ? e->total : e->self, whole));
	if (cfg->children)
		strbuf__printf(out, "  %7.2f%%", percent(e->self, whole));
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

static int print_entries(struct table *t)
{
	const struct hist_config *cfg = &t->hist->cfg;
	uint64_t whole = t->hist->events[t->es.event].period;
	struct out *out = t->cfg->out;
	size_t i;
	int err = 0;

	for (i = 0; i < t->es.cnt && !err; i++) {
		const struct hist_entry *e = &t->es.all[i];

		if (percent(cfg->children ? e->total : e->self, whole) < cfg->min_percent ||
		    !is_selected(t, e))
			continue;
		put_entry(t, e, &out->buf);
		if (cfg->has_chains)
			err = hist_chain__print(&t->chain, &t->es, e, &out->buf);
		if (!err)
			err = out__commit(out);
	}
	return err;
}

static int print_event(const struct hist *hist, const struct hist_text_config *cfg, uint32_t event)
{
	const struct hist_event *ev = &hist->events[event];
	struct table t = { .hist = hist, .cfg = cfg };
	struct strbuf *out = &cfg->out->buf;
	int err;

	put_samples(out, ev->samples);
	strbuf__put_escaped(out, ev->name, strlen(ev->name));
	strbuf__puts(out, "'");
	if (cfg->only.time)
		strbuf__printf(out, " (time slices: %s)", cfg->only.time);
	strbuf__printf(out, "\n# Event count (approx.): %llu\n#\n", (ull)ev->period);
	err = hist_entries__build(&t.es, hist, event);
	if (!err)
		err = hist_chain__init(&t.chain, hist, ev->period);
	if (!err) {
		measure(&t);
		put_headings(&t, out);
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

int hist_text__print(const struct hist *hist, const struct hist_text_config *cfg)
{
	uint32_t i;
	int err = 0;

	strbuf__puts(&cfg->out->buf, "#\n");
	put_only(hist, &cfg->out->buf, HIST_COMM, "comm", cfg->only.comm);
	put_only(hist, &cfg->out->buf, HIST_DSO, "dso", cfg->only.dso);
	put_only(hist, &cfg->out->buf, HIST_SYM, "symbol", cfg->only.symbol);
	strbuf__printf(&cfg->out->buf, "#\n# Total Lost Samples: %llu\n#\n", (ull)hist->lost);
	for (i = 0; i < hist->event_cnt && !err; i++)
		if (hist->events[i].samples || hist->event_cnt == 1)
			err = print_event(hist, cfg, i);
	return err;
}
