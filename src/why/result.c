// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/result.h"

#include <string.h>

#include "why/fault_rate.h"
#include "why/names.h"

static bool is_in(int32_t id, const int *ids, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static bool is_meant(const struct why_subject *s, const struct why_thread *t)
{
	if (!t->is_target)
		return false;
	if (!s->pid_cnt && !s->tid_cnt)
		return true;
	return is_in(t->pid, s->pids, s->pid_cnt) || is_in(t->tid, s->tids, s->tid_cnt);
}

/* The time without work, and that of a wait that has not ended, from which no waker leads on. */
static uint64_t idle_ns(const struct why_timeline *tl, const struct why_thread *t)
{
	const struct why_absence *last = why_timeline__absence(tl, t->last_absence);
	uint64_t ns = 0;
	size_t k;

	for (k = 0; k < WHY_KINDS; k++)
		if (why_kinds[k].group == 'i')
			ns += t->ns[k];
	if (last && last->woken_ns == tl->end_ns && why_kinds[last->blocked].group != 'i')
		ns += last->woken_ns - last->start_ns;
	return ns;
}

static uint32_t choose_thread(const struct why_timeline *tl, const struct why_subject *s)
{
	uint32_t best = WHY_NONE;
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < tl->thread_cnt; i++) {
		const struct why_thread *t = &tl->threads[i];
		uint64_t wall = why_thread__wall_ns(tl, t), idle = idle_ns(tl, t), busy;

		if (!is_meant(s, t))
			continue;
		if (s->tid && t->tid == s->tid)
			return (uint32_t)i;
		busy = wall - (idle < wall ? idle : wall);
		if (best == WHY_NONE || busy > most) {
			best = (uint32_t)i;
			most = busy;
		}
	}
	return best;
}

static int explain(struct why_result *res, uint32_t thread, uint64_t begin_ns, uint64_t end_ns)
{
	struct why_summing sum = { &res->causes, res->tl, &res->index, WHY_NONE, { 0 } };

	return why_path__find(&res->path, &res->index, thread, begin_ns, end_ns,
			      why_causes__add_step, &sum);
}

static int explain_all(struct why_result *res)
{
	const struct why_timeline *tl = res->tl;
	size_t i;
	int err = 0;

	for (i = 0; i < tl->request_cnt && !err; i++) {
		const struct why_request *r = &tl->requests[i];

		res->thread = r->thread;
		err = explain(res, r->thread, r->begin_ns, r->end_ns);
	}
	if (err || res->has_requests || res->thread == WHY_NONE)
		return err;
	return explain(res, res->thread, tl->threads[res->thread].begin_ns,
		       tl->threads[res->thread].end_ns);
}

int why_result__find(struct why_result *res, struct why_timeline *tl,
		     const struct why_subject *subject)
{
	int err;

	res->tl = tl;
	why_causes__init(&res->causes);
	why_causes__init(&res->all);
	res->thread = choose_thread(tl, subject);
	err = why_names__find(tl);
	if (!err)
		err = why_index__build(&res->index, tl);
	if (!err)
		err = explain_all(res);
	if (!err)
		err = why_causes__finish(&res->causes);
	if (!err)
		why_fault_rate__set(&res->causes, tl);
	if (!err)
		err = why_groups__make(&res->groups, &res->causes);
	if (!err && res->groups.cnt)
		err = why_ended__find(&res->ended, tl, res->groups.at[0].comm);
	if (!err)
		err = why_causes__add_waits(&res->all, tl);
	return err ? err : why_causes__finish(&res->all);
}

void why_result__free(struct why_result *res)
{
	why_index__free(&res->index);
	why_path__free(&res->path);
	why_groups__free(&res->groups);
	why_causes__free(&res->causes);
	why_causes__free(&res->all);
}
