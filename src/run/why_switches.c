// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/why_switches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "decode/field.h"
#include "event/event.h"
#include "machine/machine.h"
#include "machine/tasks.h"
#include "util/array.h"
#include "why/counted.h"

/* Tasks that are kept of a CPU: a power of two. */
#define TURNS 8
#define CPUS_MAX 4096

/* Bits of common_flags (include/linux/trace_events.h). */
#define FLAG_HARDIRQ 0x08
#define FLAG_SOFTIRQ 0x10

/* States of sched_switch's print format that differ from the kernel's own (TASK_REPORT_*). */
#define REPORT_IDLE 0x80
#define REPORT_PREEMPTED 0x100

struct why_turns {
	uint32_t turn; /* index of the current one */
	struct {
		uint64_t since_ns;
		uint32_t thread;
	} turns[TURNS];
};

struct why_leaver {
	struct why_absence a; /* woken_ns 0: not woken */
	uint64_t queued_ns; /* when it came into a CPU's queue; 0: not recorded */
	bool is_away;
};

void why_switches__init(struct why_switches *w, struct why_timeline *tl, struct machine *machine)
{
	*w = (struct why_switches){ .tl = tl, .machine = machine, .by_tid = U64MAP_INIT };
}

void why_switches__free(struct why_switches *w)
{
	u64map__free(&w->by_tid);
	free(w->at);
	free(w->cpus);
	memset(w, 0, sizeof(*w));
}

/* The number of a field; 0: there is none. */
static uint64_t number(const struct sample *s, const char *name)
{
	const struct tp_field *f = s->event->fmt ? tp_format__field(s->event->fmt, name) : NULL;
	uint64_t val = 0;

	return f && !field__get_u64(f, s->raw, s->raw_sz, &val) ? val : 0;
}

uint32_t why_switches__thread(struct why_switches *w, int32_t tid, int32_t pid)
{
	uint32_t thread;

	if (tid <= 0)
		return WHY_NONE;
	thread = why_timeline__thread(w->tl, tid, pid > 0 ? pid : 0);
	if (thread != WHY_NONE)
		why_timeline__name(w->tl, thread, tasks__comm(w->machine->tasks, tid));
	return thread;
}

static uint32_t stack_of(struct why_switches *w, const struct sample *s)
{
	return why_stacks__add(&w->tl->stacks, &s->chain, 0, s->pid, s->maps_version);
}

static struct why_leaver *leaver_of(struct why_switches *w, uint64_t tid)
{
	uint32_t *slot = u64map__slot(&w->by_tid, tid);

	if (!slot)
		return NULL;
	if (*slot == U64MAP_NONE) {
		if (array__reserve((void **)&w->at, &w->cap, w->cnt + 1, sizeof(*w->at)))
			return NULL;
		*slot = (uint32_t)w->cnt;
		w->at[w->cnt++] = (struct why_leaver){};
	}
	return &w->at[*slot];
}

/* The CPU's turns; NULL: the recording does not say which CPU, or no memory. */
static struct why_turns *turns_of(struct why_switches *w, uint32_t cpu)
{
	size_t cnt = w->cpu_cnt;

	if (cpu >= CPUS_MAX ||
	    array__reserve((void **)&w->cpus, &w->cpu_cnt, (size_t)cpu + 1, sizeof(*w->cpus)))
		return NULL;
	memset(w->cpus + cnt, 0, (w->cpu_cnt - cnt) * sizeof(*w->cpus));
	return &w->cpus[cpu];
}

/* The task that had the CPU for most of the time since begin_ns; WHY_NONE: it was idle. */
static uint32_t owner_since(const struct why_turns *c, uint64_t begin_ns, uint64_t now)
{
	uint64_t until = now, most = 0;
	uint32_t owner = c ? WHY_NONE : WHY_SOME_THREAD, i;

	for (i = 0; c && i < TURNS; i++) {
		uint32_t at = (c->turn - i) % TURNS;
		uint64_t since = c->turns[at].since_ns, from = since > begin_ns ? since : begin_ns;

		if (!since || until <= begin_ns)
			break;
		if (until - from > most) {
			most = until - from;
			owner = c->turns[at].thread;
		}
		until = since;
	}
	return owner;
}

static void come_back(struct why_switches *w, struct why_leaver *l, const struct why_turns *c,
		      uint64_t now)
{
	struct why_absence *a = &l->a;

	if (!l->is_away)
		return;
	l->is_away = false;
	a->end_ns = now;
	if (!a->woken_ns || a->woken_ns > now)
		a->woken_ns = now;
	a->instead = owner_since(c, a->woken_ns, now);
	if (a->end_ns <= a->start_ns)
		return;
	why_timeline__add(w->tl, a);
	if (l->queued_ns > a->woken_ns && l->queued_ns < now)
		why_counted__ready(w->tl, a->thread, now - l->queued_ns);
}

/* The state as the kernel has it: 0 is a thread that could go on; WIRE_STATE_ENDS: it will not. */
static uint32_t state_of(const struct sample *s)
{
	uint32_t state = (uint32_t)number(s, "prev_state");

	if (state & REPORT_PREEMPTED)
		return 0;
	if (state & REPORT_IDLE)
		return WIRE_STATE_UNINTERRUPTIBLE | WIRE_STATE_NOLOAD;
	return state;
}

/* The exit's record may be much earlier (6.16). The last moment is one without length, as live. */
static void leave_for_good(struct why_switches *w, const struct sample *s)
{
	const struct why_absence a = {
		.start_ns = s->time_ns,
		.woken_ns = s->time_ns,
		.end_ns = s->time_ns,
		.thread = u64map__get(&w->tl->by_tid, (uint32_t)s->tid),
		.stack = WHY_NONE,
		.waker = WHY_NONE,
		.instead = WHY_NONE,
		.file = TEXTS_NONE,
		.blocked = WHY_BLOCKED,
		.runnable = WHY_PREEMPTED,
	};

	why_timeline__add(w->tl, &a);
	why_timeline__exit(w->tl, s->tid, s->time_ns);
}

static int leave(struct why_switches *w, const struct sample *s)
{
	uint32_t state = state_of(s), stack;
	struct why_leaver *l = leaver_of(w, (uint32_t)s->tid);
	const struct why_stack *st;

	if (!l)
		return -ENOMEM;
	/* Linux 6.18 gives perf no switch from an idle task: its CPU took the thread at once. */
	come_back(w, l, NULL, l->a.woken_ns ? l->a.woken_ns : s->time_ns);
	if (state & WIRE_STATE_ENDS) {
		leave_for_good(w, s);
		return 0;
	}
	stack = stack_of(w, s);
	st = why_stacks__get(&w->tl->stacks, stack);
	l->is_away = true;
	l->queued_ns = 0;
	l->a = (struct why_absence){
		.start_ns = s->time_ns,
		.woken_ns = state ? 0 : s->time_ns,
		.thread = why_switches__thread(w, s->tid, s->pid),
		.stack = stack,
		.waker = WHY_NONE,
		.instead = WHY_NONE,
		.file = TEXTS_NONE,
		.blocked = (uint8_t)why_kind__by_state(st ? st->facts.blocked : WHY_BLOCKED, state),
		.runnable = state ? WHY_WOKEN : WHY_PREEMPTED,
		.prio = (uint8_t)number(s, "prev_prio"),
	};
	return 0;
}

/* A thread that was started during the recording runs for the first time. */
static void run_first(struct why_switches *w, uint32_t tid, const struct why_turns *c, uint64_t now)
{
	uint32_t thread = u64map__get(&w->tl->by_tid, tid);
	const struct why_thread *t = thread == U64MAP_NONE ? NULL : &w->tl->threads[thread];
	struct why_absence a = {
		.end_ns = now,
		.thread = thread,
		.stack = WHY_NONE,
		.waker = WHY_NONE,
		.file = TEXTS_NONE,
		.runnable = WHY_WOKEN,
	};

	if (!t || t->was_here || t->absence_cnt || t->begin_ns >= now)
		return;
	a.start_ns = a.woken_ns = t->begin_ns;
	a.instead = owner_since(c, t->begin_ns, now);
	why_timeline__add(w->tl, &a);
}

static int on_switch(struct why_switches *w, const struct sample *s)
{
	uint32_t next = (uint32_t)number(s, "next_pid");
	struct why_turns *c = turns_of(w, s->cpu);
	struct why_leaver *l = next ? leaver_of(w, next) : NULL;
	int err = 0;

	if (l && !l->is_away)
		run_first(w, next, c, s->time_ns);
	if (l)
		come_back(w, l, c, s->time_ns);
	if (s->tid > 0)
		err = leave(w, s);
	if (c) {
		c->turn++;
		c->turns[c->turn % TURNS].since_ns = s->time_ns;
		c->turns[c->turn % TURNS].thread = why_switches__thread(w, (int32_t)next, 0);
	}
	return err;
}

/* The stack tells an interrupt from the task's own work; without a stack, the flags do. */
static bool is_interrupt(struct why_switches *w, const struct sample *s)
{
	const struct why_stack *st = why_stacks__get(&w->tl->stacks, stack_of(w, s));

	if (s->tid <= 0)
		return true;
	if (st && st->kern_cnt)
		return st->facts.is_interrupt;
	return number(s, "common_flags") & (FLAG_HARDIRQ | FLAG_SOFTIRQ);
}

static void on_waking(struct why_switches *w, const struct sample *s)
{
	uint32_t idx = u64map__get(&w->by_tid, (uint32_t)number(s, "pid"));
	struct why_absence *a = idx != U64MAP_NONE ? &w->at[idx].a : NULL;

	if (!a || !w->at[idx].is_away || a->woken_ns)
		return;
	a->woken_ns = s->time_ns;
	if (!is_interrupt(w, s))
		a->waker = why_switches__thread(w, s->tid, s->pid);
}

/* The thread is in a CPU's queue; a recording may have no sched_waking. */
static void on_wakeup(struct why_switches *w, const struct sample *s)
{
	uint32_t idx = u64map__get(&w->by_tid, (uint32_t)number(s, "pid"));

	on_waking(w, s);
	if (idx != U64MAP_NONE && !w->at[idx].queued_ns)
		w->at[idx].queued_ns = s->time_ns;
}

int why_switches__add(struct why_switches *w, const struct sample *s)
{
	const char *name = s->event->name;

	if (s->event->kind != EVENT_TRACEPOINT) {
		why_timeline__add_sample(w->tl, why_switches__thread(w, s->tid, s->pid), s->time_ns,
					 stack_of(w, s));
		return 0;
	}
	if (!s->raw)
		return 0;
	if (!strcmp(name, "sched:sched_switch"))
		return on_switch(w, s);
	if (!strcmp(name, "sched:sched_wakeup"))
		on_wakeup(w, s);
	else if (!strcmp(name, "sched:sched_waking"))
		on_waking(w, s);
	return 0;
}

void why_switches__finish(struct why_switches *w)
{
	size_t i;

	for (i = 0; i < w->cnt; i++)
		come_back(w, &w->at[i], NULL, w->tl->end_ns);
}
