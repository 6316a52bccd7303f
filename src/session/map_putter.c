// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Updates maps of maps in threads that wait for the RCU grace period. */
#include "session/map_putter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/types.h>
#include <bpf/bpf.h>

struct job {
	struct map_putter *putter;
	int outer_fd, inner_fd;
	__u32 idx;
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

static void wait_below(struct map_putter *p, unsigned int cnt)
{
	pthread_mutex_lock(&p->lock);
	while (p->cnt > cnt)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void map_putter__drain(struct map_putter *p)
{
	wait_below(p, 0);
}

void map_putter__wait(struct map_putter *p)
{
	wait_below(p, 0);
	pthread_cond_destroy(&p->done);
	pthread_mutex_destroy(&p->lock);
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
	struct job *job = arg;
	struct map_putter *p = job->putter;
	int err;

	if (job->inner_fd >= 0) {
		err = bpf_map_update_elem(job->outer_fd, &job->idx, &job->inner_fd, BPF_ANY);
		close(job->inner_fd);
	} else {
		err = bpf_map_delete_elem(job->outer_fd, &job->idx);
		/* Deleting an element that does not exist is no error. */
		err = err == -ENOENT ? 0 : err;
	}
	pthread_mutex_lock(&p->lock);
	if (job->busy)
		*job->busy = false;
	p->failed += err != 0;
	p->cnt--;
	pthread_cond_broadcast(&p->done);
	pthread_mutex_unlock(&p->lock);
	free(job);
	return NULL;
}

/* The caller masks the signals of the process, and its threads inherit the mask. */
static int start(struct job *job)
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
	struct job *job = malloc(sizeof(*job));
	int fd = inner_fd < 0 ? -1 : fcntl(inner_fd, F_DUPFD_CLOEXEC, 0);

	if (!job || (inner_fd >= 0 && fd < 0)) {
		free(job);
		p->failed++;
		return;
	}
	*job = (struct job){ p, outer_fd, fd, idx, busy };
	wait_below(p, MAP_PUTTER_MAX - 1);
	pthread_mutex_lock(&p->lock);
	p->cnt++;
	if (busy)
		*busy = true;
	pthread_mutex_unlock(&p->lock);
	if (start(job))
		put_map(job);
}
