// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Processor time of processes, threads, CPUs and groups: what ends keeps its own in the sum. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/cgroup.h"
#include "host/cpu_times.h"
#include "stat/used_times.h"
#include "tap.h"

/* User and system time. */
static uint64_t sum(const struct used_times *times)
{
	uint64_t user_ns, system_ns;

	used_times__sum(times, &user_ns, &system_ns);
	return user_ns + system_ns;
}

static uint64_t look(struct used_times *times)
{
	used_times__read(times);
	return sum(times);
}

/* Until the kernel has charged it for something. */
static uint64_t wait_for_time(struct used_times *times)
{
	uint64_t ns;

	while (!(ns = look(times)))
		usleep(1000);
	return ns;
}

static void test_process(void)
{
	struct used_times both = { 0 }, other = { 0 };
	uint64_t ns, others_ns;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			;
	ok(!used_times__add(&both, USED_BY_PROCESS, getpid()) &&
		   !used_times__add(&both, USED_BY_PROCESS, pid),
	   "two processes are added");
	is_u64(sum(&both), 0, "nothing is known before the first look");
	used_times__add(&other, USED_BY_PROCESS, pid);
	others_ns = wait_for_time(&other);
	ns = look(&both);
	ok(ns >= others_ns, "the sum has the one that spins");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	is_u64(look(&other), others_ns, "two processes: one has ended, what was known stays");
	ok(look(&both) >= ns, "two processes: the sum did not fall");
	used_times__free(&both);
	used_times__free(&other);
	is_u64(look(&both), 0, "an empty set has no time");
}

static int tid, stop;

static void *spin(void *arg)
{
	__atomic_store_n(&tid, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		;
	return NULL;
}

static void test_thread(void)
{
	struct used_times times = { 0 };
	pthread_t thread;
	char path[64];
	uint64_t ns;

	pthread_create(&thread, NULL, spin, NULL);
	while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
		usleep(1000);
	used_times__add(&times, USED_BY_THREAD, tid);
	ns = wait_for_time(&times);
	ok(ns > 0, "a thread has used time");
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	snprintf(path, sizeof(path), "/proc/self/task/%d", tid);
	/* It is joined a little before it is gone. */
	while (!access(path, F_OK))
		usleep(1000);
	is_u64(look(&times), ns, "a thread that has ended: what was known stays");
	used_times__free(&times);
}

static uint64_t time_of(const struct cpu_times *t)
{
	return t->user_ns + t->system_ns;
}

static void test_cpus(void)
{
	struct used_times one = { 0 }, all = { 0 };
	struct cpu_times before[2] = { 0 }, after[2] = { 0 }, machine[2];
	uint64_t first_ns, ns;

	used_times__add(&one, USED_BY_CPU, 0);
	used_times__add(&all, USED_BY_MACHINE, 0);
	cpu_times__read(&machine[0], before, 1);
	first_ns = look(&one);
	cpu_times__read(&machine[1], after, 1);
	ok(first_ns && first_ns >= time_of(before) && first_ns <= time_of(after),
	   "CPU 0 alone has used time");
	cpu_times__read(&machine[0], NULL, 0);
	ns = look(&all);
	cpu_times__read(&machine[1], NULL, 0);
	ok(ns >= time_of(&machine[0]) && ns <= time_of(&machine[1]),
	   "all CPUs together are within the machine's time");

	/* Adding changes nothing that was there before. */
	used_times__add(&one, USED_BY_CPU, 3);
	used_times__add(&one, USED_BY_MACHINE, 0);
	ok(look(&one) >= first_ns + ns, "CPUs and all together");
	used_times__free(&one);
	used_times__free(&all);
}

static int open_v2(void)
{
	static const char *const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	uint64_t user_ns, system_ns;
	size_t i;
	int fd;

	for (i = 0; i < 2; i++) {
		fd = open(roots[i], O_RDONLY | O_DIRECTORY);
		if (fd >= 0 && !cgroup__times(fd, &user_ns, &system_ns))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

static void test_cgroup(void)
{
	struct used_times times = { 0 };
	uint64_t user_ns, system_ns, ns;
	int none = open("/proc", O_RDONLY | O_DIRECTORY), fd = open_v2();

	ok(cgroup__times(none, &user_ns, &system_ns) == -ENOENT,
	   "a directory that is no cgroup's is refused");
	close(none);
	if (fd < 0) {
		skip("no cgroup v2 tells its root's time");
		return;
	}
	cgroup__times(fd, &user_ns, &system_ns);
	used_times__add(&times, USED_BY_CGROUP, fd);
	ns = look(&times);
	ok(ns && ns >= user_ns + system_ns, "the root cgroup has used time");
	close(fd);
	is_u64(look(&times), ns, "a cgroup that is gone: what was known stays");
	used_times__free(&times);
}

int main(void)
{
	test_process();
	test_thread();
	test_cpus();
	test_cgroup();
	return done_testing();
}
