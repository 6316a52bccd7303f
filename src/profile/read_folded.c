// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Folded stacks of bpfperf or another tool: `group;outermost;…;innermost COUNT`; in bpfperf's own
 * comparisons, `… OLD NEW`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "profile/profile_read.h"
#include "util/array.h"

#define RECORDING "[recording];"
/* Ends of the line about the recording: of a profile, and of a comparison. */
#define RECORDING_END " 0"
#define COMPARISON_END " 0 0"

/* In a file with several events each stack begins with the name of its event. */
struct folded_view {
	const char *name;
	struct profile_event event;
};

struct folded_reader {
	struct profile *p;
	enum profile_part part;
	bool is_comparison; /* the file has two counts in each line */
	struct profile_event event; /* event of all stacks in a file without views */
	struct folded_view *views;
	size_t view_cnt, view_cap;
	uint32_t *locs; /* locations of a line, outermost first */
	size_t cap;
	struct strbuf name;
};

/*
 * Returns the count at the end of a line, and the end of the stack before it. NULL: there is none.
 */
static const char *count_of(const char *line, const char *end, uint64_t *cnt)
{
	const char *at = end, *digits;

	while (at > line && at[-1] != ' ' && at[-1] != '\t')
		at--;
	if (at == line || at == end)
		return NULL;
	*cnt = 0;
	for (digits = at; digits < end && *digits >= '0' && *digits <= '9'; digits++)
		if (__builtin_mul_overflow(*cnt, 10, cnt) ||
		    __builtin_add_overflow(*cnt, (uint64_t)(*digits - '0'), cnt))
			return NULL;
	if (digits == at)
		return NULL;
	/* Some tools print fractions; they are skipped. */
	if (digits < end && *digits++ != '.')
		return NULL;
	for (; digits < end; digits++)
		if (*digits < '0' || *digits > '9')
			return NULL;
	while (at > line && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at;
}

/* Returns the value behind "key=" if the text begins with it. */
static const char *value_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	return strncmp(text, key, len) ? NULL : text + len;
}

static int add_view(struct folded_reader *r, const char *name)
{
	uint32_t idx = texts__add(&r->p->texts, name, strlen(name));

	if (idx == TEXTS_NONE ||
	    array__reserve((void **)&r->views, &r->view_cap, r->view_cnt + 1, sizeof(*r->views)))
		return -ENOMEM;
	r->views[r->view_cnt++] = (struct folded_view){ profile__text(r->p, idx), r->event };
	return 0;
}

/* Reads the facts about the recording in the comment line of bpfperf's own files. */
static int read_recording(struct folded_reader *r, char *text)
{
	struct profile_meta *meta = &r->p->meta;
	struct profile_event *ev = &r->event;
	const char *v;
	char *part, *next;
	uint32_t idx;

	for (part = text; part; part = next) {
		next = strchr(part, ';');
		if (next)
			*next++ = '\0';
		if ((v = value_of(part, "view="))) {
			if (add_view(r, v))
				return -ENOMEM;
			ev = &r->views[r->view_cnt - 1].event;
		} else if ((v = value_of(part, "event="))) {
			ev->name = texts__add_escaped(&r->p->texts, v, strlen(v));
			if (ev->name == TEXTS_NONE)
				return -ENOMEM;
		} else if ((v = value_of(part, "unit="))) {
			ev->is_ns = !strcmp(v, "ns");
		} else if ((v = value_of(part, "command="))) {
			idx = texts__add_escaped(&r->p->texts, v, strlen(v));
			meta->command = idx == TEXTS_NONE ? NULL : profile__text(r->p, idx);
		} else if ((v = value_of(part, "hz="))) {
			meta->freq_hz = strtoull(v, NULL, 10);
		} else if ((v = value_of(part, "period="))) {
			meta->period = strtoull(v, NULL, 10);
		} else if ((v = value_of(part, "seconds="))) {
			meta->duration_ns = (uint64_t)(strtod(v, NULL) * 1e9);
		} else if ((v = value_of(part, "lost="))) {
			meta->lost[LOST_OTHER] = strtoull(v, NULL, 10);
		}
	}
	return 0;
}

static int push_loc(struct folded_reader *r, size_t at, const char *from, const char *to)
{
	size_t len = (size_t)(to - from);
	bool kern = len > 4 && !memcmp(to - 4, "_[k]", 4);

	if (array__reserve((void **)&r->locs, &r->cap, at + 1, sizeof(*r->locs)))
		return -ENOMEM;
	strbuf__reset(&r->name);
	strbuf__add(&r->name, from, kern ? len - 4 : len);
	r->locs[at] = profile__named_loc(r->p, strbuf__cstr(&r->name), "", kern, FRAME_NATIVE);
	return r->locs[at] == TEXTS_NONE ? -ENOMEM : 0;
}

/* Reads the frames of a stack into locs, innermost first. Returns their number, or -errno. */
static int read_frames(struct folded_reader *r, const char *at, const char *end)
{
	size_t n = 0, i;
	uint32_t swap;
	int err = 0;

	while (at < end && !err) {
		const char *semi = memchr(at, ';', (size_t)(end - at));
		const char *to = semi ? semi : end;

		if (n == PROFILE_MAX_DEPTH)
			return -EINVAL;
		err = push_loc(r, n++, at, to);
		at = to + 1;
	}
	for (i = 0; i < n / 2; i++) {
		swap = r->locs[i];
		r->locs[i] = r->locs[n - 1 - i];
		r->locs[n - 1 - i] = swap;
	}
	return err ? err : (int)n;
}

/*
 * Determines the event of a stack; with several events its name is cut off the line's beginning.
 * False: no event matches.
 */
static bool take_event(const struct folded_reader *r, const char **line, const char *end,
		       struct profile_event *ev)
{
	size_t i, len;

	*ev = r->event;
	for (i = 0; i < r->view_cnt; i++) {
		len = strlen(r->views[i].name);
		if ((size_t)(end - *line) <= len || (*line)[len] != ';' ||
		    memcmp(*line, r->views[i].name, len) != 0)
			continue;
		*line += len + 1;
		*ev = r->views[i].event;
		return true;
	}
	return !r->view_cnt;
}

/* Adds the stack of st to an event; the older profile has events of its own. */
static int add_counted(struct folded_reader *r, struct profile_stack *st, struct profile_event *ev,
		       bool old, uint64_t cnt)
{
	int event;

	ev->old = old;
	event = profile__add_event(r->p, ev);
	if (event < 0)
		return event;
	st->event = (uint8_t)event;
	st->samples = st->weight = cnt;
	return profile__add_stack(r->p, st, r->locs) == TEXTS_NONE ? -ENOMEM : 0;
}

/* cnt: of the file's profile; old: of the older one in a comparison. */
static int read_stack(struct folded_reader *r, const char *line, const char *end, uint64_t cnt,
		      uint64_t old)
{
	static const char truncated[] = "[truncated]", off[] = ";[off-cpu]";
	struct profile_stack st = { 0 };
	struct profile_event ev;
	const char *semi, *at;
	int n, err = 0;

	if (!take_event(r, &line, end, &ev))
		return -EINVAL;
	/* bpfperf's own files mark time off the CPU without separating sleeping from runnable. */
	if (ev.is_ns && (size_t)(end - line) > strlen(off) &&
	    !memcmp(end - strlen(off), off, strlen(off))) {
		ev.kind = SAMPLE_OFF_CPU;
		ev.name = texts__add(&r->p->texts, PROFILE_OFF_CPU, strlen(PROFILE_OFF_CPU));
		if (ev.name == TEXTS_NONE)
			return -ENOMEM;
		end -= strlen(off);
	}
	semi = memchr(line, ';', (size_t)(end - line));
	at = semi ? semi + 1 : end;
	st.group[0] = texts__add_escaped(&r->p->texts, line, (size_t)((semi ? semi : end) - line));
	st.group[1] = TEXTS_NONE;
	if (st.group[0] == TEXTS_NONE)
		return -ENOMEM;
	if ((size_t)(end - at) >= strlen(truncated) && !strncmp(at, truncated, strlen(truncated)) &&
	    (at + strlen(truncated) == end || at[strlen(truncated)] == ';')) {
		st.truncated = true;
		at += strlen(truncated) + 1;
	}
	n = read_frames(r, at, end);
	if (n < 0)
		return n;
	st.user_cnt = (uint16_t)n;
	if (cnt)
		err = add_counted(r, &st, &ev, r->part == PROFILE_PART_AS_OLD, cnt);
	if (r->part != PROFILE_PART_BOTH)
		r->p->old_skipped |= old > 0;
	else if (old && !err)
		err = add_counted(r, &st, &ev, true, old);
	return err;
}

static int read_line(struct folded_reader *r, const char *line, const char *end)
{
	uint64_t cnt, old = 0;
	const char *stack_end;

	while (end > line && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	if (line == end || *line == '#')
		return 0;
	stack_end = count_of(line, end, &cnt);
	if (stack_end && r->is_comparison)
		stack_end = count_of(line, stack_end, &old);
	if (!stack_end)
		return -EINVAL;
	/* Declared before the stacks; profile_read__folded() has read the line ahead. */
	if (!cnt && !old)
		return 0;
	return read_stack(r, line, stack_end, cnt, old);
}

/* Finds the line about the recording, the last one of bpfperf's own files. */
static int find_recording(struct folded_reader *r, const char *text, size_t len)
{
	const char *at = text + len, *end, *mark = RECORDING_END;
	char *copy;
	int err;

	while (at > text && at[-1] == '\n')
		at--;
	end = at;
	while (at > text && at[-1] != '\n')
		at--;
	if ((size_t)(end - at) < strlen(RECORDING) + strlen(COMPARISON_END) ||
	    memcmp(at, RECORDING, strlen(RECORDING)))
		return 0;
	r->is_comparison =
		!memcmp(end - strlen(COMPARISON_END), COMPARISON_END, strlen(COMPARISON_END));
	if (r->is_comparison)
		mark = COMPARISON_END;
	if (memcmp(end - strlen(mark), mark, strlen(mark)) != 0)
		return 0;
	at += strlen(RECORDING);
	copy = strndup(at, (size_t)(end - at) - strlen(mark));
	if (!copy)
		return -ENOMEM;
	err = read_recording(r, copy);
	free(copy);
	return err;
}

int profile_read__folded(struct profile *p, const char *text, size_t len, enum profile_part part,
			 size_t *bad_line)
{
	struct folded_reader r = { .p = p, .part = part };
	const char *at = text, *end = text + len;
	struct profile_meta kept = p->meta;
	int err;

	*bad_line = 0;
	r.event.name = texts__add(&p->texts, "", 0);
	err = find_recording(&r, text, len);
	/* Facts about the recording describe the new profile only. */
	if (part == PROFILE_PART_AS_OLD)
		p->meta = kept;
	while (at < end && !err) {
		const char *nl = memchr(at, '\n', (size_t)(end - at));

		err = read_line(&r, at, nl ? nl : end);
		at = nl ? nl + 1 : end;
		++*bad_line;
	}
	free(r.views);
	free(r.locs);
	strbuf__free(&r.name);
	return err;
}
