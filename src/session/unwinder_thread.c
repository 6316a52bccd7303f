// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The thread that answers the requests of walks. */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/unwind_wire.h"
#include "session/unwind_ahead.h"
#include "session/unwind_dumps.h"
#include "session/unwind_files.h"
#include "session/unwind_sets.h"
#include "session/unwinder_priv.h"
#include "util/mono.h"
#include "util/thread.h"

/* Time before a process is requested again: after a request that found something, and at most. */
#define GAP_NS 1000000ull
#define GAP_MAX_NS 1000000000ull
/* Interval of sweeps, while there is something to free. */
#define SWEEP_MS 1000
/* While sets are given back: the kernel takes 32 in some 20 to 80 ms. */
#define GIVE_BACK_MS 20

static void make_table(struct unwinder *u, int32_t pid, const struct unwind_mapping *m)
{
	if (m)
		u->made |= unwind_files__make(u->files, m->table, pid, m->start, m->end) > 0;
}

/* Larger files, such as a browser's, are not scanned ahead of need. */
#define EAGER_MAX_SZ (64ull << 20)

/*
 * Builds the table of the file with pc first, then the program's own, then those of mappings that
 * will surely be needed.
 */
static void make_tables(struct unwinder *u, int32_t pid, uint32_t set, uint64_t pc)
{
	const struct unwind_mapping *m = unwind_sets__first(u->sets, set);
	uint64_t sz = 0;

	if (pc)
		make_table(u, pid, unwind_sets__find(u->sets, set, pc));
	make_table(u, pid, m);
	for (; u->eager && m && sz < EAGER_MAX_SZ; m = unwind_sets__next(u->sets, set, m)) {
		sz += m->end - m->start;
		make_table(u, pid, m);
	}
}

bool unwinder__note_gone(struct unwinder *u)
{
	bool first;

	pthread_mutex_lock(&u->lock);
	first = !u->gone;
	u->gone = true;
	pthread_mutex_unlock(&u->lock);
	return first;
}

/*
 * Reads the present mappings of a process. The entry in the map belongs to the program that made
 * the request: if the process has called exec since, the walker notices, and requests again.
 */
static void read_process(struct unwinder *u, uint32_t pid, struct unwind_proc *proc, uint64_t pc)
{
	uint64_t now = mono_ns();
	int set = unwind_sets__read(u->sets, (int32_t)pid, proc->set);

	if (set < 0 || (uint32_t)set == proc->set)
		proc->gap_ns = 2 * proc->gap_ns > GAP_MAX_NS ? GAP_MAX_NS : 2 * proc->gap_ns;
	else
		proc->gap_ns = GAP_NS;
	if (set > 0) {
		if (proc->set && proc->set != (uint32_t)set)
			unwinder__note_gone(u);
		proc->set = (uint32_t)set;
		proc->read_ns = now;
	}
	/* From here on the walker uses the tables that exist. */
	bpf_map_update_elem(u->procs_fd, &pid, proc, BPF_EXIST);
	if (set > 0)
		make_tables(u, (int32_t)pid, proc->set, pc);
}

int unwinder__on_ask(void *ctx, void *data, size_t sz)
{
	const struct unwind_ask *ask = data;
	struct unwinder *u = ctx;
	struct unwind_proc proc;

	if (sz < sizeof(*ask) || bpf_map_lookup_elem(u->procs_fd, &ask->tgid, &proc))
		return 0;
	if (proc.exec_id != ask->exec_id) {
		unwinder__note_gone(u);
		proc.exec_id = ask->exec_id;
		proc.set = 0;
		proc.gap_ns = GAP_NS;
	}
	if (!proc.set || !ask->table) {
		read_process(u, ask->tgid, &proc, ask->pc);
		return 0;
	}
	make_table(u, (int32_t)ask->tgid, unwind_sets__find(u->sets, proc.set, ask->pc));
	return 0;
}

static void read_requested(struct unwinder *u, int32_t pid, bool is_new)
{
	struct unwind_proc proc = { .exec_id = UNWIND_ANY_EXEC };

	if ((is_new && !bpf_map_update_elem(u->procs_fd, &pid, &proc, BPF_NOEXIST)) ||
	    (!bpf_map_lookup_elem(u->procs_fd, &pid, &proc) && proc.set))
		read_process(u, (uint32_t)pid, &proc, 0);
}

/* Reads processes that have mapped something since they were last read, or were never read. */
static void read_waiting(struct unwinder *u)
{
	typeof(u->waiting) waiting;
	size_t cnt, i;

	pthread_mutex_lock(&u->lock);
	cnt = u->waiting_cnt;
	memcpy(waiting, u->waiting, sizeof(waiting));
	u->waiting_cnt = 0;
	pthread_mutex_unlock(&u->lock);
	for (i = 0; i < cnt; i++)
		read_requested(u, waiting[i].pid, waiting[i].is_new);
}

/* Frees unused sets and tables. Returns true if there may be more to free. */
static bool sweep(struct unwinder *u)
{
	bool more;

	pthread_mutex_lock(&u->lock);
	more = u->gone;
	u->gone = false;
	pthread_mutex_unlock(&u->lock);
	more |= unwind_sets__sweep(u->sets);
	more |= unwind_files__sweep(u->files);
	return more;
}

static bool is_stopped(struct unwinder *u, bool *sweeping)
{
	bool stop;

	pthread_mutex_lock(&u->lock);
	stop = u->stop;
	*sweeping |= u->gone;
	pthread_mutex_unlock(&u->lock);
	return stop;
}

/* Waits for unwinder__start(). False: there will be none. */
static bool wait_for_start(struct unwinder *u)
{
	bool may_follow;

	pthread_mutex_lock(&u->lock);
	while (!u->may_follow && !u->stop)
		pthread_cond_wait(&u->turn, &u->lock);
	may_follow = u->may_follow;
	pthread_mutex_unlock(&u->lock);
	return may_follow;
}

void unwinder__tell(struct unwinder *u, bool *fact)
{
	pthread_mutex_lock(&u->lock);
	*fact = true;
	pthread_cond_broadcast(&u->turn);
	pthread_mutex_unlock(&u->lock);
}

/*
 * Makes the tables that will be needed at once, before anything is sampled: those that depend on
 * files alone while the programs are loaded, which takes the kernel as long.
 */
static bool prepare(struct unwinder *u)
{
	unwind_ahead__make_usual(u->files);
	if (u->program)
		unwind_ahead__make(u->files, u->program);
	if (!wait_for_start(u))
		return false;
	read_waiting(u);
	unwind_dumps__look(u->dumps);
	malloc_trim(0);
	unwinder__tell(u, &u->is_ready);
	return true;
}

/* -1: until there is a request. */
static int wait_ms(bool giving_back, bool sweeping, int look_ms)
{
	int ms = giving_back ? GIVE_BACK_MS : sweeping ? SWEEP_MS : -1;

	return look_ms < 0 || (ms >= 0 && ms < look_ms) ? ms : look_ms;
}

void *unwinder__work(void *arg)
{
	struct unwinder *u = arg;
	bool sweeping = false, giving_back = false;
	int look_ms = 0;
	uint64_t next_ns = 0, cnt;
	struct pollfd fds[] = { { .fd = u->wake_fd, .events = POLLIN }, { .events = POLLIN } };

	/*
	 * Stacks taken before a table is built lack it; the thread has little work, which is
	 * urgent.
	 */
	thread__make_urgent();
	if (!prepare(u))
		return NULL;
	fds[1].fd = ring_buffer__epoll_fd(u->asks);
	while (!is_stopped(u, &sweeping)) {
		if (poll(fds, 2, wait_ms(giving_back, sweeping, look_ms)) < 0 && errno != EINTR)
			break;
		if (read(u->wake_fd, &cnt, sizeof(cnt)) > 0)
			read_waiting(u);
		ring_buffer__consume(u->asks);
		look_ms = unwind_dumps__look(u->dumps);
		if (u->made)
			malloc_trim(0);
		u->made = false;
		if (sweeping && mono_ns() >= next_ns) {
			sweeping = sweep(u);
			next_ns = mono_ns() + SWEEP_MS * 1000000ull;
			giving_back = true;
		}
		if (giving_back)
			giving_back = unwind_sets__give_back(u->sets);
	}
	return NULL;
}

void unwinder__wake(struct unwinder *u)
{
	const uint64_t one = 1;
	int i;

	/* EAGAIN: the thread has been woken already. Without the write it never is. */
	for (i = 0; i < 8 && write(u->wake_fd, &one, sizeof(one)) < 0 && errno != EAGAIN; i++)
		;
}

void unwinder__queue(struct unwinder *u, int32_t pid, bool is_new)
{
	bool first;

	pthread_mutex_lock(&u->lock);
	first = !u->waiting_cnt;
	if (!first && u->waiting[u->waiting_cnt - 1].pid == pid) {
		u->waiting[u->waiting_cnt - 1].is_new |= is_new;
	} else if (u->waiting_cnt < WAITING_MAX) {
		u->waiting[u->waiting_cnt].pid = pid;
		u->waiting[u->waiting_cnt++].is_new = is_new;
	}
	pthread_mutex_unlock(&u->lock);
	if (first)
		unwinder__wake(u);
}
