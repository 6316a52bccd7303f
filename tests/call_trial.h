/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Tries system calls that a process is not allowed to make, from the inside. */
#ifndef BPFPERF_TESTS_CALL_TRIAL_H
#define BPFPERF_TESTS_CALL_TRIAL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/strbuf.h"

/*
 * uretprobe(2) and uprobe(2) serve the kernel's own trampolines, and kill every other caller
 * (6.11, 6.18): the kernel does not ask filters about them (6.14).
 */
static bool call_trial__is_unfiltered(long nr)
{
#ifdef __x86_64__
	return nr == 335 || nr == 336;
#else
	return false;
#endif
}

/*
 * Makes each system call that is not allowed, with arguments that harm nothing where it is possible
 * after all. Appends the numbers of those that did not fail with EPERM, or with `other_err`.
 */
static void call_trial__run(bool (*allows)(uint32_t nr), int other_err, struct strbuf *made)
{
	long nr, bits[] = { 0, 0x40000000 };
	size_t i;

	for (i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		for (nr = 0; nr < 600; nr++) {
			if (!bits[i] && allows((uint32_t)nr))
				continue;
			if (call_trial__is_unfiltered(nr))
				continue;
			errno = 0;
			if (syscall(nr | bits[i], -1, -1, -1, -1, -1, -1) != -1 ||
			    (errno != EPERM && errno != other_err))
				strbuf__printf(made, " %ld", nr | bits[i]);
		}
}

#endif
