// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "util/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/thread.h"

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void (*job)(void *arg); /* NULL: none */
	void *arg;
	bool is_ending;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		while (!w->job && !w->is_ending)
			pthread_cond_wait(&w->changed, &w->lock);
		if (!w->job)
			break;
		pthread_mutex_unlock(&w->lock);
		w->job(w->arg);
		pthread_mutex_lock(&w->lock);
		w->job = NULL;
		pthread_cond_broadcast(&w->changed);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

struct worker *worker__new(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return NULL;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	err = thread__start(&w->thread, work, w);
	if (!err)
		return w;
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
	errno = -err;
	return NULL;
}

void worker__free(struct worker *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->is_ending = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

void worker__run(struct worker *w, void (*job)(void *arg), void *arg)
{
	pthread_mutex_lock(&w->lock);
	w->job = job;
	w->arg = arg;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
}

void worker__wait(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	while (w->job)
		pthread_cond_wait(&w->changed, &w->lock);
	pthread_mutex_unlock(&w->lock);
}
