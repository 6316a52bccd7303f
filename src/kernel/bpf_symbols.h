/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kernel code of the BPF programs that are loaded: a recording begins with it. */
#ifndef BPFPERF_KERNEL_BPF_SYMBOLS_H
#define BPFPERF_KERNEL_BPF_SYMBOLS_H

#include <stdint.h>

/*
 * A compiled function: its address, bytes, and its name in /proc/kallsyms. Returns 0 to continue.
 */
typedef int (*bpf_symbol_fn)(void *ctx, uint64_t addr, uint32_t len, const char *name);

/*
 * Calls fn for each function of each program; for none where that is not allowed, or addresses are
 * hidden. About 10 µs a program. 0, what fn returned, or -ENOMEM.
 */
int bpf_symbols__each(bpf_symbol_fn fn, void *ctx);

#endif
