// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Kinds of waits, by stacks as kernels of 5.10 to 6.18 have them. */
#include <string.h>

#include <linux/types.h>

#include "bpf/wire.h"
#include "tap.h"
#include "why/kind.h"

static const struct {
	const char *stack; /* innermost first */
	enum why_kind kind;
	const char *syscall;
	bool is_interrupt;
} blocked[] = {
	{ "__schedule schedule futex_do_wait __futex_wait futex_wait do_futex __x64_sys_futex "
	  "do_syscall_64 entry_SYSCALL_64_after_hwframe",
	  WHY_FUTEX, "futex", false },
	{ "__schedule schedule futex_wait_queue_me futex_wait do_futex __arm64_sys_futex",
	  WHY_FUTEX, "futex", false },
	{ "__schedule schedule anon_pipe_read vfs_read ksys_read do_syscall_64", WHY_PIPE_READ,
	  NULL, false },
	{ "__schedule schedule pipe_write vfs_write ksys_write", WHY_PIPE_WRITE, NULL, false },
	{ "__schedule schedule schedule_preempt_disabled __mutex_lock.constprop.0 pipe_read",
	  WHY_PIPE_READ, NULL, false },
	{ "__schedule schedule io_schedule folio_wait_bit_common filemap_get_pages filemap_read "
	  "vfs_read ksys_pread64 __x64_sys_pread64",
	  WHY_DISK, "pread64", false },
	{ "__schedule schedule io_schedule folio_wait_bit_common filemap_fault __do_fault "
	  "do_fault __handle_mm_fault handle_mm_fault exc_page_fault asm_exc_page_fault",
	  WHY_MAJOR_FAULT, NULL, false },
	{ "__schedule schedule io_schedule folio_wait_bit_common __folio_lock_or_retry "
	  "do_swap_page __handle_mm_fault handle_mm_fault",
	  WHY_SWAP, NULL, false },
	{ "__schedule schedule io_schedule_timeout balance_dirty_pages "
	  "balance_dirty_pages_ratelimited_flags generic_perform_write ext4_file_write_iter",
	  WHY_DIRTY, NULL, false },
	{ "__schedule schedule io_schedule folio_wait_bit_common folio_wait_writeback "
	  "__filemap_fdatawait_range file_write_and_wait_range ext4_sync_file vfs_fsync_range "
	  "do_fsync __x64_sys_fsync",
	  WHY_SYNC, "fsync", false },
	{ "__schedule schedule jbd2_log_wait_commit ext4_sync_file do_fsync", WHY_SYNC, NULL,
	  false },
	{ "__schedule schedule io_schedule folio_wait_writeback file_write_and_wait_range "
	  "ext4_sync_file __do_sys_msync do_syscall_64",
	  WHY_SYNC, "msync", false },
	{ "__schedule schedule schedule_timeout io_schedule_timeout submit_bio_wait "
	  "blkdev_issue_flush ext4_sync_file ext4_buffered_write_iter do_iter_readv_writev",
	  WHY_SYNC, NULL, false },
	{ "__schedule schedule schedule_timeout wait_woken inotify_read vfs_read ksys_read",
	  WHY_POLL, NULL, false },
	{ "__schedule schedule do_nanosleep hrtimer_nanosleep common_nsleep "
	  "__x64_sys_clock_nanosleep",
	  WHY_SLEEP, "clock_nanosleep", false },
	{ "__schedule schedule schedule_hrtimeout_range ep_poll do_epoll_wait __x64_sys_epoll_wait",
	  WHY_POLL, "epoll_wait", false },
	{ "__schedule schedule schedule_timeout unix_stream_data_wait unix_stream_read_generic "
	  "unix_stream_recvmsg sock_recvmsg",
	  WHY_SOCKET, NULL, false },
	{ "__schedule schedule do_wait kernel_wait4 __do_sys_wait4 __x64_sys_wait4", WHY_CHILD,
	  "wait4", false },
	{ "__schedule schedule rwsem_down_read_slowpath down_read do_user_addr_fault "
	  "exc_page_fault",
	  WHY_KERNEL_LOCK, NULL, false },
	{ "__schedule schedule do_freezer_trap get_signal arch_do_signal_or_restart", WHY_FROZEN,
	  NULL, false },
	{ "__schedule schedule worker_thread kthread ret_from_fork", WHY_IDLE, NULL, false },
	{ "__schedule schedule some_new_wait __x64_sys_something", WHY_BLOCKED, "something",
	  false },
	{ "try_to_wake_up hrtimer_wakeup __hrtimer_run_queues hrtimer_interrupt "
	  "__sysvec_apic_timer_interrupt sysvec_apic_timer_interrupt "
	  "asm_sysvec_apic_timer_interrupt",
	  WHY_BLOCKED, NULL, true },
	{ "try_to_wake_up sock_def_readable tcp_rcv_established net_rx_action handle_softirqs "
	  "do_softirq __local_bh_enable_ip tcp_sendmsg __x64_sys_sendto",
	  WHY_BLOCKED, "sendto", false },
	{ "try_to_wake_up blk_mq_complete_request virtblk_done vring_interrupt "
	  "__handle_irq_event_percpu gic_handle_irq el1_interrupt el1h_64_irq_handler",
	  WHY_BLOCKED, NULL, true },
	{ "__schedule schedule schedule_timeout __wait_for_common wait_for_completion_state "
	  "kernel_clone __do_sys_vfork __x64_sys_vfork",
	  WHY_CHILD, "vfork", false },
	{ "__schedule schedule __mutex_lock cgroup_can_fork copy_process kernel_clone "
	  "__do_sys_clone __x64_sys_clone",
	  WHY_KERNEL_LOCK, "clone", false },
};

static const struct {
	const char *stack;
	enum why_kind kind;
} on_cpu[] = {
	{ "", WHY_USER },
	{ "vfs_read ksys_read do_syscall_64", WHY_KERNEL },
	{ "clear_page_erms do_anonymous_page __handle_mm_fault handle_mm_fault "
	  "do_user_addr_fault exc_page_fault asm_exc_page_fault",
	  WHY_FAULT },
	{ "native_queued_spin_lock_slowpath _raw_spin_lock futex_wake do_futex", WHY_SPIN },
	{ "futex_wake _raw_spin_lock do_futex", WHY_KERNEL },
	{ "net_rx_action handle_softirqs __irq_exit_rcu irq_exit_rcu sysvec_apic_timer_interrupt",
	  WHY_SOFTIRQ },
};

static void read_stack(const char *stack, struct why_stack_facts *facts)
{
	static char text[1024];
	const char *names[64];
	size_t cnt = 0;
	char *at;

	snprintf(text, sizeof(text), "%s", stack);
	for (at = strtok(text, " "); at; at = strtok(NULL, " "))
		names[cnt++] = at;
	why_stack_facts__read(names, cnt, facts);
}

int main(void)
{
	struct why_stack_facts f;
	size_t i;

	for (i = 0; i < sizeof(blocked) / sizeof(blocked[0]); i++) {
		read_stack(blocked[i].stack, &f);
		ok(f.blocked == blocked[i].kind, "blocked %zu: %s, as %s", i,
		   why_kinds[f.blocked].name, why_kinds[blocked[i].kind].name);
		is_str(f.syscall ?: "", blocked[i].syscall ?: "", "blocked %zu: the system call",
		       i);
		ok(f.is_interrupt == blocked[i].is_interrupt, "blocked %zu: an interrupt or none",
		   i);
	}
	for (i = 0; i < sizeof(on_cpu) / sizeof(on_cpu[0]); i++) {
		read_stack(on_cpu[i].stack, &f);
		ok(f.on_cpu == on_cpu[i].kind, "on a CPU %zu: %s", i, why_kinds[f.on_cpu].name);
	}
	read_stack("__schedule schedule some_new_wait __x64_sys_something", &f);
	is_str(f.function, "some_new_wait", "the function that waits, behind the scheduler's");
	ok(why_kind__by_state(WHY_SLEEP, WIRE_STATE_STOPPED) == WHY_STOPPED,
	   "stopped, by the state");
	ok(why_kind__by_state(WHY_SLEEP, WIRE_STATE_TRACED) == WHY_TRACED, "traced, by the state");
	return done_testing();
}
