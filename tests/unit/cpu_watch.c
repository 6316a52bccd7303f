// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Watches of CPUs (perf/cpu_watch.h): one that goes offline is told, also if no other CPU is
 * watched, or all of them go. The kernel stops the time of a watch as it does here by ioctl(2).
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf/cpu_watch.h"
#include "tap.h"
#include "util/mono.h"

#define WAIT_NS 200000000ull

/* Returns what is reported, one message after the other. */
static const char *report(const struct cpu_watch *w)
{
	static char text[1024];
	int before = dup(STDERR_FILENO), fd = memfd_create("messages", MFD_CLOEXEC);
	ssize_t n;

	dup2(fd, STDERR_FILENO);
	cpu_watch__report(w);
	dup2(before, STDERR_FILENO);
	n = pread(fd, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	close(before);
	close(fd);
	return text;
}

static void pass(void)
{
	uint64_t begin_ns = mono_ns();

	while (mono_ns() - begin_ns < WAIT_NS)
		;
}

static void test_watch(const int *cpus, size_t cnt, const char *what)
{
	struct cpu_watch w;
	size_t i, told = 0;
	const char *at;

	cpu_watch__open(&w, cpus, cnt);
	pass();
	is_str(report(&w), "", what);
	for (i = 0; i < w.cnt; i++)
		ioctl(w.fds[i], PERF_EVENT_IOC_DISABLE, 0);
	pass();
	for (at = report(&w); (at = strstr(at, " went offline: its last 0.")); at++)
		told++;
	is_u64(told, cnt, what);
	cpu_watch__close(&w);
}

int main(void)
{
	static const int cpus[] = { 0, 1 };
	const struct cpu_watch none = { 0 };
	struct cpu_watch w;
	bool works;

	cpu_watch__open(&w, cpus, 1);
	works = w.cnt && w.fds[0] >= 0;
	cpu_watch__close(&w);
	if (!works)
		skip_all("events of a CPU cannot be opened");
	is_str(report(&none), "", "nothing is watched: nothing is told");
	test_watch(cpus, 1, "one CPU");
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		test_watch(cpus, 2, "all watched CPUs");
	return done_testing();
}
