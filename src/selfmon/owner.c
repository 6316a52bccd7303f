// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "selfmon/owner.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

__thread uint64_t owner_id __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Without a page that the kernel wipes, a fork is noticed by pthread_atfork(3) alone. */
static uint32_t unwiped = 1;
uint32_t *owner_mark __attribute__((visibility("hidden"))) = &unwiped;

static uint64_t next_id = 1, first_here = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* In the child: only its thread exists. */
static void after_fork(void)
{
	owner_id = 0;
	first_here = next_id;
	*owner_mark = 1;
}

/*
 * _Fork(3) and clone(2) call no handler. The kernel gives their child zeros in place of this page
 * (Linux 4.14: d2cd9ede6e19, mm,fork: introduce MADV_WIPEONFORK).
 */
static void watch_forks(void)
{
	size_t sz = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	pthread_atfork(NULL, NULL, after_fork);
	if (page == MAP_FAILED)
		return;
	if (madvise(page, sz, MADV_WIPEONFORK)) {
		munmap(page, sz);
		return;
	}
	*(uint32_t *)page = 1;
	__atomic_store_n(&owner_mark, page, __ATOMIC_RELEASE);
}

static void notice_fork(void)
{
	if (!__atomic_load_n(owner_mark, __ATOMIC_RELAXED))
		after_fork();
}

uint64_t owner__take(void)
{
	pthread_once(&once, watch_forks);
	notice_fork();
	if (!owner_id)
		owner_id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
	return owner_id;
}

bool owner__is_here(uint64_t owner)
{
	notice_fork();
	return owner >= first_here;
}
