// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sink/script_calls.h"

#include <string.h>

#include "data/perf_sample.h"
#include "decode/named.h"
#include "decode/sample.h"
#include "sink/script.h"
#include "sink/script_addr.h"
#include "sink/script_insn.h"
#include "util/name_list.h"

#define INDENT 4
/* The column grows and shrinks by steps, so that it is even in most rows. */
#define COLUMN_STEP 32
#define COLUMN_SLACK 52

static void put_file(struct strbuf *out, const struct named_line *line, uint32_t pid, size_t width)
{
	static const struct sym_frame unknown = { .module = "[unknown]" };
	size_t start;

	strbuf__putc(out, '(');
	start = out->len;
	script_addrs__put_file(out, line->place ? line->place->frames : &unknown, pid);
	strbuf__pad(out, start, width);
	strbuf__puts(out, ")\t");
}

/* Returns the place that a branch calls or returns from. NULL: it does neither. */
static const struct named_line *line_of(const struct sample *s)
{
	uint32_t flags = s->perf->insn_flags;

	if (flags & (SCRIPT_INSN_CALL | SCRIPT_INSN_BEGIN))
		return s->lines->cnt > 1 ? &s->lines->at[1] : NULL;
	return flags & (SCRIPT_INSN_RETURN | SCRIPT_INSN_END) ? &s->lines->at[0] : NULL;
}

bool script_graph__shows(struct script_graph *graph, const char *functions, const struct sample *s)
{
	uint32_t *depth = functions ? u64map__slot(&graph->depth_of, (uint32_t)s->tid) : NULL;
	const struct named_line *line;
	const char *name;

	if (!depth)
		return true;
	/* Other samples of the thread change nothing. */
	if (!s->perf->event->is_made)
		return *depth != U64MAP_NONE;
	if (*depth != U64MAP_NONE) {
		if (s->perf->depth > *depth)
			return true;
		*depth = U64MAP_NONE;
		return false;
	}
	line = line_of(s);
	name = line && line->place ? line->place->frames[0].name : NULL;
	if (!name || !name_list__has(functions, name))
		return false;
	*depth = s->perf->depth;
	return true;
}

void script_graph__free(struct script_graph *graph)
{
	u64map__free(&graph->depth_of);
}

void script_calls__put(struct script_calls *calls, struct strbuf *out, const struct sample *s,
		       uint64_t fields)
{
	uint32_t flags = s->perf->insn_flags, i;
	const struct named_line *line = line_of(s);
	size_t start, len;

	if (fields & SCRIPT_DSO && !(fields & (SCRIPT_IP | SCRIPT_ADDR)))
		put_file(out, &s->lines->at[0], s->perf->pid, calls->file_width);
	start = out->len;
	if (line && (line->addr || line->place)) {
		/* A return has left its function already. */
		for (i = s->perf->depth + !!(flags & SCRIPT_INSN_RETURN); i; i--)
			strbuf__printf(out, "%*s", INDENT, "");
		if (line->place && line->place->frames[0].name)
			strbuf__put_escaped(out, line->place->frames[0].name,
					    strlen(line->place->frames[0].name));
		else
			strbuf__printf(out, "%16llx", (unsigned long long)line->addr);
	}
	len = out->len - start;
	if (len > calls->width || (len && len + COLUMN_SLACK < calls->width))
		calls->width = (len + INDENT + COLUMN_STEP - 1) / COLUMN_STEP * COLUMN_STEP;
	strbuf__pad(out, start, calls->width);
}
