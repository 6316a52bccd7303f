// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A profile for reading on a terminal: the hottest path first, callers above their callees, each
 * line with its share of the whole. A chain of functions with a single callee is on one line,
 * recursions are folded, and small paths are summed up, so that the lines of a level still sum up
 * to their caller. Each level is indented by INDENT; a line that is deeper than the width allows
 * begins with the number of levels that its indentation lacks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "sink/out.h"
#include "sink/profile_sink.h"
#include "profile/profile_tree.h"

extern const struct sink_ops tree_sink;

/* Paths with a smaller share of the whole are summed up: 1 in 200, like perf report. */
#define SMALL_SHARE 200
#define FILE_WIDTH 100
#define MIN_TEXT_WIDTH 24
#define MIN_FILE_TEXT_WIDTH 48
#define INDENT 2
#define MAX_WIDTH 10000
/* Levels that are indented in a file, and on a terminal however narrow it is. */
#define FILE_LEVELS 200
#define MIN_LEVELS 6

#define JOINT " > "
#define RECURSIVE " (recursive)"

struct tree_printer {
	struct sink *sink;
	struct profile_tree tree;
	const struct profile_view *view;
	size_t width;
	bool is_narrow; /* lines should fit into the width */
	size_t columns_sz; /* width of the columns before the names */
};

/* COLUMNS in the environment is the user's choice, on a terminal and elsewhere. */
static void set_width(struct tree_printer *pr)
{
	const struct out *out = pr->sink->out;
	const char *columns = getenv("COLUMNS");
	unsigned long width = columns ? strtoul(columns, NULL, 10) : 0;
	struct winsize ws;

	pr->width = FILE_WIDTH;
	pr->is_narrow = true;
	if (width && width <= MAX_WIDTH)
		pr->width = width;
	else if (out->is_tty && !ioctl(out->fd, TIOCGWINSZ, &ws) && ws.ws_col)
		pr->width = ws.ws_col;
	else
		pr->is_narrow = out->is_tty;
}

/* Returns the number of levels that are indented. */
static size_t deepest_level(const struct tree_printer *pr)
{
	size_t other = pr->columns_sz + MIN_TEXT_WIDTH;

	if (!pr->is_narrow)
		return FILE_LEVELS;
	if (pr->width < other + MIN_LEVELS * INDENT)
		return MIN_LEVELS;
	return (pr->width - other) / INDENT;
}

/* Puts the indentation of a level. Returns its width in columns. */
static size_t put_indent(struct tree_printer *pr, size_t level)
{
	struct strbuf *sb = &pr->sink->out->buf;
	size_t deepest = deepest_level(pr), from = sb->len;

	strbuf__printf(sb, "%*s", (int)((level < deepest ? level : deepest) * INDENT), "");
	if (level > deepest)
		strbuf__printf(sb, "+%zu ", level - deepest);
	return sb->len - from;
}

static double share(uint64_t part, uint64_t all)
{
	return all ? (double)part * 100 / (double)all : 0;
}

/* A path is small if both its current and its older value are. */
static bool is_small(const struct tree_printer *pr, const struct profile_node *node)
{
	const struct profile_node *root = &pr->tree.nodes[0];

	return node->total * SMALL_SHARE < root->total &&
	       node->old_total * SMALL_SHARE <= root->old_total;
}

/* The hotter, the stronger the color; in a comparison, red has grown and green has shrunk. */
static const char *color_of(const struct tree_printer *pr, const struct profile_node *node)
{
	const struct profile_node *all = &pr->tree.nodes[0];

	if (!pr->sink->cfg.color)
		return "";
	if (pr->view->old_events) {
		double change =
			share(node->total, all->total) - share(node->old_total, all->old_total);

		return change >= 1 ? "\033[31m" : change <= -1 ? "\033[32m" : "\033[2m";
	}
	if (node->total * 5 >= all->total)
		return "\033[1;31m";
	return node->total * 20 >= all->total ? "\033[33m" : "\033[2m";
}

static void put_value(struct tree_printer *pr, uint64_t value)
{
	struct strbuf text = STRBUF_INIT;

	profile_view__put_value(pr->view, value, &text);
	strbuf__printf(&pr->sink->out->buf, " %9s", strbuf__cstr(&text));
	strbuf__free(&text);
}

/* Puts " total self samples " and the headings of the profile's other columns. */
static void put_headings(struct tree_printer *pr)
{
	struct strbuf *sb = &pr->sink->out->buf;
	size_t from = sb->len;

	strbuf__printf(sb, "#%6s %9s", "total", "self");
	if (pr->view->old_events)
		strbuf__printf(sb, " %9s", "change");
	if (pr->view->has_off)
		strbuf__printf(sb, " %9s", "off CPU");
	strbuf__printf(sb, " %9s  ", pr->view->is_ns ? "time" : pr->view->unit);
	pr->columns_sz = sb->len - from;
	strbuf__puts(sb, "thread, stack\n");
}

static void put_columns(struct tree_printer *pr, const struct profile_node *node, uint64_t self)
{
	const struct profile_node *all = &pr->tree.nodes[0];
	struct strbuf *sb = &pr->sink->out->buf;

	strbuf__printf(sb, "%s%6.2f%%%s %8.2f%%", color_of(pr, node),
		       share(node->total, all->total), pr->sink->cfg.color ? "\033[0m" : "",
		       share(self, all->total));
	if (pr->view->old_events)
		strbuf__printf(sb, " %+8.2f%%",
			       share(node->total, all->total) -
				       share(node->old_total, all->old_total));
	if (pr->view->has_off)
		strbuf__printf(sb, " %8.2f%%", share(node->off_total, all->total));
	put_value(pr, node->total);
	strbuf__puts(sb, "  ");
}

/* Puts the names of a chain, wrapped; on a terminal a name longer than a line is cut. */
static void put_chain(struct tree_printer *pr, uint32_t from, uint32_t to, size_t indent)
{
	size_t min = pr->is_narrow ? MIN_TEXT_WIDTH : MIN_FILE_TEXT_WIDTH;
	size_t room = pr->width > pr->columns_sz + indent + min
			      ? pr->width - pr->columns_sz - indent
			      : min;
	struct strbuf *sb = &pr->sink->out->buf;
	size_t used = 0, len, mark_sz;
	const char *name;
	uint32_t at;

	for (at = from;; at = pr->tree.nodes[at].child) {
		name = profile_tree__name(&pr->tree, at);
		len = strlen(name);
		mark_sz = pr->tree.nodes[at].recursive ? strlen(RECURSIVE) : 0;
		if (used && used + strlen(JOINT) + len + mark_sz > room) {
			strbuf__printf(sb, "\n%*s", (int)(pr->columns_sz + indent), "");
			strbuf__puts(sb, &JOINT[1]);
			used = strlen(JOINT) - 1;
		} else if (used) {
			strbuf__puts(sb, JOINT);
			used += strlen(JOINT);
		}
		if (pr->sink->out->is_tty && used + len + mark_sz > room &&
		    room > used + mark_sz + 3) {
			strbuf__add(sb, name, room - used - mark_sz - 3);
			strbuf__puts(sb, "...");
			used = room - mark_sz;
		} else {
			strbuf__add(sb, name, len);
			used += len;
		}
		if (mark_sz)
			strbuf__puts(sb, RECURSIVE);
		used += mark_sz;
		if (at == to)
			break;
	}
	strbuf__putc(sb, '\n');
}

/*
 * A node that has only samples of events outside the view is not shown. Such nodes are sorted last.
 */
static bool is_shown(const struct profile_node *nodes, uint32_t at)
{
	return at && (nodes[at].total || nodes[at].old_total);
}

/* Returns the end of a chain: the first node that has samples of its own, or several callees. */
static uint32_t chain_end(const struct profile_tree *tree, uint32_t at)
{
	const struct profile_node *nodes = tree->nodes;

	while (!nodes[at].self && !nodes[at].old_self && is_shown(nodes, nodes[at].child) &&
	       !is_shown(nodes, nodes[nodes[at].child].next))
		at = nodes[at].child;
	return at;
}

static void put_small(struct tree_printer *pr, uint32_t at, size_t level)
{
	const struct profile_node *nodes = pr->tree.nodes;
	struct profile_node sum = { 0 };
	uint32_t cnt = 0;

	for (; is_shown(nodes, at); at = nodes[at].next) {
		sum.total += nodes[at].total;
		sum.off_total += nodes[at].off_total;
		sum.old_total += nodes[at].old_total;
		cnt++;
	}
	put_columns(pr, &sum, 0);
	put_indent(pr, level);
	strbuf__printf(&pr->sink->out->buf, "(%u smaller)\n", cnt);
}

/* Checks whether this node and all nodes behind it are too small. */
static bool rest_is_small(const struct tree_printer *pr, uint32_t at)
{
	for (; at; at = pr->tree.nodes[at].next)
		if (!is_small(pr, &pr->tree.nodes[at]))
			return false;
	return true;
}

static int print_children(struct tree_printer *pr, uint32_t parent, size_t level)
{
	const struct profile_node *nodes = pr->tree.nodes;
	uint32_t at, end;
	int err = 0;

	for (at = nodes[parent].child; is_shown(nodes, at) && !err; at = nodes[at].next) {
		if (is_small(pr, &nodes[at]) && is_shown(nodes, nodes[at].next) &&
		    rest_is_small(pr, at)) {
			put_small(pr, at, level);
			break;
		}
		/* The name of a group is alone on its line. */
		end = nodes[at].func != TEXTS_NONE || parent ? chain_end(&pr->tree, at) : at;
		put_columns(pr, &nodes[at], nodes[end].self);
		put_chain(pr, at, end, put_indent(pr, level));
		err = out__commit(pr->sink->out);
		if (!err)
			err = print_children(pr, end, level + 1);
	}
	return err;
}

static int print_view(struct tree_printer *pr, bool several)
{
	struct strbuf *sb = &pr->sink->out->buf;
	int err = profile_tree__weigh(&pr->tree, pr->view);

	if (err)
		return err;
	if (several)
		strbuf__printf(sb, "\n# %s\n", pr->view->name);
	put_headings(pr);
	return print_children(pr, 0, 0);
}

static int tree_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct profile_sink *ps = sink->priv;
	struct tree_printer pr = { .sink = sink, .view = ps->views };
	uint32_t i;
	int err;

	err = profile_tree__build(&pr.tree, p, true, ps->views);
	if (err)
		return err;
	set_width(&pr);
	profile_sink__put_head(sink);
	for (i = 0; i < ps->primary_cnt && p->stack_cnt && !err; i++) {
		pr.view = &ps->views[i];
		err = print_view(&pr, ps->primary_cnt > 1);
	}
	profile_tree__free(&pr.tree);
	return err;
}

const struct sink_ops tree_sink = {
	.name = "tree",
	.suffix = ".txt .log .out",
	.begin = profile_sink__begin,
	.end = tree_end,
	PROFILE_SINK_OPS,
};
