/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kernel types that BPF objects are fitted to when they are loaded. */
#ifndef BPFPERF_SESSION_KERNEL_BTF_H
#define BPFPERF_SESSION_KERNEL_BTF_H

/*
 * What to open BPF objects with (bpf_object_open_opts.btf_custom_path). NULL:
 * the kernel's own types. Where the kernel offers none (FEATURE_BTF) this is
 * a file of no types, good for the programs that need none: without it libbpf
 * loads no object that has other programs too, wanted or not.
 */
const char *kernel_btf__path(void);

#endif
