// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_table.h"

#include <stdio.h>
#include <string.h>

#include "profile/hist_facts.h"
#include "sink/hist_text.h"
#include "util/name_list.h"

typedef unsigned long long ull;

/* Columns of an address, and of a file's cell if the address has no file. */
#define ADDR_WIDTH 16
#define PERCENT_WIDTH 8
#define NUMBER_WIDTH 12
#define TRANSACTION_WIDTH 32
#define INLINED " (inlined)"
/* An address before a function, with its prefix, and behind it the origin of the name. */
#define PREFIXED_WIDTH (ADDR_WIDTH + 2)
#define FRONT_WIDTH (PREFIXED_WIDTH + 3)

static const struct {
	const char *heading;
	uint8_t width;
	bool is_share;
} numbers[HIST_NUMBER_CNT] = {
	[HIST_OVERHEAD_CHILDREN] = { "Children", PERCENT_WIDTH, true },
	[HIST_OVERHEAD] = { "Overhead", PERCENT_WIDTH, true },
	[HIST_OVERHEAD_SYS] = { "sys", PERCENT_WIDTH, true },
	[HIST_OVERHEAD_US] = { "usr", PERCENT_WIDTH, true },
	[HIST_OVERHEAD_GUEST_SYS] = { "guest sys", PERCENT_WIDTH + 1, true },
	[HIST_OVERHEAD_GUEST_US] = { "guest usr", PERCENT_WIDTH + 1, true },
	[HIST_SAMPLES] = { "Samples", NUMBER_WIDTH, false },
	[HIST_PERIOD] = { "Period", NUMBER_WIDTH, false },
};

/* Does the share of an entry include its callees? */
static bool has_total(const struct hist_config *cfg)
{
	return cfg->children && !cfg->is_by_fields;
}

/* Is the column of a key printed before all keys? */
static bool leads(const struct hist_config *cfg, enum hist_key key)
{
	uint32_t i;

	if (cfg->is_by_fields)
		return false;
	for (i = 0; i < cfg->added_cnt; i++)
		if (cfg->added[i] == key)
			return true;
	return key == HIST_OVERHEAD || (key == HIST_OVERHEAD_CHILDREN && cfg->children) ||
	       ((key == HIST_OVERHEAD_SYS || key == HIST_OVERHEAD_US) && cfg->has_modes) ||
	       (key == HIST_SAMPLES && cfg->has_samples) || (key == HIST_PERIOD && cfg->has_period);
}

uint32_t hist_table__leading(const struct hist_config *cfg, enum hist_key keys[HIST_NUMBER_CNT])
{
	uint32_t i, a, cnt = 0;

	for (i = 0; i < HIST_NUMBER_CNT; i++) {
		for (a = 0; a < cfg->added_cnt && cfg->added[a] != i; a++)
			;
		if (a == cfg->added_cnt && leads(cfg, i))
			keys[cnt++] = i;
	}
	for (a = 0; a < cfg->added_cnt; a++)
		keys[cnt++] = cfg->added[a];
	return cnt;
}

bool hist_table__has_column(const struct hist_config *cfg, enum hist_key key)
{
	return key >= HIST_NUMBER_CNT ||
	       (!leads(cfg, key) && (key != HIST_OVERHEAD_CHILDREN || cfg->children));
}

const char *hist_table__heading(const struct hist_config *cfg, enum hist_key key)
{
	static const char *const headings[] = {
		[HIST_COMM] = "Command",        [HIST_PID] = "    Pid:Command",
		[HIST_TID] = "    Tid:Command", [HIST_CPU] = "CPU",
		[HIST_DSO] = "Shared Object",   [HIST_SYM] = "Symbol",
		[HIST_SRCLINE] = "Source:Line", [HIST_EVENT] = "Event",
		[HIST_TRACE] = "Trace output",  [HIST_SYM_SIZE] = "Symbol size",
		[HIST_DSO_SIZE] = "DSO size",
	};

	if (key < HIST_NUMBER_CNT)
		return key == HIST_OVERHEAD && has_total(cfg) ? "Self" : numbers[key].heading;
	return hist_facts__has(key) ? hist_facts__heading(key) : headings[key];
}

static const char *text_of(const struct hist_table *t, uint32_t idx)
{
	return idx == TEXTS_NONE ? "" : texts__get(&t->hist->texts, idx);
}

static void put_sym(const struct hist_table *t, const struct hist_entry *e, struct strbuf *out)
{
	const struct hist_func *f = &t->hist->funcs[e->func];

	if (t->hist->cfg.has_addresses)
		strbuf__printf(out, "%-#*llx %c ", PREFIXED_WIDTH, (ull)e->addr, f->origin);
	strbuf__printf(out, "[%c] ", e->level);
	if (f->name == TEXTS_NONE)
		strbuf__printf(out, "%#.*llx", ADDR_WIDTH, (ull)f->addr);
	else
		strbuf__puts(out, text_of(t, f->name));
	if (f->is_inlined)
		strbuf__puts(out, INLINED);
}

/* perf puts sizes to the right of a column that is as wide as its heading. */
static size_t size_width(const struct hist_table *t, uint32_t column)
{
	const struct hist_config *cfg = &t->hist->cfg;

	return t->asked[column] ? t->asked[column]
				: strlen(hist_table__heading(cfg, cfg->keys[column]));
}

static void put_size(const struct hist_table *t, uint32_t column, uint64_t sz, struct strbuf *out)
{
	int width = (int)size_width(t, column);

	if (sz)
		strbuf__printf(out, "%*llu", width, (ull)sz);
	else
		strbuf__printf(out, "%*s", width, "unknown");
}

static const char *put_cell(struct hist_table *t, const struct hist_entry *e, uint32_t column)
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
	case HIST_SYM_SIZE:
		put_size(t, column, t->hist->funcs[e->func].sz, out);
		break;
	case HIST_DSO_SIZE:
		put_size(t, column, t->hist->funcs[e->func].map_sz, out);
		break;
	case HIST_EVENT:
		strbuf__put_escaped(out, t->hist->events[t->es.event].name,
				    strlen(t->hist->events[t->es.event].name));
		break;
	default:
		hist_facts__put(t->hist, t->hist->cfg.keys[column], e, out);
		break;
	}
	return strbuf__cstr(out);
}

/* Returns the width that a cell requires; an address takes the width of any address. */
static size_t width_of(struct hist_table *t, const struct hist_entry *e, uint32_t column)
{
	const struct hist_func *f = &t->hist->funcs[e->func];
	size_t width;

	/* Like perf: wide enough for CPU numbers, not for the -001 of an unknown one. */
	if (t->hist->cfg.keys[column] == HIST_CPU)
		return 3;
	if (t->hist->cfg.keys[column] == HIST_SYM && f->name == TEXTS_NONE)
		return ADDR_WIDTH + 6;
	width = strlen(put_cell(t, e, column));
	/* Wide enough for most ends of transactions, whichever these are. */
	if (t->hist->cfg.keys[column] == HIST_TRANSACTION)
		return width ? TRANSACTION_WIDTH : 0;
	/* The width counts the name, without its remark. */
	if (t->hist->cfg.keys[column] == HIST_SYM && f->is_inlined)
		width -= strlen(INLINED);
	if (t->hist->cfg.keys[column] == HIST_DSO && f->name == TEXTS_NONE && width < ADDR_WIDTH)
		return ADDR_WIDTH;
	return width;
}

/* A function that calls those which were selected may itself be another. */
bool hist_table__is_selected(const struct hist_table *t, const struct hist_entry *e)
{
	const struct hist_only *only = &t->cfg->only;
	const struct hist_func *f = &t->hist->funcs[e->func];

	if (e->is_hidden)
		return false;
	if (hist__has_key(&t->hist->cfg, HIST_DSO) && only->dso &&
	    !name_list__has_file(only->dso, text_of(t, f->dso)))
		return false;
	if (only->symbol_part && !strstr(text_of(t, f->name), only->symbol_part))
		return false;
	return !only->symbol || !hist__has_key(&t->hist->cfg, HIST_SYM) ||
	       name_list__has(only->symbol, text_of(t, f->name));
}

/* Numbers take the width that was asked for each, and a column those of all events. */
static size_t number_width(const struct hist_table *t, enum hist_key key, uint32_t asked)
{
	size_t width = (size_t)numbers[key].width * t->es.event_cnt;

	if (asked && t->es.event_cnt == 1)
		width = strlen(hist_table__heading(&t->hist->cfg, key));
	return asked > width ? asked : width;
}

size_t hist_table__number_width(const struct hist_table *t, enum hist_key key, uint32_t n)
{
	const struct hist_config *cfg = &t->hist->cfg;

	return number_width(t, key, n < cfg->width_cnt ? cfg->widths[n] : 0);
}

/* Finds the width that was asked for each key: those of columns before it come first. */
static void set_asked(struct hist_table *t)
{
	const struct hist_config *cfg = &t->hist->cfg;
	enum hist_key leading[HIST_NUMBER_CNT];
	uint32_t n = hist_table__leading(cfg, leading), i;

	for (i = 0; i < cfg->key_cnt; i++)
		if (hist_table__has_column(cfg, cfg->keys[i]) && n++ < cfg->width_cnt)
			t->asked[i] = cfg->widths[n - 1];
}

void hist_table__measure(struct hist_table *t)
{
	uint32_t i;
	size_t e, width;

	set_asked(t);
	for (i = 0; i < t->hist->cfg.key_cnt; i++) {
		t->width[i] = t->asked[i];
		if (t->hist->cfg.keys[i] < HIST_NUMBER_CNT)
			t->width[i] = number_width(t, t->hist->cfg.keys[i], t->asked[i]);
		if (t->width[i])
			continue;
		t->width[i] = strlen(hist_table__heading(&t->hist->cfg, t->hist->cfg.keys[i]));
		if (hist_facts__has(t->hist->cfg.keys[i]) &&
		    t->width[i] < hist_facts__width(t->hist->cfg.keys[i]))
			t->width[i] = hist_facts__width(t->hist->cfg.keys[i]);
		for (e = 0; e < t->es.cnt; e++) {
			if (!hist_table__is_selected(t, &t->es.all[e]))
				continue;
			width = width_of(t, &t->es.all[e], i);
			if (width > t->width[i])
				t->width[i] = width;
		}
	}
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? (double)part * 100.0 / (double)whole : 0;
}

double hist_table__share(const struct hist_table *t, const struct hist_entry *e, uint32_t member,
			 bool is_total)
{
	const struct hist_numbers *n = hist_entries__numbers(&t->es, e, member);

	return percent(is_total ? n->total : n->self, t->hist->events[t->es.event + member].period);
}

static void print_number(const struct hist_table *t, const struct hist_entry *e, uint32_t member,
			 enum hist_key key, char *text, size_t sz)
{
	uint64_t number = hist_numbers__get(hist_entries__numbers(&t->es, e, member), key);

	if (numbers[key].is_share)
		snprintf(text, sz, "%.2f%%",
			 percent(number, t->hist->events[t->es.event + member].period));
	else
		snprintf(text, sz, "%llu", (ull)number);
}

/* A number that is wider than its part of the column has a blank before it all the same. */
static void put_numbers(const struct hist_table *t, const struct hist_entry *e, struct strbuf *out,
			enum hist_key key, uint32_t asked)
{
	int width = (int)(asked ? asked : numbers[key].width);
	size_t at = out->len;
	char text[32];
	uint32_t i;

	for (i = 0; i < t->es.event_cnt; i++) {
		print_number(t, e, i, key, text, sizeof(text));
		strbuf__printf(out, " %*s", t->cfg->separator ? 0 : width - 1, text);
	}
	strbuf__pad(out, at, number_width(t, key, asked));
}

void hist_table__put_all_numbers(const struct hist_table *t, const struct hist_entry *e,
				 struct strbuf *out)
{
	const struct hist_config *cfg = &t->hist->cfg;
	enum hist_key keys[HIST_NUMBER_CNT];
	uint32_t cnt = hist_table__leading(cfg, keys), i;
	const char *sep = t->cfg->separator;

	for (i = 0; i < cnt; i++) {
		strbuf__puts(out, !sep ? "  " : i ? sep : "");
		put_numbers(t, e, out, keys[i], i < cfg->width_cnt ? cfg->widths[i] : 0);
	}
}

/* A column of variable width is not padded at the end of the line. */
static bool is_variable(enum hist_key key)
{
	return key == HIST_SYM || key == HIST_SYM_FROM || key == HIST_SYM_TO ||
	       key == HIST_SRCLINE || key == HIST_SRCLINE_FROM || key == HIST_SRCLINE_TO ||
	       key == HIST_SRCFILE || key == HIST_TRACE || key == HIST_TIME;
}

/* The part of a cell that is printed: names are cut to a width that was asked for, numbers not. */
static size_t shown_len(const char *text, uint32_t asked)
{
	size_t len = strlen(text);

	/* An address without a name behind its level. */
	if (!strncmp(text, "[", 1) && !strncmp(text + strcspn(text, "]"), "] 0x", 4))
		return len;
	if (!asked || len <= asked || strspn(text, "0123456789. ") == len)
		return len;
	/* Continuation bytes of UTF-8 belong to the character before the cut. */
	for (len = asked; len && (text[len] & 0xc0) == 0x80;)
		len--;
	return len;
}

void hist_table__put_key(struct hist_table *t, const struct hist_entry *e, struct strbuf *out,
			 uint32_t column, bool is_last)
{
	enum hist_key key = t->hist->cfg.keys[column];
	size_t at = out->len;
	const char *text;

	if (key < HIST_NUMBER_CNT) {
		put_numbers(t, e, out, key, t->asked[column]);
		return;
	}
	text = put_cell(t, e, column);
	strbuf__add(out, text, shown_len(text, t->asked[column]));
	if (!is_last || !is_variable(key))
		strbuf__pad(out, at, t->width[column]);
	/* In cells the separator is a dot, as in perf. */
	for (; t->cfg->separator && at < out->len; at++)
		if (out->buf[at] == *t->cfg->separator)
			out->buf[at] = '.';
}
