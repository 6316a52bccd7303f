/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A dso is the origin of executable memory: a file, the vdso, a JIT compiler, or nothing that has
 * names. A file is found again in the name space of the process that mapped it, and never taken
 * for another that came to stand in its place.
 */
#ifndef BPFPERF_SYM_DSO_H
#define BPFPERF_SYM_DSO_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/ahead.h"
#include "sym/build_id.h"
#include "sym/dso_load.h"
#include "sym/elf_syms.h"
#include "sym/roots.h"
#include "util/texts.h"
#include "util/u64map.h"

enum dso_kind {
	DSO_OTHER, /* no names: "[vsyscall]", a foreign vdso */
	/* memory of no file: what JIT compilers write. Each process has a DSO_JIT for it */
	DSO_ANON,
	DSO_FILE,
	DSO_VDSO, /* ours: the same image in all processes of our ABI */
	DSO_JIT, /* one process's JIT-compiled functions; its offsets are addresses */
};

struct dso {
	enum dso_kind kind;
	const char *path; /* as the process saw it; owned */
	/* DSO_FILE: as in /proc/PID/maps and the records of mappings. */
	uint32_t maj, min;
	uint64_t ino;
	struct sym_build_id want_id; /* what the recording says it is; else maj, min, ino say it */
	int64_t mapped_real_ns; /* CLOCK_REALTIME: a file younger than this is another one */
	int32_t pid; /* DSO_JIT */
	uint32_t jit_parent; /* DSO_JIT: index of the one that the process was forked with, or 0 */
	uint8_t root; /* index among roots: where it was found */
	int fd; /* the file, or -1: not opened yet, or closed to save descriptors */
	int debug_fd; /* its debug file, alike */
	bool wants_ahead; /* dsos__go_ahead() has to do with it */
	bool wanted; /* an address in it was met, so the file was looked for */
	bool lost; /* and cannot be had any more, but for names that were read before */
	bool read; /* syms was filled, or could not be */
	bool has_dwarf, debug_has_dwarf;
	size_t mem_sz; /* of syms and inlines */
	uint64_t used_at; /* the table's clock when a name was last asked for */
	uint64_t read_sz; /* DSO_JIT: bytes of its map that were read */
	struct sym_build_id build_id; /* once read */
	struct dso_load *ahead; /* its symbols, being read or waiting for that; NULL: not so */
	struct elf_syms syms;
	struct inlines *inlines; /* read with syms, where wanted and there is DWARF */
	struct u64map named; /* address of a function → index into names: survives syms */
};

/* A mapping of a dso in a process, by which the right file is opened. */
struct dso_site {
	int32_t pid; /* 0: unknown */
	uint64_t start, end;
};

/* All dsos of a recording, by index: 0 is "[unknown]", at most DSO_MAX. */
#define DSO_MAX 0xffff
/*
 * The symbol tables of all files may take so much memory; beyond, the least recently used is freed.
 */
#define DSOS_MEM_MAX (32u << 20)

struct dsos {
	struct dso **dsos;
	uint32_t cnt;
	size_t cap;
	struct u64map by_key; /* hash of what identifies a dso → its index */
	struct roots roots;
	struct texts names; /* of functions, printed */
	int fds_left; /* how many more files may be held open */
	struct u64map demangled; /* linker's name, by index → what is printed, by index */
	bool raw_names; /* not demangled */
	bool inlines, lines; /* DWARF is wanted; its source positions too */
	bool offline; /* processes of the recording are none of this machine's now */
	size_t mem_sz, mem_max;
	struct ahead *ahead; /* NULL: nothing is read before it is asked for */
	bool some_want_ahead;
	size_t ahead_left; /* bytes that may be read so; the thread's */
	uint64_t clock, evicted; /* symbol tables that were dropped to be read again */
};

/* 0 or -ENOMEM. */
int dsos__init(struct dsos *dsos);
void dsos__free(struct dsos *dsos);
/*
 * The dso of a mapping, made where it is new; path and identity are copied. A file that our own
 * root does not show under that path (a container's, a deleted one) is opened now, while the
 * process lives. 0 ("[unknown]") where memory or indexes are used up.
 */
uint32_t dsos__intern(struct dsos *dsos, const struct dso *like, const struct dso_site *site);
/*
 * An address in it was met: opens the file now, since later it may be gone. Files are held
 * open up to a quarter of RLIMIT_NOFILE (at most 256) and opened by path again beyond that.
 */
void dsos__want(struct dsos *dsos, uint32_t idx, const struct dso_site *site);

/* Whether the file cannot be had any more: looks whether it was written to since it was mapped. */
bool dso__check_lost(struct dso *dso);

/* Begins to read the symbols of a file that is held open. */
void dsos__read_ahead(struct dsos *dsos, struct dso *dso);
/*
 * The functions at this byte will be asked for: what takes long of that is read ahead, many at
 * once.
 */
void dsos__will_name(struct dsos *dsos, uint32_t idx, uint64_t file_off);
/* Now, however few they are. */
void dsos__go_ahead(struct dsos *dsos);
/*
 * The function at byte file_off of the dso, demangled; reads its symbols the first time. The
 * same pointer each time, as long as `dsos`. NULL where there is none; *off is set to the bytes
 * into the function.
 */
const char *dsos__find(struct dsos *dsos, uint32_t idx, uint64_t file_off, uint64_t *off);
/* The file's own address of that byte, once its symbols were read; false: it has none there. */
bool dsos__vaddr(const struct dsos *dsos, uint32_t idx, uint64_t file_off, uint64_t *vaddr);
/* A copy of a text, the same pointer each time, as long as `dsos`. NULL: no memory. */
const char *dsos__kept(struct dsos *dsos, const char *text);
/* The printed form of a linker's name, kept in the same way. */
const char *dsos__demangled(struct dsos *dsos, const char *linker_name);
/* Opens the file for reading; the caller closes it. -1: it is none, or lost. */
int dsos__open_file(const struct dsos *dsos, uint32_t idx);
/* Our vDSO's image and its size, where this is one; else NULL. */
char *dsos__vdso(const struct dsos *dsos, uint32_t idx, size_t *sz);
/* Identity of the file, read where that is still to do; NULL: it has none, or is lost. */
const struct sym_build_id *dsos__build_id(struct dsos *dsos, uint32_t idx);

#endif
