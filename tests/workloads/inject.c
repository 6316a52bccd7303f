// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * inject CALL ERRNO N FILE CMD [ARG…]: runs CMD, and has the Nth system call of this name fail with
 * ERRNO (a number), counted over CMD's processes and threads, but not over programs that these
 * execute. Counting begins with CMD's open of /dev/null, which bpfperf makes first: faults of the
 * dynamic loader are not CMD's. Writes to FILE:
 *
 *     injected=I hang=H crash=S left=L exit=E
 *
 * H: CMD did not end within HANG_S; S: a signal that ended one of its processes; L: processes of
 * CMD were left LEFT_S after it.
 *
 * inject all 0 0 FILE CMD [ARG…]: no call fails. Writes a line CALL=COUNT for each name to FILE,
 * too.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "workload.h"

#define HANG_S 20
#define LEFT_S 20
#define TASKS_MAX 4096

static const struct {
	const char *name;
	int nr;
} calls[] = {
	{ "openat", SYS_openat },
	{ "read", SYS_read },
	{ "write", SYS_write },
	{ "mmap", SYS_mmap },
	{ "clone", SYS_clone },
	{ "socketpair", SYS_socketpair },
	{ "sendmsg", SYS_sendmsg },
	{ "recvmsg", SYS_recvmsg },
	{ "fcntl", SYS_fcntl },
	{ "perf_event_open", SYS_perf_event_open },
	{ "bpf", SYS_bpf },
	{ "ppoll", SYS_ppoll },
	{ "epoll_ctl", SYS_epoll_ctl },
	{ "epoll_pwait", SYS_epoll_pwait },
	{ "eventfd2", SYS_eventfd2 },
	{ "prlimit64", SYS_prlimit64 },
	{ "pidfd_open", SYS_pidfd_open },
	{ "pread64", SYS_pread64 },
	{ "pwrite64", SYS_pwrite64 },
	{ "newfstatat", SYS_newfstatat },
	{ "statx", SYS_statx },
	{ "fstatfs", SYS_fstatfs },
	{ "openat2", SYS_openat2 },
	{ "getdents64", SYS_getdents64 },
	{ "lseek", SYS_lseek },
	{ "ftruncate", SYS_ftruncate },
	{ "flock", SYS_flock },
	{ "ioctl", SYS_ioctl },
	{ "mprotect", SYS_mprotect },
	{ "mremap", SYS_mremap },
	{ "madvise", SYS_madvise },
	{ "memfd_create", SYS_memfd_create },
	{ "epoll_create1", SYS_epoll_create1 },
	{ "timerfd_create", SYS_timerfd_create },
	{ "signalfd4", SYS_signalfd4 },
	{ "pipe2", SYS_pipe2 },
	{ "clone3", SYS_clone3 },
	{ "wait4", SYS_wait4 },
	{ "sched_setaffinity", SYS_sched_setaffinity },
	{ "setpriority", SYS_setpriority },
	{ "capset", SYS_capset },
	{ "readlinkat", SYS_readlinkat },
	{ "renameat2", SYS_renameat2 },
#ifdef SYS_poll
	{ "poll", SYS_poll },
	{ "epoll_wait", SYS_epoll_wait },
	{ "readlink", SYS_readlink },
	{ "rename", SYS_rename },
#endif
};

/* A task of CMD. */
static struct task {
	pid_t tid;
	bool is_other; /* it has executed another program */
} tasks[TASKS_MAX];
static size_t task_cnt;

#define CALLS (sizeof(calls) / sizeof(*calls))

static struct {
	size_t call; /* that fails; CALLS: none does */
	int err;
	long nth, cnts[CALLS];
	bool is_armed, injected, hang, left;
	int crash;
} run;
static pid_t cmd;
static volatile sig_atomic_t is_late;

static void on_alarm(int sig __attribute__((unused)))
{
	is_late = 1;
}

static struct task *task_of(pid_t tid)
{
	size_t i;

	for (i = 0; i < task_cnt; i++)
		if (tasks[i].tid == tid)
			return &tasks[i];
	if (task_cnt == TASKS_MAX)
		exit(2);
	tasks[task_cnt] = (struct task){ .tid = tid };
	return &tasks[task_cnt++];
}

#if defined(__x86_64__)
static unsigned long arg_of(pid_t tid, int nth)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, tid, 0, &regs);
	return nth ? regs.rsi : regs.rdi;
}

static void fail_call(pid_t tid, int err)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, tid, 0, &regs);
	regs.orig_rax = (unsigned long)-1;
	regs.rax = (unsigned long)-err;
	ptrace(PTRACE_SETREGS, tid, 0, &regs);
}
#elif defined(__aarch64__)
static unsigned long arg_of(pid_t tid, int nth)
{
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };

	ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &iov);
	return regs.regs[nth];
}

static void fail_call(pid_t tid, int err)
{
	struct user_regs_struct regs;
	struct iovec iov = { &regs, sizeof(regs) };
	int none = -1;
	struct iovec nr = { &none, sizeof(none) };

	ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &iov);
	regs.regs[0] = (unsigned long)-err;
	ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &iov);
	ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &nr);
}
#else
#error "how a system call is skipped is not known"
#endif

static bool opens_null(pid_t tid)
{
	char path[10] = "";
	struct iovec to = { path, sizeof(path) - 1 };
	struct iovec from = { (void *)arg_of(tid, 1), sizeof(path) - 1 };

	return process_vm_readv(tid, &to, 1, &from, 1, 0) > 0 && !strcmp(path, "/dev/null");
}

/* A call of calls[call] begins. */
static void on_call(pid_t tid, size_t call)
{
	if (!run.is_armed) {
		run.is_armed = calls[call].nr == SYS_openat && opens_null(tid);
		return;
	}
	if (++run.cnts[call] != run.nth || call != run.call)
		return;
	fail_call(tid, run.err);
	run.injected = true;
}

/* Only these calls stop: openat, for the beginning, and the one that fails, or all. */
static void install_filter(void)
{
	struct sock_filter code[2 * CALLS + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog prog = { 1, code };
	size_t i;

	for (i = 0; i < CALLS; i++) {
		if (run.call != CALLS && run.call != i && calls[i].nr != SYS_openat)
			continue;
		code[prog.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								(unsigned int)calls[i].nr, 0, 1);
		code[prog.len++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, SECCOMP_RET_TRACE | (unsigned int)i);
	}
	code[prog.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		_exit(2);
}

static void on_event(pid_t tid, int event)
{
	unsigned long msg = 0;
	bool is_other;

	ptrace(PTRACE_GETEVENTMSG, tid, 0, &msg);
	switch (event) {
	case PTRACE_EVENT_SECCOMP:
		if (!task_of(tid)->is_other)
			on_call(tid, msg);
		break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		is_other = task_of(tid)->is_other;
		task_of((pid_t)msg)->is_other = is_other;
		break;
	case PTRACE_EVENT_EXEC:
		/* The first one is CMD's own. */
		task_of(tid)->is_other |= tid != cmd || run.is_armed;
		break;
	}
}

/* Follows all tasks until the last one has ended. Returns CMD's status. */
static int follow(void)
{
	int status, cmd_status = -1;
	pid_t tid;

	alarm(HANG_S);
	for (;;) {
		tid = waitpid(-1, &status, __WALL);
		if (is_late) {
			run.hang |= cmd_status == -1;
			run.left |= cmd_status != -1;
			/* The others are killed when this program ends. */
			return cmd_status;
		}
		if (tid < 0)
			return cmd_status;
		if (WIFSTOPPED(status)) {
			int event = status >> 16, sig = WSTOPSIG(status);

			on_event(tid, event);
			ptrace(PTRACE_CONT, tid, 0, event || sig == SIGSTOP ? 0 : sig);
			continue;
		}
		if (WIFSIGNALED(status) && !task_of(tid)->is_other && WTERMSIG(status) != SIGKILL)
			run.crash = WTERMSIG(status);
		if (tid == cmd) {
			cmd_status = status;
			alarm(LEFT_S);
		}
	}
}

int main(int argc, char **argv)
{
	const struct sigaction act = { .sa_handler = on_alarm };
	FILE *out;
	int status;
	size_t i;

	for (run.call = 0; argc > 5 && run.call < CALLS; run.call++)
		if (!strcmp(calls[run.call].name, argv[1]))
			break;
	if (argc < 6 || (run.call == CALLS && strcmp(argv[1], "all") != 0))
		return 2;
	run.err = atoi(argv[2]);
	run.nth = atol(argv[3]);
	sigaction(SIGALRM, &act, NULL);
	cmd = fork();
	if (!cmd) {
		raise(SIGSTOP);
		install_filter();
		execvp(argv[5], argv + 5);
		_exit(2);
	}
	waitpid(cmd, &status, WUNTRACED);
	if (ptrace(PTRACE_SEIZE, cmd, 0,
		   PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
			   PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL))
		return 2;
	task_of(cmd);
	kill(cmd, SIGCONT);
	status = follow();
	out = fopen(argv[4], "w");
	fprintf(out, "injected=%d hang=%d crash=%d left=%d exit=%d\n", run.injected, run.hang,
		run.crash, run.left, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	for (i = 0; i < CALLS && run.call == CALLS; i++)
		fprintf(out, "%s=%ld\n", calls[i].name, run.cnts[i]);
	return fclose(out) ? 2 : 0;
}
