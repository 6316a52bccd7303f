/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kinds of state that a thread's time is split into. At each moment a thread is in one of them.
 * Blocked threads are told apart by the kernel's functions on their stack.
 */
#ifndef BPFPERF_WHY_KIND_H
#define BPFPERF_WHY_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum why_kind {
	/*
	 * On a CPU. Samples tell the first four apart, tracepoints the time of interrupts, and the
	 * kernel's count of CPU time that of the hypervisor.
	 */
	WHY_USER,
	WHY_KERNEL,
	WHY_FAULT, /* memory is mapped at its first touch */
	WHY_SPIN, /* the kernel spins for a lock */
	WHY_IRQ,
	WHY_SOFTIRQ,
	WHY_STEAL, /* the hypervisor had the CPU */
	/* Runnable, and not on a CPU. */
	WHY_PREEMPTED, /* another task has the CPU */
	WHY_WOKEN, /* not yet on a CPU after its wakeup */
	WHY_THROTTLED, /* its control group has used up its CPU time */
	WHY_WAKING, /* woken, and not yet in the queue of a CPU; a part of the sums alone */
	/* Blocked. */
	WHY_DISK,
	WHY_SYNC, /* data is written to disk, because the thread asks for it */
	WHY_DIRTY, /* too much is to be written back, so writers wait */
	WHY_MAJOR_FAULT, /* a page is read from a file */
	WHY_SWAP,
	WHY_RECLAIM, /* there is no free memory, or none left of the control group's limit */
	WHY_FUTEX,
	WHY_KERNEL_LOCK,
	WHY_PIPE_READ,
	WHY_PIPE_WRITE,
	WHY_SOCKET,
	WHY_POLL,
	WHY_SLEEP,
	WHY_CHILD,
	WHY_EVENTFD,
	WHY_SIGNAL,
	WHY_IO_URING,
	WHY_IPC, /* System V semaphores and messages, POSIX message queues */
	WHY_FILE_LOCK,
	WHY_TERMINAL,
	WHY_STOPPED,
	WHY_TRACED,
	WHY_FROZEN,
	WHY_IDLE, /* a kernel thread without work */
	WHY_BLOCKED, /* by something else; the kernel's function tells more */
	WHY_UNKNOWN, /* the kernel did not trace what the thread did */
	WHY_KINDS,
};

/* How a kind is printed. */
struct why_kind_info {
	const char *name; /* in tables and JSON: "futex" */
	char group; /* 'r': on a CPU, 'q': runnable, 'b': blocked, 'i': blocked and idle */
};
extern const struct why_kind_info why_kinds[WHY_KINDS];

static inline bool why_kind__is_on_cpu(enum why_kind kind)
{
	return kind <= WHY_STEAL;
}

static inline bool why_kind__is_blocked(enum why_kind kind)
{
	return kind >= WHY_DISK && kind <= WHY_BLOCKED;
}

/* Does the wait begin wherever the thread happens to be? */
static inline bool why_kind__is_anywhere(enum why_kind kind)
{
	return kind == WHY_STOPPED || kind == WHY_FROZEN;
}

/* The meaning of a stack's kernel part. */
struct why_stack_facts {
	enum why_kind blocked; /* the kind, if the thread is off the CPU */
	enum why_kind on_cpu; /* the kind, if it is a sample of a running thread */
	bool is_interrupt; /* the stack is of an interrupt, and only by chance of this thread */
	const char *syscall; /* the part of the function's name behind sys_; NULL: no call */
	const char *function; /* blocked is WHY_BLOCKED: the function that waits, or NULL */
};

/*
 * names: the kernel's functions, innermost first; NULL: an unnamed one. The texts of facts point
 * into names.
 */
void why_stack_facts__read(const char *const *names, size_t cnt, struct why_stack_facts *facts);

/* Corrects the kind of a blocked thread by its state (enum wire_state). */
enum why_kind why_kind__by_state(enum why_kind kind, uint32_t state);

#endif
