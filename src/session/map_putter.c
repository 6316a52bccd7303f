// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Updates maps of maps in threads that wait for the RCU grace period. */
#include "session/map_putter.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>

#include "session/unwind_put.h"

struct map_putter_job {
	struct map_putter *putter;
	struct map_putter_job *next, **link; /* link: what points to this one */
	int outer_fd, inner_fd;
	__u32 idx;
	__u32 id; /* of the inner map; 0: the element is deleted */
	bool *busy;
};

/* The threads need little stack. */
#define THREAD_STACK_SZ (64u << 10)

void map_putter__init(struct map_putter *p)
{
	*p = (struct map_putter){ .cnt = 0 };
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->done, NULL);
}

/* The kernel shows a new element before it waits for the grace period. */
static bool is_shown(const struct map_putter_job *job)
{
	__u32 id;

	return !job->id || (!bpf_map_lookup_elem(job->outer_fd, &job->idx, &id) && id == job->id);
}

void map_putter__show(struct map_putter *p)
{
	const struct map_putter_job *job;

	for (;;) {
		pthread_mutex_lock(&p->lock);
		for (job = p->jobs; job && is_shown(job); job = job->next)
			;
		pthread_mutex_unlock(&p->lock);
		if (!job)
			return;
		/* Its thread is about to call the kernel. */
		sched_yield();
	}
}

static void wait_below(struct map_putter *p, unsigned int cnt)
{
	pthread_mutex_lock(&p->lock);
	while (p->cnt > cnt)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void map_putter__wait(struct map_putter *p)
{
	wait_below(p, 0);
	pthread_cond_destroy(&p->done);
	pthread_mutex_destroy(&p->lock);
}

bool map_putter__is_busy(const bool *busy)
{
	return __atomic_load_n(busy, __ATOMIC_ACQUIRE);
}

bool map_putter__is_full(struct map_putter *p)
{
	bool full;

	pthread_mutex_lock(&p->lock);
	full = p->cnt >= MAP_PUTTER_MAX;
	pthread_mutex_unlock(&p->lock);
	return full;
}

static void *put_map(void *arg)
{
	struct map_putter_job *job = arg;
	struct map_putter *p = job->putter;

	if (job->inner_fd >= 0) {
		bpf_map_update_elem(job->outer_fd, &job->idx, &job->inner_fd, BPF_ANY);
		close(job->inner_fd);
	} else {
		bpf_map_delete_elem(job->outer_fd, &job->idx);
	}
	if (job->busy)
		__atomic_store_n(job->busy, false, __ATOMIC_RELEASE);
	pthread_mutex_lock(&p->lock);
	*job->link = job->next;
	if (job->next)
		job->next->link = job->link;
	p->cnt--;
	pthread_cond_broadcast(&p->done);
	pthread_mutex_unlock(&p->lock);
	free(job);
	return NULL;
}

/* The caller masks the signals of the process, and its threads inherit the mask. */
static int start(struct map_putter_job *job)
{
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, THREAD_STACK_SZ);
	err = pthread_create(&thread, &attr, put_map, job);
	pthread_attr_destroy(&attr);
	return err;
}

void map_putter__put(struct map_putter *p, int outer_fd, uint32_t idx, int inner_fd, bool *busy)
{
	struct map_putter_job *job = malloc(sizeof(*job));
	int fd = inner_fd < 0 ? -1 : fcntl(inner_fd, F_DUPFD_CLOEXEC, 0);
	__u32 id = 0;

	if (!job || (inner_fd >= 0 && (fd < 0 || unwind_put__map_id(fd, &id)))) {
		if (fd >= 0)
			close(fd);
		free(job);
		return;
	}
	wait_below(p, MAP_PUTTER_MAX - 1);
	pthread_mutex_lock(&p->lock);
	*job = (struct map_putter_job){ p, p->jobs, &p->jobs, outer_fd, fd, idx, id, busy };
	if (job->next)
		job->next->link = &job->next;
	p->jobs = job;
	p->cnt++;
	pthread_mutex_unlock(&p->lock);
	if (busy)
		__atomic_store_n(busy, true, __ATOMIC_RELAXED);
	if (start(job))
		put_map(job);
}
