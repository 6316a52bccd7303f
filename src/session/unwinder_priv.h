/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Shared by unwinder.c, unwinder_configure.c and unwinder_thread.c. */
#ifndef BPFPERF_SESSION_UNWINDER_PRIV_H
#define BPFPERF_SESSION_UNWINDER_PRIV_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/map_putter.h"

struct bpf_link;
struct bpf_object;
struct interp;
struct ring_buffer;
struct unwind_dumps;
struct unwind_files;
struct unwind_sets;

/* The programs that follow processes for walks; loaded only with these. */
#define UNWIND_FOLLOWERS 2
extern const char *const unwind_followers[UNWIND_FOLLOWERS];

/*
 * Maximum number of processes that wait to be read again; others request it when they are sampled.
 */
#define WAITING_MAX 256
/* Processes that are remembered as unknown to the kernel's side; a power of two. */
#define ABSENT_CNT 256

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
	struct unwind_dumps *dumps;
	struct unwind_sets *sets;
	pthread_t thread;
	bool has_thread;
	int wake_fd;
	bool eager;
	const char *program; /* not owned; NULL: none is about to start */
	bool made; /* tables were built since memory was trimmed */
	/* Protects the members that both threads use. */
	pthread_mutex_t lock;
	pthread_cond_t turn; /* one of the facts below has changed */
	struct {
		int32_t pid;
		bool is_new;
	} waiting[WAITING_MAX];
	size_t waiting_cnt;
	bool may_follow; /* forks and mappings are followed: processes can be read */
	bool is_ready; /* the tables that are needed at once are made */
	bool stop;
	bool gone; /* a process has ended or has another set: there may be something to free */
};

/* Creates the maps that are filled while the programs are loaded. 0 or -errno. */
int unwinder__create_maps(struct bpf_object *obj);

/* The body of the thread; its argument is the unwinder. */
void *unwinder__work(void *arg);
/* Handles a request of a walk: the callback of the ring of requests. */
int unwinder__on_ask(void *ctx, void *data, size_t sz);
/* Queues a process to be read by the thread; is_new: even if no walk has met it. */
void unwinder__queue(struct unwinder *u, int32_t pid, bool is_new);
void unwinder__wake(struct unwinder *u);
/* Sets one of the facts at the end of the struct, and wakes those that wait for it. */
void unwinder__tell(struct unwinder *u, bool *fact);
/* Notes that a set may have lost its last process. Returns true if that was not noted yet. */
bool unwinder__note_gone(struct unwinder *u);

#endif
