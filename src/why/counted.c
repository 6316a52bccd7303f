// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/counted.h"

/* The thread's newest absence, if it ends where the thread's time on a CPU begins. */
static struct why_absence *last_of(struct why_timeline *tl, const struct why_thread *t)
{
	const struct why_absence *a = why_timeline__absence(tl, t->last_absence);

	return a && a->end_ns == t->seen_ns ? (struct why_absence *)a : NULL;
}

static void add_first_wait(struct why_timeline *tl, uint32_t thread, uint64_t ns)
{
	const struct why_thread *t = &tl->threads[thread];
	const struct why_absence a = {
		.start_ns = t->begin_ns,
		.woken_ns = t->begin_ns,
		.end_ns = t->begin_ns + ns,
		.thread = thread,
		.stack = WHY_NONE,
		.waker = WHY_NONE,
		.instead = WHY_SOME_THREAD,
		.file = TEXTS_NONE,
		.runnable = WHY_WOKEN,
	};

	why_timeline__add(tl, &a);
}

/*
 * Lets the thread's last absence end earlier, at its wakeup at the earliest: other programs at
 * sched_switch may run before the one that sends records.
 */
static void end_earlier(struct why_timeline *tl, struct why_thread *t, uint64_t ns)
{
	struct why_absence *a = last_of(tl, t);
	uint64_t room;

	if (!a)
		return;
	room = a->end_ns - a->woken_ns;
	ns = ns < room ? ns : room;
	a->end_ns -= ns;
	t->seen_ns -= ns;
	t->ns[a->runnable] -= ns;
	why_waits__shorten(&tl->waits, a, ns);
}

/* Longer, it is not how late the tracepoint is, but a hypervisor or an interrupt. */
#define LATE_MAX_NS 20000

/*
 * A thread was preempted for longer than it was seen to be, or for shorter. Its begin was set by
 * the count of CPU time, its end was seen: what the one is late by more than the other is of the
 * blocked time before, which ends late, too.
 */
static void set_preempted(struct why_thread *t, const struct why_absence *a, uint64_t seen_ns,
			  uint64_t ready_ns)
{
	uint64_t late_ns = seen_ns > ready_ns ? seen_ns - ready_ns : ready_ns - seen_ns;
	uint64_t stolen_ns = why_absence__stolen_ns(a), *blocked = &t->ns[t->blocked];

	t->ns[a->runnable] += ready_ns - seen_ns;
	/* It was ready to run for a part of the time that was not counted as on a CPU. */
	if (ready_ns > seen_ns)
		t->ns[WHY_STEAL] -= late_ns < stolen_ns ? late_ns : stolen_ns;
	if (!t->blocked || late_ns > LATE_MAX_NS || *blocked < late_ns)
		return;
	*blocked += seen_ns - ready_ns;
}

/* The last absence was ready to run for so long. */
static void set_ready(struct why_timeline *tl, struct why_thread *t, uint64_t ready_ns)
{
	const struct why_absence *a = last_of(tl, t);
	uint64_t seen_ns = a ? a->end_ns - a->woken_ns : 0, blocked_ns, more_ns;

	if (!a)
		return;
	if (a->runnable != WHY_WOKEN) {
		set_preempted(t, a, seen_ns, ready_ns);
		return;
	}
	blocked_ns = a->woken_ns - a->start_ns;
	if (blocked_ns)
		t->blocked = a->blocked;
	if (ready_ns <= seen_ns) {
		t->ns[a->runnable] -= seen_ns - ready_ns;
		t->ns[WHY_WAKING] += seen_ns - ready_ns;
		return;
	}
	more_ns = ready_ns - seen_ns < blocked_ns ? ready_ns - seen_ns : blocked_ns;
	t->ns[a->runnable] += more_ns;
	t->ns[a->blocked] -= more_ns;
}

/* The thread was on a CPU for late_ns more than the kernel counted. */
static void begin_earlier(struct why_absence *to, const struct why_counts *c, uint64_t late_ns)
{
	uint64_t apart_ns = c->interrupts_apart ? c->interrupts_ns : 0;

	if (late_ns < WHY_STOLEN_MIN_NS + apart_ns) {
		late_ns -= late_ns < apart_ns ? late_ns : apart_ns;
		to->uncounted_ns = (uint32_t)late_ns;
		to->start_ns -= late_ns;
		if (to->woken_ns == to->start_ns + late_ns)
			to->woken_ns = to->start_ns;
	} else if (late_ns >= WHY_STOLEN_MIN_NS + c->interrupts_ns) {
		late_ns -= c->interrupts_ns;
		to->uncounted_ns = late_ns < UINT32_MAX ? (uint32_t)late_ns : UINT32_MAX;
	}
}

void why_counted__leave(struct why_timeline *tl, struct why_absence *to, const struct why_counts *c)
{
	struct why_thread *t = to->thread == WHY_NONE ? NULL : &tl->threads[to->thread];
	uint64_t on_ns, cpu_ns, ready_ns;
	bool is_first;

	if (!t)
		return;
	is_first = !t->absence_cnt && !t->cpu_ns;
	on_ns = to->start_ns > t->seen_ns ? to->start_ns - t->seen_ns : 0;
	cpu_ns = t->cpu_ns == WHY_NO_TIME ? on_ns : c->cpu_ns - t->cpu_ns;
	ready_ns = t->ready_ns == WHY_NO_TIME || c->ready_ns == WHY_NO_TIME
			   ? WHY_NO_TIME
			   : c->ready_ns - t->ready_ns;
	t->cpu_ns = c->cpu_ns;
	t->ready_ns = c->ready_ns;
	if (is_first && on_ns > cpu_ns)
		add_first_wait(tl, to->thread, on_ns - cpu_ns);
	else if (on_ns < cpu_ns)
		end_earlier(tl, t, cpu_ns - on_ns);
	else
		begin_earlier(to, c, on_ns - cpu_ns);
	if (ready_ns != WHY_NO_TIME)
		set_ready(tl, t, ready_ns);
}

void why_counted__ready(struct why_timeline *tl, uint32_t thread, uint64_t ready_ns)
{
	if (thread != WHY_NONE)
		set_ready(tl, &tl->threads[thread], ready_ns);
}
