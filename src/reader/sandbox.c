// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reader/call_list.h"

/* CPU time of one reader; reader.c replaces it long before. */
#define CPU_MAX_S 900
/* Descriptors: a handful of requests, and the files that stay open. */
#define FDS_MAX 256

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(UNDER_VALGRIND)
#define HAS_SANITIZER
#endif

/*
 * Reading and answering by descriptors, and memory. Nothing that opens, creates, connects,
 * executes, looks at other processes or changes identities; no memory that can be executed.
 */
static const struct call_row list[] = {
	{ __NR_read, CALL_ANY_ARGS },
	{ __NR_pread64, CALL_ANY_ARGS },
	{ __NR_recvmsg, CALL_ANY_ARGS },
	{ __NR_sendmsg, CALL_ANY_ARGS },
	{ __NR_close, CALL_ANY_ARGS },
	{ __NR_lseek, CALL_ANY_ARGS },
	{ __NR_fstat, CALL_ANY_ARGS },
	/* fstat() of the C library; with a path it may tell of files, not open any. */
	{ __NR_newfstatat, 3, ~0u, AT_EMPTY_PATH },
	/* libelf asks whether a descriptor is open. */
	{ __NR_fcntl, 1, ~0u, F_GETFD },
#ifdef __NR_poll
	{ __NR_poll, CALL_ANY_ARGS },
#endif
	{ __NR_ppoll, CALL_ANY_ARGS },
	{ __NR_mmap, 2, PROT_EXEC, 0 },
	{ __NR_mprotect, 2, PROT_EXEC, 0 },
	{ __NR_munmap, CALL_ANY_ARGS },
	{ __NR_mremap, CALL_ANY_ARGS },
	{ __NR_madvise, CALL_ANY_ARGS },
	{ __NR_brk, CALL_ANY_ARGS },
	{ __NR_futex, CALL_ANY_ARGS },
	{ __NR_sched_yield, CALL_ANY_ARGS },
	{ __NR_getrandom, CALL_ANY_ARGS },
	{ __NR_clock_gettime, CALL_ANY_ARGS },
	{ __NR_rt_sigreturn, CALL_ANY_ARGS },
	{ __NR_restart_syscall, CALL_ANY_ARGS },
	{ __NR_exit, CALL_ANY_ARGS },
	{ __NR_exit_group, CALL_ANY_ARGS },
#ifdef HAS_SANITIZER
	/* The sanitizer's own. */
	{ __NR_write, CALL_ANY_ARGS },
	{ __NR_sigaltstack, CALL_ANY_ARGS },
	{ __NR_getpid, CALL_ANY_ARGS },
	{ __NR_gettid, CALL_ANY_ARGS },
#endif
#ifdef __SANITIZE_THREAD__
	/* Its thread in the background may start after the list holds. */
	{ __NR_set_robust_list, CALL_ANY_ARGS },
	{ __NR_rseq, CALL_ANY_ARGS },
	{ __NR_rt_sigprocmask, CALL_ANY_ARGS },
	{ __NR_nanosleep, CALL_ANY_ARGS },
	{ __NR_clock_nanosleep, CALL_ANY_ARGS },
#endif
};

#define LIST_CNT (sizeof(list) / sizeof(*list))

bool sandbox__allows(uint32_t nr)
{
	return call_list__has(list, LIST_CNT, nr);
}

int sandbox__limit_calls(void)
{
	return call_list__install(list, LIST_CNT, UINT32_MAX);
}

void sandbox__drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
	unsigned long cap;

	for (cap = 0; !prctl(PR_CAPBSET_DROP, cap, 0, 0, 0); cap++)
		;
	syscall(SYS_capset, &head, none);
}

/* The first to be killed where memory ends: it is replaced. */
static void offer_to_oom_killer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "1000", 4);
	close(fd);
}

void sandbox__enter_host(int sock)
{
	int null = open("/dev/null", O_RDWR), fd;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "bpfperf-readers");
	for (fd = 0; fd <= 2; fd++)
		dup2(null, fd);
	dup2(sock, 3);
	syscall(SYS_close_range, 4, ~0U, 0);
	offer_to_oom_killer();
	/* A directory without files to open; without the privilege, no call opens any either. */
	if (chdir("/proc/self/fdinfo") || chroot("."))
		(void)!chdir("/");
	sandbox__drop_capabilities();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* Neither traced by other processes of this user, nor dumped. */
	prctl(PR_SET_DUMPABLE, 0);
}

int sandbox__limit(int resource, uint64_t max)
{
	struct rlimit lim;

	if (getrlimit(resource, &lim))
		return -errno;
	if (lim.rlim_max > max)
		lim.rlim_max = max;
	lim.rlim_cur = lim.rlim_max;
	return setrlimit(resource, &lim) ? -errno : 0;
}

int sandbox__enter_reader(uint64_t mem_max, uint64_t map_max)
{
	int err = sandbox__limit(RLIMIT_CPU, CPU_MAX_S);

	prctl(PR_SET_NAME, "bpfperf-reader");
#ifndef UNDER_VALGRIND
	/* Valgrind refuses to lower its hard limit. */
	if (!err)
		err = sandbox__limit(RLIMIT_NOFILE, FDS_MAX);
#endif
	if (!err)
		err = sandbox__limit(RLIMIT_FSIZE, 0);
	if (!err)
		err = sandbox__limit(RLIMIT_CORE, 0);
#ifndef HAS_SANITIZER
	/* The sanitizer itself needs far more memory. */
	if (!err)
		err = sandbox__limit(RLIMIT_DATA, mem_max);
	if (!err)
		err = sandbox__limit(RLIMIT_AS, map_max);
#endif
	if (!err)
		err = sandbox__limit_calls();
	/* A kernel without filters (CONFIG_SECCOMP_FILTER): what is above holds all the same. */
	return err == -EINVAL || err == -ENOSYS ? 0 : err;
}
