/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kernel types that BPF objects are fitted to when they are loaded. */
#ifndef BPFPERF_KERNEL_KERNEL_BTF_H
#define BPFPERF_KERNEL_KERNEL_BTF_H

#include <stdbool.h>

/*
 * Types from a file from here on (--btf): BTF, raw or in an ELF file, of the
 * very kernel that runs. 0, or -EINVAL after one sentence. `path` is kept.
 */
int kernel_btf__use(const char *path);
/* Are there any types: the kernel's own, or the file's? */
bool kernel_btf__have_types(void);
/* The file given, or NULL. */
const char *kernel_btf__file(void);

/*
 * What to open BPF objects with (bpf_object_open_opts.btf_custom_path). NULL:
 * the kernel's own types; their file, where this user may not list those of modules. Where there are neither these (FEATURE_BTF) nor a file, it is
 * a file of no types, good for the programs that need none: without it libbpf
 * loads no object that has other programs too, wanted or not.
 */
const char *kernel_btf__path(void);

#endif
