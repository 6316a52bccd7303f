/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Arguments of the kernel's functions: their places at the entry, by the types of BTF. */
#ifndef BPFPERF_PROBE_KERNEL_ABI_H
#define BPFPERF_PROBE_KERNEL_ABI_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/btf_value.h"
#include "probe/regs.h"

struct btf_type;

/*
 * Locates a parameter of a function. Structures by value take registers as the calling convention
 * gives them, so that a parameter's register depends on all before it. false: the size of one of
 * them is not known.
 */
bool kernel_abi__param(const struct btf *btf, const struct btf_type *proto, uint32_t nth,
		       const struct probe_regs *regs, struct btf_value *v);
/* The value of an argument register by its number: the function's types are not known. */
void kernel_abi__number(const struct probe_regs *regs, uint32_t number, struct btf_value *v);

#endif
