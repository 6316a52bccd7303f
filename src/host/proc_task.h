/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * State of processes and threads in /proc. The files of a process describe its first thread. If
 * that thread has ended before the others (pthread_exit() in main), the process goes on, but its
 * directory shows state Z, no maps and no root.
 */
#ifndef BPFPERF_HOST_PROC_TASK_H
#define BPFPERF_HOST_PROC_TASK_H

#include <stdbool.h>
#include <stdint.h>

/* Is the thread alive? A zombie is not, whether or not its parent has waited for it. */
bool proc_task__runs(int32_t tid);
/* Does the process have a thread that is alive? */
bool proc_task__process_runs(int32_t pid);
/* The thread's time on CPUs so far, in ns, as its scheduler counts it. 0 or -errno. */
int proc_task__cpu_ns(int32_t tid, uint64_t *cpu_ns);
/*
 * Cuts a thread's name from /proc (comm, without the newline) to the name that records have: in
 * /proc the names of kernel threads are not truncated, and a worker's name is followed by its
 * current work.
 */
void proc_task__cut_comm(char *comm);
/*
 * Returns a thread of the process with a usable directory in /proc: pid, or one that outlives the
 * first thread.
 */
int32_t proc_task__live_thread(int32_t pid);

#endif
