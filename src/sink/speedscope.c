// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * speedscope's own format (its file-format-schema.json): each function once, then a "sampled"
 * profile for each event, or for each of its groups if the stacks are split. Stacks are summed up,
 * so they are not in the order of time. Losses are in the profile's name, the only text that
 * speedscope shows.
 *
 * A function is one frame: its file is the source if that is known, else the module, and its line
 * the first one that a sample was in.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sink/out.h"
#include "sink/profile_sink.h"
#include "profile/profile_tree.h"

extern const struct sink_ops speedscope_sink;

struct speedscope_printer {
	struct sink *sink;
	struct profile_tree tree;
	const struct profile_view *view;
	struct profile_line *lines; /* by function */
	struct u64map frames; /* name << 32 | function → index in the file */
	uint32_t *frame_of; /* by node */
	uint32_t off_frame; /* frame of "[off-cpu]" */
	struct strbuf weights;
	const char *sep;
	uint64_t sum;
};

static void put_str(struct strbuf *sb, const char *text)
{
	strbuf__put_json(sb, text, strlen(text));
}

/* Finds the first line of each function. 0 or -ENOMEM. */
static int find_lines(struct speedscope_printer *pr, const struct profile *p)
{
	uint32_t i, at;

	pr->lines = malloc((p->func_cnt + 1) * sizeof(*pr->lines));
	if (!pr->lines)
		return -ENOMEM;
	for (i = 0; i < p->func_cnt; i++)
		pr->lines[i] = (struct profile_line){ .file = TEXTS_NONE };
	for (i = 0; i < p->loc_cnt; i++) {
		for (at = p->locs[i].func; at < p->locs[i].func + p->locs[i].func_cnt; at++) {
			const struct profile_line *line = &p->loc_lines[at];
			struct profile_line *first = &pr->lines[p->loc_funcs[at]];

			if (line->file != TEXTS_NONE && line->line &&
			    (!first->line || line->line < first->line))
				*first = *line;
		}
	}
	return 0;
}

static void put_position(struct speedscope_printer *pr, uint32_t func)
{
	const struct profile *p = pr->tree.profile;
	const struct profile_line *line = &pr->lines[func];
	uint32_t file = line->line ? line->file : p->funcs[func].module;
	struct strbuf *sb = &pr->sink->out->buf;

	if (!*profile__text(p, file))
		return;
	strbuf__puts(sb, ",\"file\":");
	put_str(sb, profile__text(p, file));
	if (line->line) {
		strbuf__puts(sb, ",\"line\":");
		strbuf__put_u64(sb, line->line);
	}
}

/* Puts every function of the tree, once. */
static int put_frames(struct speedscope_printer *pr)
{
	struct strbuf *sb = &pr->sink->out->buf;
	uint32_t at, cnt = 0, *slot;

	strbuf__puts(sb, "\"shared\":{\"frames\":[");
	for (at = 1; at < pr->tree.cnt; at++) {
		const struct profile_node *node = &pr->tree.nodes[at];

		slot = u64map__slot(&pr->frames, (uint64_t)node->name << 32 | node->func);
		if (!slot)
			return -ENOMEM;
		if (*slot == U64MAP_NONE) {
			strbuf__puts(sb, cnt ? ",\n{\"name\":" : "\n{\"name\":");
			put_str(sb, profile_tree__name(&pr->tree, at));
			if (node->func != TEXTS_NONE)
				put_position(pr, node->func);
			strbuf__putc(sb, '}');
			*slot = cnt++;
		}
		pr->frame_of[at] = *slot;
	}
	pr->off_frame = cnt;
	strbuf__puts(sb, cnt ? ",\n{\"name\":\"[off-cpu]\"}]}" : "\n{\"name\":\"[off-cpu]\"}]}");
	return out__commit(pr->sink->out);
}

/* Puts a stack: the path from the root (or the group) down to the node. */
static void put_stack(struct speedscope_printer *pr, uint32_t at, uint32_t top, bool off,
		      uint64_t value)
{
	struct strbuf *sb = &pr->sink->out->buf;
	uint32_t path[PROFILE_MAX_DEPTH + 3], n = 0;

	/*
	 * With all its inlined functions a stack may be too deep: then the outermost ones are
	 * dropped.
	 */
	for (; at != top && n < PROFILE_MAX_DEPTH + 3; at = pr->tree.nodes[at].parent)
		path[n++] = pr->frame_of[at];
	strbuf__puts(sb, pr->sep);
	strbuf__putc(sb, '[');
	while (n--) {
		strbuf__put_u64(sb, path[n]);
		if (n)
			strbuf__putc(sb, ',');
	}
	if (off)
		strbuf__printf(sb, "%s%u", sb->buf[sb->len - 1] == '[' ? "" : ",", pr->off_frame);
	strbuf__putc(sb, ']');
	strbuf__puts(&pr->weights, pr->sep);
	strbuf__put_u64(&pr->weights, value);
	pr->sep = ",";
	pr->sum += value;
}

static int put_samples(struct speedscope_printer *pr, uint32_t at, uint32_t top)
{
	const struct profile_node *node = &pr->tree.nodes[at];
	uint32_t c;
	int err;

	if (node->self > node->off_self)
		put_stack(pr, at, top, false, node->self - node->off_self);
	if (node->off_self)
		put_stack(pr, at, top, true, node->off_self);
	err = out__commit(pr->sink->out);
	for (c = node->child; c && !err; c = pr->tree.nodes[c].next)
		err = put_samples(pr, c, top);
	return err;
}

/* Puts a profile of the nodes below `top`, with the name of `top`. */
static int put_profile(struct speedscope_printer *pr, uint32_t top, const char *group)
{
	struct strbuf *sb = &pr->sink->out->buf, name = STRBUF_INIT;
	int err;

	strbuf__printf(&name, "%s%s%s", group, *group ? ", " : "", pr->view->name);
	if (!*group) {
		strbuf__puts(&name, ": ");
		profile__put_summary(pr->tree.profile, &name);
	}
	strbuf__puts(sb, "{\"type\":\"sampled\",\"name\":");
	put_str(sb, strbuf__cstr(&name));
	strbuf__free(&name);
	strbuf__printf(sb, ",\"unit\":\"%s\",\"startValue\":0,\n\"samples\":[",
		       pr->view->is_ns ? "nanoseconds" : "none");
	pr->sep = "";
	pr->sum = 0;
	strbuf__reset(&pr->weights);
	err = put_samples(pr, top, top);
	strbuf__puts(sb, "],\n\"weights\":[");
	strbuf__add(sb, pr->weights.buf, pr->weights.len);
	strbuf__puts(sb, "],\n\"endValue\":");
	strbuf__put_u64(sb, pr->sum);
	strbuf__putc(sb, '}');
	return err ? err : out__commit(pr->sink->out);
}

static int put_view(struct speedscope_printer *pr, bool split, const char **sep)
{
	struct strbuf *sb = &pr->sink->out->buf;
	int err = profile_tree__weigh(&pr->tree, pr->view);
	const struct profile_node *nodes = pr->tree.nodes;
	uint32_t c;

	if (err || !split) {
		strbuf__puts(sb, *sep);
		*sep = ",\n";
		return err ? err : put_profile(pr, 0, "");
	}
	for (c = nodes[0].child; c && !err; c = nodes[c].next) {
		if (!nodes[c].total)
			continue;
		strbuf__puts(sb, *sep);
		*sep = ",\n";
		err = put_profile(pr, c, profile_tree__name(&pr->tree, c));
	}
	return err;
}

static int put_file(struct speedscope_printer *pr, struct profile_sink *ps)
{
	struct strbuf *sb = &pr->sink->out->buf, summary = STRBUF_INIT;
	/* An empty profile is still a profile. */
	bool split = ps->profile.by != PROFILE_BY_COMM && ps->profile.stack_cnt;
	const char *sep = "";
	uint32_t i;
	int err;

	strbuf__puts(sb, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
			 "\"exporter\":\"bpfperf " BPFPERF_VERSION "\",\"name\":");
	strbuf__puts(&summary, "bpfperf: ");
	profile__put_summary(&ps->profile, &summary);
	if (ps->profile.meta.command)
		strbuf__printf(&summary, ": %s", ps->profile.meta.command);
	put_str(sb, strbuf__cstr(&summary));
	strbuf__free(&summary);
	strbuf__puts(sb, ",\"activeProfileIndex\":0,\n");
	err = put_frames(pr);
	strbuf__puts(sb, ",\n\"profiles\":[");
	for (i = 0; i < ps->primary_cnt && !err; i++) {
		pr->view = &ps->views[i];
		err = put_view(pr, split, &sep);
	}
	strbuf__puts(sb, "]}\n");
	return err ? err : out__commit(pr->sink->out);
}

static int speedscope_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct profile_sink *ps = sink->priv;
	struct speedscope_printer pr = { .sink = sink };
	int err = profile_tree__build(&pr.tree, p, false, ps->views);

	if (!err)
		err = find_lines(&pr, p);
	if (!err) {
		pr.frame_of = calloc(pr.tree.cnt, sizeof(*pr.frame_of));
		err = pr.frame_of ? put_file(&pr, ps) : -ENOMEM;
	}
	free(pr.frame_of);
	free(pr.lines);
	strbuf__free(&pr.weights);
	u64map__free(&pr.frames);
	profile_tree__free(&pr.tree);
	return err;
}

const struct sink_ops speedscope_sink = {
	.name = "speedscope",
	.suffix = ".speedscope.json",
	.wants_lines = true,
	.begin = profile_sink__begin_alone,
	.end = speedscope_end,
	PROFILE_SINK_OPS,
};
