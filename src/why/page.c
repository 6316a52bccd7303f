// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * --format html: one page with a timeline of threads, and everything needed to show it (page/); the
 * page loads nothing. States that are too short to be seen are joined to the one that most of their
 * time was.
 */
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "why/verdict.h"
#include "why_page.h"

/* Placeholder of the result in the page. */
#define MARK "@DATA@"
/* Segments and legs of the path, at most about so many of each. */
#define SEGMENTS 100000
#define CAUSES 100

struct segment {
	uint64_t begin_ns, end_ns;
	uint32_t kind;
};

struct segments {
	struct segment *at;
	size_t cnt, cap;
	uint64_t min_ns; /* shorter ones are joined */
	bool failed;
};

/* The one before it in time is added after it. */
static void add(struct segments *s, uint64_t begin_ns, uint64_t end_ns, uint32_t kind)
{
	struct segment *last = s->cnt ? &s->at[s->cnt - 1] : NULL;
	uint64_t ns = end_ns - begin_ns;

	if (begin_ns >= end_ns)
		return;
	/* Joined: the longer of the two gives the kind. */
	if (last && last->begin_ns - begin_ns < s->min_ns) {
		if (ns > last->end_ns - last->begin_ns)
			last->kind = kind;
		last->begin_ns = begin_ns;
		return;
	}
	if (last && last->kind == kind) {
		last->begin_ns = begin_ns;
		return;
	}
	if (array__reserve((void **)&s->at, &s->cap, s->cnt + 1, sizeof(*s->at))) {
		s->failed = true;
		return;
	}
	s->at[s->cnt++] = (struct segment){ begin_ns, end_ns, kind };
}

/* Goes backwards over the states of a thread. */
static void add_states(struct segments *s, const struct why_timeline *tl,
		       const struct why_thread *t)
{
	uint64_t at_ns = t->end_ns < tl->end_ns ? t->end_ns : tl->end_ns;
	const struct why_absence *a;
	uint32_t idx;

	for (idx = t->last_absence; (a = why_timeline__absence(tl, idx)); idx = a->prev) {
		add(s, a->end_ns, at_ns, WHY_USER);
		add(s, a->woken_ns, a->end_ns, a->runnable);
		add(s, a->start_ns, a->woken_ns, a->blocked);
		at_ns = a->start_ns;
	}
	if (idx == WHY_NONE)
		add(s, t->begin_ns, at_ns, WHY_USER);
}

static void put_text(struct strbuf *out, const char *text)
{
	strbuf__put_json(out, text, strlen(text));
}

static void put_segments(struct strbuf *out, const struct segments *s, uint64_t begin_ns)
{
	size_t i;

	for (i = s->cnt; i-- > 0;)
		strbuf__printf(out, "%s%llu,%llu,%u", i + 1 < s->cnt ? "," : "",
			       (unsigned long long)(s->at[i].begin_ns - begin_ns),
			       (unsigned long long)(s->at[i].end_ns - s->at[i].begin_ns),
			       s->at[i].kind);
}

static uint32_t target_cnt(const struct why_timeline *tl)
{
	uint32_t cnt = 0;
	size_t i;

	for (i = 0; i < tl->thread_cnt; i++)
		cnt += tl->threads[i].is_target;
	return cnt ? cnt : 1;
}

/* rows: the page's number of each thread. */
static void put_threads(struct strbuf *out, const struct why_timeline *tl, uint32_t *rows)
{
	uint64_t wall_ns = tl->end_ns - tl->begin_ns;
	uint64_t min_ns = wall_ns / (SEGMENTS / target_cnt(tl) + 50);
	uint32_t cnt = 0;
	size_t i;

	strbuf__puts(out, "\"threads\":[");
	for (i = 0; i < tl->thread_cnt; i++) {
		const struct why_thread *t = &tl->threads[i];
		struct segments s = { .min_ns = min_ns };

		if (!t->is_target)
			continue;
		rows[i] = cnt;
		strbuf__printf(out, "%s\n{\"pid\":%d,\"tid\":%d,\"comm\":", cnt++ ? "," : "",
			       t->pid, t->tid);
		put_text(out, t->comm);
		strbuf__puts(out, ",\"segments\":[");
		add_states(&s, tl, t);
		put_segments(out, &s, tl->begin_ns);
		strbuf__puts(out, "]}");
		free(s.at);
	}
	strbuf__putc(out, ']');
}

static void put_path(struct strbuf *out, const struct why_result *res, const uint32_t *rows)
{
	const struct why_path *p = &res->path;
	uint64_t min_ns = (p->end_ns - p->begin_ns) / SEGMENTS;
	size_t i, first, cnt = 0;

	strbuf__puts(out, "\"path\":[");
	for (i = p->cnt; i-- > 0;) {
		first = i;
		/* Steps in one thread, and those too short to be seen, are drawn as one. */
		while (i && (p->legs[i - 1].thread == p->legs[first].thread ||
			     why_path__leg_end(p, i) - p->legs[first].begin_ns < min_ns))
			i--;
		strbuf__printf(
			out, "%s[%llu,%llu,%u]", cnt++ ? "," : "",
			(unsigned long long)(p->legs[first].begin_ns - res->tl->begin_ns),
			(unsigned long long)(why_path__leg_end(p, i) - p->legs[first].begin_ns),
			rows[p->legs[first].thread]);
	}
	strbuf__putc(out, ']');
}

static void put_causes(struct strbuf *out, const struct why_result *res)
{
	const struct why_causes *c = &res->causes;
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	strbuf__puts(out, "\"causes\":[");
	for (i = 0; i < c->cnt && i < CAUSES; i++) {
		strbuf__reset(&sb);
		why_cause__put(&c->at[i], &sb);
		strbuf__printf(out, "%s\n[\"%.2f %%\",\"%.6f\",%llu,", i ? "," : "",
			       why_share(c->at[i].ns, c->total_ns), (double)c->at[i].ns / 1e9,
			       (unsigned long long)c->at[i].step_cnt);
		put_text(out, strbuf__cstr(&sb));
		strbuf__putc(out, ']');
	}
	strbuf__putc(out, ']');
	strbuf__free(&sb);
}

static void put_kinds(struct strbuf *out)
{
	size_t k;

	strbuf__puts(out, "\"kinds\":[");
	for (k = 0; k < WHY_KINDS; k++)
		strbuf__printf(out, "%s{\"name\":\"%s\",\"group\":\"%c\"}", k ? "," : "",
			       k ? why_kinds[k].name : "on the CPU", why_kinds[k].group);
	strbuf__putc(out, ']');
}

static void put_data(struct strbuf *out, const struct why_result *res, uint32_t *rows)
{
	const struct why_timeline *tl = res->tl;
	struct strbuf sb = STRBUF_INIT;

	strbuf__printf(&sb, "where %.3f s of wall-clock time went: %s",
		       (double)(tl->end_ns - tl->begin_ns) / 1e9, res->title);
	strbuf__printf(out, "{\"wall\":%llu,\"lost\":%llu,\"title\":",
		       (unsigned long long)(tl->end_ns - tl->begin_ns),
		       (unsigned long long)res->lost_cnt);
	put_text(out, strbuf__cstr(&sb));
	strbuf__putc(out, ',');
	put_kinds(out);
	strbuf__puts(out, ",\n");
	why_verdict__put_json(res, out);
	strbuf__puts(out, ",\n");
	put_causes(out, res);
	strbuf__puts(out, ",\n");
	put_threads(out, tl, rows);
	strbuf__puts(out, ",\n");
	put_path(out, res, rows);
	strbuf__puts(out, "}\n");
	strbuf__free(&sb);
}

static void put_page(const struct why_result *res, struct strbuf *out)
{
	const char *mark = strstr(why_page, MARK);
	uint32_t *rows = calloc(res->tl->thread_cnt + 1, sizeof(*rows));
	struct strbuf json = STRBUF_INIT;

	if (rows)
		put_data(&json, res, rows);
	strbuf__add(out, why_page, (size_t)(mark - why_page));
	strbuf__put_script_json(out, json.buf, json.len);
	strbuf__puts(out, mark + strlen(MARK));
	strbuf__free(&json);
	free(rows);
}

const struct why_format why_html = { put_page };
