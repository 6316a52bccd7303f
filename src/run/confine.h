/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A process that reads a recording, a profile or a text of others gives up its privileges before it
 * looks at the bytes. docs/security.md names those that are left.
 */
#ifndef BPFPERF_RUN_CONFINE_H
#define BPFPERF_RUN_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Leaves the process, for good, what reading files and writing to open descriptors needs: two
 * capabilities to read, no file of root to write to, and a list of system calls, among them none
 * that creates files, starts programs, connects, or sends signals to others.
 *
 * To be called when the output is open, the host of readers is started (reader/reader.h), and no
 * thread is yet. starts_programs: the list has what bpfperf-itrace needs, too; programs inherit
 * the list, and gain nothing. 0, or -errno, logged.
 */
int confine__to_reading(bool starts_programs);
/* Is the system call on the list, with some arguments at least? For tests. */
bool confine__allows(uint32_t nr);

#endif
