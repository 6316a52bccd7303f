// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * The counter layer on this kernel: exact counts by thread, child and CPU, groups, what is refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event/event.h"
#include "perf/perf_counters.h"
#include "tap.h"

#define CALLS 10007

static struct event_list list;

static struct perf_counters *open_list(const char *spec, struct perf_counters_config cfg)
{
	event_list__free(&list);
	if (event_list__add(&list, spec))
		return NULL;
	cfg.events = (const struct event *const *)list.events;
	cfg.event_cnt = list.cnt;
	return perf_counters__open(&cfg);
}

static void call(unsigned long n)
{
	while (n--)
		syscall(SYS_getppid);
}

static uint64_t value(struct perf_counters *c, size_t event)
{
	return perf_counters__sum(c, event).value;
}

static void test_thread(void)
{
	pid_t tid = (pid_t)syscall(SYS_gettid);
	struct perf_counters_config cfg = { .tids = &tid, .tid_cnt = 1, .cgroup_fd = -1 };
	struct perf_counters *c;

	c = open_list("syscalls:sys_enter_getppid,{syscalls:sys_exit_getppid,dummy}", cfg);
	if (!ok(c, "a thread's counters open"))
		return;
	call(7);
	perf_counters__enable(c);
	call(CALLS);
	perf_counters__disable(c);
	call(7);
	ok(perf_counters__read(c) == 0, "a thread's counters are read");
	is_u64(value(c, 0), CALLS, "a thread's count from enabled to disabled");
	is_u64(value(c, 1), CALLS, "a thread's count in a group as well");
	is_u64(value(c, 2), 0, "dummy counts nothing");
	ok(!perf_counters__is_over(c, 0, 0), "the thread is not over");
	ok(perf_counters__sum(c, 1).enabled_ns == perf_counters__sum(c, 2).enabled_ns,
	   "a group has one enabled time");
	ok(perf_counters__sum(c, 0).enabled_ns == perf_counters__sum(c, 0).running_ns,
	   "software events run all the time");
	perf_counters__free(c);
}

static void test_children(bool inherit)
{
	pid_t tid = (pid_t)syscall(SYS_gettid), pid;
	struct perf_counters_config cfg = {
		.tids = &tid,
		.tid_cnt = 1,
		.cgroup_fd = -1,
		.inherit = inherit,
		.start = COUNTERS_RUNNING,
	};
	struct perf_counters *c = open_list("{dummy,syscalls:sys_enter_getppid}", cfg);

	if (!ok(c, "inherit=%d: they open", inherit))
		return;
	pid = fork();
	if (pid == 0) {
		call(CALLS);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	call(3);
	perf_counters__read(c);
	is_u64(value(c, 1), inherit ? CALLS + 3 : 3, "a child's calls count as they should");
	perf_counters__free(c);
}

static void test_cpu(void)
{
	struct perf_counters_config cfg = { .cgroup_fd = -1, .start = COUNTERS_RUNNING };
	cpu_set_t allowed, one;
	struct perf_counters *c;
	size_t last;
	int cpus[2], cpu;

	/* The first two that this may run on, or the one there is. */
	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (cpu = 0; cpu < CPU_SETSIZE && cfg.cpu_cnt < 2; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			cpus[cfg.cpu_cnt++] = cpu;
	cfg.cpus = cpus;
	last = cfg.cpu_cnt - 1;
	c = open_list("syscalls:sys_enter_getppid", cfg);
	if (!ok(c, "a CPU's counters open"))
		return;
	ok(perf_counters__cpu_cnt(c, 0) == cfg.cpu_cnt && perf_counters__tid_cnt(c, 0) == 1,
	   "one cell a CPU");
	ok(perf_counters__cpu(c, 0, last) == cpus[last] && perf_counters__tid(c, 0, 0) == -1,
	   "of all tasks there");
	ok(perf_counters__fd(c, 0, last, 0) >= 0, "with a file");
	CPU_ZERO(&one);
	CPU_SET(cpus[last], &one);
	sched_setaffinity(0, sizeof(one), &one);
	ok(!perf_counters__is_over(c, 0, 0), "a counter of a CPU is never over");
	perf_counters__read(c);
	cfg.event_cnt = (size_t)perf_counters__count(c, 0, last, 0).value;
	call(CALLS);
	perf_counters__read(c);
	ok(perf_counters__count(c, 0, last, 0).value - cfg.event_cnt >= CALLS,
	   "the CPU's count has them");
	perf_counters__free(c);
	sched_setaffinity(0, sizeof(allowed), &allowed);
}

static void test_refused(void)
{
	pid_t tid = (pid_t)syscall(SYS_gettid), gone;
	struct perf_counters_config cfg = {
		.tids = &tid, .tid_cnt = 1, .cgroup_fd = -1, .start = COUNTERS_RUNNING
	};
	/* A cache event that no CPU has. */
	struct perf_counters *c =
		open_list("{dummy,faults,iTLB-prefetch-misses,minor-faults},cs", cfg);
	struct counter_refusal why;

	if (!ok(c, "what is refused is no error"))
		return;
	perf_counters__read(c);
	why = perf_counters__refusal(c, 2);
	ok(why.state == COUNTER_REFUSED && why.err < 0 && why.alone_too, "the one is refused (%s)",
	   strerror(-why.err));
	why = perf_counters__refusal(c, 1);
	ok(why.state == COUNTER_GROUP_BROKEN && why.event == 2,
	   "the group of a refused event does not count");
	ok(perf_counters__refusal(c, 3).state == COUNTER_GROUP_BROKEN,
	   "later members of that group do not count");
	ok(perf_counters__refusal(c, 4).state == COUNTER_COUNTS,
	   "the next event outside of the group counts");
	is_u64(perf_counters__sum(c, 0).enabled_ns, 0, "zeros for what is not counted");
	perf_counters__free(c);

	c = open_list("{faults,iTLB-prefetch-misses}:W", cfg);
	if (!ok(c, "a weak group"))
		return;
	why = perf_counters__refusal(c, 0);
	ok(why.state == COUNTER_COUNTS && why.ungrouped,
	   "a weak group is split, and what can count does");
	ok(perf_counters__refusal(c, 1).state == COUNTER_REFUSED, "what cannot does not");
	perf_counters__free(c);

	gone = fork();
	if (gone == 0)
		_exit(0);
	waitpid(gone, NULL, 0);
	cfg.tids = &gone;
	c = open_list("faults", cfg);
	ok(c && perf_counters__refusal(c, 0).state == COUNTER_NO_TASK, "a thread that is gone");
	ok(c && perf_counters__is_over(c, 0, 0), "a thread that is gone: its counter is over");
	perf_counters__free(c);
}

/* All targets have exited: the counts are not those of all tasks on the CPU. */
static void test_nobody(void)
{
	const int cpu = 0;
	const pid_t none = 0;
	struct perf_counters_config cfg = {
		.tids = &none, .cpus = &cpu, .cpu_cnt = 1, .cgroup_fd = -1
	};
	struct perf_counters *c = open_list("dummy", cfg);

	ok(!c && errno == ESRCH, "an empty list of threads is refused");
	perf_counters__free(c);
}

static char state_of(pid_t pid)
{
	char path[64], line[512] = "", *paren;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (f && !fgets(line, sizeof(line), f))
		line[0] = '\0';
	if (f)
		fclose(f);
	paren = strrchr(line, ')');
	return paren ? paren[2] : '?';
}

/*
 * For as long as its group is not shaped as its parent's, a child keeps that from being read, as it
 * does for a moment while it is forked. This child ends when its parent begins to wait.
 */
static int read_beside_child(void)
{
	pid_t tid = (pid_t)syscall(SYS_gettid), pid;
	struct perf_counters_config cfg = {
		.tids = &tid,
		.tid_cnt = 1,
		.cgroup_fd = -1,
		.inherit = true,
		.start = COUNTERS_RUNNING,
	};
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						       PERF_FORMAT_TOTAL_TIME_RUNNING |
						       PERF_FORMAT_GROUP,
					.inherit = 1 };
	struct perf_counters *c = open_list("{dummy,faults}", cfg);
	int go[2], err;
	char byte = 0;

	if (!c || pipe(go))
		return -EINVAL;
	pid = fork();
	if (pid == 0) {
		if (read(go[0], &byte, 1) == 1)
			while (state_of(getppid()) != 'S')
				;
		_exit(0);
	}
	/* A third member comes and goes. */
	close((int)syscall(SYS_perf_event_open, &attr, 0, -1, perf_counters__fd(c, 0, 0, 0), 0));
	if (write(go[1], &byte, 1) != 1)
		diag("the child is not let go");
	err = perf_counters__read(c);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(go[0]);
	close(go[1]);
	perf_counters__free(c);
	return err;
}

static void test_patience(void)
{
	int tries = 20, err;

	/* On a busy machine the child may take longer to end than is waited. */
	do
		err = read_beside_child();
	while (err == -ECHILD && --tries);
	ok(!err, "a group is read once a child that keeps it from that has ended: %s",
	   strerror(-err));
}

/* Makes a control group of v2. false: there is none to be made in. */
static bool make_cgroup(char *path, size_t sz)
{
	char at[256], type[64], line[1024];
	FILE *f = fopen("/proc/self/mounts", "r");
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%*s %255s %63s", at, type) == 2 && !strcmp(type, "cgroup2");
	if (f)
		fclose(f);
	snprintf(path, sz, "%s/bpfperf-zero-%d", at, (int)getpid());
	return found && !mkdir(path, 0755);
}

static void call_in(const char *group)
{
	char path[400];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	f = fopen(path, "w");
	if (!f || fputs("0", f) < 0 || fclose(f))
		_exit(1);
	call(CALLS);
	_exit(0);
}

/* Descriptor 0 is as good a control group as any. */
static void test_descriptor_zero(void)
{
	const int in = dup(STDIN_FILENO);
	int cpus[CPU_SETSIZE], fd;
	struct perf_counters_config cfg = { .cpus = cpus, .start = COUNTERS_RUNNING };
	struct perf_counters *c;
	char group[320];
	pid_t pid;

	if (!make_cgroup(group, sizeof(group))) {
		skip("there is no cgroup2 in which a group can be made");
		close(in);
		return;
	}
	fd = open(group, O_RDONLY | O_DIRECTORY);
	dup2(fd, 0);
	close(fd);
	while ((long)cfg.cpu_cnt < sysconf(_SC_NPROCESSORS_ONLN) && cfg.cpu_cnt < CPU_SETSIZE) {
		cpus[cfg.cpu_cnt] = (int)cfg.cpu_cnt;
		cfg.cpu_cnt++;
	}
	c = open_list("syscalls:sys_enter_getppid", cfg);
	call(CALLS);
	pid = fork();
	if (pid == 0)
		call_in(group);
	waitpid(pid, NULL, 0);
	ok(c && !perf_counters__read(c), "a group as descriptor 0: its counters are read");
	is_u64(c ? perf_counters__sum(c, 0).value : 0, CALLS,
	       "a group as descriptor 0: calls of its task, and no others");
	perf_counters__free(c);
	dup2(in, 0);
	close(in);
	rmdir(group);
}

static void test_scaling(void)
{
	struct counter_count half = { 1000, 200, 100 }, never = { 0, 100, 0 }, all = { 7, 5, 5 };

	is_u64(counter_count__scaled(&half), 2000, "half the time: twice the count");
	is_u64(counter_count__scaled(&never), 0, "never running: the count is 0");
	is_u64(counter_count__scaled(&all), 7, "always: as it is");
}

int main(void)
{
	if (geteuid())
		skip_all("needs root");
	if (access("/sys/kernel/tracing/events", R_OK))
		skip_all("tracefs is not mounted");
	test_thread();
	test_children(true);
	test_children(false);
	test_cpu();
	test_refused();
	test_nobody();
	test_patience();
	test_descriptor_zero();
	test_scaling();
	event_list__free(&list);
	return done_testing();
}
