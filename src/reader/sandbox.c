// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "reader/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* CPU time of one reader; reader.c replaces it long before. */
#define CPU_MAX_S 900
/* Descriptors: a handful of requests, and the files that stay open. */
#define FDS_MAX 256

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER
#endif

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define ARCH AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__)
#define ARCH AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define ARCH AUDIT_ARCH_S390X
#else
#error "the architecture's AUDIT_ARCH is not known"
#endif

/* A system call of the list. An argument, if there is a mask, is limited to `value` in its bits. */
struct allowed {
	uint32_t nr;
	uint32_t arg;
	uint32_t mask, value;
};

#define ANY_ARGS 0, 0, 0

/*
 * Reading and answering by descriptors, and memory. Nothing that opens, creates, connects,
 * executes, looks at other processes or changes identities; no memory that can be executed.
 */
static const struct allowed list[] = {
	{ __NR_read, ANY_ARGS },
	{ __NR_pread64, ANY_ARGS },
	{ __NR_recvmsg, ANY_ARGS },
	{ __NR_sendmsg, ANY_ARGS },
	{ __NR_close, ANY_ARGS },
	{ __NR_lseek, ANY_ARGS },
	{ __NR_fstat, ANY_ARGS },
	/* fstat() of the C library; with a path it may tell of files, not open any. */
	{ __NR_newfstatat, 3, ~0u, AT_EMPTY_PATH },
	/* libelf asks whether a descriptor is open. */
	{ __NR_fcntl, 1, ~0u, F_GETFD },
#ifdef __NR_poll
	{ __NR_poll, ANY_ARGS },
#endif
	{ __NR_ppoll, ANY_ARGS },
	{ __NR_mmap, 2, PROT_EXEC, 0 },
	{ __NR_mprotect, 2, PROT_EXEC, 0 },
	{ __NR_munmap, ANY_ARGS },
	{ __NR_mremap, ANY_ARGS },
	{ __NR_madvise, ANY_ARGS },
	{ __NR_brk, ANY_ARGS },
	{ __NR_futex, ANY_ARGS },
	{ __NR_sched_yield, ANY_ARGS },
	{ __NR_getrandom, ANY_ARGS },
	{ __NR_clock_gettime, ANY_ARGS },
	{ __NR_rt_sigreturn, ANY_ARGS },
	{ __NR_restart_syscall, ANY_ARGS },
	{ __NR_exit, ANY_ARGS },
	{ __NR_exit_group, ANY_ARGS },
#ifdef HAS_SANITIZER
	/* The sanitizer's own. */
	{ __NR_write, ANY_ARGS },
	{ __NR_sigaltstack, ANY_ARGS },
	{ __NR_getpid, ANY_ARGS },
	{ __NR_gettid, ANY_ARGS },
#endif
};

#define LIST_CNT (sizeof(list) / sizeof(*list))
/* Instructions of one row, at most. */
#define ROW_CNT 6

bool sandbox__allows(uint32_t nr)
{
	size_t i;

	for (i = 0; i < LIST_CNT; i++)
		if (list[i].nr == nr)
			return true;
	return false;
}

/* Offset of an argument's lower half: all that are compared fit into it. */
static uint32_t arg_off(uint32_t arg)
{
	uint32_t off = offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? off + sizeof(uint32_t) : off;
}

/* Appends the instructions of one row; the number of the system call is in the accumulator. */
static size_t add_row(struct sock_filter *f, const struct allowed *row)
{
	const struct sock_filter plain[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_filter checked[ROW_CNT] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->nr, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, arg_off(row->arg)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, row->mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};

	if (row->mask)
		memcpy(f, checked, sizeof(checked));
	else
		memcpy(f, plain, sizeof(plain));
	return row->mask ? ROW_CNT : sizeof(plain) / sizeof(*plain);
}

int sandbox__limit_calls(void)
{
	const struct sock_filter head[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_filter code[sizeof(head) / sizeof(*head) + LIST_CNT * ROW_CNT + 1];
	struct sock_fprog prog = { .filter = code };
	size_t cnt = sizeof(head) / sizeof(*head), i;

	memcpy(code, head, sizeof(head));
	for (i = 0; i < LIST_CNT; i++)
		cnt += add_row(code + cnt, &list[i]);
	/* Also the numbers of x32, which have a bit that no row has. */
	code[cnt++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	prog.len = (unsigned short)cnt;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0))
		return -errno;
	return 0;
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
	if (!err)
		err = sandbox__limit(RLIMIT_NOFILE, FDS_MAX);
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
