// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/hist_hierarchy.h"

#include <string.h>

#include "profile/hist_level.h"
#include "sink/hist_table.h"
#include "sink/hist_text.h"
#include "sink/out.h"

/* Columns by which a line begins behind its parent's. */
#define INDENT 3

static void put_times(struct strbuf *out, char c, size_t cnt)
{
	while (cnt--)
		strbuf__putc(out, c);
}

static size_t trimmed(const char *text, const char **begin)
{
	size_t len;

	*begin = text + strspn(text, " ");
	len = strlen(*begin);
	while (len && (*begin)[len - 1] == ' ')
		len--;
	return len;
}

/* Puts "Command / Shared Object+Symbol"; returns the length. */
static size_t put_names(const struct hist_config *cfg, struct strbuf *out)
{
	size_t begin = out->len, len;
	const char *name;
	uint32_t i;

	for (i = 0; i < cfg->key_cnt; i++) {
		strbuf__puts(out, !i ? "" : cfg->is_joined[i] ? "+" : " / ");
		len = trimmed(hist_table__heading(cfg, cfg->keys[i]), &name);
		strbuf__add(out, name, len);
	}
	return out->len - begin;
}

/* Returns the width of the widest level with its indentation. */
static size_t width_of_levels(const struct hist_table *t)
{
	const struct hist_config *cfg = &t->hist->cfg;
	size_t widest = 0, width = 0;
	uint32_t i, level = 0;

	for (i = 0; i < cfg->key_cnt; i++) {
		if (cfg->is_joined[i])
			width++;
		else
			width = level++ * INDENT;
		width += t->width[i];
		if (width > widest)
			widest = width;
	}
	return widest;
}

void hist_hierarchy__put_headings(const struct hist_table *t, struct strbuf *out)
{
	enum hist_key numbers[HIST_NUMBER_CNT];
	const char *sep = t->cfg->separator;
	uint32_t cnt = hist_table__leading(&t->hist->cfg, numbers), i;
	size_t indent = sep ? 0 : (hist_level__cnt(&t->hist->cfg) - 1) * INDENT;
	size_t width, widest = width_of_levels(t);

	strbuf__puts(out, "# ");
	put_times(out, ' ', indent);
	for (i = 0; i < cnt; i++)
		strbuf__printf(out, "%*s%s", (int)hist_table__number_width(t, numbers[i], i),
			       hist_table__heading(&t->hist->cfg, numbers[i]), sep ? sep : "  ");
	width = put_names(&t->hist->cfg, out);
	strbuf__puts(out, "\n# ");
	put_times(out, '.', indent);
	for (i = 0; i < cnt; i++) {
		strbuf__puts(out, !i ? "" : sep ? sep : "..");
		put_times(out, '.', hist_table__number_width(t, numbers[i], i));
	}
	strbuf__puts(out, sep ? sep : "  ");
	put_times(out, '.', width > widest ? width : widest);
	strbuf__puts(out, "\n#\n");
}

/* Puts the cell of a key without the blanks before it, by which numbers are on the right. */
static void put_cell(struct hist_table *t, const struct hist_entry *e, struct strbuf *out,
		     uint32_t column)
{
	size_t at, blanks;

	strbuf__puts(out, t->cfg->separator ? t->cfg->separator : "  ");
	at = out->len;
	hist_table__put_key(t, e, out, column, true);
	for (blanks = 0; at + blanks < out->len && out->buf[at + blanks] == ' ';)
		blanks++;
	if (!blanks)
		return;
	memmove(out->buf + at, out->buf + at + blanks, out->len - at - blanks);
	out->len -= blanks;
}

static void put_line(struct hist_table *t, const struct hist_node *node, uint32_t key,
		     uint32_t depth, struct strbuf *out)
{
	const struct hist_config *cfg = &t->hist->cfg;
	uint32_t end = hist_level__next(cfg, key);

	put_times(out, ' ', depth * INDENT);
	hist_table__put_all_numbers(t, &node->sum, out);
	if (!t->cfg->separator)
		put_times(out, ' ', (hist_level__cnt(cfg) - 1) * INDENT);
	for (; key < end; key++)
		put_cell(t, &node->sum, out, key);
	strbuf__putc(out, '\n');
}

/* Puts a line in the place of children of which each has a smaller share than is printed. */
static void put_no_entry(const struct hist_table *t, uint32_t depth, struct strbuf *out)
{
	enum hist_key numbers[HIST_NUMBER_CNT];
	uint32_t cnt = hist_table__leading(&t->hist->cfg, numbers), i;
	size_t width = 4;

	if (!t->cfg->separator)
		width += (hist_level__cnt(&t->hist->cfg) + depth) * INDENT;
	for (i = 0; i < cnt; i++)
		width += hist_table__number_width(t, numbers[i], i) + (i ? 2 : 0);
	put_times(out, ' ', width);
	strbuf__printf(out, "no entry >= %.2f%%\n", t->hist->cfg.min_percent);
}

static int print_level(struct hist_table *t, size_t from, size_t to, uint32_t key, uint32_t depth,
		       bool *has_lines);

static int print_node(struct hist_table *t, const struct hist_node *node, uint32_t key,
		      uint32_t depth)
{
	uint32_t next = hist_level__next(&t->hist->cfg, key);
	struct out *out = t->cfg->out;
	bool has_lines = false;
	int err = 0;

	put_line(t, node, key, depth, &out->buf);
	if (next < t->hist->cfg.key_cnt) {
		err = print_level(t, node->from, node->to, next, depth + 1, &has_lines);
		if (!err && !has_lines)
			put_no_entry(t, depth, &out->buf);
	} else if (t->hist->cfg.has_chains) {
		err = hist_chain__print(&t->chain, &t->es, &t->es.all[node->from], &out->buf);
	}
	return err ? err : out__commit(out);
}

static int print_level(struct hist_table *t, size_t from, size_t to, uint32_t key, uint32_t depth,
		       bool *has_lines)
{
	struct hist_level level;
	size_t i;
	int err = hist_level__build(&level, &t->es, from, to, key);

	for (i = 0; i < level.cnt && !err; i++) {
		const struct hist_node *node = &level.nodes[i];

		if (node->sum.is_hidden ||
		    hist_table__share(t, &node->sum, 0, false) < t->hist->cfg.min_percent)
			continue;
		*has_lines = true;
		err = print_node(t, node, key, depth);
	}
	hist_level__free(&level);
	return err;
}

int hist_hierarchy__print(struct hist_table *t)
{
	bool has_lines;

	return print_level(t, 0, t->es.cnt, 0, 0, &has_lines);
}
