/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Lists of the system calls that a process may make from now on: seccomp filters. */
#ifndef BPFPERF_READER_CALL_LIST_H
#define BPFPERF_READER_CALL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A system call that may be made. One argument is limited, if there is a mask, to `value` in the
 * bits of the mask, of its lower half; further rows of the call allow other values.
 */
struct call_row {
	uint32_t nr;
	uint32_t arg;
	uint32_t mask, value;
};

#define CALL_ANY_ARGS 0, 0, 0

/* Rows of a list, at most. */
#define CALL_ROWS_MAX 192
/* Calls from this number on have one number on all architectures: clone3(2), 5.3, is the first. */
#define CALL_NEW_NR 435

/*
 * Lets all threads of the process make the calls of the list alone, for good; exec does not change
 * that. Others fail with EPERM, from number `new_nr` on with ENOSYS: C libraries do without these.
 * A process that is not of this architecture's system calls is killed.
 *
 * 0 or -errno; -EINVAL or -ENOSYS: the kernel has no filters. Sets no_new_privs.
 */
int call_list__install(const struct call_row *rows, size_t cnt, uint32_t new_nr);
/* Is the system call on the list, with some arguments at least? */
bool call_list__has(const struct call_row *rows, size_t cnt, uint32_t nr);

#endif
