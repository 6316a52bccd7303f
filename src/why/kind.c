// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "why/kind.h"

#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"

const struct why_kind_info why_kinds[WHY_KINDS] = {
	[WHY_USER] = { "user", 'r' },
	[WHY_KERNEL] = { "kernel", 'r' },
	[WHY_FAULT] = { "page-fault", 'r' },
	[WHY_SPIN] = { "kernel-spinlock", 'r' },
	[WHY_IRQ] = { "irq", 'r' },
	[WHY_SOFTIRQ] = { "softirq", 'r' },
	[WHY_STEAL] = { "steal", 'r' },
	[WHY_PREEMPTED] = { "preempted", 'q' },
	[WHY_WOKEN] = { "woken", 'q' },
	[WHY_THROTTLED] = { "throttled", 'q' },
	[WHY_WAKING] = { "waking", 'b' },
	[WHY_DISK] = { "disk", 'b' },
	[WHY_SYNC] = { "fsync", 'b' },
	[WHY_DIRTY] = { "writeback", 'b' },
	[WHY_MAJOR_FAULT] = { "major-fault", 'b' },
	[WHY_SWAP] = { "swap", 'b' },
	[WHY_RECLAIM] = { "reclaim", 'b' },
	[WHY_FUTEX] = { "futex", 'b' },
	[WHY_KERNEL_LOCK] = { "kernel-lock", 'b' },
	[WHY_PIPE_READ] = { "pipe-read", 'b' },
	[WHY_PIPE_WRITE] = { "pipe-write", 'b' },
	[WHY_SOCKET] = { "socket", 'b' },
	[WHY_POLL] = { "poll", 'i' },
	[WHY_SLEEP] = { "sleep", 'i' },
	[WHY_CHILD] = { "child", 'b' },
	[WHY_EVENTFD] = { "eventfd", 'b' },
	[WHY_SIGNAL] = { "signal", 'i' },
	[WHY_IO_URING] = { "io_uring", 'b' },
	[WHY_IPC] = { "ipc", 'b' },
	[WHY_FILE_LOCK] = { "file-lock", 'b' },
	[WHY_TERMINAL] = { "terminal", 'i' },
	[WHY_STOPPED] = { "stopped", 'b' },
	[WHY_TRACED] = { "traced", 'b' },
	[WHY_FROZEN] = { "frozen", 'b' },
	[WHY_IDLE] = { "idle", 'i' },
	[WHY_BLOCKED] = { "blocked", 'b' },
	[WHY_UNKNOWN] = { "unknown", 'u' },
};

/*
 * Functions of the kernel (5.10 to 7.x) that tell why a thread waits; those that end with '*' are
 * the beginning of a name. Of all that a stack has, the one of highest rank decides: a wait for the
 * disk below fsync(2) is one of fsync.
 */
static const struct rule {
	const char *function;
	enum why_kind kind;
	int rank;
} rules[] = {
	{ "schedule_timeout*", WHY_BLOCKED, 0 },
	{ "io_schedule*", WHY_DISK, 1 },
	{ "folio_wait_*", WHY_DISK, 1 },
	{ "wait_on_page_*", WHY_DISK, 1 },
	{ "__wait_on_buffer", WHY_DISK, 1 },
	{ "blk_mq_get_tag", WHY_DISK, 1 },
	{ "submit_bio_wait", WHY_DISK, 1 },
	{ "__mutex_lock*", WHY_KERNEL_LOCK, 1 },
	{ "rwsem_down_*", WHY_KERNEL_LOCK, 1 },
	{ "__down*", WHY_KERNEL_LOCK, 1 },
	{ "rt_mutex_slowlock*", WHY_KERNEL_LOCK, 1 },
	{ "percpu_rwsem_wait", WHY_KERNEL_LOCK, 1 },
	{ "futex_wait*", WHY_FUTEX, 2 },
	{ "futex_lock_pi*", WHY_FUTEX, 2 },
	{ "do_futex", WHY_FUTEX, 2 },
	{ "pipe_read", WHY_PIPE_READ, 2 },
	{ "anon_pipe_read", WHY_PIPE_READ, 2 },
	{ "fifo_pipe_read", WHY_PIPE_READ, 2 },
	{ "fifo_open", WHY_PIPE_READ, 2 },
	{ "pipe_write", WHY_PIPE_WRITE, 2 },
	{ "anon_pipe_write", WHY_PIPE_WRITE, 2 },
	{ "fifo_pipe_write", WHY_PIPE_WRITE, 2 },
	{ "unix_stream_*", WHY_SOCKET, 2 },
	{ "unix_dgram_*", WHY_SOCKET, 2 },
	{ "unix_wait_for_peer", WHY_SOCKET, 2 },
	{ "sk_wait_data", WHY_SOCKET, 2 },
	{ "sk_stream_wait_*", WHY_SOCKET, 2 },
	{ "__skb_wait_for_more_packets", WHY_SOCKET, 2 },
	{ "sock_alloc_send_pskb", WHY_SOCKET, 2 },
	{ "inet_csk_accept", WHY_SOCKET, 2 },
	{ "inet_stream_connect", WHY_SOCKET, 2 },
	{ "__sys_accept4*", WHY_SOCKET, 2 },
	{ "__sys_connect*", WHY_SOCKET, 2 },
	{ "sock_recvmsg*", WHY_SOCKET, 2 },
	{ "sock_sendmsg*", WHY_SOCKET, 2 },
	{ "sock_read_iter", WHY_SOCKET, 2 },
	{ "sock_write_iter", WHY_SOCKET, 2 },
	{ "ep_poll", WHY_POLL, 2 },
	{ "do_epoll_wait", WHY_POLL, 2 },
	{ "do_sys_poll", WHY_POLL, 2 },
	{ "do_select", WHY_POLL, 2 },
	{ "core_sys_select", WHY_POLL, 2 },
	{ "inotify_read", WHY_POLL, 2 },
	{ "fanotify_read", WHY_POLL, 2 },
	{ "do_nanosleep", WHY_SLEEP, 2 },
	{ "hrtimer_nanosleep", WHY_SLEEP, 2 },
	{ "timerfd_read*", WHY_SLEEP, 2 },
	{ "do_wait", WHY_CHILD, 2 },
	{ "kernel_wait4", WHY_CHILD, 2 },
	{ "kernel_waitid*", WHY_CHILD, 2 },
	{ "wait_for_vfork_done", WHY_CHILD, 2 },
	/* It is part of this one in most builds; waits for locks on the way are further inwards. */
	{ "kernel_clone", WHY_CHILD, 1 },
	{ "eventfd_read", WHY_EVENTFD, 2 },
	{ "eventfd_write", WHY_EVENTFD, 2 },
	{ "signalfd_read*", WHY_SIGNAL, 2 },
	{ "sigsuspend", WHY_SIGNAL, 2 },
	{ "do_sigtimedwait*", WHY_SIGNAL, 2 },
	{ "__x64_sys_pause", WHY_SIGNAL, 2 },
	{ "__do_sys_pause", WHY_SIGNAL, 2 },
	{ "io_cqring_wait*", WHY_IO_URING, 2 },
	{ "do_msgrcv*", WHY_IPC, 2 },
	{ "do_msgsnd*", WHY_IPC, 2 },
	{ "do_semtimedop*", WHY_IPC, 2 },
	{ "__do_semtimedop*", WHY_IPC, 2 },
	{ "wq_sleep*", WHY_IPC, 2 },
	{ "locks_lock_inode_wait", WHY_FILE_LOCK, 2 },
	{ "fcntl_setlk*", WHY_FILE_LOCK, 2 },
	{ "do_lock_file_wait*", WHY_FILE_LOCK, 2 },
	{ "n_tty_read", WHY_TERMINAL, 2 },
	{ "n_tty_write", WHY_TERMINAL, 2 },
	{ "worker_thread", WHY_IDLE, 2 },
	{ "kthread_worker_fn", WHY_IDLE, 2 },
	{ "smpboot_thread_fn", WHY_IDLE, 2 },
	{ "rcu_gp_kthread", WHY_IDLE, 2 },
	{ "rescuer_thread", WHY_IDLE, 2 },
	{ "filemap_fault", WHY_MAJOR_FAULT, 3 },
	{ "vfs_fsync_range", WHY_SYNC, 3 },
	{ "do_fsync", WHY_SYNC, 3 },
	/* File systems' functions: behind those above, msync(2), and writes with O_SYNC. */
	{ "ext4_sync_file", WHY_SYNC, 3 },
	{ "xfs_file_fsync", WHY_SYNC, 3 },
	{ "btrfs_sync_file", WHY_SYNC, 3 },
	{ "f2fs_sync_file", WHY_SYNC, 3 },
	{ "nfs_file_fsync", WHY_SYNC, 3 },
	{ "fuse_fsync*", WHY_SYNC, 3 },
	{ "blkdev_fsync", WHY_SYNC, 3 },
	{ "generic_file_fsync", WHY_SYNC, 3 },
	{ "__generic_file_fsync", WHY_SYNC, 3 },
	{ "ksys_sync*", WHY_SYNC, 3 },
	{ "sync_filesystem", WHY_SYNC, 3 },
	{ "__x64_sys_fsync", WHY_SYNC, 3 },
	{ "__x64_sys_fdatasync", WHY_SYNC, 3 },
	{ "__x64_sys_msync", WHY_SYNC, 3 },
	{ "__do_sys_msync", WHY_SYNC, 3 },
	{ "__arm64_sys_fsync", WHY_SYNC, 3 },
	{ "__arm64_sys_fdatasync", WHY_SYNC, 3 },
	{ "__arm64_sys_msync", WHY_SYNC, 3 },
	{ "balance_dirty_pages*", WHY_DIRTY, 3 },
	{ "do_swap_page", WHY_SWAP, 4 },
	{ "swap_read*", WHY_SWAP, 4 },
	{ "mem_cgroup_handle_over_high", WHY_RECLAIM, 4 },
	{ "__mem_cgroup_handle_over_high", WHY_RECLAIM, 4 },
	{ "try_to_free_mem_cgroup_pages", WHY_RECLAIM, 5 },
	{ "try_to_free_pages", WHY_RECLAIM, 5 },
	{ "do_freezer_trap", WHY_FROZEN, 9 },
	{ "__refrigerator", WHY_FROZEN, 9 },
	{ "ptrace_stop", WHY_TRACED, 9 },
	{ "do_signal_stop", WHY_STOPPED, 9 },
};

/* The entry of an interrupt. Not do_softirq: it also runs at the end of a task's own sending. */
static const char *const interrupt_entries[] = {
	"asm_sysvec_*",
	"sysvec_*",
	"asm_common_interrupt",
	"common_interrupt",
	"do_IRQ",
	"irq_exit*",
	"__irq_exit*",
	"asm_call_irq_on_stack",
	"el0t_*_irq*",
	"el1h_*_irq*",
	"el1_interrupt",
	"el0_interrupt",
	"gic_handle_irq",
	"gic_v3_handle_irq",
	"generic_handle_arch_irq",
	"asm_exc_nmi",
	"run_ksoftirqd",
	NULL,
};

static const char *const fault_entries[] = {
	"asm_exc_page_fault", "exc_page_fault", "do_user_addr_fault",   "do_page_fault",
	"handle_mm_fault",    "do_mem_abort",   "do_translation_fault", NULL,
};

static const char *const spin_functions[] = {
	"native_queued_spin_lock_slowpath",
	"queued_spin_lock_slowpath",
	"queued_read_lock_slowpath",
	"queued_write_lock_slowpath",
	"__pv_queued_spin_lock_slowpath",
	"osq_lock",
	"mutex_spin_on_owner",
	"rwsem_spin_on_owner",
	NULL,
};

static const char *const syscall_prefixes[] = {
	"__x64_sys_", "__ia32_sys_",         "__ia32_compat_sys_", "__arm64_sys_",
	"__se_sys_",  "__arm64_compat_sys_", "__do_sys_",          NULL,
};

/* Functions that only lead to the scheduler, or trace it: the next one outwards is what waits. */
static const char *const schedulers[] = {
	"__schedule",           "schedule*",
	"preempt_schedule*",    "__cond_resched*",
	"io_schedule*",         "bit_wait*",
	"__wait_on_bit*",       "out_of_line_wait_on_bit*",
	"wait_for_completion*", "__wait_for_common",
	"do_wait_intr*",        "__traceiter_*",
	"__probestub_*",        "perf_trace_*",
	"trace_call_bpf",       NULL,
};

static bool fits(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(pattern, name, len - 1);
	/* Compilers split functions: futex_wait_queue.constprop.0 */
	return !strncmp(pattern, name, len) && (!name[len] || name[len] == '.');
}

static bool is_one_of(const char *const *patterns, const char *name)
{
	for (; *patterns; patterns++)
		if (fits(*patterns, name))
			return true;
	return false;
}

static const char *syscall_of(const char *name)
{
	size_t i;

	for (i = 0; syscall_prefixes[i]; i++)
		if (!strncmp(name, syscall_prefixes[i], strlen(syscall_prefixes[i])))
			return name + strlen(syscall_prefixes[i]);
	return NULL;
}

static const struct rule *rule_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (fits(rules[i].function, name))
			return &rules[i];
	return NULL;
}

void why_stack_facts__read(const char *const *names, size_t cnt, struct why_stack_facts *facts)
{
	int rank = -1;
	size_t i;

	*facts = (struct why_stack_facts){ .blocked = WHY_BLOCKED };
	facts->on_cpu = cnt ? WHY_KERNEL : WHY_USER;
	for (i = 0; i < cnt; i++) {
		const struct rule *rule;

		if (!names[i])
			continue;
		rule = rule_of(names[i]);
		if (rule && rule->rank > rank) {
			rank = rule->rank;
			facts->blocked = rule->kind;
		}
		if (!facts->function && !is_one_of(schedulers, names[i]))
			facts->function = names[i];
		if (!facts->is_interrupt && is_one_of(interrupt_entries, names[i]))
			facts->is_interrupt = true;
		if (facts->on_cpu == WHY_KERNEL && is_one_of(fault_entries, names[i]))
			facts->on_cpu = WHY_FAULT;
		/* Innermost only: its callers have the lock, or will. */
		if (!i && is_one_of(spin_functions, names[i]))
			facts->on_cpu = WHY_SPIN;
		if (!facts->syscall)
			facts->syscall = syscall_of(names[i]);
	}
	if (facts->is_interrupt)
		facts->on_cpu = WHY_SOFTIRQ;
}

enum why_kind why_kind__by_state(enum why_kind kind, uint32_t state)
{
	if (state & WIRE_STATE_TRACED)
		return WHY_TRACED;
	if (state & WIRE_STATE_STOPPED)
		return WHY_STOPPED;
	if (state & WIRE_STATE_NOLOAD && kind == WHY_BLOCKED)
		return WHY_IDLE;
	return kind;
}
