// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Folded stacks, one a line, as flamegraph.pl, inferno and speedscope read
 * them: `comm;outermost;…;innermost COUNT`. The counts sum up to the number
 * of samples. Kernel functions carry no mark, as with stackcollapse-perf.
 * A semicolon in a name becomes a colon.
 */
#include "sink/out.h"
#include "sink/profile_tree.h"
#include "sink/sink.h"

extern const struct sink_ops folded_sink;

static int folded_begin(struct sink *sink)
{
	profile__init(sink->priv, sink->cfg.sym);
	return 0;
}

static int folded_sample(struct sink *sink, const struct sample *s)
{
	return profile__add(sink->priv, s);
}

static void put_frame(struct strbuf *sb, const char *name)
{
	for (; *name; name++)
		strbuf__putc(sb, *name == ';' ? ':' : *name);
}

/* `path` holds the line so far; it is as long again when this returns. */
static int print_node(struct sink *sink, const struct profile_tree *tree, uint32_t at,
		      struct strbuf *path)
{
	const struct profile_node *node = &tree->nodes[at];
	struct strbuf *sb = &sink->out->buf;
	size_t len = path->len;
	uint32_t c;
	int err = 0;

	if (len)
		strbuf__putc(path, ';');
	put_frame(path, profile__name(sink->priv, node->name));
	if (node->self) {
		strbuf__add(sb, path->buf, path->len);
		strbuf__putc(sb, ' ');
		strbuf__put_u64(sb, node->self);
		strbuf__putc(sb, '\n');
		err = out__commit(sink->out);
	}
	for (c = node->child; c && !err; c = tree->nodes[c].next)
		err = print_node(sink, tree, c, path);
	path->len = len;
	return err;
}

static int folded_end(struct sink *sink)
{
	struct strbuf path = STRBUF_INIT;
	struct profile_tree tree;
	uint32_t c;
	int err;

	err = profile_tree__build(&tree, sink->priv);
	if (err)
		return err;
	for (c = tree.nodes[0].child; c && !err; c = tree.nodes[c].next)
		err = print_node(sink, &tree, c, &path);
	strbuf__free(&path);
	profile_tree__free(&tree);
	return err;
}

static void folded_free(struct sink *sink)
{
	profile__free(sink->priv);
}

const struct sink_ops folded_sink = {
	.name = "folded",
	.suffix = ".folded",
	.priv_sz = sizeof(struct profile),
	.begin = folded_begin,
	.sample = folded_sample,
	.end = folded_end,
	.free = folded_free,
};
