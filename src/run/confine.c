// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "run/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "reader/call_list.h"
#include "util/log.h"
#include "util/out_remover.h"

#define CNT(array) (sizeof(array) / sizeof(*(array)))

/* A file is opened to be read; openat2(2) has its flags in memory: identity limits that one. */
#define NOT_READING (O_ACCMODE | O_CREAT | O_TRUNC)
#define NEW_NAMESPACES                                                                             \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |             \
	 CLONE_NEWPID | CLONE_NEWNET)

static const struct call_row reading[] = {
	/* Descriptors. No ioctl that types into the terminal, no signal by F_SETOWN. */
	{ __NR_read, CALL_ANY_ARGS },
	{ __NR_readv, CALL_ANY_ARGS },
	{ __NR_pread64, CALL_ANY_ARGS },
	{ __NR_write, CALL_ANY_ARGS },
	{ __NR_writev, CALL_ANY_ARGS },
	{ __NR_pwrite64, CALL_ANY_ARGS },
	{ __NR_lseek, CALL_ANY_ARGS },
	{ __NR_ftruncate, CALL_ANY_ARGS },
	{ __NR_fsync, CALL_ANY_ARGS },
	{ __NR_fadvise64, CALL_ANY_ARGS },
	{ __NR_close, CALL_ANY_ARGS },
	{ __NR_dup, CALL_ANY_ARGS },
	{ __NR_fcntl, 1, ~0u, F_GETFD },
	{ __NR_fcntl, 1, ~0u, F_SETFD },
	{ __NR_fcntl, 1, ~0u, F_GETFL },
	{ __NR_fcntl, 1, ~0u, F_SETFL },
	{ __NR_fcntl, 1, ~0u, F_DUPFD },
	{ __NR_fcntl, 1, ~0u, F_DUPFD_CLOEXEC },
	{ __NR_fcntl, 1, ~0u, F_GETPIPE_SZ },
	{ __NR_fcntl, 1, ~0u, F_SETPIPE_SZ },
	{ __NR_ioctl, 1, ~0u, TCGETS },
	{ __NR_ioctl, 1, ~0u, TIOCGWINSZ },
	{ __NR_pipe2, CALL_ANY_ARGS },
	{ __NR_eventfd2, CALL_ANY_ARGS },
	{ __NR_memfd_create, CALL_ANY_ARGS },
#ifdef __NR_poll
	{ __NR_poll, CALL_ANY_ARGS },
#endif
	{ __NR_ppoll, CALL_ANY_ARGS },
/* Files, to be read. */
#ifdef __NR_open
	{ __NR_open, 1, NOT_READING, O_RDONLY },
#endif
	{ __NR_openat, 2, NOT_READING, O_RDONLY },
	{ __NR_openat2, CALL_ANY_ARGS },
#ifdef __NR_stat
	{ __NR_stat, CALL_ANY_ARGS },
	{ __NR_lstat, CALL_ANY_ARGS },
	{ __NR_access, CALL_ANY_ARGS },
	{ __NR_readlink, CALL_ANY_ARGS },
#endif
	{ __NR_fstat, CALL_ANY_ARGS },
	{ __NR_newfstatat, CALL_ANY_ARGS },
	{ __NR_statx, CALL_ANY_ARGS },
	{ __NR_statfs, CALL_ANY_ARGS },
	{ __NR_fstatfs, CALL_ANY_ARGS },
	{ __NR_faccessat, CALL_ANY_ARGS },
	{ __NR_faccessat2, CALL_ANY_ARGS },
	{ __NR_readlinkat, CALL_ANY_ARGS },
	{ __NR_getdents64, CALL_ANY_ARGS },
	{ __NR_getcwd, CALL_ANY_ARGS },
	/* Readers are asked. A stream cannot be sent to another address. */
	{ __NR_socketpair, 1, ~(uint32_t)(SOCK_CLOEXEC | SOCK_NONBLOCK), SOCK_STREAM },
	{ __NR_sendmsg, CALL_ANY_ARGS },
	{ __NR_recvmsg, CALL_ANY_ARGS },
	{ __NR_recvfrom, CALL_ANY_ARGS },
	{ __NR_shutdown, CALL_ANY_ARGS },
	/* Memory and threads of its own: clone3(2), with its flags in memory, is not needed. */
	{ __NR_mmap, 2, PROT_EXEC, 0 },
	{ __NR_mprotect, 2, PROT_EXEC, 0 },
	{ __NR_munmap, CALL_ANY_ARGS },
	{ __NR_mremap, CALL_ANY_ARGS },
	{ __NR_madvise, CALL_ANY_ARGS },
	{ __NR_brk, CALL_ANY_ARGS },
	{ __NR_clone, 0, CLONE_THREAD | NEW_NAMESPACES, CLONE_THREAD },
	{ __NR_set_robust_list, CALL_ANY_ARGS },
	{ __NR_rseq, CALL_ANY_ARGS },
	{ __NR_futex, CALL_ANY_ARGS },
	{ __NR_sched_yield, CALL_ANY_ARGS },
	{ __NR_sched_getaffinity, CALL_ANY_ARGS },
	{ __NR_exit, CALL_ANY_ARGS },
	{ __NR_exit_group, CALL_ANY_ARGS },
	{ __NR_prctl, 0, ~0u, PR_SET_NAME },
	/* Limits of this process, number 0, alone. */
	{ __NR_prlimit64, 0, ~0u, 0 },
	/* Signals that arrive. */
	{ __NR_rt_sigaction, CALL_ANY_ARGS },
	{ __NR_rt_sigprocmask, CALL_ANY_ARGS },
	{ __NR_rt_sigpending, CALL_ANY_ARGS },
	{ __NR_rt_sigtimedwait, CALL_ANY_ARGS },
	{ __NR_rt_sigsuspend, CALL_ANY_ARGS },
	{ __NR_rt_sigreturn, CALL_ANY_ARGS },
	{ __NR_sigaltstack, CALL_ANY_ARGS },
	{ __NR_signalfd4, CALL_ANY_ARGS },
	{ __NR_restart_syscall, CALL_ANY_ARGS },
	/* Facts. */
	{ __NR_clock_gettime, CALL_ANY_ARGS },
	{ __NR_clock_getres, CALL_ANY_ARGS },
	{ __NR_clock_nanosleep, CALL_ANY_ARGS },
	{ __NR_nanosleep, CALL_ANY_ARGS },
	{ __NR_gettimeofday, CALL_ANY_ARGS },
	{ __NR_getrandom, CALL_ANY_ARGS },
	{ __NR_getpid, CALL_ANY_ARGS },
	{ __NR_gettid, CALL_ANY_ARGS },
	{ __NR_getuid, CALL_ANY_ARGS },
	{ __NR_geteuid, CALL_ANY_ARGS },
	{ __NR_getgid, CALL_ANY_ARGS },
	{ __NR_getegid, CALL_ANY_ARGS },
	{ __NR_getcpu, CALL_ANY_ARGS },
	{ __NR_getrusage, CALL_ANY_ARGS },
	{ __NR_sysinfo, CALL_ANY_ARGS },
	{ __NR_uname, CALL_ANY_ARGS },
};

bool confine__allows(uint32_t nr)
{
	return nr == __NR_tgkill || call_list__has(reading, CNT(reading), nr);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* A sanitizer looks at all threads by ptrace(2), from a process of its own. */
static int limit_calls(bool starts_programs)
{
	return 0;
}
#else
/*
 * Beside that: to start bpfperf-itrace, which was found before, to give it descriptors and memory
 * that keeps its size, and for the list of its own.
 */
static const struct call_row starting[] = {
	{ __NR_execve, CALL_ANY_ARGS },
	{ __NR_clone, 0, NEW_NAMESPACES, 0 },
#ifdef __NR_vfork
	{ __NR_vfork, CALL_ANY_ARGS },
#endif
	{ __NR_wait4, CALL_ANY_ARGS },
	{ __NR_waitid, CALL_ANY_ARGS },
	{ __NR_kill, 1, ~0u, SIGKILL },
#ifdef __NR_dup2
	{ __NR_dup2, CALL_ANY_ARGS },
#endif
	{ __NR_dup3, CALL_ANY_ARGS },
	{ __NR_fcntl, 1, ~0u, F_ADD_SEALS },
	{ __NR_close_range, CALL_ANY_ARGS },
	{ __NR_mmap, CALL_ANY_ARGS },
	{ __NR_mprotect, CALL_ANY_ARGS },
#ifdef __NR_arch_prctl
	{ __NR_arch_prctl, CALL_ANY_ARGS },
#endif
	{ __NR_set_tid_address, CALL_ANY_ARGS },
	{ __NR_prctl, CALL_ANY_ARGS },
	{ __NR_seccomp, CALL_ANY_ARGS },
	{ __NR_capset, CALL_ANY_ARGS },
};

static int limit_calls(bool starts_programs)
{
	/* Threads of this process are told, and abort(3). */
	const struct call_row own = { __NR_tgkill, 0, ~0u, (uint32_t)getpid() };
	struct call_row rows[1 + CNT(reading) + CNT(starting)];
	size_t cnt = 1 + CNT(reading);

	rows[0] = own;
	memcpy(rows + 1, reading, sizeof(reading));
	if (starts_programs) {
		memcpy(rows + cnt, starting, sizeof(starting));
		cnt += CNT(starting);
	}
	return call_list__install(rows, cnt, CALL_NEW_NR);
}
#endif

/* The process that removes an output file needs no more than that. */
static void keep_to_remove(void)
{
	capabilities__keep(CAPABILITY_READ_FILES | CAPABILITY_WRITE_FILES);
}

int confine__to_reading(bool starts_programs)
{
	int err;

	out_remover__start(keep_to_remove);
	err = capabilities__keep_to_read(starts_programs);
	if (!err) {
		err = limit_calls(starts_programs);
		/* A kernel without filters: the rest holds all the same. */
		if (!err || err == -EINVAL || err == -ENOSYS)
			return 0;
	}
	log_error("cannot give up privileges before reading what others wrote: %s; run bpfperf "
		  "outside of a sandbox that forbids it, or with more memory",
		  strerror(-err));
	return err;
}
