/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* The instructions of a function, disassembled by a reader (reader/reader.h). */
#ifndef BPFPERF_ANNOTATE_DISASM_H
#define BPFPERF_ANNOTATE_DISASM_H

#include <stddef.h>
#include <stdint.h>

#include "reader/reader.h"
#include "util/strbuf.h"

/* A longer function is cut. */
#define DISASM_MAX_SZ (1u << 20)

struct disasm_insn {
	uint64_t addr;
	uint32_t len; /* bytes; 0: no instruction is here */
	uint32_t text; /* offset in disasm.texts, NUL-terminated; not escaped */
};

struct disasm {
	struct disasm_insn *insns; /* by address */
	size_t cnt;
	struct strbuf texts;
};

/* The bytes of a function. */
struct disasm_code {
	int fd; /* the ELF file, or -1: image has it */
	const void *image; /* a whole ELF file in memory, of image_sz bytes */
	size_t image_sz;
	uint64_t off, sz; /* in the file */
	uint64_t addr; /* of its first byte */
};

/* The reader's side, for tests: the request is a struct disasm_request, and an image behind it. */
extern const struct reader_op disasm_op;
struct disasm_request {
	uint64_t off, sz, addr; /* as in disasm_code; sz is at most DISASM_MAX_SZ */
};
/* Takes the answer apart; for tests. 0 or -errno. */
int disasm__take(struct disasm *d, const char *answer, size_t sz);
/*
 * Disassembles. 0; -ENOTSUP: the library does not know this machine; -ENOEXEC: the file is no ELF
 * file, or ends before; or an error of reader__call(). disasm__free() in any case.
 */
int disasm__read(struct disasm *d, const struct disasm_code *code);
void disasm__free(struct disasm *d);

#endif
