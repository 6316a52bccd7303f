// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Names of processes, signals, time and waiting. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/poll.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/sem.h>
#include <sys/ipc.h>
#include <sys/wait.h>
#include <time.h>

#include <linux/bpf.h>
#include <linux/futex.h>
#include <linux/capability.h>
#include <linux/membarrier.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <linux/kcmp.h>
#include <linux/keyctl.h>
#include <linux/personality.h>
#include <linux/reboot.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#if defined(__x86_64__)
#include <asm/prctl.h>
#endif

#include "strace/names.h"

/* clang-format off */
static const struct name_of clones[] = {
#ifdef CLONE_NEWTIME
	NAME(CLONE_NEWTIME),
#endif
	NAME(CLONE_VM), NAME(CLONE_FS), NAME(CLONE_FILES), NAME(CLONE_SIGHAND), NAME(CLONE_PIDFD),
	NAME(CLONE_PTRACE), NAME(CLONE_VFORK), NAME(CLONE_PARENT), NAME(CLONE_THREAD),
	NAME(CLONE_NEWNS), NAME(CLONE_SYSVSEM), NAME(CLONE_SETTLS), NAME(CLONE_PARENT_SETTID),
	NAME(CLONE_CHILD_CLEARTID), { 0x400000, "CLONE_DETACHED" }, NAME(CLONE_UNTRACED),
	NAME(CLONE_CHILD_SETTID), NAME(CLONE_NEWCGROUP), NAME(CLONE_NEWUTS), NAME(CLONE_NEWIPC),
	NAME(CLONE_NEWUSER), NAME(CLONE_NEWPID), NAME(CLONE_NEWNET), NAME(CLONE_IO),
	{ 0x100000000ull, "CLONE_CLEAR_SIGHAND" }, { 0x200000000ull, "CLONE_INTO_CGROUP" },
};
const struct names names_clone = NAMES(clones, "CLONE_???");

static const struct name_of waits[] = {
	NAME(WNOHANG), NAME(WSTOPPED), NAME(WEXITED), NAME(WCONTINUED), NAME(WNOWAIT),
	{ 0x20000000, "__WNOTHREAD" }, { 0x80000000, "__WCLONE" }, { 0x40000000, "__WALL" },
};
const struct names names_wait = NAMES(waits, "W???");
static const struct name_of waitid_types[] = {
	{ 0, "P_ALL" }, { 1, "P_PID" }, { 2, "P_PGID" }, { 3, "P_PIDFD" },
};
const struct names names_waitid_type = NAMES(waitid_types, "P_???");

static const struct name_of sigprocmasks[] = {
	NAME(SIG_BLOCK), NAME(SIG_UNBLOCK), NAME(SIG_SETMASK),
};
const struct names names_sigprocmask = NAMES(sigprocmasks, "SIG_???");

static const struct name_of sigactions[] = {
	{ 0x04000000, "SA_RESTORER" }, NAME(SA_ONSTACK), NAME(SA_RESTART), NAME(SA_INTERRUPT),
	NAME(SA_NODEFER), NAME(SA_RESETHAND), NAME(SA_SIGINFO), NAME(SA_NOCLDSTOP),
	NAME(SA_NOCLDWAIT),
};
const struct names names_sigaction = NAMES(sigactions, "SA_???");

static const struct name_of clocks[] = {
	NAME(CLOCK_REALTIME), NAME(CLOCK_MONOTONIC), NAME(CLOCK_PROCESS_CPUTIME_ID),
	NAME(CLOCK_THREAD_CPUTIME_ID), NAME(CLOCK_MONOTONIC_RAW), NAME(CLOCK_REALTIME_COARSE),
	NAME(CLOCK_MONOTONIC_COARSE), NAME(CLOCK_BOOTTIME), NAME(CLOCK_REALTIME_ALARM),
	NAME(CLOCK_BOOTTIME_ALARM), NAME(CLOCK_TAI),
};
const struct names names_clock = NAMES(clocks, "CLOCK_???");
static const struct name_of timer_abs[] = { NAME(TIMER_ABSTIME) };
const struct names names_timer_abs = NAMES(timer_abs, "TIMER_???");
static const struct name_of itimers[] = { { 0, "ITIMER_REAL" }, { 1, "ITIMER_VIRTUAL" },
					  { 2, "ITIMER_PROF" } };
const struct names names_itimer = NAMES(itimers, "ITIMER_???");

static const struct name_of rlimits[] = {
	NAME(RLIMIT_CPU), NAME(RLIMIT_FSIZE), NAME(RLIMIT_DATA), NAME(RLIMIT_STACK),
	NAME(RLIMIT_CORE), NAME(RLIMIT_RSS), NAME(RLIMIT_NPROC), NAME(RLIMIT_NOFILE),
	NAME(RLIMIT_MEMLOCK), NAME(RLIMIT_AS), NAME(RLIMIT_LOCKS), NAME(RLIMIT_SIGPENDING),
	NAME(RLIMIT_MSGQUEUE), NAME(RLIMIT_NICE), NAME(RLIMIT_RTPRIO), NAME(RLIMIT_RTTIME),
};
const struct names names_rlimit = NAMES(rlimits, "RLIMIT_???");
static const struct name_of rusages[] = {
	NAME(RUSAGE_SELF), { (uint32_t)-1, "RUSAGE_CHILDREN" }, { (uint32_t)-2, "RUSAGE_BOTH" },
	NAME(RUSAGE_THREAD),
};
const struct names names_rusage = NAMES(rusages, "RUSAGE_???");

static const struct name_of futexes[] = {
	NAME(FUTEX_WAIT), NAME(FUTEX_WAKE), NAME(FUTEX_FD), NAME(FUTEX_REQUEUE),
	NAME(FUTEX_CMP_REQUEUE), NAME(FUTEX_WAKE_OP), NAME(FUTEX_LOCK_PI), NAME(FUTEX_UNLOCK_PI),
	NAME(FUTEX_TRYLOCK_PI), NAME(FUTEX_WAIT_BITSET), NAME(FUTEX_WAKE_BITSET),
	NAME(FUTEX_WAIT_REQUEUE_PI), NAME(FUTEX_CMP_REQUEUE_PI),
#ifdef FUTEX_LOCK_PI2
	NAME(FUTEX_LOCK_PI2),
#endif
};
const struct names names_futex = NAMES(futexes, "FUTEX_???");

static const struct name_of polls[] = {
	NAME(POLLIN), NAME(POLLPRI), NAME(POLLOUT), NAME(POLLERR), NAME(POLLHUP), NAME(POLLNVAL),
	NAME(POLLRDNORM), NAME(POLLWRNORM), NAME(POLLRDBAND), NAME(POLLWRBAND), NAME(POLLMSG),
	NAME(POLLREMOVE), NAME(POLLRDHUP),
};
const struct names names_poll = NAMES(polls, "POLL???");

static const struct name_of epolls[] = {
	{ 1, "EPOLLIN" }, { 2, "EPOLLPRI" }, { 4, "EPOLLOUT" }, { 0x20, "EPOLLNVAL" },
	{ 0x40, "EPOLLRDNORM" },
	{ 0x80, "EPOLLRDBAND" }, { 0x100, "EPOLLWRNORM" }, { 0x200, "EPOLLWRBAND" },
	{ 0x400, "EPOLLMSG" }, { 8, "EPOLLERR" }, { 0x10, "EPOLLHUP" }, { 0x2000, "EPOLLRDHUP" },
	{ 1u << 28, "EPOLLEXCLUSIVE" }, { 1u << 29, "EPOLLWAKEUP" }, { 1u << 30, "EPOLLONESHOT" },
	{ 1u << 31, "EPOLLET" },
};
const struct names names_epoll = NAMES(epolls, "EPOLL???");
static const struct name_of epoll_ops[] = {
	NAME(EPOLL_CTL_ADD), NAME(EPOLL_CTL_DEL), NAME(EPOLL_CTL_MOD),
};
const struct names names_epoll_op = NAMES(epoll_ops, "EPOLL_CTL_???");
static const struct name_of epoll_creates[] = { { O_CLOEXEC, "EPOLL_CLOEXEC" } };
const struct names names_epoll_create = NAMES(epoll_creates, "EPOLL_???");
static const struct name_of signalfds[] = { { O_CLOEXEC, "SFD_CLOEXEC" },
					    { O_NONBLOCK, "SFD_NONBLOCK" } };
const struct names names_signalfd = NAMES(signalfds, "SFD_???");
static const struct name_of timerfds[] = { { O_CLOEXEC, "TFD_CLOEXEC" },
					   { O_NONBLOCK, "TFD_NONBLOCK" } };
const struct names names_timerfd = NAMES(timerfds, "TFD_???");

static const struct name_of prctls[] = {
	NAME(PR_SET_PDEATHSIG), NAME(PR_GET_PDEATHSIG), NAME(PR_GET_DUMPABLE),
	NAME(PR_SET_DUMPABLE), NAME(PR_GET_UNALIGN), NAME(PR_SET_UNALIGN), NAME(PR_GET_KEEPCAPS),
	NAME(PR_SET_KEEPCAPS), NAME(PR_GET_FPEMU), NAME(PR_SET_FPEMU), NAME(PR_GET_FPEXC),
	NAME(PR_SET_FPEXC), NAME(PR_GET_TIMING), NAME(PR_SET_TIMING), NAME(PR_SET_NAME),
	NAME(PR_GET_NAME), NAME(PR_GET_ENDIAN), NAME(PR_SET_ENDIAN), NAME(PR_GET_SECCOMP),
	NAME(PR_SET_SECCOMP), NAME(PR_CAPBSET_READ), NAME(PR_CAPBSET_DROP), NAME(PR_GET_TSC),
	NAME(PR_SET_TSC), NAME(PR_GET_SECUREBITS), NAME(PR_SET_SECUREBITS),
	NAME(PR_SET_TIMERSLACK), NAME(PR_GET_TIMERSLACK), NAME(PR_TASK_PERF_EVENTS_DISABLE),
	NAME(PR_TASK_PERF_EVENTS_ENABLE), NAME(PR_MCE_KILL), NAME(PR_MCE_KILL_GET), NAME(PR_SET_MM),
	NAME(PR_SET_PTRACER), NAME(PR_SET_CHILD_SUBREAPER), NAME(PR_GET_CHILD_SUBREAPER),
	NAME(PR_SET_NO_NEW_PRIVS), NAME(PR_GET_NO_NEW_PRIVS), NAME(PR_GET_TID_ADDRESS),
	NAME(PR_SET_THP_DISABLE), NAME(PR_GET_THP_DISABLE), NAME(PR_SET_FP_MODE),
	NAME(PR_GET_FP_MODE), NAME(PR_CAP_AMBIENT), NAME(PR_SVE_SET_VL), NAME(PR_SVE_GET_VL),
	NAME(PR_GET_SPECULATION_CTRL), NAME(PR_SET_SPECULATION_CTRL),
	NAME(PR_SET_TAGGED_ADDR_CTRL), NAME(PR_GET_TAGGED_ADDR_CTRL), NAME(PR_SET_IO_FLUSHER),
	NAME(PR_GET_IO_FLUSHER),
#ifdef PR_SET_VMA
	NAME(PR_SET_VMA),
#endif
};
const struct names names_prctl = NAMES(prctls, "PR_???");

static const struct name_of arch_prctls[] = {
#if defined(__x86_64__)
	NAME(ARCH_SET_GS), NAME(ARCH_SET_FS), NAME(ARCH_GET_FS), NAME(ARCH_GET_GS),
	NAME(ARCH_GET_CPUID), NAME(ARCH_SET_CPUID),
#else
	{ 0x1001, "ARCH_SET_GS" },
#endif
};
const struct names names_arch_prctl = NAMES(arch_prctls, "ARCH_???");

static const struct name_of scheds[] = {
	NAME(SCHED_OTHER), NAME(SCHED_FIFO), NAME(SCHED_RR), NAME(SCHED_BATCH),
	{ 4, "SCHED_ISO" }, NAME(SCHED_IDLE), { 6, "SCHED_DEADLINE" },
	{ 0x40000000, "SCHED_RESET_ON_FORK" },
};
const struct names names_sched = {
	scheds, sizeof(scheds) / sizeof(scheds[0]), "SCHED_???", 0xffff
};
static const struct name_of prios[] = { NAME(PRIO_PROCESS), NAME(PRIO_PGRP), NAME(PRIO_USER) };
const struct names names_prio = NAMES(prios, "PRIO_???");
static const struct name_of getrandoms[] = {
	NAME(GRND_NONBLOCK), NAME(GRND_RANDOM), { 4, "GRND_INSECURE" },
};
const struct names names_getrandom = NAMES(getrandoms, "GRND_???");
static const struct name_of sss[] = {
	NAME(SS_ONSTACK), NAME(SS_DISABLE), { 1u << 31, "SS_AUTODISARM" },
};
const struct names names_ss = NAMES(sss, "SS_???");
static const struct name_of rseqs[] = { { 1, "RSEQ_FLAG_UNREGISTER" } };
const struct names names_rseq = NAMES(rseqs, "RSEQ_FLAG_???");
static const struct name_of membarriers[] = {
	NAME(MEMBARRIER_CMD_QUERY), NAME(MEMBARRIER_CMD_GLOBAL),
	NAME(MEMBARRIER_CMD_GLOBAL_EXPEDITED), NAME(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED),
	NAME(MEMBARRIER_CMD_PRIVATE_EXPEDITED), NAME(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED),
	NAME(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE),
	NAME(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE),
	{ 128, "MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ" },
	{ 256, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ" },
	{ 512, "MEMBARRIER_CMD_GET_REGISTRATIONS" },
};
const struct names names_membarrier = NAMES(membarriers, "MEMBARRIER_CMD_???");
static const struct name_of seccomp_ops[] = {
	NAME(SECCOMP_SET_MODE_STRICT), NAME(SECCOMP_SET_MODE_FILTER),
	NAME(SECCOMP_GET_ACTION_AVAIL), NAME(SECCOMP_GET_NOTIF_SIZES),
};
const struct names names_seccomp_op = NAMES(seccomp_ops, "SECCOMP_SET_MODE_???");
static const struct name_of seccomp_flags[] = {
	NAME(SECCOMP_FILTER_FLAG_TSYNC), NAME(SECCOMP_FILTER_FLAG_LOG),
	NAME(SECCOMP_FILTER_FLAG_SPEC_ALLOW), NAME(SECCOMP_FILTER_FLAG_NEW_LISTENER),
};
const struct names names_seccomp_flags = NAMES(seccomp_flags, "SECCOMP_FILTER_FLAG_???");

static const struct name_of bpf_cmds[] = {
	NAME(BPF_MAP_CREATE), NAME(BPF_MAP_LOOKUP_ELEM), NAME(BPF_MAP_UPDATE_ELEM),
	NAME(BPF_MAP_DELETE_ELEM), NAME(BPF_MAP_GET_NEXT_KEY), NAME(BPF_PROG_LOAD),
	NAME(BPF_OBJ_PIN), NAME(BPF_OBJ_GET), NAME(BPF_PROG_ATTACH), NAME(BPF_PROG_DETACH),
	NAME(BPF_PROG_TEST_RUN), NAME(BPF_PROG_GET_NEXT_ID), NAME(BPF_MAP_GET_NEXT_ID),
	NAME(BPF_PROG_GET_FD_BY_ID), NAME(BPF_MAP_GET_FD_BY_ID), NAME(BPF_OBJ_GET_INFO_BY_FD),
	NAME(BPF_PROG_QUERY), NAME(BPF_RAW_TRACEPOINT_OPEN), NAME(BPF_BTF_LOAD),
	NAME(BPF_BTF_GET_FD_BY_ID), NAME(BPF_TASK_FD_QUERY), NAME(BPF_MAP_LOOKUP_AND_DELETE_ELEM),
	NAME(BPF_MAP_FREEZE), NAME(BPF_BTF_GET_NEXT_ID), NAME(BPF_MAP_LOOKUP_BATCH),
	NAME(BPF_MAP_LOOKUP_AND_DELETE_BATCH), NAME(BPF_MAP_UPDATE_BATCH),
	NAME(BPF_MAP_DELETE_BATCH), NAME(BPF_LINK_CREATE), NAME(BPF_LINK_UPDATE),
	NAME(BPF_LINK_GET_FD_BY_ID), NAME(BPF_LINK_GET_NEXT_ID), NAME(BPF_ENABLE_STATS),
	NAME(BPF_ITER_CREATE), NAME(BPF_LINK_DETACH), NAME(BPF_PROG_BIND_MAP),
};
const struct names names_bpf_cmd = NAMES(bpf_cmds, "BPF_???");

static const struct name_of ipcs[] = {
	NAME(IPC_CREAT), NAME(IPC_EXCL), NAME(IPC_NOWAIT),
};
const struct names names_ipc = NAMES(ipcs, "IPC_???");
static const struct name_of shms[] = {
	NAME(SHM_RDONLY), NAME(SHM_RND), NAME(SHM_REMAP), { 0100000, "SHM_EXEC" },
};
const struct names names_shm = NAMES(shms, "SHM_???");
static const struct name_of semctls[] = {
	NAME(IPC_RMID), NAME(IPC_SET), NAME(IPC_STAT), { 3, "IPC_INFO" }, NAME(GETPID),
	NAME(GETVAL), NAME(GETALL), NAME(GETNCNT), NAME(GETZCNT), NAME(SETVAL), NAME(SETALL),
};
const struct names names_semctl = NAMES(semctls, "SEM_???");

static const struct name_of ptraces[] = {
#if defined(__x86_64__)
	NAME(PTRACE_GETREGS), NAME(PTRACE_SETREGS),
#endif
	NAME(PTRACE_TRACEME), NAME(PTRACE_PEEKTEXT), NAME(PTRACE_PEEKDATA), NAME(PTRACE_POKETEXT),
	NAME(PTRACE_POKEDATA), NAME(PTRACE_CONT), NAME(PTRACE_KILL), NAME(PTRACE_SINGLESTEP),
	NAME(PTRACE_ATTACH), NAME(PTRACE_DETACH),
	NAME(PTRACE_SYSCALL), NAME(PTRACE_SETOPTIONS), NAME(PTRACE_GETEVENTMSG),
	NAME(PTRACE_GETSIGINFO), NAME(PTRACE_SETSIGINFO), NAME(PTRACE_GETREGSET),
	NAME(PTRACE_SETREGSET), NAME(PTRACE_SEIZE), NAME(PTRACE_INTERRUPT), NAME(PTRACE_LISTEN),
};
const struct names names_ptrace = NAMES(ptraces, "PTRACE_???");

static const struct name_of kcmps[] = {
	NAME(KCMP_FILE), NAME(KCMP_VM), NAME(KCMP_FILES), NAME(KCMP_FS), NAME(KCMP_SIGHAND),
	NAME(KCMP_IO), NAME(KCMP_SYSVSEM), NAME(KCMP_EPOLL_TFD),
};
const struct names names_kcmp = NAMES(kcmps, "KCMP_???");

static const struct name_of personalities[] = {
	NAME(PER_LINUX), { PER_LINUX32, "PER_LINUX32" }, { UNAME26, "UNAME26" },
	{ ADDR_NO_RANDOMIZE, "ADDR_NO_RANDOMIZE" }, { MMAP_PAGE_ZERO, "MMAP_PAGE_ZERO" },
	{ ADDR_COMPAT_LAYOUT, "ADDR_COMPAT_LAYOUT" }, { READ_IMPLIES_EXEC, "READ_IMPLIES_EXEC" },
	{ ADDR_LIMIT_32BIT, "ADDR_LIMIT_32BIT" }, { SHORT_INODE, "SHORT_INODE" },
	{ WHOLE_SECONDS, "WHOLE_SECONDS" }, { STICKY_TIMEOUTS, "STICKY_TIMEOUTS" },
	{ ADDR_LIMIT_3GB, "ADDR_LIMIT_3GB" },
};
const struct names names_personality = {
	personalities, sizeof(personalities) / sizeof(personalities[0]), "PER_???", 0xff
};

static const struct name_of uring_enters[] = {
	NAME(IORING_ENTER_GETEVENTS), NAME(IORING_ENTER_SQ_WAKEUP), { 4, "IORING_ENTER_SQ_WAIT" },
	{ 8, "IORING_ENTER_EXT_ARG" }, { 16, "IORING_ENTER_REGISTERED_RING" },
};
const struct names names_io_uring_enter = NAMES(uring_enters, "IORING_ENTER_???");

static const struct name_of perf_flags[] = {
	NAME(PERF_FLAG_FD_NO_GROUP), NAME(PERF_FLAG_FD_OUTPUT), NAME(PERF_FLAG_PID_CGROUP),
	NAME(PERF_FLAG_FD_CLOEXEC),
};
const struct names names_perf_flags = NAMES(perf_flags, "PERF_FLAG_???");

static const struct name_of cap_versions[] = {
	{ 0x19980330, "_LINUX_CAPABILITY_VERSION_1" },
	{ 0x20071026, "_LINUX_CAPABILITY_VERSION_2" },
	{ 0x20080522, "_LINUX_CAPABILITY_VERSION_3" },
};
const struct names names_cap_version = NAMES(cap_versions, "_LINUX_CAPABILITY_VERSION_???");
static const struct name_of pidfds[] = { { O_NONBLOCK, "PIDFD_NONBLOCK" } };
const struct names names_pidfd = NAMES(pidfds, "PIDFD_???");

#define CAP(c)                                                                                     \
	{                                                                                          \
		1ull << (c), "1<<" #c                                                              \
	}
static const struct name_of capabilities[] = {
	CAP(CAP_CHOWN), CAP(CAP_DAC_OVERRIDE), CAP(CAP_DAC_READ_SEARCH), CAP(CAP_FOWNER),
	CAP(CAP_FSETID), CAP(CAP_KILL), CAP(CAP_SETGID), CAP(CAP_SETUID), CAP(CAP_SETPCAP),
	CAP(CAP_LINUX_IMMUTABLE), CAP(CAP_NET_BIND_SERVICE), CAP(CAP_NET_BROADCAST),
	CAP(CAP_NET_ADMIN), CAP(CAP_NET_RAW), CAP(CAP_IPC_LOCK), CAP(CAP_IPC_OWNER),
	CAP(CAP_SYS_MODULE), CAP(CAP_SYS_RAWIO), CAP(CAP_SYS_CHROOT), CAP(CAP_SYS_PTRACE),
	CAP(CAP_SYS_PACCT), CAP(CAP_SYS_ADMIN), CAP(CAP_SYS_BOOT), CAP(CAP_SYS_NICE),
	CAP(CAP_SYS_RESOURCE), CAP(CAP_SYS_TIME), CAP(CAP_SYS_TTY_CONFIG), CAP(CAP_MKNOD),
	CAP(CAP_LEASE), CAP(CAP_AUDIT_WRITE), CAP(CAP_AUDIT_CONTROL), CAP(CAP_SETFCAP),
	CAP(CAP_MAC_OVERRIDE), CAP(CAP_MAC_ADMIN), CAP(CAP_SYSLOG), CAP(CAP_WAKE_ALARM),
	CAP(CAP_BLOCK_SUSPEND), CAP(CAP_AUDIT_READ), CAP(CAP_PERFMON), CAP(CAP_BPF),
	CAP(CAP_CHECKPOINT_RESTORE),
};
const struct names names_capabilities = NAMES(capabilities, "CAP_???");
/* clang-format on */
