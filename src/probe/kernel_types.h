/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * The types of functions of the kernel and of modules, by their BTF. It is read when it is first
 * needed, and kept: the terms of one command line ask one after the other.
 */
#ifndef BPFPERF_PROBE_KERNEL_TYPES_H
#define BPFPERF_PROBE_KERNEL_TYPES_H

#include <stddef.h>

struct btf;
struct btf_type;

/* The kernel's own types; NULL: there are none that libbpf can read. */
const struct btf *kernel_types__vmlinux(void);
/*
 * The prototype of a function, and in *btf its types. module: NULL for a function of the kernel
 * itself. NULL: the types of the function are not known; *btf is then those of the kernel or NULL.
 */
const struct btf_type *kernel_types__proto(const char *func, const char *module,
					   const struct btf **btf);

#endif
