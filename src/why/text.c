// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The verdict, the causes, the threads and the path as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "why/verdict.h"

#define CAUSES_MAX 20
#define THREADS_MAX 20
#define STEPS_MAX 20

static void put_thread(const struct why_thread *t, struct strbuf *out)
{
	strbuf__put_escaped_cstr(out, t->comm, sizeof(t->comm));
	strbuf__printf(out, " (%d)", t->tid);
}

static void put_verdict(const struct why_result *res, struct strbuf *out)
{
	struct strbuf sentence = STRBUF_INIT;
	size_t i;

	if (res->thread == WHY_NONE) {
		strbuf__puts(out, "no thread of the target was seen\n");
		return;
	}
	if (res->has_requests)
		strbuf__printf(out, "%llu times from the first event to the second, %.3f s in all",
			       (unsigned long long)res->tl->request_cnt,
			       (double)res->causes.total_ns / 1e9);
	else
		strbuf__printf(out, "%.3f s of wall-clock time, seen from the end of ",
			       (double)res->causes.total_ns / 1e9);
	if (!res->has_requests)
		put_thread(&res->tl->threads[res->thread], out);
	if (res->path.is_cut)
		strbuf__puts(out, "; what was before is no longer kept");
	strbuf__puts(out, "\n\n");
	for (i = 0; why_verdict__put(res, i, &sentence); i++) {
		strbuf__add(out, sentence.buf, sentence.len);
		strbuf__puts(out, ".\n");
		strbuf__reset(&sentence);
	}
	strbuf__free(&sentence);
	if (res->lost_cnt)
		strbuf__printf(out, "%llu records were lost: some of the time may be another's.\n",
			       (unsigned long long)res->lost_cnt);
}

static void put_causes(const struct why_result *res, struct strbuf *out)
{
	const struct why_causes *c = &res->causes;
	uint64_t rest_ns = 0;
	size_t i;

	strbuf__puts(out,
		     "\nThe critical path, by cause:\n\n   SHARE     SECONDS     STEPS  CAUSE\n");
	for (i = 0; i < c->cnt; i++) {
		if (i >= CAUSES_MAX) {
			rest_ns += c->at[i].ns;
			continue;
		}
		strbuf__printf(out, "%6.2f %%  %10.6f  %8llu  ",
			       why_share(c->at[i].ns, c->total_ns), (double)c->at[i].ns / 1e9,
			       (unsigned long long)c->at[i].step_cnt);
		why_cause__put(&c->at[i], out);
		strbuf__putc(out, '\n');
	}
	if (rest_ns)
		strbuf__printf(out, "%6.2f %%  %10.6f            %zu more\n",
			       why_share(rest_ns, c->total_ns), (double)rest_ns / 1e9,
			       c->cnt - CAUSES_MAX);
}

struct row {
	const struct why_thread *t;
	uint64_t wall_ns;
};

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->wall_ns != y->wall_ns)
		return x->wall_ns < y->wall_ns ? 1 : -1;
	return x->t->tid < y->t->tid ? -1 : x->t->tid > y->t->tid;
}

static uint64_t sum_of(const struct why_thread *t, char group)
{
	uint64_t ns = 0;
	size_t k;

	for (k = WHY_PREEMPTED; k < WHY_KINDS; k++)
		if (why_kinds[k].group == group)
			ns += t->ns[k];
	return ns;
}

/* The kinds that a thread was off the CPU for longest. */
static void put_most(const struct why_thread *t, uint64_t wall_ns, struct strbuf *out)
{
	uint64_t below_ns = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		size_t k, most = WHY_KINDS;

		for (k = WHY_PREEMPTED; k < WHY_KINDS; k++)
			if (t->ns[k] && t->ns[k] < below_ns &&
			    (most == WHY_KINDS || t->ns[k] > t->ns[most]))
				most = k;
		if (most == WHY_KINDS || why_share(t->ns[most], wall_ns) < 1)
			return;
		strbuf__printf(out, "%s%s %.0f %%", i ? ", " : "", why_kinds[most].name,
			       why_share(t->ns[most], wall_ns));
		below_ns = t->ns[most];
	}
}

static void put_row(const struct row *row, struct strbuf *out)
{
	uint64_t runnable = sum_of(row->t, 'q');
	uint64_t blocked = sum_of(row->t, 'b') + sum_of(row->t, 'i') + sum_of(row->t, 'u');
	uint64_t off = runnable + blocked;
	uint64_t on = row->wall_ns > off ? row->wall_ns - off : 0;

	strbuf__printf(out, "%10.6f  %10.6f  %10.6f  %10.6f  ", (double)row->wall_ns / 1e9,
		       (double)on / 1e9, (double)runnable / 1e9, (double)blocked / 1e9);
	put_thread(row->t, out);
	strbuf__puts(out, "  ");
	put_most(row->t, row->wall_ns, out);
	strbuf__putc(out, '\n');
}

static void put_threads(const struct why_result *res, struct strbuf *out)
{
	const struct why_timeline *tl = res->tl;
	struct row *rows = calloc(tl->thread_cnt + 1, sizeof(*rows));
	size_t i, cnt = 0;

	if (!rows)
		return;
	for (i = 0; i < tl->thread_cnt; i++)
		if (tl->threads[i].is_target)
			rows[cnt++] = (struct row){ &tl->threads[i],
						    why_thread__wall_ns(tl, &tl->threads[i]) };
	qsort(rows, cnt, sizeof(*rows), compare_rows);
	strbuf__puts(out, "\nThreads, in seconds:\n\n      WALL      ON-CPU    RUNNABLE     BLOCKED"
			  "  THREAD\n");
	for (i = 0; i < cnt && i < THREADS_MAX; i++)
		put_row(&rows[i], out);
	if (cnt > THREADS_MAX)
		strbuf__printf(out, "%zu more threads\n", cnt - THREADS_MAX);
	free(rows);
}

/* The stretch of the path from step i on that is in one thread; returns its last step. */
static size_t stretch_end(const struct why_path *p, size_t i)
{
	while (i && p->legs[i - 1].thread == p->legs[i].thread)
		i--;
	return i;
}

static uint64_t longest_ns(const struct why_path *p)
{
	uint64_t lengths[STEPS_MAX] = {};
	size_t i, last, k;

	for (i = p->cnt; i-- > 0; i = last) {
		uint64_t ns;

		last = stretch_end(p, i);
		ns = why_path__leg_end(p, last) - p->legs[i].begin_ns;
		for (k = 0; ns > lengths[STEPS_MAX - 1] && k < STEPS_MAX; k++) {
			uint64_t shorter = lengths[k];

			if (ns <= lengths[k])
				continue;
			lengths[k] = ns;
			ns = shorter;
		}
	}
	return lengths[STEPS_MAX - 1];
}

static void put_path(const struct why_result *res, struct strbuf *out)
{
	const struct why_path *p = &res->path;
	uint64_t min_ns = longest_ns(p), left_ns = 0;
	size_t i, last, shown = 0, left = 0;

	strbuf__printf(out,
		       "\nThe critical path%s, in the order of time; it goes from thread to thread "
		       "%llu times:\n\n",
		       res->has_requests ? " of the last" : "", (unsigned long long)p->hop_cnt);
	for (i = p->cnt; i-- > 0; i = last) {
		uint64_t begin_ns = p->legs[i].begin_ns, end_ns;

		last = stretch_end(p, i);
		end_ns = why_path__leg_end(p, last);
		if (end_ns - begin_ns < min_ns || shown >= STEPS_MAX) {
			left++;
			left_ns += end_ns - begin_ns;
			continue;
		}
		shown++;
		strbuf__printf(out, "  %10.6f to %10.6f  ", (double)(begin_ns - p->begin_ns) / 1e9,
			       (double)(end_ns - p->begin_ns) / 1e9);
		put_thread(&res->tl->threads[p->legs[i].thread], out);
		strbuf__putc(out, '\n');
	}
	if (left)
		strbuf__printf(out, "  %zu shorter parts between them, %.6f s in all\n", left,
			       (double)left_ns / 1e9);
}

static void put_text(const struct why_result *res, struct strbuf *out)
{
	put_verdict(res, out);
	if (res->thread == WHY_NONE)
		return;
	put_causes(res, out);
	put_threads(res, out);
	put_path(res, out);
}

const struct why_format why_text = { put_text };
