/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Capabilities that a run keeps after attaching. docs/security.md names each with its reason; what
 * is not named there is given up.
 */
#ifndef BPFPERF_KERNEL_CAPABILITIES_H
#define BPFPERF_KERNEL_CAPABILITIES_H

#include <stdbool.h>

enum capability_needs {
	/* Reads files of other users, by path. */
	CAPABILITY_READ_FILES = 1 << 0,
	/* Looks into other processes: /proc/PID/maps, map_files, root; reads kernel symbols. */
	CAPABILITY_SEE_TASKS = 1 << 1,
	/* Uses BPF maps, and runs the program that empties the batches. */
	CAPABILITY_BPF = 1 << 2,
	/* Renames and creates output files in directories of other users. */
	CAPABILITY_WRITE_FILES = 1 << 3,
	/* Asks for all BPF programs: each file begins with their names. */
	CAPABILITY_BPF_IDS = 1 << 4,
	/* Opens counters of all tasks again, also with a mapped page for each. */
	CAPABILITY_COUNT_AGAIN = 1 << 5,
	/* Starts CMD as another user again. */
	CAPABILITY_BECOME_USER = 1 << 6,
	/* Reads kernel symbols, of CAPABILITY_SEE_TASKS. */
	CAPABILITY_KERNEL_NAMES = 1 << 7,
};

/*
 * Gives up, in each thread of the process, the capabilities without which it can do what it needs:
 * a set of enum capability_needs. The bounding set stays, so that a program that root executes has
 * all of them. If the kernel refuses, the thread keeps what it has.
 */
void capabilities__keep(unsigned int needs);
/*
 * For a process of one thread: keeps, for good, what reading files of all users and kernel symbols
 * needs; a program that is executed gains nothing. Where root reads, the rights to files are those
 * of the user and the group that own nothing; with starts_programs these are all its ids, so that
 * programs have them, too. 0, or -errno: it may have less than it needs, or more.
 */
int capabilities__keep_to_read(bool starts_programs);
/* capabilities__keep() for a process of one thread, which keeps CAPABILITY_READ_FILES. */
void capabilities__keep_to_detach(void);

#endif
