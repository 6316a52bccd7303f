/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * What /proc says of a process is said of its first thread. Where that has ended before the others
 * (pthread_exit() in main), the process goes on, but has no state but Z, no maps and no root there.
 */
#ifndef BPFPERF_HOST_PROC_TASK_H
#define BPFPERF_HOST_PROC_TASK_H

#include <stdbool.h>
#include <stdint.h>

/* Has the thread not ended? A zombie has, whether or not its parent has asked for it. */
bool proc_task__runs(int32_t tid);
/* Has the process a thread that has not ended? */
bool proc_task__process_runs(int32_t pid);
/*
 * Cuts a thread's name as /proc has it (comm, without the newline) to the one that records have: there names of
 * kernel threads are whole, and behind a worker's stands what it works for.
 */
void proc_task__cut_comm(char *comm);
/* A thread of the process with a directory in /proc: pid, or one that outlives the first thread. */
int32_t proc_task__live_thread(int32_t pid);

#endif
