/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BPFPERF_KERNEL_BPF_ERROR_H
#define BPFPERF_KERNEL_BPF_ERROR_H

/* Logs one sentence for a failed step of BPF: "cannot WHAT: why; remedy". */
void bpf_error__explain(const char *what, int err);

/* Prints libbpf's own messages from -vv on, and raises RLIMIT_MEMLOCK as far as allowed. */
void bpf_error__init(void);

#endif
