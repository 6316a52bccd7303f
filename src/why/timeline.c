// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* A wait that follows another one this soon, at one place, goes on. */
#define REPEATED_NS 100000

_Static_assert(sizeof(struct why_absence) == 64, "those that are kept fit into 32 MiB");

void why_timeline__init(struct why_timeline *tl, struct sym *sym)
{
	memset(tl, 0, sizeof(*tl));
	tl->by_tid = (struct u64map)U64MAP_INIT;
	tl->patterns = (struct u64map)U64MAP_INIT;
	tl->waits.by_key = (struct u64map)U64MAP_INIT;
	why_stacks__init(&tl->stacks, sym);
}

void why_timeline__free(struct why_timeline *tl)
{
	size_t i;

	for (i = 0; i < WHY_ABSENCES_MAX / WHY_CHUNK; i++)
		free(tl->absences[i]);
	free(tl->samples);
	free(tl->threads);
	free(tl->requests);
	u64map__free(&tl->by_tid);
	u64map__free(&tl->patterns);
	why_waits__free(&tl->waits);
	why_stacks__free(&tl->stacks);
	memset(tl, 0, sizeof(*tl));
}

static uint32_t add_thread(struct why_timeline *tl, int32_t tid, int32_t pid, uint64_t begin_ns)
{
	uint32_t *slot = u64map__slot(&tl->by_tid, (uint32_t)tid);

	if (slot && tl->thread_cnt >= WHY_THREADS_MAX) {
		/* Not the thread that had the id before. */
		*slot = WHY_NONE;
		tl->thread_refused++;
		return WHY_NONE;
	}
	if (!slot || array__reserve((void **)&tl->threads, &tl->thread_cap, tl->thread_cnt + 1,
				    sizeof(*tl->threads)))
		return WHY_NONE;
	*slot = (uint32_t)tl->thread_cnt;
	tl->threads[tl->thread_cnt++] = (struct why_thread){
		.tid = tid,
		.pid = pid,
		.begin_ns = begin_ns,
		.end_ns = UINT64_MAX,
		.seen_ns = begin_ns,
		.cpu_ns = WHY_NO_TIME,
		.ready_ns = WHY_NO_TIME,
		.faults_then = WHY_NO_TIME,
		.parent = WHY_NONE,
		.last_absence = WHY_NONE,
		.last_sample = WHY_NONE,
	};
	return *slot;
}

uint32_t why_timeline__thread(struct why_timeline *tl, int32_t tid, int32_t pid)
{
	uint32_t idx = u64map__get(&tl->by_tid, (uint32_t)tid);

	if (idx == U64MAP_NONE) {
		idx = add_thread(tl, tid, pid, tl->begin_ns);
		if (idx != WHY_NONE)
			tl->threads[idx].was_here = true;
	}
	if (idx != WHY_NONE && pid)
		tl->threads[idx].pid = pid;
	return idx;
}

void why_timeline__name(struct why_timeline *tl, uint32_t thread, const char *comm)
{
	if (thread != WHY_NONE)
		snprintf(tl->threads[thread].comm, sizeof(tl->threads[thread].comm), "%s", comm);
}

void why_timeline__start(struct why_timeline *tl, int32_t tid, int32_t pid, int32_t parent_tid,
			 uint64_t time_ns)
{
	uint32_t parent = u64map__get(&tl->by_tid, (uint32_t)parent_tid);
	uint32_t before = u64map__get(&tl->by_tid, (uint32_t)tid);
	uint32_t idx = add_thread(tl, tid, pid, time_ns);

	if (idx == WHY_NONE)
		return;
	/* A sample of CMD may come before its exec: what ran then was not CMD yet. */
	if (!parent_tid && before != U64MAP_NONE) {
		tl->threads[before].is_target = false;
		tl->threads[before].end_ns = time_ns;
	}
	tl->threads[idx].parent = parent_tid ? parent : WHY_NONE;
	tl->threads[idx].cpu_ns = tl->threads[idx].ready_ns = parent_tid ? 0 : WHY_NO_TIME;
	tl->threads[idx].faults_then = parent_tid ? 0 : WHY_NO_TIME;
	if (parent_tid && parent != WHY_NONE)
		memcpy(tl->threads[idx].comm, tl->threads[parent].comm,
		       sizeof(tl->threads[idx].comm));
}

void why_timeline__exit(struct why_timeline *tl, int32_t tid, uint64_t time_ns)
{
	uint32_t idx = u64map__get(&tl->by_tid, (uint32_t)tid);

	if (idx != U64MAP_NONE && tl->threads[idx].end_ns == UINT64_MAX)
		tl->threads[idx].end_ns = time_ns;
}

static void sum_up(struct why_thread *t, const struct why_absence *a)
{
	t->ns[a->blocked] += a->woken_ns - a->start_ns;
	t->ns[a->runnable] += a->end_ns - a->woken_ns;
	t->ns[a->softirq == WHY_HARD_IRQ ? WHY_IRQ : WHY_SOFTIRQ] += a->interrupts_ns;
	t->ns[WHY_STEAL] += why_absence__stolen_ns(a);
	t->absence_cnt++;
	if (a->woken_ns - a->start_ns > t->longest_ns)
		t->longest_ns = a->woken_ns - a->start_ns;
	t->is_target = true;
	t->seen_ns = a->end_ns;
}

static uint32_t first_of(struct why_timeline *tl, const struct why_absence *a, uint32_t idx)
{
	const struct why_absence *prev = why_timeline__absence(tl, a->prev);

	if (!prev || prev->stack != a->stack || prev->blocked != a->blocked ||
	    prev->woken_ns == prev->start_ns || a->start_ns - prev->end_ns > REPEATED_NS)
		return idx;
	return prev->first;
}

static struct why_absence *new_chunk(void)
{
	struct why_absence *chunk = malloc(WHY_CHUNK * sizeof(*chunk));
	size_t i;

	for (i = 0; chunk && i < WHY_CHUNK; i++)
		chunk[i].thread = WHY_NONE;
	return chunk;
}

void why_timeline__add(struct why_timeline *tl, const struct why_absence *a)
{
	uint32_t idx = tl->absence_cnt;
	struct why_absence **chunk = &tl->absences[idx % WHY_ABSENCES_MAX / WHY_CHUNK], *to;
	struct why_thread *t;

	if (a->thread == WHY_NONE)
		return;
	t = &tl->threads[a->thread];
	sum_up(t, a);
	why_waits__add(&tl->waits, a);
	why_inversion__look_at(&tl->inversion, tl, a);
	if (!*chunk)
		*chunk = new_chunk();
	if (!*chunk) {
		tl->out_of_memory++;
		return;
	}
	tl->absence_cnt++;
	to = *chunk + idx % WHY_CHUNK;
	if (to->thread != WHY_NONE)
		tl->threads[to->thread].kept_absences--;
	*to = *a;
	to->prev = t->last_absence;
	to->first = first_of(tl, to, idx);
	t->last_absence = idx;
	t->kept_absences++;
}

void why_timeline__count_faults(struct why_timeline *tl, uint32_t thread, uint64_t faults)
{
	struct why_thread *t = thread == WHY_NONE ? NULL : &tl->threads[thread];

	if (!t)
		return;
	if (t->faults_then != WHY_NO_TIME && faults > t->faults_then)
		t->fault_cnt += faults - t->faults_then;
	t->faults_then = faults;
}

void why_timeline__add_sample(struct why_timeline *tl, uint32_t thread, uint64_t time_ns,
			      uint32_t stack)
{
	size_t cap = tl->sample_cap;
	struct why_thread *t;

	if (thread == WHY_NONE)
		return;
	if (tl->sample_cnt < WHY_SAMPLES_MAX &&
	    array__reserve((void **)&tl->samples, &cap, tl->sample_cnt + 1, sizeof(*tl->samples)))
		return;
	tl->sample_cap = (uint32_t)cap;
	t = &tl->threads[thread];
	if (tl->sample_cnt >= WHY_SAMPLES_MAX)
		tl->threads[tl->samples[tl->sample_cnt % WHY_SAMPLES_MAX].thread].kept_samples--;
	tl->samples[tl->sample_cnt % WHY_SAMPLES_MAX] = (struct why_sample){
		.time_ns = time_ns,
		.thread = thread,
		.stack = stack,
		.prev = t->last_sample,
	};
	t->last_sample = tl->sample_cnt++;
	t->kept_samples++;
	t->is_target = true;
}

void why_timeline__begin_request(struct why_timeline *tl, uint32_t thread, uint64_t time_ns)
{
	if (thread == WHY_NONE)
		return;
	tl->unpaired_cnt += tl->threads[thread].request_ns != 0;
	tl->threads[thread].request_ns = time_ns;
}

void why_timeline__end_request(struct why_timeline *tl, uint32_t thread, uint64_t time_ns)
{
	struct why_thread *t = thread == WHY_NONE ? NULL : &tl->threads[thread];

	if (!t)
		return;
	if (!t->request_ns || tl->request_cnt >= WHY_REQUESTS_MAX ||
	    array__reserve((void **)&tl->requests, &tl->request_cap, tl->request_cnt + 1,
			   sizeof(*tl->requests))) {
		tl->unpaired_cnt++;
		return;
	}
	tl->requests[tl->request_cnt++] = (struct why_request){ t->request_ns, time_ns, thread };
	t->request_ns = 0;
}

void why_timeline__finish(struct why_timeline *tl, uint64_t end_ns)
{
	size_t i;

	tl->end_ns = end_ns;
	for (i = 0; i < tl->thread_cnt; i++) {
		struct why_thread *t = &tl->threads[i];

		tl->unpaired_cnt += t->request_ns != 0;
		/* The record of an exit precedes what the kernel does for the thread after it. */
		if (t->end_ns < t->seen_ns)
			t->end_ns = t->seen_ns;
		if (t->end_ns > end_ns)
			t->end_ns = end_ns;
	}
}

uint64_t why_thread__wall_ns(const struct why_timeline *tl, const struct why_thread *t)
{
	uint64_t end = t->end_ns < tl->end_ns ? t->end_ns : tl->end_ns;

	return end > t->begin_ns ? end - t->begin_ns : 0;
}

uint64_t why_thread__on_cpu_ns(const struct why_timeline *tl, const struct why_thread *t)
{
	uint64_t off_ns = 0, wall_ns = why_thread__wall_ns(tl, t);
	size_t k;

	for (k = WHY_PREEMPTED; k < WHY_KINDS; k++)
		off_ns += t->ns[k];
	return wall_ns > off_ns ? wall_ns - off_ns : 0;
}
