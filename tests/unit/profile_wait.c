// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The wait that a stack shows: its function, state and call, and the frames that are folded. */
#include "profile/profile_wait.h"

#include "named_stacks.h"
#include "tap.h"

#define ENTRY " do_syscall_64 entry_SYSCALL_64_after_hwframe | "
#define LIBC "/usr/lib/libc.so.6: "
#define APP " /bin/app: "

static const struct {
	const char *name, *stack;
	const char *func, *state, *call;
	const char *path; /* the functions that are not folded */
} waits[] = {
	{ "a read of a pipe",
	  "[sleeping] __schedule schedule anon_pipe_read vfs_read ksys_read" ENTRY LIBC "read" APP
	  "get_line main",
	  "get_line", "sleeping", "read", "anon_pipe_read vfs_read ksys_read read get_line main" },
	{ "a thread asleep since before",
	  "[sleeping_since_before] anon_pipe_read vfs_read ksys_read" ENTRY LIBC "read" APP
	  "get_line main",
	  "get_line", "sleeping", "read", "anon_pipe_read vfs_read ksys_read read get_line main" },
	{ "a sleep whose call became a jump",
	  "[runnable] __schedule schedule do_nanosleep hrtimer_nanosleep common_nsleep" ENTRY LIBC
	  "clock_nanosleep nanosleep" APP "nap main",
	  "nap", "runnable", "nanosleep", "clock_nanosleep nanosleep nap main" },
	{ "a lock of the C library",
	  "[sleeping] __schedule schedule futex_do_wait __futex_wait futex_wait do_futex "
	  "__x64_sys_futex" ENTRY LIBC "futex_wait pthread_mutex_lock" APP "take_lock main",
	  "take_lock", "sleeping", "futex",
	  "__x64_sys_futex futex_wait pthread_mutex_lock take_lock main" },
	{ "a static program",
	  "[sleeping] __schedule schedule do_wait kernel_wait4 __do_sys_wait4" ENTRY
	  "__GI___wait4 reap main",
	  "reap", "sleeping", "wait4",
	  "do_wait kernel_wait4 __do_sys_wait4 __GI___wait4 reap main" },
	{ "a call by number",
	  "[uninterruptible] __schedule schedule io_schedule folio_wait_bit_common filemap_fault "
	  "__x64_sys_fsync.cold" ENTRY "syscall flush main",
	  "flush", "uninterruptible", "fsync",
	  "filemap_fault __x64_sys_fsync.cold syscall flush main" },
	{ "arm64",
	  "[sleeping] __schedule schedule pipe_read vfs_read ksys_read __arm64_sys_read "
	  "invoke_syscall el0_svc_common.constprop.0 do_el0_svc el0_svc el0t_64_sync_handler "
	  "el0t_64_sync | " LIBC "read" APP "get_line main",
	  "get_line", "sleeping", "read",
	  "pipe_read vfs_read ksys_read __arm64_sys_read read get_line main" },
	{ "a function that is preempted",
	  "[preempted] __schedule schedule irqentry_exit_to_user_mode "
	  "asm_sysvec_apic_timer_interrupt | " LIBC "memcpy" APP "copy main",
	  "memcpy", "preempted", "", "memcpy copy main" },
	{ "preempted behind a fault",
	  "[preempted] __schedule schedule irqentry_exit_to_user_mode asm_exc_page_fault | touch main",
	  "touch", "preempted", "", "touch main" },
	{ "a fault that reads a file",
	  "[uninterruptible] __schedule schedule io_schedule filemap_fault do_user_addr_fault "
	  "exc_page_fault asm_exc_page_fault | touch main",
	  "touch", "uninterruptible", "page fault", "filemap_fault do_user_addr_fault touch main" },
	{ "on the way back from a call",
	  "[preempted] __schedule schedule exit_to_user_mode_loop" ENTRY LIBC "getppid" APP
	  "ask main",
	  "getppid", "preempted", "", "getppid ask main" },
	{ "nothing but the C library",
	  "[sleeping] __schedule schedule do_nanosleep __x64_sys_clock_nanosleep" ENTRY LIBC
	  "clock_nanosleep sleep start_thread",
	  "clock_nanosleep", "sleeping", "clock_nanosleep",
	  "__x64_sys_clock_nanosleep clock_nanosleep sleep start_thread" },
	{ "a start that waits itself",
	  "[sleeping] __schedule schedule __x64_sys_pause" ENTRY LIBC "pause __libc_start_main" APP
	  "_start",
	  "pause", "sleeping", "pause", "__x64_sys_pause pause __libc_start_main _start" },
	{ "without the user's stack",
	  "[sleeping] __schedule schedule anon_pipe_read vfs_read ksys_read do_syscall_64 "
	  "entry_SYSCALL_64_after_hwframe",
	  NULL, "sleeping", "read", "anon_pipe_read vfs_read ksys_read" },
	{ "without the kernel's stack", "[sleeping] | " LIBC "read" APP "get_line main", "get_line",
	  "sleeping", "", "read get_line main" },
	{ "preempted, without the kernel's stack", "[preempted] | " LIBC "memcpy" APP "copy main",
	  "memcpy", "preempted", "", "memcpy copy main" },
	{ "without any stack", "[sleeping]", NULL, "sleeping", "", "" },
	{ "a kernel thread",
	  "[idle] __schedule schedule worker_thread kthread ret_from_fork ret_from_fork_asm",
	  "worker_thread", "idle", "", "worker_thread kthread ret_from_fork ret_from_fork_asm" },
	{ "a kernel thread that waits for another",
	  "[uninterruptible] __schedule schedule schedule_timeout __wait_for_common "
	  "wait_for_completion rcu_barrier kthread ret_from_fork",
	  "rcu_barrier", "uninterruptible", "", "rcu_barrier kthread ret_from_fork" },
	{ "a waker",
	  "pipe_write main [woken_by] [sleeping] __schedule schedule anon_pipe_read ksys_read" ENTRY
		  LIBC "read" APP "get_line",
	  "get_line", "sleeping", "read", "anon_pipe_read ksys_read read get_line" },
};

/* Adds a stack of the table; notes have blanks, which separate names in the table. */
static uint32_t add(struct profile *p, enum sample_kind kind, const char *stack)
{
	static const char before[] = "[sleeping_since_before]";
	const char *at = strstr(stack, before);
	uint32_t i = named_stacks__add(p, kind, "w", stack, 1);

	if (at)
		p->frames[p->stacks[i].at] =
			profile__named_loc(p, "[sleeping since before]", "", true, FRAME_NATIVE);
	return i;
}

static const char *text_of(struct profile *p, uint32_t text)
{
	return text == TEXTS_NONE ? "" : profile__text(p, text);
}

static const char *name_of(struct profile *p, uint32_t func)
{
	return func == TEXTS_NONE ? NULL : profile__text(p, p->funcs[func].name);
}

static void test_waits(struct profile *p)
{
	uint32_t funcs[64];
	struct profile_wait w;
	size_t i, k, cnt, at;
	char path[512];

	for (i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		uint32_t idx = add(p, SAMPLE_OFF_CPU, waits[i].stack);

		is_s64(profile_wait__read(p, &p->stacks[idx], &w), 0, "%s is read", waits[i].name);
		is_str(name_of(p, w.func), waits[i].func, "%s: the function", waits[i].name);
		is_str(text_of(p, w.state), waits[i].state, "%s: the state", waits[i].name);
		is_str(text_of(p, w.call), waits[i].call, "%s: the call", waits[i].name);
		cnt = profile_wait__functions(p, &p->stacks[idx], &w, funcs, 64, &at);
		for (k = 0, path[0] = '\0'; k < cnt; k++)
			snprintf(path + strlen(path), sizeof(path) - strlen(path), "%s%s",
				 k ? " " : "", name_of(p, funcs[k]));
		is_str(path, waits[i].path, "%s: the functions that are not folded", waits[i].name);
		is_str(at < cnt ? name_of(p, funcs[at]) : NULL, waits[i].func,
		       "%s: the position of the function", waits[i].name);
	}
}

static void test_running(struct profile *p)
{
	struct profile_wait w;
	uint32_t i = add(p, SAMPLE_ON_CPU,
			 "mutex_lock pipe_write ksys_write" ENTRY LIBC "write" APP "put main");

	profile_wait__read(p, &p->stacks[i], &w);
	is_str(name_of(p, w.func), "put", "on the CPU: the function");
	is_str(text_of(p, w.state), "running", "on the CPU: the state");
	is_str(text_of(p, w.call), "write", "on the CPU: the call");
	is_u64(w.path, 0, "on the CPU: a lock is no wait");
	i = add(p, SAMPLE_ON_CPU, "| " LIBC "memcpy" APP "copy main");
	profile_wait__read(p, &p->stacks[i], &w);
	is_str(name_of(p, w.func), "memcpy", "on the CPU: the C library without a call");
}

int main(void)
{
	struct profile p;

	profile__init(&p, NULL, PROFILE_BY_COMM);
	test_waits(&p);
	test_running(&p);
	profile__free(&p);
	return done_testing();
}
