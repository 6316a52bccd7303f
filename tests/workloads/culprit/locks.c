// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Programs that lose their time at a lock. */
#include "culprit.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned int round_cnt;

WRAPPER void lock(void)
{
	pthread_mutex_lock(&mutex);
	STAY();
}

WRAPPER void unlock(void)
{
	pthread_mutex_unlock(&mutex);
	STAY();
}

/*
 * convoy: one thread holds a lock for 20 ms at a time, and three that need it for a moment queue
 * behind it.
 */
#define CONVOY_WORKERS 3

static pthread_barrier_t convoy_barrier;
static uint64_t convoy_wait_ns[CONVOY_WORKERS];

PLACE void convoy_critical_section(void)
{
	burn_ns(20 * MS_NS);
}

PLACE void convoy_hold(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		lock();
		pthread_barrier_wait(&convoy_barrier);
		convoy_critical_section();
		unlock();
		/* All have had the lock before it is taken for the next round. */
		pthread_barrier_wait(&convoy_barrier);
	}
}

/* Takes the lock for a moment. */
PLACE void convoy_lookup(uint64_t *wait_ns)
{
	uint64_t start_ns = now_ns();

	lock();
	*wait_ns += now_ns() - start_ns;
	burn_ns(100 * US_NS);
	unlock();
}

PLACE void convoy_work(void *arg)
{
	unsigned int i;

	for (i = 0; i < round_cnt; i++) {
		pthread_barrier_wait(&convoy_barrier);
		convoy_lookup(arg);
		pthread_barrier_wait(&convoy_barrier);
	}
}

static void run_convoy(struct truth *truth, double seconds)
{
	struct worker workers[] = {
		{ "holder", -1, convoy_hold, NULL, 0 },
		{ "worker-0", -1, convoy_work, &convoy_wait_ns[0], 0 },
		{ "worker-1", -1, convoy_work, &convoy_wait_ns[1], 0 },
		{ "worker-2", -1, convoy_work, &convoy_wait_ns[2], 0 },
	};

	round_cnt = rounds(seconds, 50);
	pthread_barrier_init(&convoy_barrier, NULL, CONVOY_WORKERS + 1);
	workers__start(workers, CONVOY_WORKERS + 1);
	workers__join(workers, CONVOY_WORKERS + 1);
	*truth = (struct truth){ "futex", "convoy_critical_section", "holder", 0, "" };
	truth->cause_ns = (convoy_wait_ns[0] + convoy_wait_ns[1] + convoy_wait_ns[2]) / 3;
	snprintf(truth->more, sizeof(truth->more), "victim=worker-0 victim_place=convoy_lookup");
}

/*
 * inversion: on one CPU, high waits for a lock of low, which middle keeps from running.
 */
static sem_t low_holds, high_waits;
static uint64_t inversion_wait_ns, inversion_middle_ns;
static const char *inversion_policy = "fifo";

/* Makes this thread a real-time one, or lowers it where that is not permitted. */
static void set_priority(int fifo, int nice_value)
{
	struct sched_param param = { .sched_priority = fifo };

	if (fifo && !sched_setscheduler(0, SCHED_FIFO, &param))
		return;
	if (fifo)
		inversion_policy = "nice";
	if (nice_value && setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice_value))
		die("setpriority: %s", strerror(errno));
}

PLACE void inversion_critical_section(void)
{
	burn_ns(30 * MS_NS);
}

PLACE void inversion_burn(uint64_t ns)
{
	burn_ns(ns);
}

PLACE void inversion_low(void *arg)
{
	(void)arg;
	set_priority(0, 19);
	lock();
	sem_post(&low_holds);
	inversion_critical_section();
	unlock();
}

PLACE void inversion_middle(void *arg)
{
	set_priority(10, 0);
	while (sem_wait(&high_waits))
		;
	inversion_burn(*(uint64_t *)arg);
	STAY();
}

PLACE void inversion_wait(void)
{
	lock();
	STAY();
}

PLACE void inversion_high(void *arg)
{
	uint64_t start_ns;

	(void)arg;
	set_priority(20, 0);
	while (sem_wait(&low_holds))
		;
	start_ns = now_ns();
	sem_post(&high_waits);
	inversion_wait();
	inversion_wait_ns = now_ns() - start_ns;
	unlock();
}

static void run_inversion(struct truth *truth, double seconds)
{
	int cpu = nth_cpu(0);
	struct worker workers[] = {
		{ "high", cpu, inversion_high, NULL, 0 },
		{ "middle", cpu, inversion_middle, &inversion_middle_ns, 0 },
		{ "low", cpu, inversion_low, NULL, 0 },
	};

	inversion_middle_ns = (uint64_t)(seconds * 1000 * MS_NS);
	sem_init(&low_holds, 0, 0);
	sem_init(&high_waits, 0, 0);
	workers__start(workers, 3);
	workers__join(workers, 3);
	*truth = (struct truth){ "priority-inversion", "inversion_burn", "middle",
				 inversion_wait_ns, "" };
	snprintf(truth->more, sizeof(truth->more),
		 "middle_ms=%.1f victim=high victim_place=inversion_wait holder=low "
		 "holder_place=inversion_critical_section cpu=%d policy=%s",
		 (double)inversion_middle_ns / MS_NS, cpu, inversion_policy);
}

/* false-parallel: four threads do nearly all of their work under one lock. */
#define PARALLEL_WORKERS 4

static uint64_t parallel_held_ns[PARALLEL_WORKERS], parallel_wait_ns[PARALLEL_WORKERS];

PLACE void global_lock_section(void)
{
	burn_ns(2 * MS_NS);
}

PLACE void parallel_own_part(void)
{
	burn_ns(100 * US_NS);
}

PLACE void parallel_work(void *arg)
{
	unsigned int nr = (unsigned int)(uintptr_t)arg, i;
	uint64_t start_ns, locked_ns;

	for (i = 0; i < round_cnt; i++) {
		parallel_own_part();
		start_ns = now_ns();
		lock();
		locked_ns = now_ns();
		global_lock_section();
		parallel_held_ns[nr] += now_ns() - locked_ns;
		parallel_wait_ns[nr] += locked_ns - start_ns;
		unlock();
	}
}

static void run_false_parallel(struct truth *truth, double seconds)
{
	struct worker workers[] = {
		{ "worker-0", -1, parallel_work, (void *)0, 0 },
		{ "worker-1", -1, parallel_work, (void *)1, 0 },
		{ "worker-2", -1, parallel_work, (void *)2, 0 },
		{ "worker-3", -1, parallel_work, (void *)3, 0 },
	};
	uint64_t wait_ns = 0;
	unsigned int i;

	round_cnt = rounds(seconds, 125);
	workers__start(workers, PARALLEL_WORKERS);
	workers__join(workers, PARALLEL_WORKERS);
	*truth = (struct truth){ "futex", "global_lock_section", "worker", 0, "" };
	for (i = 0; i < PARALLEL_WORKERS; i++) {
		truth->cause_ns += parallel_held_ns[i];
		wait_ns += parallel_wait_ns[i];
	}
	snprintf(truth->more, sizeof(truth->more), "wait_ms=%.1f victim_place=parallel_work",
		 (double)wait_ns / MS_NS);
}

/* spin: one thread spins on its CPU while the other one has the lock for 10 ms at a time. */
static volatile int spin_locked;
static sem_t spin_turn, spin_again;
static uint64_t spin_cpu_ns;

PLACE void spin_acquire(void)
{
	while (__atomic_exchange_n(&spin_locked, 1, __ATOMIC_ACQUIRE))
		while (spin_locked)
			;
}

PLACE void spin_release(void)
{
	__atomic_store_n(&spin_locked, 0, __ATOMIC_RELEASE);
}

PLACE void spin_critical_section(void)
{
	burn_ns(20 * MS_NS);
}

PLACE void spin_hold(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		spin_acquire();
		sem_post(&spin_turn);
		spin_critical_section();
		spin_release();
		while (sem_wait(&spin_again))
			;
	}
}

PLACE void spin_work(void *arg)
{
	uint64_t start_ns;
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		while (sem_wait(&spin_turn))
			;
		start_ns = thread_cpu_ns();
		spin_acquire();
		spin_cpu_ns += thread_cpu_ns() - start_ns;
		burn_ns(1 * MS_NS);
		spin_release();
		sem_post(&spin_again);
	}
}

static void run_spin(struct truth *truth, double seconds)
{
	struct worker workers[] = {
		{ "holder", nth_cpu(0), spin_hold, NULL, 0 },
		{ "spinner", nth_cpu(1), spin_work, NULL, 0 },
	};

	if (workers[1].cpu < 0)
		skip("spin needs two CPUs; allow it a second one");
	round_cnt = rounds(seconds, 50);
	sem_init(&spin_turn, 0, 0);
	sem_init(&spin_again, 0, 0);
	workers__start(workers, 2);
	workers__join(workers, 2);
	*truth = (struct truth){ "cpu", "spin_acquire", "spinner", spin_cpu_ns, "" };
	snprintf(truth->more, sizeof(truth->more),
		 "holder=holder holder_place=spin_critical_section");
}

/* gc: a collector stops two threads at their safe points, and they wait until it has done. */
#define GC_MUTATORS 2

static pthread_cond_t gc_all_parked = PTHREAD_COND_INITIALIZER;
static pthread_cond_t gc_resumed = PTHREAD_COND_INITIALIZER;
static unsigned int gc_parked, gc_epoch;
static uint64_t gc_paused_ns[GC_MUTATORS];

WRAPPER void wait_for(pthread_cond_t *cond)
{
	pthread_cond_wait(cond, &mutex);
	STAY();
}

PLACE void gc_collect(void)
{
	burn_ns(18 * MS_NS);
}

PLACE void gc_run(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < round_cnt; i++) {
		lock();
		while (gc_parked < GC_MUTATORS)
			wait_for(&gc_all_parked);
		unlock();
		gc_collect();
		lock();
		gc_parked = 0;
		gc_epoch++;
		pthread_cond_broadcast(&gc_resumed);
		unlock();
	}
}

PLACE void gc_mutate(void)
{
	burn_ns(4 * MS_NS);
}

PLACE void gc_safepoint(uint64_t *paused_ns)
{
	uint64_t start_ns = now_ns();
	unsigned int epoch;

	lock();
	epoch = gc_epoch;
	if (++gc_parked == GC_MUTATORS)
		pthread_cond_signal(&gc_all_parked);
	while (gc_epoch == epoch)
		wait_for(&gc_resumed);
	unlock();
	*paused_ns += now_ns() - start_ns;
}

PLACE void gc_mutator(void *arg)
{
	unsigned int i;

	for (i = 0; i < round_cnt; i++) {
		gc_mutate();
		gc_safepoint(arg);
		STAY();
	}
}

static void run_gc(struct truth *truth, double seconds)
{
	struct worker workers[] = {
		{ "gc", -1, gc_run, NULL, 0 },
		{ "mutator-0", -1, gc_mutator, &gc_paused_ns[0], 0 },
		{ "mutator-1", -1, gc_mutator, &gc_paused_ns[1], 0 },
	};

	round_cnt = rounds(seconds, 50);
	workers__start(workers, GC_MUTATORS + 1);
	workers__join(workers, GC_MUTATORS + 1);
	*truth = (struct truth){ "futex", "gc_collect", "gc", 0, "" };
	truth->cause_ns = (gc_paused_ns[0] + gc_paused_ns[1]) / GC_MUTATORS;
	snprintf(truth->more, sizeof(truth->more), "victim=mutator-0 victim_place=gc_safepoint");
}

const struct culprit lock_culprits[] = {
	{ "convoy", "one thread holds a lock for long, others queue for it", run_convoy },
	{ "inversion", "a busy thread keeps the holder of a lock from running", run_inversion },
	{ "false-parallel", "threads that all work under one lock", run_false_parallel },
	{ "spin", "a thread spins while another one has the lock", run_spin },
	{ "gc", "threads stop until a collector has done", run_gc },
	{ 0 },
};
