// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "selfmon/owner.h"

#include <pthread.h>

__thread uint64_t owner_id __attribute__((tls_model("initial-exec"), visibility("hidden")));

static uint64_t next_id = 1, first_here = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void after_fork(void)
{
	owner_id = 0;
	first_here = next_id;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, after_fork);
}

uint64_t owner__take(void)
{
	pthread_once(&once, watch_forks);
	if (!owner_id)
		owner_id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
	return owner_id;
}

bool owner__is_here(uint64_t owner)
{
	return owner >= first_here;
}
