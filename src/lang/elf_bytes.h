/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The bytes of an ELF file by their virtual addresses. */
#ifndef BPFPERF_LANG_ELF_BYTES_H
#define BPFPERF_LANG_ELF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

/* Reads bytes of the file by their virtual address. Returns how many there are. */
size_t elf_bytes__read(Elf *elf, int fd, uint64_t addr, void *buf, size_t sz);
/*
 * Puts the address of byte 0 of the file, as its code is mapped, among virtual addresses into
 * *base. False: the file has no code.
 */
bool elf_bytes__base(Elf *elf, uint64_t *base);

#endif
