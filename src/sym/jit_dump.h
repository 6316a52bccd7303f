/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * jit-PID.dump: JIT compilers (Node.js, the JVM's agent of perf, .NET, LLVM, Wasmtime) write each
 * function that they make to it: when, where, its name, its bytes and its source lines
 * (tools/perf/Documentation/jitdump-specification.txt). The process maps the file, so a recording
 * has its path. A byte of code is identified by its offset in the dump, so that functions that were
 * one after the other at one address stay apart.
 */
#ifndef BPFPERF_SYM_JIT_DUMP_H
#define BPFPERF_SYM_JIT_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/reader.h"
#include "sym/elf_syms.h"
#include "unwind/jit.h"

/* A function at an address, from a time on. */
struct jit_load {
	uint64_t time_ns; /* by the dump's clock */
	uint64_t addr, sz; /* in the process, in bytes */
	uint64_t off; /* of its bytes in the dump */
	uint32_t name; /* offset in jit_dump.texts */
	uint32_t is_moved; /* its bytes are those of another load */
};

/* A source line begins. */
struct jit_line {
	uint64_t off; /* of the byte in the dump */
	uint32_t line, file; /* file: offset in jit_dump.texts */
};

struct jit_dump {
	struct jit_load *loads; /* by address, then by time */
	size_t load_cnt;
	uint64_t *max_ends; /* for each load: the largest end of it and those before it */
	struct jit_line *lines; /* by offset */
	size_t line_cnt;
	struct unwind_jit *unwinds; /* of the functions that have unwinding information */
	size_t unwind_cnt;
	uint32_t machine; /* EM_… */
	char *texts; /* each ends with a NUL */
	size_t texts_sz;
	bool has_other_clock; /* times are not those of CLOCK_MONOTONIC */
};

#define JIT_DUMP_LOADS_MAX (1u << 20)
#define JIT_DUMP_LINES_MAX (4u << 20)
#define JIT_DUMP_TEXTS_MAX_SZ (256u << 20)

/* Is it the path of such a file? */
bool jit_dump__is(const char *path);
/* The process that writes it, by its path, as that process knows itself. */
int32_t jit_dump__pid(const char *path);
/*
 * Opens the dump at this path, below root_fd (-1: our own root). It must be a regular file, and the
 * one that was mapped: of this inode, or, where `ino` is 0, of a trusted owner (reader/reader.h).
 * -1 if there is none.
 */
int jit_dump__open(int root_fd, const char *path, uint64_t ino);
/* Has a reader read a dump. NULL and errno: EBADMSG if it is none. */
struct jit_dump *jit_dump__read(int fd);
void jit_dump__free(struct jit_dump *d);
/* EM_… of its code, which some compilers do not tell: then that of the process. */
uint16_t jit_dump__machine(const struct jit_dump *d, bool is_arm64);
/*
 * Finds the byte that was at addr at this time (0: at the end), and sets its offset in the dump.
 * false: there was no function.
 */
bool jit_dump__find(const struct jit_dump *d, uint64_t addr, uint64_t time_ns, uint64_t *off);
/* The source line of the byte at this offset, in the function of sz bytes from `start` on. */
const struct jit_line *jit_dump__line(const struct jit_dump *d, uint64_t start, uint64_t sz,
				      uint64_t off);
/* Adds all functions, by their offsets, to syms, which is empty, and finishes it. 0 or -ENOMEM. */
int jit_dump__syms(const struct jit_dump *d, struct elf_syms *syms);

/* The reader's side (sym/jit_dump_op.c); for tests. */
extern const struct reader_op jit_dump_op;
/* The op of a request, which may do without texts and lines (names false): all names are "". */
int jit_dump__run(struct reader_request *req, bool names, struct strbuf *answer);
/* Takes its answer apart. NULL: it is nonsense, or there is no memory. */
struct jit_dump *jit_dump__take(const char *answer, size_t sz);

#endif
