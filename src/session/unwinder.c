// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The life of an unwinder, and the process records that reach it. */
#include "session/unwinder.h"

#include <errno.h>
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
#include "session/unwind_counts.h"
#include "session/unwind_dumps.h"
#include "session/unwind_sets.h"
#include "session/unwinder_priv.h"
#include "util/log.h"
#include "util/mono.h"
#include "util/thread.h"

/* Maximum memory of tables; a browser's table takes 4 MiB. */
#define MEM_MAX (128u << 20)

static int map_fd(const struct bpf_object *obj, const char *name)
{
	return bpf_object__find_map_fd_by_name(obj, name);
}

static int begin(struct unwinder *u, struct bpf_object *obj, uint32_t omit)
{
	int err = unwinder__create_maps(obj);

	if (err)
		return err;
	u->procs_fd = map_fd(obj, "unwind_procs");
	u->interp = interp__new(obj, omit);
	if (!u->interp && errno)
		return -errno;
	u->files = unwind_files__new(map_fd(obj, "unwind_tables"), map_fd(obj, "unwind_file_ids"),
				     &u->putter, u->interp, MEM_MAX);
	u->dumps = u->files ? unwind_dumps__new(u->files) : NULL;
	u->sets = u->dumps ? unwind_sets__new(map_fd(obj, "unwind_sets"), u->procs_fd, &u->putter,
					      u->files, u->dumps)
			   : NULL;
	u->wake_fd = u->sets ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
	if (u->wake_fd < 0)
		return -errno;
	err = thread__start(&u->thread, unwinder__work, u);
	u->has_thread = !err;
	return err;
}

struct unwinder *unwinder__new(struct bpf_object *obj, enum unwind_mode mode, uint32_t omit,
			       const char *program)
{
	struct unwinder *u;
	int err;

	errno = 0;
	if (mode == UNWIND_KERNEL)
		return NULL;
	u = calloc(1, sizeof(*u));
	if (!u)
		return NULL;
	u->program = program;
	u->wake_fd = -1;
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->turn, NULL);
	map_putter__init(&u->putter);
	err = begin(u, obj, omit);
	if (!err)
		return u;
	unwinder__stop(u);
	errno = -err;
	return NULL;
}

static int follow(struct unwinder *u, const struct bpf_object *obj)
{
	size_t i;

	u->counts_fd = map_fd(obj, "unwind_counts");
	interp__start(u->interp, obj);
	u->asks = ring_buffer__new(map_fd(obj, "unwind_asks"), unwinder__on_ask, u, NULL);
	if (!u->asks)
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
	return 0;
}

int unwinder__start(struct unwinder *u, const struct bpf_object *obj, const struct targets *only)
{
	size_t i;
	int err;

	if (!u)
		return 0;
	err = follow(u, obj);
	if (err) {
		log_error("cannot prepare for stacks without frame pointers: %s; give --unwind=fp",
			  strerror(-err));
		return err;
	}
	u->eager = only != NULL;
	for (i = 0; only && i < only->pid_cnt; i++)
		unwinder__queue(u, only->pids[i], true);
	unwinder__tell(u, &u->may_follow);
	return 0;
}

void unwinder__wait(struct unwinder *u)
{
	if (!u || (!u->program && !u->eager))
		return;
	pthread_mutex_lock(&u->lock);
	while (!u->is_ready)
		pthread_cond_wait(&u->turn, &u->lock);
	pthread_mutex_unlock(&u->lock);
	map_putter__show(&u->putter);
}

static void end_thread(struct unwinder *u)
{
	if (!u->has_thread)
		return;
	unwinder__tell(u, &u->stop);
	unwinder__wake(u);
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
	unwind_dumps__free(u->dumps);
	unwind_files__free(u->files);
	interp__free(u->interp);
	if (u->wake_fd >= 0)
		close(u->wake_fd);
	pthread_cond_destroy(&u->turn);
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
		unwinder__queue(u, pid, false);
}

void unwinder__on_dump(struct unwinder *u, int32_t pid)
{
	if (u)
		unwinder__queue(u, pid, true);
}

void unwinder__on_gone(struct unwinder *u)
{
	if (u && unwinder__note_gone(u))
		unwinder__wake(u);
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
