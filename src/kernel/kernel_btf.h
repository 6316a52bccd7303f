/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kernel types against which BPF objects are relocated when they are loaded. */
#ifndef BPFPERF_KERNEL_KERNEL_BTF_H
#define BPFPERF_KERNEL_KERNEL_BTF_H

#include <stdbool.h>

/*
 * Takes the types from a file from now on (--btf): BTF, raw or in an ELF file, of the running
 * kernel. 0, or -EINVAL after one sentence. `path` is kept by reference.
 */
int kernel_btf__use(const char *path);
/* Are any types available: the kernel's own, or those of a file? */
bool kernel_btf__have_types(void);
/* Returns the path given, or NULL. */
const char *kernel_btf__file(void);

/*
 * The path to open BPF objects with (bpf_object_open_opts.btf_custom_path). NULL: the kernel's own
 * types. It is the file of these where this user may not list the types of modules. Without them
 * (FEATURE_BTF) and without --btf, it is a file of no types, for programs that need none: without
 * it libbpf loads no object that also has other programs, wanted or not.
 */
const char *kernel_btf__path(void);

#endif
