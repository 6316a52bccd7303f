// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * A profile to be read on a terminal: the hottest path first, callers above
 * what they call, each line with its share of all samples. Functions that
 * only call one other stand on one line; what is too small to matter is
 * summed up, so that the lines of one level still sum up to their caller.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "event/event.h"
#include "sink/out.h"
#include "sink/profile_tree.h"
#include "sink/sink.h"

extern const struct sink_ops tree_sink;

/* Below this share of all samples a path is summed up with its like: 1 in 200, as perf report does. */
#define SMALL_SHARE 200
#define FILE_WIDTH 100
#define MIN_TEXT_WIDTH 24
#define INDENT 2
#define COLUMNS_SZ 29 /* what stands before the names */

#define JOINT " > "

struct tree_priv {
	struct profile profile;
	const struct event *event;
	uint64_t lost;
};

struct printer {
	struct sink *sink;
	struct profile *profile;
	struct profile_tree tree;
	size_t width;
};

static int tree_begin(struct sink *sink)
{
	struct tree_priv *priv = sink->priv;

	profile__init(&priv->profile, sink->cfg.sym);
	return 0;
}

static int tree_sample(struct sink *sink, const struct sample *s)
{
	struct tree_priv *priv = sink->priv;

	priv->event = s->event;
	return profile__add(&priv->profile, s);
}

static int tree_lost(struct sink *sink, const struct lost *l)
{
	struct tree_priv *priv = sink->priv;

	priv->lost += l->cnt;
	return 0;
}

static size_t width_of(const struct out *out)
{
	struct winsize ws;

	if (!out->is_tty || ioctl(out->fd, TIOCGWINSZ, &ws) || !ws.ws_col)
		return FILE_WIDTH;
	return ws.ws_col;
}

/* The hotter the louder. */
static const char *color_of(const struct printer *pr, uint64_t samples)
{
	uint64_t all = pr->tree.nodes[0].total;

	if (!pr->sink->cfg.color)
		return "";
	if (samples * 5 >= all)
		return "\033[1;31m";
	return samples * 20 >= all ? "\033[33m" : "\033[2m";
}

static void put_columns(struct printer *pr, uint64_t total, uint64_t self)
{
	double all = (double)pr->tree.nodes[0].total;
	struct strbuf *sb = &pr->sink->out->buf;

	strbuf__printf(sb, "%s%6.2f%%%s %8.2f%% %9llu  ", color_of(pr, total), total * 100 / all,
		       pr->sink->cfg.color ? "\033[0m" : "", self * 100 / all,
		       (unsigned long long)total);
}

/* Names of a chain, wrapped; on a terminal a name that is too long for a line is cut. */
static void put_chain(struct printer *pr, uint32_t from, uint32_t to, size_t indent)
{
	size_t room = pr->width > COLUMNS_SZ + indent + MIN_TEXT_WIDTH
			      ? pr->width - COLUMNS_SZ - indent
			      : MIN_TEXT_WIDTH;
	struct strbuf *sb = &pr->sink->out->buf;
	size_t used = 0, len;
	const char *name;
	uint32_t at;

	for (at = from;; at = pr->tree.nodes[at].child) {
		name = profile__name(pr->profile, pr->tree.nodes[at].name);
		len = strlen(name);
		if (used && used + strlen(JOINT) + len > room) {
			strbuf__printf(sb, "\n%*s", (int)(COLUMNS_SZ + indent), "");
			strbuf__puts(sb, JOINT + 1);
			used = strlen(JOINT) - 1;
		} else if (used) {
			strbuf__puts(sb, JOINT);
			used += strlen(JOINT);
		}
		if (pr->sink->out->is_tty && used + len > room && room > used + 3) {
			strbuf__add(sb, name, room - used - 3);
			strbuf__puts(sb, "...");
			used = room;
		} else {
			strbuf__add(sb, name, len);
			used += len;
		}
		if (at == to)
			break;
	}
	strbuf__putc(sb, '\n');
}

/* The last of a chain: the first that samples end in, or that calls more than one. */
static uint32_t chain_end(const struct profile_tree *tree, uint32_t at)
{
	const struct profile_node *nodes = tree->nodes;

	while (!nodes[at].self && nodes[at].child && !nodes[nodes[at].child].next)
		at = nodes[at].child;
	return at;
}

static void put_small(struct printer *pr, uint32_t at, size_t indent)
{
	const struct profile_node *nodes = pr->tree.nodes;
	uint64_t total = 0;
	uint32_t cnt = 0;

	for (; at; at = nodes[at].next) {
		total += nodes[at].total;
		cnt++;
	}
	put_columns(pr, total, 0);
	strbuf__printf(&pr->sink->out->buf, "%*s(%u smaller)\n", (int)indent, "", cnt);
}

static int print_children(struct printer *pr, uint32_t parent, size_t indent)
{
	const struct profile_node *nodes = pr->tree.nodes;
	size_t deepest = pr->width / 2 > COLUMNS_SZ ? pr->width / 2 - COLUMNS_SZ : 0;
	uint32_t at, end;
	int err = 0;

	/* Deep down, lines stop moving to the right. */
	if (indent > deepest)
		indent = deepest;
	for (at = nodes[parent].child; at && !err; at = nodes[at].next) {
		if (nodes[at].total * SMALL_SHARE < nodes[0].total && nodes[at].next) {
			put_small(pr, at, indent);
			break;
		}
		/* A thread's name stands alone. */
		end = parent ? chain_end(&pr->tree, at) : at;
		put_columns(pr, nodes[at].total, nodes[end].self);
		strbuf__printf(&pr->sink->out->buf, "%*s", (int)indent, "");
		put_chain(pr, at, end, indent);
		err = out__commit(pr->sink->out);
		if (!err)
			err = print_children(pr, end, indent + INDENT);
	}
	return err;
}

static int tree_end(struct sink *sink)
{
	struct tree_priv *priv = sink->priv;
	struct printer pr = { .sink = sink, .profile = &priv->profile };
	struct strbuf *sb = &sink->out->buf;
	int err;

	err = profile_tree__build(&pr.tree, &priv->profile);
	if (err)
		return err;
	pr.width = width_of(sink->out);
	strbuf__printf(sb, "# %llu samples%s%s, %llu lost\n",
		       (unsigned long long)priv->profile.samples, priv->event ? " of " : "",
		       priv->event ? priv->event->name : "", (unsigned long long)priv->lost);
	if (priv->profile.samples) {
		strbuf__printf(sb, "#%6s %9s %9s  %s\n", "total", "self", "samples",
			       "thread, stack");
		err = print_children(&pr, 0, 0);
	}
	profile_tree__free(&pr.tree);
	return err;
}

static void tree_free(struct sink *sink)
{
	struct tree_priv *priv = sink->priv;

	profile__free(&priv->profile);
}

const struct sink_ops tree_sink = {
	.name = "tree",
	.suffix = ".txt .log .out",
	.priv_sz = sizeof(struct tree_priv),
	.begin = tree_begin,
	.sample = tree_sample,
	.lost = tree_lost,
	.end = tree_end,
	.free = tree_free,
};
