/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The functions of the kernel that ftrace knows: those to which many probes can be attached by one
 * link. The kernel takes long to write the list, so it is read once, and kept until bpfperf ends.
 */
#ifndef BPFPERF_PROBE_KERNEL_FUNCTIONS_H
#define BPFPERF_PROBE_KERNEL_FUNCTIONS_H

/* A function's name, and its module; NULL: it is the kernel's own. Not 0 ends the walk. */
typedef int (*kernel_function_fn)(void *ctx, const char *name, const char *module);

/*
 * Calls fn for each, until it returns other than 0, which is returned. -ENOENT or another error of
 * open(2): there is no list, or lockdown hides it; -ENOMEM.
 */
int kernel_functions__walk(kernel_function_fn fn, void *ctx);

#endif
