// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* A process that reads a recording (run/confine.h): all that it must not do is tried. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "call_trial.h"
#include "run/confine.h"
#include "tap.h"
#include "util/fs.h"
#include "util/strbuf.h"

#define FILE_NAME "confine.private"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_LIMITED false
#else
#define IS_LIMITED true
#endif

/* The child's findings. */
static struct strbuf faults;

static void must(bool is_right, const char *what)
{
	if (!is_right)
		strbuf__printf(&faults, " [%s: %s]", what, strerror(errno));
}

static bool is_refused(long ret)
{
	return ret < 0 && errno == EPERM;
}

/* Calls that are on the list with some arguments only, with others. */
static void try_args(void)
{
	char c = ' ';

	must(is_refused(open("new", O_WRONLY | O_CREAT, 0600)), "a file is created");
	must(is_refused(open(FILE_NAME, O_RDWR)), "a file is opened for writing");
	must(is_refused(open(FILE_NAME, O_RDONLY | O_TRUNC)), "a file is emptied");
	must(is_refused(open(".", O_TMPFILE | O_RDWR, 0600)), "a file without a name is created");
	must(is_refused(fork()), "a process is forked");
	must(is_refused(kill(getppid(), 0)), "another process gets a signal");
	must(is_refused(syscall(SYS_tgkill, getppid(), getppid(), 0)), "another thread gets one");
	must(is_refused(fcntl(0, F_SETOWN, getppid())), "a file sends signals to others");
	must(is_refused(ioctl(0, TIOCSTI, &c)), "text is typed into the terminal");
	must(is_refused(socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){ 0 })), "messages are sent");
	must(mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
		     errno == EPERM,
	     "memory is executed");
}

static void *see_status(void *arg)
{
	*(char **)arg = fs__read_file("/proc/thread-self/status", NULL);
	return NULL;
}

/* Threads inherit it. */
static void check_status(const char *status)
{
	char want[64];
	/* CAP_DAC_READ_SEARCH and CAP_SYSLOG. */
	uint64_t caps = geteuid() ? 0 : 1ull << 2 | 1ull << 34;
	const char *at;

	snprintf(want, sizeof(want), "CapPrm:\t%016llx\n", (unsigned long long)caps);
	must(status && strstr(status, want), "capabilities: permitted");
	snprintf(want, sizeof(want), "CapEff:\t%016llx\n", (unsigned long long)caps);
	must(status && strstr(status, want), "capabilities: effective");
	must(geteuid() || strstr(status, "CapBnd:\t0000000000000000\n"), "capabilities: bounding");
	must(!IS_LIMITED || strstr(status, "NoNewPrivs:\t1\n"), "privileges may be gained");
	must(!IS_LIMITED || strstr(status, "Seccomp:\t2\n"), "calls are not limited");
	at = strstr(status, "Uid:\t");
	must(geteuid() || (at && strstr(at, "\t65534\nGid:")), "files of root are its own");
}

static void try_files(void)
{
	struct open_how how = { .flags = O_WRONLY };
	char *text = fs__read_file(FILE_NAME, NULL);

	must(text && !strcmp(text, "secret"), "a file is read that only its owner may read");
	free(text);
	must(geteuid() || (syscall(SYS_openat2, AT_FDCWD, FILE_NAME, &how, sizeof(how)) < 0 &&
			   (errno == EACCES || errno == ENOSYS)),
	     "openat2 opens a file of root for writing");
	/* One of the modules' addresses is not 0, where the kernel shows them at all. */
	text = fs__read_file("/proc/kallsyms", NULL);
	must(geteuid() || (text && strncmp(text, "0000000000000000", 16) != 0) ||
		     access("/proc/kallsyms", R_OK),
	     "the kernel's symbols have addresses");
	free(text);
}

static int run_child(int out)
{
	char *status = NULL;
	pthread_t thread;

	must(!confine__to_reading(false), "the process is confined");
	must(!pthread_create(&thread, NULL, see_status, &status), "a thread starts");
	pthread_join(thread, NULL);
	check_status(status);
	try_files();
	if (IS_LIMITED) {
		try_args();
		call_trial__run(confine__allows, ENOSYS, &faults);
	}
	free(status);
	if (write(out, strbuf__cstr(&faults), faults.len) != (ssize_t)faults.len)
		return 1;
	strbuf__free(&faults);
	return 0;
}

/* Programs that it starts have no more than it has. */
static int run_starter(void)
{
	char *status;
	pid_t pid;
	int rc;

	if (confine__to_reading(true))
		return 1;
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c",
		      "! echo x 2>&- >>" FILE_NAME
		      " && grep -q '^CapPrm:.*000$' /proc/self/status && [ `id -u` != 0 ]",
		      (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &rc, 0) != pid)
		return 2;
	status = fs__read_file(FILE_NAME, NULL);
	rc = rc || !status || strcmp(status, "secret") != 0;
	free(status);
	return rc ? 3 : 0;
}

int main(void)
{
	char text[4096] = "", dir[] = "/tmp/bpfperf-confine.XXXXXX";
	int fds[2], status = -1;
	ssize_t n;
	FILE *f;
	pid_t pid;

	/* Other tests read the files of the tree meanwhile. */
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	f = fopen(FILE_NAME, "w");
	if (!f || fputs("secret", f) < 0 || fclose(f) || chmod(FILE_NAME, 0600) || pipe(fds))
		return 1;
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(run_child(fds[1]));
	close(fds[1]);
	n = read(fds[0], text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	waitpid(pid, &status, 0);
	is_s64(status, 0, "the confined process ends by itself");
	is_str(text, "", "what it tries is refused, and what reading needs is not");
	pid = fork();
	if (!pid)
		_exit(run_starter());
	waitpid(pid, &status, 0);
	is_s64(status, 0, "a program that it starts has no more rights");
	unlink(FILE_NAME);
	rmdir(dir);
	return done_testing();
}
