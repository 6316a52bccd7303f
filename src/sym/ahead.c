// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/ahead.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "reader/reader.h"
#include "util/thread.h"

struct ahead {
	pthread_mutex_t lock; /* protects all members and the states of all jobs */
	pthread_cond_t changed;
	pthread_t thread;
	bool started, failed, stop;
	uint32_t waiting; /* for the running job */
	struct ahead_job *first, **last;
};

struct ahead *ahead__new(void)
{
	struct ahead *ahead = calloc(1, sizeof(*ahead));

	if (!ahead)
		return NULL;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	ahead->last = &ahead->first;
	return ahead;
}

static struct ahead_job *take_first(struct ahead *ahead)
{
	struct ahead_job *job = ahead->first;

	ahead->first = job->next;
	if (!ahead->first)
		ahead->last = &ahead->first;
	return job;
}

static void put_last(struct ahead *ahead, struct ahead_job *job)
{
	job->state = AHEAD_QUEUED;
	job->again = false;
	job->next = NULL;
	*ahead->last = job;
	ahead->last = &job->next;
}

static void *work(void *arg)
{
	struct ahead *ahead = arg;
	bool trim = false;

	pthread_mutex_lock(&ahead->lock);
	for (;;) {
		struct ahead_job *job;

		while (!ahead->first && !ahead->stop)
			pthread_cond_wait(&ahead->changed, &ahead->lock);
		if (ahead->stop)
			break;
		job = take_first(ahead);
		job->state = AHEAD_RUNNING;
		job->is_ahead = true;
		pthread_mutex_unlock(&ahead->lock);
		job->fn(job);
		pthread_mutex_lock(&ahead->lock);
		trim |= job->frees_much;
		job->state = AHEAD_DONE;
		if (job->again)
			put_last(ahead, job);
		if (ahead->waiting)
			pthread_cond_broadcast(&ahead->changed);
		if (ahead->first || !trim)
			continue;
		/* The buffers of the files are free again: return their memory to the system. */
		trim = false;
		pthread_mutex_unlock(&ahead->lock);
		malloc_trim(0);
		pthread_mutex_lock(&ahead->lock);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

static void start(struct ahead *ahead)
{
	/*
	 * The host of the readers is forked before: the thread could hold a lock of the allocator
	 * in the moment of the fork, and the host and all its readers would wait for it for ever.
	 * The C library's own allocator prevents that, others (AddressSanitizer's) do not.
	 */
	reader__start();
	ahead->failed = thread__start(&ahead->thread, work, ahead) != 0;
	ahead->started = !ahead->failed;
}

void ahead__queue(struct ahead *ahead, struct ahead_job *job)
{
	bool is_idle;

	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	is_idle = !ahead->first;
	if (!ahead->started && !ahead->failed)
		start(ahead);
	if (job->state == AHEAD_RUNNING) {
		job->again = true;
	} else if (ahead->started && job->state != AHEAD_QUEUED) {
		put_last(ahead, job);
	}
	is_idle &= ahead->first != NULL;
	pthread_mutex_unlock(&ahead->lock);
	if (is_idle)
		pthread_cond_broadcast(&ahead->changed);
}

bool ahead__is_done(struct ahead *ahead, const struct ahead_job *job)
{
	bool is_done;

	if (!ahead)
		return false;
	pthread_mutex_lock(&ahead->lock);
	is_done = job->state == AHEAD_DONE;
	pthread_mutex_unlock(&ahead->lock);
	return is_done;
}

static void unlink_job(struct ahead *ahead, const struct ahead_job *job)
{
	struct ahead_job **p = &ahead->first;

	while (*p != job)
		p = &(*p)->next;
	*p = job->next;
	if (!*p)
		ahead->last = p;
}

void ahead__finish(struct ahead *ahead, struct ahead_job *job)
{
	bool is_ours = true;

	if (ahead) {
		pthread_mutex_lock(&ahead->lock);
		ahead->waiting++;
		while (job->state == AHEAD_RUNNING)
			pthread_cond_wait(&ahead->changed, &ahead->lock);
		ahead->waiting--;
		is_ours = job->state != AHEAD_DONE;
		if (job->state == AHEAD_QUEUED)
			unlink_job(ahead, job);
		pthread_mutex_unlock(&ahead->lock);
	}
	if (is_ours && job->state != AHEAD_DONE) {
		job->is_ahead = false;
		job->fn(job);
	}
	job->state = AHEAD_DONE;
}

void ahead__free(struct ahead *ahead)
{
	if (!ahead)
		return;
	if (ahead->started) {
		pthread_mutex_lock(&ahead->lock);
		ahead->stop = true;
		pthread_cond_broadcast(&ahead->changed);
		pthread_mutex_unlock(&ahead->lock);
		pthread_join(ahead->thread, NULL);
	}
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}
