// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The thread that answers the requests of walks, and the process records that reach it. */
#include "session/unwinder.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "session/map_putter.h"
#include "target/targets.h"
#include "session/interp.h"
#include "session/unwind_ahead.h"
#include "session/unwind_counts.h"
#include "session/unwind_sets.h"
#include "session/unwinder_priv.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/thread.h"

/* Maximum memory of tables; a browser's table takes 4 MiB. */
#define MEM_MAX (128u << 20)
/* Time before a process is requested again: after a request that found something, and at most. */
#define GAP_NS 1000000ull
#define GAP_MAX_NS 1000000000ull
/* Interval of sweeps, while there is something to free. */
#define SWEEP_MS 1000
/* While sets are given back: the kernel takes 32 in some 20 to 80 ms. */
#define GIVE_BACK_MS 20
/*
 * Maximum number of processes that wait to be read again; others request it when they are sampled.
 */
#define WAITING_MAX 256
/* Processes that are remembered as unknown to the kernel's side; a power of two. */
#define ABSENT_CNT 256
/* State of the thread that makes tables. */
#define NICE (-10)

struct unwinder {
	int procs_fd, counts_fd;
	/* Processes that had no entry at that time, by the last bits of the pid. */
	struct {
		int32_t pid; /* 0: none */
		uint64_t time_ns;
	} absent[ABSENT_CNT];
	struct bpf_link *links[UNWIND_FOLLOWERS];
	struct ring_buffer *asks;
	struct map_putter putter;
	struct interp *interp; /* NULL: not wanted */
	struct unwind_files *files;
	struct unwind_sets *sets;
	pthread_t thread;
	bool has_thread;
	int wake_fd;
	bool eager;
	const char *program; /* not owned; NULL: none is about to start */
	bool made; /* tables were built since memory was trimmed */
	/* Protects the members that both threads use. */
	pthread_mutex_t lock;
	pthread_cond_t ready;
	struct {
		int32_t pid;
		bool is_new;
	} waiting[WAITING_MAX];
	size_t waiting_cnt;
	bool is_ready; /* the tables that are needed at once are made */
	bool stop;
	bool gone; /* a process has ended or has another set: there may be something to free */
};

static int map_fd(const struct bpf_object *obj, const char *name)
{
	return bpf_object__find_map_fd_by_name(obj, name);
}

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

/* Notes that a set may have lost its last process. Returns true if that was not noted yet. */
static bool note_gone(struct unwinder *u)
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
			note_gone(u);
		proc->set = (uint32_t)set;
		proc->read_ns = now;
	}
	/* From here on the walker uses the tables that exist. */
	bpf_map_update_elem(u->procs_fd, &pid, proc, BPF_EXIST);
	if (set > 0)
		make_tables(u, (int32_t)pid, proc->set, pc);
}

static int on_ask(void *ctx, void *data, size_t sz)
{
	const struct unwind_ask *ask = data;
	struct unwinder *u = ctx;
	struct unwind_proc proc;

	if (sz < sizeof(*ask) || bpf_map_lookup_elem(u->procs_fd, &ask->tgid, &proc))
		return 0;
	if (proc.exec_id != ask->exec_id) {
		note_gone(u);
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

	if (is_new && bpf_map_update_elem(u->procs_fd, &pid, &proc, BPF_NOEXIST))
		return;
	if (is_new || (!bpf_map_lookup_elem(u->procs_fd, &pid, &proc) && proc.set))
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

/* Makes the tables that will be needed at once, before anything is sampled. */
static void prepare(struct unwinder *u)
{
	unwind_ahead__make_usual(u->files);
	if (u->program)
		unwind_ahead__make(u->files, u->program);
	read_waiting(u);
	malloc_trim(0);
	pthread_mutex_lock(&u->lock);
	u->is_ready = true;
	pthread_cond_broadcast(&u->ready);
	pthread_mutex_unlock(&u->lock);
}

static void *work(void *arg)
{
	struct unwinder *u = arg;
	bool sweeping = false, giving_back = false;
	uint64_t next_ns = 0, cnt;
	struct pollfd fds[] = { { .fd = ring_buffer__epoll_fd(u->asks), .events = POLLIN },
				{ .fd = u->wake_fd, .events = POLLIN } };

	/*
	 * Stacks taken before a table is built lack it; the thread has little work, which is
	 * urgent.
	 */
	thread__make_urgent();
	prepare(u);
	while (!is_stopped(u, &sweeping)) {
		if (poll(fds, 2,
			 giving_back ? GIVE_BACK_MS
			 : sweeping  ? SWEEP_MS
				     : -1) < 0 &&
		    errno != EINTR)
			break;
		if (read(u->wake_fd, &cnt, sizeof(cnt)) > 0)
			read_waiting(u);
		ring_buffer__consume(u->asks);
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

static void wake(struct unwinder *u)
{
	const uint64_t one = 1;
	int i;

	/* EAGAIN: the thread has been woken already. Without the write it never is. */
	for (i = 0; i < 8 && write(u->wake_fd, &one, sizeof(one)) < 0 && errno != EAGAIN; i++)
		;
}

/* Queues a process to be read. */
static void queue(struct unwinder *u, int32_t pid, bool is_new)
{
	bool first;

	pthread_mutex_lock(&u->lock);
	first = !u->waiting_cnt;
	if ((first || u->waiting[u->waiting_cnt - 1].pid != pid) && u->waiting_cnt < WAITING_MAX) {
		u->waiting[u->waiting_cnt].pid = pid;
		u->waiting[u->waiting_cnt++].is_new = is_new;
	}
	pthread_mutex_unlock(&u->lock);
	if (first)
		wake(u);
}

static int start(struct unwinder *u, struct bpf_object *obj, uint32_t omit,
		 const struct targets *only)
{
	size_t i;
	int err;

	u->interp = interp__new(obj, omit);
	if (!u->interp && errno)
		return -errno;
	u->files = unwind_files__new(map_fd(obj, "unwind_tables"), map_fd(obj, "unwind_file_ids"),
				     &u->putter, u->interp, MEM_MAX);
	u->sets = u->files ? unwind_sets__new(map_fd(obj, "unwind_sets"), u->procs_fd, &u->putter,
					      u->files)
			   : NULL;
	u->asks = u->sets ? ring_buffer__new(map_fd(obj, "unwind_asks"), on_ask, u, NULL) : NULL;
	u->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!u->asks || u->wake_fd < 0)
		return -errno;
	for (i = 0; i < UNWIND_FOLLOWERS; i++) {
		struct bpf_program *prog =
			bpf_object__find_program_by_name(obj, unwind_followers[i]);

		u->links[i] = bpf_program__attach(prog);
		/* The skeleton's own attach must skip this program. */
		bpf_program__set_autoattach(prog, false);
		if (!u->links[i])
			return -errno;
	}
	for (i = 0; only && i < only->pid_cnt; i++)
		queue(u, only->pids[i], true);
	err = thread__start(&u->thread, work, u);
	u->has_thread = !err;
	return err;
}

struct unwinder *unwinder__start(struct bpf_object *obj, enum unwind_mode mode, uint32_t omit,
				 const struct targets *only, const char *program)
{
	struct unwinder *u;
	int err;

	errno = 0;
	if (mode == UNWIND_KERNEL)
		return NULL;
	u = calloc(1, sizeof(*u));
	if (!u) {
		log_error("out of memory");
		return NULL;
	}
	u->eager = only != NULL;
	u->program = program;
	u->procs_fd = map_fd(obj, "unwind_procs");
	u->counts_fd = map_fd(obj, "unwind_counts");
	u->wake_fd = -1;
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->ready, NULL);
	map_putter__init(&u->putter);
	err = start(u, obj, omit, only);
	if (!err)
		return u;
	log_error("cannot prepare for stacks without frame pointers: %s; give --unwind=fp",
		  strerror(-err));
	unwinder__stop(u);
	errno = -err;
	return NULL;
}

void unwinder__wait(struct unwinder *u)
{
	if (!u || (!u->program && !u->eager))
		return;
	pthread_mutex_lock(&u->lock);
	while (!u->is_ready)
		pthread_cond_wait(&u->ready, &u->lock);
	pthread_mutex_unlock(&u->lock);
	map_putter__drain(&u->putter);
}

static void end_thread(struct unwinder *u)
{
	if (!u->has_thread)
		return;
	pthread_mutex_lock(&u->lock);
	u->stop = true;
	pthread_mutex_unlock(&u->lock);
	wake(u);
	pthread_join(u->thread, NULL);
	u->has_thread = false;
}

void unwinder__stop(struct unwinder *u)
{
	size_t i;

	if (!u)
		return;
	end_thread(u);
	for (i = 0; i < UNWIND_FOLLOWERS; i++)
		bpf_link__destroy(u->links[i]);
	ring_buffer__free(u->asks);
	map_putter__wait(&u->putter);
	unwind_sets__free(u->sets);
	unwind_files__free(u->files);
	interp__free(u->interp);
	if (u->wake_fd >= 0)
		close(u->wake_fd);
	pthread_cond_destroy(&u->ready);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

/*
 * Was the process known before that time? Reads its entry. What has none now had none at earlier
 * events, of which a process that starts has a dozen, and those of several are read together.
 */
static bool knew(struct unwinder *u, int32_t pid, uint64_t time_ns, struct unwind_proc *proc)
{
	size_t i = (uint32_t)pid & (ABSENT_CNT - 1);
	uint64_t now_ns;

	if (!u || (pid == u->absent[i].pid && time_ns <= u->absent[i].time_ns))
		return false;
	now_ns = mono_ns();
	if (!bpf_map_lookup_elem(u->procs_fd, &pid, proc))
		return proc->read_ns < time_ns;
	u->absent[i].pid = pid;
	u->absent[i].time_ns = now_ns;
	return false;
}

void unwinder__on_mmap(struct unwinder *u, int32_t pid, uint64_t time_ns)
{
	struct unwind_proc proc;

	if (knew(u, pid, time_ns, &proc) && proc.set)
		queue(u, pid, false);
}

static void forget(struct unwinder *u, int32_t pid)
{
	bpf_map_delete_elem(u->procs_fd, &pid);
	if (note_gone(u))
		wake(u);
}

void unwinder__on_exec(struct unwinder *u, int32_t pid, uint64_t time_ns)
{
	struct unwind_proc proc;

	/* A request since then is about the program that runs now. */
	if (knew(u, pid, time_ns, &proc) && proc.asked_ns < time_ns)
		forget(u, pid);
}

void unwinder__on_exit(struct unwinder *u, int32_t pid, uint64_t time_ns)
{
	/* The process was read after its end: the entry belongs to a new process with its id. */
	unwinder__on_exec(u, pid, time_ns);
}

void unwinder__stats(struct unwinder *u, struct unwinder_stats *stats)
{
	uint32_t i;

	memset(stats, 0, sizeof(*stats));
	if (!u)
		return;
	/* The thread counts without a lock. */
	end_thread(u);
	for (i = 1; i < UNWIND_END_CNT; i++)
		stats->ends[i] = unwind_counts__sum(u->counts_fd, i);
	stats->no_proc = unwind_counts__sum(u->counts_fd, UNWIND_CNT_NO_PROC);
	stats->frames = unwind_counts__sum(u->counts_fd, UNWIND_CNT_FRAMES);
	stats->frames_by_fp = unwind_counts__sum(u->counts_fd, UNWIND_CNT_FRAMES_BY_FP);
	stats->ask_lost = unwind_counts__sum(u->counts_fd, UNWIND_CNT_ASK_LOST);
	stats->sets_refused = unwind_sets__refused(u->sets);
	unwind_files__stats(u->files, &stats->files);
	interp__stats(u->interp, &stats->interp);
}

struct interp *unwinder__interp(const struct unwinder *u)
{
	return u ? u->interp : NULL;
}
