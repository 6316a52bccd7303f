// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Memory of other processes, also of one whose page never comes. */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/process_ctx.h"
#include "tap.h"
#include "util/mono.h"
#include "util/remote_memory.h"

#define PAGE_SZ 4096
#define OTHER_USER 65534

/* The header of the mapping of a process that publishes attributes. */
struct header {
	char signature[8];
	uint32_t version, payload_sz;
	uint64_t published_at_ns;
	const void *payload;
};

static void check_own(void)
{
	char text[] = "one two", got[sizeof(text)] = "";
	const struct iovec parts[] = { { text + 4, 3 }, { text, 4 } }, none = { (void *)8, 4 };

	is_s64(remote_memory__read(getpid(), parts, 2, got), 7, "two parts: their bytes");
	ok(!memcmp(got, "twoone ", 7), "two parts are one after the other");
	is_s64(remote_memory__read(getpid(), &none, 1, got), -EFAULT, "no memory: an error");
	is_s64(remote_memory__read(-1, parts, 1, got), -ESRCH, "no such process: an error");
}

/* Accesses of the page wait from now on. */
static bool hold_page(void *page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .range = { (uintptr_t)page, PAGE_SZ },
				       .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	return fd >= 0 && !ioctl(fd, UFFDIO_API, &api) && !ioctl(fd, UFFDIO_REGISTER, &reg);
}

static void publish(const void *payload)
{
	int fd = memfd_create("OTEL_CTX", MFD_CLOEXEC);
	struct header *h = NULL;

	if (fd >= 0 && !ftruncate(fd, PAGE_SZ))
		h = mmap(NULL, PAGE_SZ, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!h || h == MAP_FAILED)
		_exit(1);
	*h = (struct header){ "OTEL_CTX", 2, 64, 1, payload };
}

/* Another user's process, which publishes what never comes. Returns its pid; 0: it cannot be. */
static pid_t start_other(void *page)
{
	int fds[2];
	char is_held = 0;
	pid_t pid;

	if (pipe(fds))
		return 0;
	pid = fork();
	if (!pid) {
		publish(page);
		/* The directory /proc/PID belongs to root from then on. */
		is_held = hold_page(page) && !setresuid(OTHER_USER, OTHER_USER, OTHER_USER) &&
			  !prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (write(fds[1], &is_held, 1) == 1)
			pause();
		_exit(1);
	}
	if (pid > 0 && read(fds[0], &is_held, 1) == 1 && is_held)
		return pid;
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

static void check_other(void)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	void *page = mmap(NULL, PAGE_SZ, PROT_READ | PROT_WRITE, flags, -1, 0);
	pid_t pid = page == MAP_FAILED ? 0 : start_other(page);
	struct strbuf attrs = STRBUF_INIT;
	struct iovec part = { page, 8 };
	uint64_t begin_ns = mono_ns();
	char own[8] = "12345678", got[8];

	if (!pid) {
		skip("userfaultfd(2) is not there, or root's");
		return;
	}
	ok(!process_ctx__read(pid, &attrs), "attributes in a page that never comes are missing");
	ok(mono_ns() - begin_ns < 1000000000, "a reader of what never comes goes on");
	is_s64(remote_memory__read(pid, &part, 1, got), -ETIMEDOUT,
	       "an owner that was late is not read again");
	part.iov_base = own;
	is_s64(remote_memory__read(pid, &part, 1, got), -ETIMEDOUT,
	       "other memory of a late owner is not read");
	is_s64(remote_memory__read(getpid(), &part, 1, got), 8, "another owner's memory is read");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	strbuf__free(&attrs);
}

int main(void)
{
	/* A wait that no signal ends would be one for ever. */
	alarm(20);
	check_own();
	check_other();
	return done_testing();
}
