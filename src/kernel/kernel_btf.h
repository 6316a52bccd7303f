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
 * Returns the path to open BPF objects with (bpf_object_open_opts.btf_custom_path). NULL: libbpf
 * finds the kernel's own types. If this user may not list the types of modules, it is the file of
 * the kernel's own types. If there are neither these (FEATURE_BTF) nor a file of --btf, it is a
 * file without types, which serves the programs that need none: without it libbpf loads no object
 * that contains programs which need types, even if they are not loaded.
 */
const char *kernel_btf__path(void);

#endif
