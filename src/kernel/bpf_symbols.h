/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The kernel code of the loaded BPF programs, which a recording lists before its first sample. */
#ifndef BPFPERF_KERNEL_BPF_SYMBOLS_H
#define BPFPERF_KERNEL_BPF_SYMBOLS_H

#include <stdint.h>

/*
 * Receives a compiled function: its address, size in bytes, and name in /proc/kallsyms. Returns 0
 * to go on.
 */
typedef int (*bpf_symbol_fn)(void *ctx, uint64_t addr, uint32_t len, const char *name);

/*
 * Calls fn for each function of each program; for none if that is not allowed or addresses are
 * hidden. Takes about 10 µs per program. Returns 0, the value fn returned, or -ENOMEM.
 */
int bpf_symbols__each(bpf_symbol_fn fn, void *ctx);

#endif
