// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format flame: one HTML page with the profile and everything needed to show it (flame/); the
 * page loads nothing. The profile is JSON (flame_data.h) in a script element of a non-script type;
 * read_page.c parses the page.
 */
#include <string.h>

#include "flame_page.h"
#include "sink/flame_data.h"
#include "sink/out.h"

extern const struct sink_ops flame_sink;

/* Placeholders in the page: of the profile, and behind it of functions' instructions. */
#define MARK "@PROFILE@"
#define CODE_MARK "@CODE@"

static int flame_begin(struct sink *sink)
{
	struct profile_sink *ps = sink->priv;
	int err = profile_sink__begin(sink);

	ps->profile.times.wanted = true;
	return err;
}

static int flame_end(struct sink *sink)
{
	struct profile *p = profile_sink__finish(sink);
	struct profile_sink *ps = sink->priv;
	struct strbuf *sb = &sink->out->buf, json = STRBUF_INIT;
	const char *mark = strstr(flame_page, MARK), *code_mark = strstr(mark, CODE_MARK);
	const char *code = profile_sink__config(sink)->code;
	struct profile_tree tree;
	int err = profile_tree__build(&tree, p, false, ps->views);

	if (!err)
		err = flame_data__put(&tree, ps, &json);
	if (!err) {
		strbuf__add(sb, flame_page, (size_t)(mark - flame_page));
		strbuf__put_script_json(sb, json.buf, json.len);
		mark += strlen(MARK);
		strbuf__add(sb, mark, (size_t)(code_mark - mark));
		code = code ? code : "null";
		strbuf__put_script_json(sb, code, strlen(code));
		strbuf__puts(sb, code_mark + strlen(CODE_MARK));
		err = out__commit(sink->out);
	}
	strbuf__free(&json);
	profile_tree__free(&tree);
	return err;
}

const struct sink_ops flame_sink = {
	.name = "flame",
	.suffix = ".html",
	.begin = flame_begin,
	.end = flame_end,
	PROFILE_SINK_OPS,
};
