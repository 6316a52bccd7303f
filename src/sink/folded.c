// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Folded stacks, one per line, in the form that flamegraph.pl, inferno and speedscope read:
 * `comm;outermost;…;innermost COUNT`. The counts sum up to the number of samples. Kernel functions
 * have no mark, like in stackcollapse-perf. A semicolon in a name becomes a colon.
 *
 * Extensions: with several events, each stack begins with the event's name; a stack off the CPU
 * ends in [off-cpu]; with an older profile there are two counts, OLD NEW, like in difffolded.pl.
 *
 * The last line describes the recording. It has the form of a stack with a count of 0, so that
 * other readers of folded stacks accept it.
 */
#include "sink/out.h"
#include "sink/profile_sink.h"
#include "profile/profile_tree.h"

extern const struct sink_ops folded_sink;

struct folded_printer {
	struct sink *sink;
	struct profile *profile;
	struct profile_tree tree;
	const struct profile_view *view;
	struct strbuf path; /* the current line */
	bool is_comparison; /* two counts in each line, OLD NEW */
};

static void put_text(struct strbuf *sb, const char *text)
{
	for (; *text; text++)
		strbuf__putc(sb, *text == ';' ? ':' : *text);
}

/* An empty name, which a thread may have, would make the next frame the first of the line. */
static void put_frame(struct strbuf *sb, const char *name)
{
	put_text(sb, *name ? name : "[unnamed]");
}

static int put_line(struct folded_printer *pr, const char *mark, uint64_t old, uint64_t now)
{
	struct strbuf *sb = &pr->sink->out->buf;

	if (!old && !now)
		return 0;
	strbuf__add(sb, pr->path.buf, pr->path.len);
	strbuf__puts(sb, mark);
	if (pr->is_comparison) {
		strbuf__putc(sb, ' ');
		strbuf__put_u64(sb, old);
	}
	strbuf__putc(sb, ' ');
	strbuf__put_u64(sb, now);
	strbuf__putc(sb, '\n');
	return out__commit(pr->sink->out);
}

/* Prints the stacks of a node and of its children; the path has its old length on return. */
static int print_node(struct folded_printer *pr, uint32_t at)
{
	const struct profile_node *node = &pr->tree.nodes[at];
	size_t len = pr->path.len;
	uint32_t c;
	int err;

	if (len)
		strbuf__putc(&pr->path, ';');
	put_frame(&pr->path, profile_tree__name(&pr->tree, at));
	err = put_line(pr, "", node->old_self - node->old_off_self, node->self - node->off_self);
	if (!err)
		err = put_line(pr, ";[off-cpu]", node->old_off_self, node->off_self);
	for (c = node->child; c && !err; c = pr->tree.nodes[c].next)
		err = print_node(pr, c);
	pr->path.len = len;
	return err;
}

static int print_view(struct folded_printer *pr, bool several)
{
	uint32_t c;
	int err = profile_tree__weigh(&pr->tree, pr->view);

	strbuf__reset(&pr->path);
	if (several)
		put_frame(&pr->path, pr->view->name);
	for (c = pr->tree.nodes[0].child; c && !err; c = pr->tree.nodes[c].next)
		err = print_node(pr, c);
	return err;
}

static void put_field(struct strbuf *sb, const char *key, const char *text)
{
	strbuf__putc(sb, ';');
	strbuf__puts(sb, key);
	strbuf__putc(sb, '=');
	put_text(sb, text);
}

/* With several views, each one's prefix of the stacks is declared first. */
static void put_view(struct folded_printer *pr, const struct profile_view *v, bool several)
{
	struct strbuf *sb = &pr->sink->out->buf;
	struct profile *p = pr->profile;
	uint32_t event = v->events ? (uint32_t)__builtin_ctzll(v->events) : 0;

	if (several)
		put_field(sb, "view", v->name);
	if (v->events && *profile__text(p, p->events[event].name))
		put_field(sb, "event", profile__text(p, p->events[event].name));
	put_field(sb, "unit", v->unit);
}

/* Puts the last line, which read_folded.c parses. */
static int put_recording(struct folded_printer *pr, uint32_t view_cnt)
{
	struct strbuf *sb = &pr->sink->out->buf;
	struct profile *p = pr->profile;
	const struct profile_meta *m = &p->meta;
	const struct profile_view *v = pr->view;
	uint32_t i;

	strbuf__puts(sb, "[recording]");
	for (i = 0; i < view_cnt; i++)
		put_view(pr, &v[i], view_cnt > 1);
	if (m->freq_hz)
		strbuf__printf(sb, ";hz=%llu", (unsigned long long)m->freq_hz);
	if (m->period)
		strbuf__printf(sb, ";period=%llu", (unsigned long long)m->period);
	if (m->duration_ns)
		strbuf__printf(sb, ";seconds=%.3f", (double)m->duration_ns / 1e9);
	strbuf__printf(sb, ";samples=%llu;lost=%llu;truncated=%llu",
		       (unsigned long long)profile__samples(p),
		       (unsigned long long)profile__lost(p),
		       (unsigned long long)profile__truncated(p));
	if (m->command)
		put_field(sb, "command", m->command);
	strbuf__puts(sb, pr->is_comparison ? " 0 0\n" : " 0\n");
	return out__commit(pr->sink->out);
}

static int folded_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct profile_sink *ps = sink->priv;
	struct folded_printer pr = { .sink = sink, .profile = p, .view = ps->views };
	uint32_t i;
	int err;

	err = profile_tree__build(&pr.tree, p, false, ps->views);
	for (i = 0; i < ps->primary_cnt; i++)
		pr.is_comparison |= ps->views[i].old_events != 0;
	for (i = 0; i < ps->primary_cnt && !err; i++) {
		pr.view = &ps->views[i];
		err = print_view(&pr, ps->primary_cnt > 1);
	}
	pr.view = ps->views;
	if (!err)
		err = put_recording(&pr, ps->primary_cnt);
	strbuf__free(&pr.path);
	profile_tree__free(&pr.tree);
	return err;
}

const struct sink_ops folded_sink = {
	.name = "folded",
	.suffix = ".folded",
	.begin = profile_sink__begin,
	.end = folded_end,
	PROFILE_SINK_OPS,
};
