/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The instructions of a file: a probe has to be placed where one begins. Runs in readers. */
#ifndef BPFPERF_PROBE_CODE_INSNS_H
#define BPFPERF_PROBE_CODE_INSNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/elf_file.h"

/* The file's offset of an address of its code. false: the file does not have it. */
bool code_insns__offset(const struct elf_file *elf, uint64_t vaddr, uint64_t *off);
/* Reads the bytes from an address on. Returns their number, at most sz; 0: the file has none. */
size_t code_insns__read(const struct elf_file *elf, uint64_t vaddr, uint8_t *bytes, size_t sz);
/* May no probe be placed there? One that the kernel refuses takes the rest of a glob along. */
bool code_insns__refused(const struct elf_file *elf, uint64_t vaddr);
/*
 * Is the address within an instruction, and not its first byte? *start: the address of this
 * instruction. begin is that of one before it. Where a byte in between is no instruction that is
 * known, the answer is no.
 */
bool code_insns__within(const struct elf_file *elf, uint64_t begin, uint64_t vaddr,
			uint64_t *start);

/*
 * May a branch of the function from begin to end, with a target of its own, lead to vaddr? So may a
 * branch behind an instruction that is not known, or of a very long function.
 */
bool code_insns__may_reach(const struct elf_file *elf, uint64_t begin, uint64_t end,
			   uint64_t vaddr);

#endif
