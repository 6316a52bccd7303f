// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Clocks, threads, processes and the ends of programs, for all culprits. */
#include "culprit.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#define TMPFS_MAGIC 0x01021994

static void (*undos[4])(void);
static volatile sig_atomic_t undo_cnt;
static pid_t undo_pid;

static void undo_all(void)
{
	if (getpid() != undo_pid)
		return;
	while (undo_cnt)
		undos[--undo_cnt]();
}

static void on_signal(int sig)
{
	undo_all();
	_exit(128 + sig);
}

void undo_at_end(void (*undo)(void))
{
	struct sigaction sa = { .sa_handler = on_signal };

	if (!undo_pid) {
		undo_pid = getpid();
		atexit(undo_all);
		sigaction(SIGINT, &sa, NULL);
		sigaction(SIGTERM, &sa, NULL);
		sigaction(SIGHUP, &sa, NULL);
	}
	if ((size_t)undo_cnt == sizeof(undos) / sizeof(undos[0]))
		die("too many things to undo");
	undos[undo_cnt] = undo;
	undo_cnt++;
}

__attribute__((noreturn)) static void end(int status, const char *fmt, va_list ap)
{
	fprintf(stderr, "culprit: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	/* exit() in a child would run what the parent has at its end. */
	undo_all();
	_exit(status);
}

void skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	end(77, fmt, ap);
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	end(1, fmt, ap);
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

uint64_t thread_cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void sleep_ns(uint64_t ns)
{
	struct timespec ts = { .tv_sec = (time_t)(ns / 1000000000),
			       .tv_nsec = (long)(ns % 1000000000) };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
	STAY();
}

unsigned int rounds(double seconds, double per_second)
{
	double n = seconds * per_second;

	return n < 1 ? 1 : (unsigned int)n;
}

int nth_cpu(unsigned int nth)
{
	cpu_set_t set;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set))
		die("sched_getaffinity: %s", strerror(errno));
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && !nth--)
			return cpu;
	return -1;
}

void pin(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity: %s", strerror(errno));
}

void name_thread(const char *name)
{
	prctl(PR_SET_NAME, name);
}

static void *run_worker(void *arg)
{
	struct worker *w = arg;

	name_thread(w->name);
	pin(w->cpu);
	w->run(w->arg);
	STAY();
	return NULL;
}

void workers__start(struct worker *workers, unsigned int cnt)
{
	unsigned int i;
	int err;

	for (i = 0; i < cnt; i++) {
		err = pthread_create(&workers[i].id, NULL, run_worker, &workers[i]);
		if (err)
			die("pthread_create: %s", strerror(err));
	}
}

void workers__join(struct worker *workers, unsigned int cnt)
{
	unsigned int i;

	for (i = 0; i < cnt; i++)
		pthread_join(workers[i].id, NULL);
}

pid_t child__start(const char *name, int cpu, void (*run)(void *arg), void *arg)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	name_thread(name);
	pin(cpu);
	run(arg);
	_exit(0);
}

void child__join(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("waitpid: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		die("child %d failed", pid);
}

void *shared_memory(size_t sz)
{
	void *p = mmap(NULL, sz, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	return p;
}

const char *disk_dir(void)
{
	const char *dir = getenv("TMPDIR");
	struct statfs fs;

	if (!dir || !*dir || access(dir, W_OK) || statfs(dir, &fs) || fs.f_type == TMPFS_MAGIC)
		dir = "/var/tmp";
	if (access(dir, W_OK) || statfs(dir, &fs) || fs.f_type == TMPFS_MAGIC)
		skip("no directory for files on a disk; name one by TMPDIR");
	return dir;
}

int disk_file(void)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/culprit-XXXXXX", disk_dir());
	fd = mkstemp(path);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	unlink(path);
	return fd;
}

void read_whole(int fd, void *buf, size_t sz)
{
	ssize_t n;

	while (sz) {
		n = read(fd, buf, sz);
		if (n <= 0)
			die("read: %s", n ? strerror(errno) : "unexpected end");
		buf = (char *)buf + n;
		sz -= (size_t)n;
	}
}

void write_whole(int fd, const void *buf, size_t sz)
{
	ssize_t n;

	while (sz) {
		n = write(fd, buf, sz);
		if (n < 0)
			die("write: %s", strerror(errno));
		buf = (const char *)buf + n;
		sz -= (size_t)n;
	}
}
