/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * libcapstone, a disassembler, loaded where it is installed. It is no part of the build: the few
 * calls that are needed have been the same in its versions 4 and 5, except for one array.
 */
#ifndef BPFPERF_ANNOTATE_CAPSTONE_H
#define BPFPERF_ANNOTATE_CAPSTONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/strbuf.h"

/*
 * Loads the library, from the system's directories. Call it before reader__start(): readers
 * inherit it, and cannot open files. false: it is not installed.
 */
bool capstone__load(void);
/* Returns whether capstone__load() has found it, in this process or before it was forked. */
bool capstone__is_loaded(void);

/* A disassembler for one architecture. */
struct capstone {
	size_t handle;
	uint8_t step; /* bytes to go on by where no instruction is: its shortest */
};

/*
 * Opens a disassembler for a machine of ELF (EM_…). 0, or -ENOTSUP: the library does not know the
 * machine.
 */
int capstone__open(struct capstone *c, uint16_t machine, bool is_64bit, bool is_big_endian);
/*
 * Disassembles the instruction at code, sz bytes of which can be read; addr is its address. Puts
 * its text, "mov    %rax,%rbx". Returns its length in bytes; 0: it is none.
 */
size_t capstone__insn(const struct capstone *c, const uint8_t *code, size_t sz, uint64_t addr,
		      struct strbuf *text);
void capstone__close(struct capstone *c);

#endif
