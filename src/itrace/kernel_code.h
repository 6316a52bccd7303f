/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The kernel's code that a trace ran through: where the recording says that it was, its bytes from
 * the file that has them, and how it was changed while it ran.
 */
#ifndef BPFPERF_ITRACE_KERNEL_CODE_H
#define BPFPERF_ITRACE_KERNEL_CODE_H

#include "itrace/collect.h"

struct proc_event;
struct record;

/* Notes code of the kernel or of a module. 0 or -ENOMEM. */
int kernel_code__mmap(struct collect *c, const struct proc_event *ev);
/* Notes a change of code (PERF_RECORD_TEXT_POKE). 0 or -ENOMEM. */
int kernel_code__poke(struct collect *c, const struct record *rec);
/*
 * Once all is noted: copies the code into an image. kcore_fd: /proc/kcore, or -1. Without a file
 * that has the code, collect.kernel.problem says why. 0 or -ENOMEM.
 */
int kernel_code__find(struct collect *c, const struct sym_options *sym, int kcore_fd);

#endif
