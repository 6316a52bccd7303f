// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/verdict.h"

#include <stdio.h>
#include <string.h>

#include "why/names.h"

/* A smaller cause is not worth a sentence, nor are more than so many. */
#define SENTENCE_SHARE 10.0
#define CAUSE_SENTENCES 3
/* A place with this part of the time is where the thread was. */
#define WHOLE_PERCENT 80
/* Tasks that had the CPU are named from this share on. */
#define INSTEAD_SHARE 10.0
#define INVERSION_SHARE 20.0
/* Idle CPUs that take so much of a wait to begin are worth a clause. */
#define LATE_SHARE 10.0
/* The time of a contention off the path, of all threads together. */
#define CONTENTION_SHARE 30.0
/* Threads that hand over this often do little else. */
#define HAND_OVER_NS 200000
#define HAND_OVERS 1000
/* A page fault takes 0.5 us of a fast machine, and 20 us of some virtual machines. */
#define FAULTS_PER_S 10000

/* Things behind a futex, by the function of the C library that waits. */
static const struct {
	const char *part, *object;
} futexes[] = {
	{ "take_gil", "the interpreter's lock" },
	{ "mutex", "a mutex" },
	{ "rwlock", "a read-write lock" },
	{ "cond_", "a condition variable" },
	{ "join", "the end of a thread" },
	{ "sem_", "a semaphore" },
	{ "barrier", "a barrier" },
	{ "lll_lock", "a lock" },
};

static const char *const objects[WHY_KINDS] = {
	[WHY_DISK] = "the disk",
	[WHY_SYNC] = "data to be on disk",
	[WHY_DIRTY] = "data to be written back",
	[WHY_MAJOR_FAULT] = "a page of a mapped file",
	[WHY_SWAP] = "swapped memory",
	[WHY_RECLAIM] = "memory to be freed",
	[WHY_FUTEX] = "a futex",
	[WHY_KERNEL_LOCK] = "a lock of the kernel",
	[WHY_PIPE_READ] = "data from a pipe",
	[WHY_PIPE_WRITE] = "room in a pipe",
	[WHY_SOCKET] = "a socket",
	[WHY_POLL] = "events of descriptors",
	[WHY_SLEEP] = "a timer",
	[WHY_CHILD] = "the end of a child process",
	[WHY_EVENTFD] = "an eventfd",
	[WHY_SIGNAL] = "a signal",
	[WHY_IO_URING] = "io_uring",
	[WHY_IPC] = "a semaphore or message",
	[WHY_FILE_LOCK] = "the lock of a file",
	[WHY_TERMINAL] = "the terminal",
	[WHY_STOPPED] = "a signal to go on",
	[WHY_TRACED] = "its tracer",
	[WHY_FROZEN] = "its control group to be thawed",
	[WHY_IDLE] = "work",
};

const char *why_object(enum why_kind kind, const char *call)
{
	size_t i;

	/* It reads from inotify or fanotify. */
	if (kind == WHY_POLL && !strcmp(call, "read"))
		return "events of files";
	for (i = 0; kind == WHY_FUTEX && i < sizeof(futexes) / sizeof(futexes[0]); i++)
		if (strstr(call, futexes[i].part))
			return futexes[i].object;
	return kind < WHY_KINDS && objects[kind] ? objects[kind] : "something in the kernel";
}

static void put_function(struct strbuf *out, const char *name)
{
	bool is_name = *name && *name != '[' && !strchr(name, '(');

	strbuf__puts(out, name);
	strbuf__puts(out, is_name ? "()" : "");
}

/* " in write_all() of save(), calling fsync" */
static void put_place(struct strbuf *out, const char *function, const char *caller,
		      const char *call)
{
	if (*function) {
		strbuf__puts(out, " in ");
		put_function(out, function);
	}
	if (*function && *caller) {
		strbuf__puts(out, " of ");
		put_function(out, caller);
	}
	if (*call)
		strbuf__printf(out, "%s calling %s", *function ? "," : "", call);
}

/* The largest part of a group that was in several places: ", 40 % of it in work()". */
static void put_most_of(struct strbuf *out, const struct why_cause *k)
{
	if (k->place_percent < WHOLE_PERCENT && *k->function)
		strbuf__printf(out, ", %u %% of it", k->place_percent);
	put_place(out, k->function, k->caller, k->call);
}

static void put_on_cpu(const struct why_cause *k, struct strbuf *out)
{
	uint64_t in_kernel = k->samples[WHY_KERNEL] + k->samples[WHY_SPIN];

	strbuf__puts(out, " was on the CPU");
	put_most_of(out, k);
	if (k->samples[WHY_FAULT] * 2 > k->sample_cnt)
		strbuf__printf(out, ", %.0f %% of it for page faults",
			       why_share(k->samples[WHY_FAULT], k->sample_cnt));
	else if (in_kernel * 2 > k->sample_cnt)
		strbuf__printf(out, ", %.0f %% of it in the kernel",
			       why_share(in_kernel, k->sample_cnt));
	if (k->memory_samples * 2 > k->sample_cnt)
		strbuf__puts(out, " of memory that was swapped out");
	if (in_kernel * 2 > k->sample_cnt && *k->syscall)
		strbuf__printf(out, " (system call %s)", k->syscall);
	if (k->samples[WHY_FAULT] * 2 <= k->sample_cnt && k->faults_per_s >= FAULTS_PER_S)
		strbuf__printf(out, ", and had %.0f page faults a second", k->faults_per_s);
	if (!k->sample_cnt)
		strbuf__puts(out, " (where, no sample tells)");
}

/* "hog, make and others" */
static void put_insteads(const struct why_cause *k, struct strbuf *out)
{
	uint64_t told_ns = 0;
	bool has_some = false;
	size_t i;

	for (i = 0; i < WHY_INSTEADS && k->instead[i].name; i++) {
		const char *name = k->instead[i].name;
		bool is_small = why_share(k->instead[i].ns, k->ns) < INSTEAD_SHARE;

		if (i && is_small)
			break;
		strbuf__puts(out, i ? ", " : "");
		if (!strncmp(name, "ksoftirqd/", 10))
			strbuf__printf(out, "soft interrupts (%s)", name);
		else
			strbuf__puts(out, *name ? name : "nothing");
		told_ns += k->instead[i].ns;
		has_some |= !strcmp(name, WHY_SOME_NAME);
	}
	if (why_share(k->ns - told_ns, k->ns) >= INSTEAD_SHARE && !has_some)
		strbuf__puts(out, " and others");
}

static void put_limit(const struct why_cause *k, struct strbuf *out)
{
	strbuf__puts(out, " was throttled by the CPU limit of its control group");
	if (k->covered_ns >= k->ns / 10)
		strbuf__printf(out,
			       ", as it would have been for %.3f s more, had others not had "
			       "the CPU",
			       (double)k->covered_ns / 1e9);
}

static void put_runnable(const struct why_cause *k, struct strbuf *out)
{
	bool is_idle = !k->instead[0].name || !*k->instead[0].name;

	if (k->kind == WHY_THROTTLED)
		put_limit(k, out);
	else if (!is_idle)
		strbuf__puts(out, " was ready to run, but ");
	else if (k->kind == WHY_WOKEN)
		strbuf__puts(out, " was woken, but its CPU was idle and had to begin");
	else
		strbuf__puts(out, " was ready to run, but had no CPU");
	if (k->kind != WHY_THROTTLED && !is_idle) {
		put_insteads(k, out);
		strbuf__puts(out, " had the CPU");
	}
	put_most_of(out, k);
}

static void put_blocked(const struct why_cause *k, struct strbuf *out)
{
	if (k->kind == WHY_SLEEP)
		strbuf__puts(out, " slept");
	else if (k->kind == WHY_IDLE)
		strbuf__puts(out, " had no work");
	else
		strbuf__printf(out, " waited for %s", why_object(k->kind, k->call));
	put_place(out, k->function, k->caller, k->call);
	if ((!*k->call || !strcmp(k->call, "syscall")) && *k->syscall)
		strbuf__printf(out, " (system call %s)", k->syscall);
	if (*k->file)
		strbuf__printf(out, ", file %s", k->file);
	if (why_share(k->late_ns, k->ns) >= LATE_SHARE)
		strbuf__printf(out, "; %.0f %% of it is from the wakeup until its idle CPU began",
			       why_share(k->late_ns, k->ns));
}

void why_cause__put(const struct why_cause *k, struct strbuf *out)
{
	strbuf__printf(out, "%s%s", k->has_more_threads ? "each " : "", k->comm);
	if (k->kind == WHY_IRQ || k->kind == WHY_SOFTIRQ)
		strbuf__printf(out, " was interrupted by %s %s",
			       k->kind == WHY_IRQ ? "devices" : "soft interrupts,", k->function);
	else if (k->kind == WHY_STEAL)
		strbuf__puts(out, " was on a CPU that the hypervisor took away");
	else if (why_kind__is_on_cpu(k->kind))
		put_on_cpu(k, out);
	else if (why_kinds[k->kind].group == 'q')
		put_runnable(k, out);
	else if (k->kind == WHY_UNKNOWN)
		strbuf__puts(out, " was in a state that is not known");
	else
		put_blocked(k, out);
	if (k->waiter_kind == WHY_UNKNOWN)
		return;
	strbuf__printf(out, ", while %s waited for %s", k->waiter_comm,
		       why_object(k->waiter_kind, k->waiter_call));
	put_place(out, k->waiter_function, k->waiter_caller, k->waiter_call);
}

static void put_share(const struct why_result *res, uint64_t ns, struct strbuf *out)
{
	strbuf__printf(out, "%.0f %% (%.3f s): ", why_share(ns, res->causes.total_ns),
		       (double)ns / 1e9);
}

/* Time of the path that is not ready to run: what a busy machine adds is nothing of the program. */
static uint64_t own_ns(const struct why_causes *c)
{
	uint64_t ns = c->total_ns;
	size_t i;

	for (i = 0; i < c->cnt; i++)
		if (c->at[i].kind == WHY_PREEMPTED || c->at[i].kind == WHY_WOKEN)
			ns -= c->at[i].ns < ns ? c->at[i].ns : ns;
	return ns;
}

/* Threads that mostly wake each other. Returns whether there is something to say. */
static bool put_hand_overs(const struct why_result *res, struct strbuf *out)
{
	const struct why_causes *c = &res->causes;
	enum why_kind kind, most = WHY_USER;
	size_t i;

	for (kind = 0; kind < WHY_KINDS; kind++)
		if (c->hops[kind] > c->hops[most])
			most = kind;
	if (!c->cnt || c->hop_cnt < HAND_OVERS || own_ns(c) / c->hop_cnt > HAND_OVER_NS ||
	    c->hops[most] * 2 < c->hop_cnt)
		return false;
	for (i = 0; i + 1 < c->cnt && c->at[i].waiter_kind != most; i++)
		;
	strbuf__printf(out,
		       "%s and %s hand work on to each other %llu times, each waiting for %s; one "
		       "hand-over takes %.1f us",
		       c->at[i].comm, c->at[i].waiter_comm, (unsigned long long)c->hop_cnt,
		       why_object(most, ""), (double)c->total_ns / (double)c->hop_cnt / 1e3);
	return true;
}

/*
 * Is the wait at a futex one for a lock, as far as names tell? Idle threads of Go's runtime, and
 * others that park by themselves, wait at a futex, too.
 */
static bool is_lock_wait(const struct why_cause *k)
{
	static const char *const locks[] = { "mutex",         "Mutex",    "rwlock",
					     "RwLock",        "barrier",  "Barrier",
					     "lll_lock",      "take_gil", "pthread_spin",
					     "lock_contended" };
	size_t i;

	for (i = 0; i < sizeof(locks) / sizeof(locks[0]); i++)
		if (strstr(k->call, locks[i]) || strstr(k->function, locks[i]))
			return true;
	return false;
}

/* Off the path, a cause is worth a sentence if threads did not choose to wait. */
static bool is_contention(const struct why_cause *k)
{
	switch (k->kind) {
	case WHY_PREEMPTED:
	case WHY_WOKEN:
		return k->instead[0].name && *k->instead[0].name;
	case WHY_FUTEX:
		return is_lock_wait(k);
	case WHY_SLEEP:
	case WHY_POLL:
	case WHY_CHILD:
	case WHY_PIPE_READ:
	case WHY_SOCKET:
	case WHY_SIGNAL:
	case WHY_IDLE:
	case WHY_TERMINAL:
	case WHY_BLOCKED:
	case WHY_EVENTFD:
	case WHY_IO_URING:
	case WHY_IPC:
		return false;
	default:
		return true;
	}
}

/* Does a sentence of the path say it already? */
static bool is_said(const struct why_result *res, size_t sentences, const struct why_cause *k)
{
	size_t i;

	for (i = 0; i < sentences; i++) {
		const struct why_cause *said = &res->groups.at[i];

		/* Places of time ready to run are by chance. */
		if (said->comm == k->comm && why_kinds[k->kind].group == 'q' &&
		    why_kinds[said->kind].group == 'q')
			return true;
		if (said->kind == k->kind && said->function == k->function)
			return true;
		if (said->waiter_kind == k->kind && said->waiter_function == k->function)
			return true;
	}
	return false;
}

/* Sums of all threads are of the whole time, also where the path is not. */
static uint64_t time_of_all(const struct why_result *res)
{
	return res->path.is_cut ? res->tl->end_ns - res->tl->begin_ns : res->causes.total_ns;
}

/* Threads of one name that park at a futex, and wake each other: a runtime that shares work out. */
static bool is_parking(const struct why_cause *wait, const char *waker)
{
	return wait->kind == WHY_FUTEX && wait->comm == waker && !is_lock_wait(wait) &&
	       !strcmp(why_object(WHY_FUTEX, wait->call), why_object(WHY_FUTEX, ""));
}

/* A wait that the first cause's threads ended, and that the path has not gone through. */
static bool has_ended(const struct why_result *res, size_t sentences)
{
	const struct why_cause *first = res->groups.at, *wait = &res->ended.wait;

	return res->groups.cnt && !is_parking(wait, res->ended.waker) && !res->has_requests &&
	       wait->ns && (first->kind == WHY_SLEEP || why_kinds[first->kind].group != 'i') &&
	       why_share(wait->ns, time_of_all(res)) >= CONTENTION_SHARE &&
	       !is_said(res, sentences, wait);
}

static bool put_ended(const struct why_result *res, size_t sentences, struct strbuf *out)
{
	if (!has_ended(res, sentences))
		return false;
	strbuf__printf(out, "Of all threads, for %.3f s: ", (double)res->ended.wait.ns / 1e9);
	why_cause__put(&res->ended.wait, out);
	strbuf__printf(out, ", until %s woke %s", res->ended.waker,
		       res->ended.wait.has_more_threads ? "them" : "it");
	return true;
}

/* The largest contention of all threads. */
static bool put_contention(const struct why_result *res, size_t sentences, struct strbuf *out)
{
	const struct why_causes *all = &res->all;
	const struct why_cause *ended = has_ended(res, sentences) ? &res->ended.wait : NULL;
	uint64_t total_ns = time_of_all(res);
	size_t i;

	/* An inversion is one, and has been said. */
	if (res->has_requests || res->tl->inversion.ns)
		return false;
	for (i = 0; i < all->cnt; i++) {
		const struct why_cause *k = &all->at[i];

		if (why_share(k->ns, total_ns) < CONTENTION_SHARE)
			return false;
		if (!is_contention(k) || is_said(res, sentences, k))
			continue;
		if (ended && ended->kind == k->kind && ended->function == k->function)
			continue;
		strbuf__printf(out, "Of all threads, for %.3f s: ", (double)k->ns / 1e9);
		why_cause__put(k, out);
		return true;
	}
	return false;
}

static bool put_inversion(const struct why_result *res, struct strbuf *out)
{
	struct why_timeline *tl = res->tl;
	const struct why_inversion *inv = &tl->inversion;
	uint64_t wall_ns = tl->end_ns - tl->begin_ns;
	const struct why_stack *s;

	if (!inv->ns || why_share(inv->ns, wall_ns) < INVERSION_SHARE)
		return false;
	s = why_stacks__describe(&tl->stacks, inv->wait.stack);
	strbuf__printf(out, "%.0f %% (%.3f s): a priority inversion: %s waited for %s",
		       why_share(inv->ns, wall_ns), (double)inv->ns / 1e9,
		       why_names__get(tl, inv->wait.thread),
		       why_object(WHY_FUTEX, s ? s->call : ""));
	if (s)
		put_place(out, s->function, s->caller, s->call);
	strbuf__printf(out, ", which %s held; %s was ready to run, but %s had the CPU",
		       why_names__get(tl, inv->held.thread), why_names__get(tl, inv->held.thread),
		       why_names__get(tl, inv->held.instead));
	return true;
}

/* The groups of causes that are worth a sentence. */
static size_t sentences_of(const struct why_result *res)
{
	const struct why_groups *g = &res->groups;
	size_t cnt = 0;

	while (cnt < g->cnt && cnt < CAUSE_SENTENCES &&
	       (!cnt || why_share(g->at[cnt].ns, res->causes.total_ns) >= SENTENCE_SHARE))
		cnt++;
	return cnt;
}

/* Sentences in their order: each returns whether it has something to say. */
static bool put_sentence(const struct why_result *res, size_t nr, size_t causes, struct strbuf *out)
{
	if (nr == 0)
		return put_inversion(res, out);
	if (nr == 1)
		return put_hand_overs(res, out);
	if (nr < 2 + causes) {
		put_share(res, res->groups.at[nr - 2].ns, out);
		why_cause__put(&res->groups.at[nr - 2], out);
		return true;
	}
	return nr == 2 + causes ? put_ended(res, causes, out) : put_contention(res, causes, out);
}

bool why_verdict__put(const struct why_result *res, size_t i, struct strbuf *out)
{
	size_t causes = sentences_of(res), nr;

	for (nr = 0; nr < 4 + causes; nr++) {
		strbuf__reset(out);
		if (put_sentence(res, nr, causes, out) && !i--)
			return true;
	}
	return false;
}

void why_verdict__put_json(const struct why_result *res, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	strbuf__puts(out, "\"verdict\":[");
	for (i = 0; why_verdict__put(res, i, &sb); i++) {
		if (i)
			strbuf__putc(out, ',');
		strbuf__put_json(out, strbuf__cstr(&sb), sb.len);
		strbuf__reset(&sb);
	}
	strbuf__putc(out, ']');
	strbuf__free(&sb);
}
