/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_KERNEL_BPF_ERROR_H
#define BPFPERF_KERNEL_BPF_ERROR_H

/* Logs one sentence for a failed step of BPF: "cannot WHAT: why; remedy". */
void bpf_error__explain(const char *what, int err);

/*
 * Checks the memory of a loaded skeleton, which the programs share. libbpf loads them without it
 * where its question whether the kernel can map it fails, for whatever cause. 0 or -EFAULT (not
 * logged).
 */
int bpf_error__check_mapped(const void *rodata, const void *bss);

/* Prints libbpf's own messages from -vv on, and raises RLIMIT_MEMLOCK as far as allowed. */
void bpf_error__init(void);

#endif
