// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "span/pairs.h"

#include <stdio.h>
#include <string.h>

#include <linux/futex.h>
#include <linux/types.h>

#include "bpf/span_wire.h"
#include "event/syscall_nr.h"

static void put_call(struct strbuf *out, uint64_t own, const char *format)
{
	int64_t nr = (int64_t)(int32_t)own;
	const char *name =
		own & WIRE_SPAN_COMPAT ? syscall_nr__compat_name(nr) : syscall_nr__name(nr);

	if (name)
		strbuf__puts(out, name);
	else
		strbuf__put_s64(out, nr);
	if (own & WIRE_SPAN_COMPAT)
		strbuf__puts(out, " (32-bit)");
}

/* The name that the print format of the event has for a number: { 1, "TIMER" }. */
static void put_symbol(struct strbuf *out, uint64_t own, const char *format)
{
	char wanted[32];
	const char *at;

	snprintf(wanted, sizeof(wanted), "{ %llu, \"", (unsigned long long)own);
	at = strstr(format, wanted);
	if (!at) {
		strbuf__put_u64(out, own);
		return;
	}
	at += strlen(wanted);
	strbuf__add(out, at, strcspn(at, "\""));
}

#define TEXT_OF(number) #number
#define OP(number) "op == " TEXT_OF(number)
/* An operation with each of its flags: private, and by the real-time clock. */
#define EACH_OP(number, private, realtime, both)                                                   \
	OP(number) " || " OP(private) " || " OP(realtime) " || " OP(both)
_Static_assert(FUTEX_WAIT == 0 && FUTEX_LOCK_PI == 6 && FUTEX_WAIT_BITSET == 9 &&
		       FUTEX_WAIT_REQUEUE_PI == 11 && FUTEX_PRIVATE_FLAG == 128 &&
		       FUTEX_CLOCK_REALTIME == 256,
	       "the operations that wait, in the filter below");
#define FUTEX_WAITS                                                                                \
	EACH_OP(0, 128, 256, 384)                                                                  \
	" || " EACH_OP(6, 134, 262, 390) " || " EACH_OP(9, 137, 265, 393) " || " EACH_OP(          \
		11, 139, 267, 395) " || " EACH_OP(13, 141, 269, 397)

/*
 * prev_state: 0 and 256 (preempted) are those of a task that could go on. The idle tasks, which all
 * have the id 0, wait for nothing.
 */
#define STILL_RUNNABLE "prev_pid != 0 && (prev_state == 0 || prev_state == 256)"

/* clang-format off */
const struct pair known_pairs[] = {
	{ .name = "syscalls",
	  .help = "system calls, from entry to return; syscalls:NAME: one call",
	  .from = { { "raw_syscalls:sys_enter", "thread", NULL, false } },
	  .to = { { "raw_syscalls:sys_exit", "thread", NULL, false } },
	  .fields = { { "id", "from.id" } },
	  .own = "from.id", .put_own = put_call,
	  .is_of_task = true, .stays = true, .stays_by_thread = true, .counts_calls = true },
	{ .name = "runq",
	  .help = "threads that wait for a CPU: from waking or preemption to running",
	  .from = { { "sched:sched_wakeup", "pid", NULL, false },
		    { "sched:sched_wakeup_new", "pid", NULL, false },
		    { "sched:sched_switch", "prev_pid", STILL_RUNNABLE, false } },
	  .to = { { "sched:sched_switch", "next_pid", "next_pid != 0", false } },
	  .fields = { { "comm", "to.next_comm" }, { "tid", "to.next_pid" },
		      { "prio", "to.next_prio" } },
	  .thread = "next_pid", .comm = "next_comm",
	  .is_of_woken = true, .stays = true, .stays_by_thread = true, .first = true },
	{ .name = "block:queue",
	  .help = "requests of block devices: from the queue to the driver",
	  .from = { { "block:block_rq_insert", "dev,sector", NULL, false } },
	  .to = { { "block:block_rq_issue", "dev,sector", NULL, false } } },
	{ .name = "block:device",
	  .help = "requests of block devices: from the driver to completion",
	  .from = { { "block:block_rq_issue", "dev,sector", NULL, false } },
	  .to = { { "block:block_rq_complete", "dev,sector", NULL, false } } },
	{ .name = "irq",
	  .help = "handlers of interrupts",
	  .from = { { "irq:irq_handler_entry", "cpu,irq", NULL, false } },
	  .to = { { "irq:irq_handler_exit", "cpu,irq", NULL, false } },
	  .own = "from.irq", .stays = true },
	{ .name = "softirq:wait",
	  .help = "softirqs, from raising to their handler",
	  .from = { { "irq:softirq_raise", "cpu,vec", NULL, false } },
	  .to = { { "irq:softirq_entry", "cpu,vec", NULL, false } },
	  .own = "from.vec", .put_own = put_symbol, .first = true },
	{ .name = "softirq:run",
	  .help = "handlers of softirqs",
	  .from = { { "irq:softirq_entry", "cpu,vec", NULL, false } },
	  .to = { { "irq:softirq_exit", "cpu,vec", NULL, false } },
	  .own = "from.vec", .put_own = put_symbol, .stays = true },
	{ .name = "workqueue:wait",
	  .help = "work of the kernel, from queueing to its start",
	  .from = { { "workqueue:workqueue_queue_work", "work", NULL, false } },
	  .to = { { "workqueue:workqueue_execute_start", "work", NULL, false } },
	  .own = "from.function", .own_is_function = true },
	{ .name = "workqueue:run",
	  .help = "work of the kernel, from its start to its end",
	  .from = { { "workqueue:workqueue_execute_start", "work", NULL, false } },
	  .to = { { "workqueue:workqueue_execute_end", "work", NULL, false } },
	  .own = "from.function", .own_is_function = true },
	{ .name = "timer:wheel",
	  .help = "functions of expired timers",
	  .from = { { "timer:timer_expire_entry", "timer", NULL, false } },
	  .to = { { "timer:timer_expire_exit", "timer", NULL, false } },
	  .own = "from.function", .own_is_function = true },
	{ .name = "timer:hr",
	  .help = "functions of expired high-resolution timers",
	  .from = { { "timer:hrtimer_expire_entry", "hrtimer", NULL, false } },
	  .to = { { "timer:hrtimer_expire_exit", "hrtimer", NULL, false } },
	  .own = "from.function", .own_is_function = true },
	{ .name = "futex",
	  .help = "waits in futex(2) and its kin",
	  .from = { { "syscalls:sys_enter_futex", "thread", FUTEX_WAITS, false },
		    { "syscalls:sys_enter_futex_wait", "thread", NULL, true },
		    { "syscalls:sys_enter_futex_waitv", "thread", NULL, true } },
	  .to = { { "syscalls:sys_exit_futex", "thread", NULL, false },
		  { "syscalls:sys_exit_futex_wait", "thread", NULL, true },
		  { "syscalls:sys_exit_futex_waitv", "thread", NULL, true } },
	  .is_of_task = true, .stays = true, .stays_by_thread = true },
	{ .name = "lock:contention",
	  .help = "waits for locks of the kernel (Linux 5.19)",
	  .from = { { "lock:contention_begin", "thread,lock_addr", NULL, false } },
	  .to = { { "lock:contention_end", "thread,lock_addr", NULL, false } },
	  .is_of_task = true, .first = true },
	{ .name = "page-fault",
	  .help = "page faults, by the function of the kernel that handles them (where it has "
		  "kprobes)",
	  .from = { { "f:handle_mm_fault", "thread", NULL, false } },
	  .to = { { "f:handle_mm_fault($ret)", "thread", NULL, false } },
	  .is_of_task = true },
	{ .name = "net",
	  .help = "received packets, from the network's softirq to the copy into a reader's buffer",
	  .from = { { "net:netif_receive_skb", "skbaddr", NULL, false } },
	  .to = { { "skb:skb_copy_datagram_iovec", "skbaddr", NULL, false } },
	  .is_of_ender = true },
	{ .name = NULL },
};
/* clang-format on */

bool pair__is_named(const struct pair *pair, const char *word)
{
	size_t len = strlen(word);

	return strncmp(pair->name, word, len) == 0 && (!pair->name[len] || pair->name[len] == ':');
}

/* texts: the names of the pair, of its start and of its end. */
static struct pair pair_of_thread(struct strbuf texts[3], bool stays)
{
	return (struct pair){
		.name = strbuf__cstr(&texts[0]),
		.from = { { strbuf__cstr(&texts[1]), "thread", NULL, false } },
		.to = { { strbuf__cstr(&texts[2]), "thread", NULL, false } },
		.is_of_task = true,
		.stays = stays,
		.stays_by_thread = stays,
	};
}

bool pair__of_syscall(struct pair *pair, const char *word, struct strbuf texts[3])
{
	const char *name = strchr(word, ':');

	if (strncmp(word, "syscalls:", 9) != 0 || !name[1])
		return false;
	strbuf__puts(&texts[0], word);
	strbuf__printf(&texts[1], "syscalls:sys_enter_%s", name + 1);
	strbuf__printf(&texts[2], "syscalls:sys_exit_%s", name + 1);
	*pair = pair_of_thread(texts, true);
	return true;
}

bool pair__of_function(struct pair *pair, const char *word, struct strbuf texts[3])
{
	bool is_user = !strncmp(word, "u:", 2);
	const char *args = strrchr(word, '(');
	int len = (int)(args ? args - word : (ptrdiff_t)strlen(word));

	if ((!is_user && strncmp(word, "f:", 2) != 0) || strpbrk(word, "*?["))
		return false;
	strbuf__printf(&texts[0], "%.*s", len, word);
	strbuf__puts(&texts[1], word);
	strbuf__printf(&texts[2], "%.*s(duration)", len, word);
	/* An interrupt may run a function of the kernel within another call of it. */
	*pair = pair_of_thread(texts, is_user);
	return true;
}
