// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/why_feed.h"

#include <string.h>
#include <sys/stat.h>

#include <linux/types.h>

#include "bpf/why_wire.h"
#include "bpf/wire.h"
#include "host/proc_task.h"
#include "machine/proc_event.h"
#include "machine/tasks.h"
#include "run/off_cpu.h"
#include "why/counted.h"

static void rename_thread(struct why_feed *f, const struct proc_event *ev)
{
	uint32_t thread = u64map__get(&f->tl->by_tid, (uint32_t)ev->tid);
	char comm[16] = "";

	memcpy(comm, ev->comm, ev->comm_sz < sizeof(comm) - 1 ? ev->comm_sz : sizeof(comm) - 1);
	if (thread != U64MAP_NONE)
		why_timeline__name(f->tl, thread, comm);
}

/* Runs before the machine applies the event. */
static int on_event(void *ctx, const struct proc_event *ev, const struct record *rec)
{
	struct why_feed *f = ctx;
	bool is_known = u64map__get(&f->tl->by_tid, (uint32_t)ev->parent_tid) != U64MAP_NONE;

	switch (ev->kind) {
	case PROC_FORK:
	case PROC_THREAD:
		if (is_known || f->all_tasks)
			why_timeline__start(f->tl, ev->tid, ev->pid, ev->parent_tid, rec->time_ns);
		break;
	case PROC_EXEC:
		if (ev->tid == f->cmd_pid && !f->cmd_began) {
			why_timeline__start(f->tl, ev->tid, ev->pid, 0, rec->time_ns);
			f->cmd_began = true;
		}
		rename_thread(f, ev);
		break;
	case PROC_COMM:
		rename_thread(f, ev);
		break;
	case PROC_EXIT:
	case PROC_THREAD_EXIT:
		why_timeline__exit(f->tl, ev->tid, rec->time_ns);
		break;
	default:
		break;
	}
	return 0;
}

void why_feed__subscribe(struct why_feed *f)
{
	f->machine->counts_versions = true;
	f->subscriber = (struct machine_subscriber){ .fn = on_event, .ctx = f };
	machine__subscribe(f->machine, &f->subscriber);
}

/* tgid 0: unknown. */
static uint32_t thread_of(struct why_feed *f, uint32_t tid, uint32_t tgid)
{
	uint32_t thread = why_timeline__thread(f->tl, (int32_t)tid, (int32_t)tgid);

	if (thread != WHY_NONE && !f->tl->threads[thread].comm[0])
		why_timeline__name(f->tl, thread, tasks__comm(f->machine->tasks, (int32_t)tid));
	return thread;
}

static uint32_t stack_of(struct why_feed *f, uint64_t id, uint32_t tgid)
{
	const struct callchain *chain = stacks__get(&f->off_cpu->callstacks.stacks, id);

	if (!chain)
		return WHY_NONE;
	return why_stacks__add(&f->tl->stacks, chain, id, (int32_t)tgid,
			       machine__maps_version(f->machine, (int32_t)tgid));
}

/* Does the call take a descriptor first? Its name is that of the kernel's function. */
static bool takes_descriptor(const char *call)
{
	static const char *const calls[] = {
		"read",      "write",           "pread64",         "pwrite64",
		"readv",     "writev",          "preadv",          "pwritev",
		"preadv2",   "pwritev2",        "fsync",           "fdatasync",
		"recvfrom",  "sendto",          "recvmsg",         "sendmsg",
		"accept",    "accept4",         "connect",         "ioctl",
		"fallocate", "ftruncate",       "getdents64",      "epoll_wait",
		"flock",     "fcntl",           "sendfile64",      "epoll_pwait",
		"splice",    "sync_file_range", "copy_file_range", "syncfs",
		NULL,
	};
	size_t i;

	for (i = 0; call && calls[i]; i++)
		if (!strcmp(call, calls[i]))
			return true;
	return false;
}

/* Pipes, sockets and "[eventpoll]" have no name that says more than the kind of wait. */
static uint32_t file_of(struct why_feed *f, const struct wire_why *why,
			const struct why_stack_facts *facts)
{
	bool is_named = !S_ISSOCK(why->mode) && why->name[0] && why->name[0] != '[';

	if (!(why->flags & WIRE_WHY_FILE) || !is_named || !takes_descriptor(facts->syscall))
		return TEXTS_NONE;
	return texts__add_escaped(&f->tl->stacks.texts, why->name, sizeof(why->name));
}

static bool is_one_of(const char *call, const char *a, const char *b)
{
	return call && (!strcmp(call, a) || !strcmp(call, b));
}

/* Does the call wait for none of the descriptors that it could wait for? */
static bool has_no_descriptors(const struct wire_why *why, const char *call)
{
	return (why->flags & WIRE_WHY_ZERO_FIRST && is_one_of(call, "select", "pselect6")) ||
	       (why->flags & WIRE_WHY_ZERO_SECOND && is_one_of(call, "poll", "ppoll"));
}

static void add_facts(struct why_feed *f, const struct offcpu *off, const struct why_stack *stack,
		      struct why_absence *to)
{
	const struct wire_why *why = off->why;
	uint64_t interrupts_ns = why->irq_ns + why->softirq_ns;

	if (to->blocked == WHY_POLL && stack && has_no_descriptors(why, stack->facts.syscall))
		to->blocked = WHY_SLEEP;
	if (stack)
		to->file = file_of(f, why, &stack->facts);
	if (why->flags & WIRE_WHY_THROTTLED)
		to->runnable = WHY_THROTTLED;
	if (why->instead_tid)
		to->instead = thread_of(f, why->instead_tid, 0);
	to->interrupts_ns = interrupts_ns < UINT32_MAX ? (uint32_t)interrupts_ns : UINT32_MAX;
	to->softirq = why->irq_ns > why->softirq_ns ? WHY_HARD_IRQ : (uint8_t)why->softirq;
	to->prio = (uint8_t)why->prio;
}

static void take_counts(struct why_feed *f, const struct offcpu *off, struct why_absence *to)
{
	const struct why_counts counts = {
		.cpu_ns = off->away->exec_ns,
		.ready_ns = off->away->ready_ns,
		.interrupts_ns = to->interrupts_ns,
		.interrupts_apart = off->why && off->why->flags & WIRE_WHY_INTERRUPTS_APART,
	};

	why_counted__leave(f->tl, to, &counts);
}

/* A wakeup by an interrupt is of no thread, whichever it interrupted. */
static uint32_t waker_of(struct why_feed *f, const struct wire_offcpu_entry *away)
{
	const struct why_stack *stack;

	if (!away->woken_ns || !away->waker_tid)
		return WHY_NONE;
	stack = why_stacks__get(&f->tl->stacks, stack_of(f, away->waker_stack, away->waker_tgid));
	if (!stack || stack->facts.is_interrupt)
		return WHY_NONE;
	return thread_of(f, away->waker_tid, away->waker_tgid);
}

void why_feed__add_absence(struct why_feed *f, struct offcpu *off)
{
	const struct wire_offcpu_entry *away = off->away;
	struct why_absence a = {
		.start_ns = away->start_ns,
		.woken_ns = offcpu__woken_ns(off),
		.end_ns = off->end_ns,
		.instead = WHY_NONE,
		.file = TEXTS_NONE,
		.runnable = away->state ? WHY_WOKEN : WHY_PREEMPTED,
	};
	const struct why_stack *stack;

	off->since_before = off_before__define(&f->off_cpu->before, away->stack);
	a.thread = thread_of(f, off->tid, away->tgid);
	a.stack = stack_of(f, away->stack, away->tgid);
	a.waker = waker_of(f, away);
	/* Valid until the next stack is added. */
	stack = why_stacks__get(&f->tl->stacks, a.stack);
	a.blocked = (uint8_t)why_kind__by_state(stack ? stack->facts.blocked : WHY_BLOCKED,
						away->state);
	if (off->why) {
		add_facts(f, off, stack, &a);
		why_timeline__count_faults(f->tl, a.thread, off->why->faults);
	}
	take_counts(f, off, &a);
	why_timeline__add(f->tl, &a);
	/* The kernel does not report the end of each task. */
	if (away->state & WIRE_STATE_ENDS)
		why_timeline__exit(f->tl, (int32_t)off->tid, off->end_ns);
}

/* The kernel updates its count at each tick. */
#define UNTOLD_MIN_NS 20000000

void why_feed__check_running(struct why_feed *f, uint64_t end_ns)
{
	size_t i;

	for (i = 0; i < f->tl->thread_cnt; i++) {
		const struct why_thread *t = &f->tl->threads[i];
		struct why_absence a = {
			.end_ns = end_ns,
			.woken_ns = end_ns,
			.thread = (uint32_t)i,
			.stack = WHY_NONE,
			.waker = WHY_NONE,
			.instead = WHY_NONE,
			.file = TEXTS_NONE,
			.blocked = WHY_UNKNOWN,
			.runnable = WHY_WOKEN,
		};
		uint64_t cpu_ns, on_ns;

		if (!t->is_target || t->end_ns != UINT64_MAX || t->cpu_ns == WHY_NO_TIME ||
		    t->seen_ns + UNTOLD_MIN_NS > end_ns || proc_task__cpu_ns(t->tid, &cpu_ns))
			continue;
		on_ns = cpu_ns > t->cpu_ns ? cpu_ns - t->cpu_ns : 0;
		a.start_ns = t->seen_ns + on_ns;
		if (a.start_ns + UNTOLD_MIN_NS < end_ns)
			why_timeline__add(f->tl, &a);
	}
}

void why_feed__add_sample(struct why_feed *f, const struct sample *s)
{
	uint32_t stack = why_stacks__add(&f->tl->stacks, &s->chain, 0, s->pid,
					 machine__maps_version(f->machine, s->pid));

	why_timeline__add_sample(f->tl, thread_of(f, (uint32_t)s->tid, (uint32_t)s->pid),
				 s->time_ns, stack);
}

void why_feed__begin_request(struct why_feed *f, const struct sample *s)
{
	why_timeline__begin_request(f->tl, thread_of(f, (uint32_t)s->tid, (uint32_t)s->pid),
				    s->time_ns);
}

void why_feed__end_request(struct why_feed *f, const struct sample *s)
{
	why_timeline__end_request(f->tl, thread_of(f, (uint32_t)s->tid, (uint32_t)s->pid),
				  s->time_ns);
}
