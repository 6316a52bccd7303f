/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * A dso is the origin of executable memory: a file, the vdso, a JIT compiler, or memory without
 * names. A file is found again in the name space of the process that mapped it, and is never
 * confused with another file that has replaced it.
 */
#ifndef BPFPERF_SYM_DSO_H
#define BPFPERF_SYM_DSO_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/ahead.h"
#include "sym/build_id.h"
#include "sym/dso_load.h"
#include "sym/elf_syms.h"
#include "sym/growing.h"
#include "sym/jit_dump.h"
#include "sym/jit_map.h"
#include "sym/roots.h"
#include "util/texts.h"
#include "util/u64map.h"

struct runtime;

enum dso_kind {
	DSO_OTHER, /* no names: "[vsyscall]", a foreign vdso */
	/* memory without a file, as written by JIT compilers; each process has a DSO_JIT for it */
	DSO_ANON,
	DSO_FILE,
	DSO_VDSO, /* our own vdso: the same image in all processes of our ABI */
	/* functions of interpreters, of all processes; offsets in it are places of lang/codes.h */
	DSO_CODE,
	DSO_JIT, /* one process's JIT-compiled functions; offsets in it are addresses */
	DSO_DUMP, /* a JIT compiler's dump (sym/jit_dump.h); offsets are those of the file */
};

struct dso {
	enum dso_kind kind;
	const char *path; /* as the process saw it; owned */
	/* DSO_FILE: as in /proc/PID/maps and in mmap records. */
	uint32_t maj, min;
	uint64_t ino; /* 0: a recording without it */
	/* the recorded build id; without one maj, min, ino identify the file */
	struct sym_build_id want_id;
	/*
	 * CLOCK_REALTIME: a file younger than this is a different one; DSO_JIT: a map older than
	 * this is of another process
	 */
	int64_t mapped_real_ns;
	int32_t pid; /* DSO_JIT */
	struct jit_owner owner; /* DSO_JIT: of the map that the process may write at its end */
	const struct runtime *runtime; /* DSO_JIT: that of the process; NULL: unknown */
	uint64_t unnamed; /* DSO_JIT: look-ups that found no name */
	uint32_t jit_parent; /* DSO_JIT: index of the parent process's dso at fork, or 0 */
	uint32_t jit_dump; /* DSO_JIT: index of the dump that its compiler is writing, or 0 */
	uint8_t root; /* index of the root in which it was found */
	int fd; /* the file, or -1: not opened yet, or closed to save descriptors */
	int debug_fd; /* its debug file, or -1 likewise */
	bool wants_ahead; /* dsos__go_ahead() must process it */
	bool wanted; /* an address in it was sampled, so the file was looked up */
	bool lost; /* the file is no longer available; only names already read remain */
	int64_t checked_real_ns; /* CLOCK_REALTIME: when that was last checked */
	bool read; /* syms was filled, or could not be */
	bool was_evicted; /* its tables were dropped to keep the limit of memory */
	uid_t file_uid; /* owner of the file, once it was read */
	size_t mem_sz; /* memory of syms and inlines, in bytes */
	size_t inlines_sz; /* of inlines among these */
	char *missing; /* which split DWARF could not be read, as the end of a sentence; owned */
	uint64_t used_at; /* value of dsos.clock at the last lookup of a name */
	uint64_t unused_since_ns; /* by dsos__sweep(); 0: something has mapped it since */
	struct jit_dump *dump; /* DSO_DUMP: NULL: it cannot be read */
	struct growing growing; /* DSO_JIT: its map; DSO_DUMP */
	struct sym_build_id build_id; /* valid once read */
	struct dso_load *ahead; /* pending load of its symbols; NULL: none */
	struct elf_syms syms;
	/* functions by frame information, for those without a symbol; read at the first need */
	struct symtab fdes;
	bool fdes_read;
	struct inlines *inlines; /* read together with syms, if enabled and the file has DWARF */
	/* file offsets of functions that will be named: dso_name__want() */
	uint64_t *wanted_offs;
	size_t wanted_cnt, wanted_cap;
	struct u64map named; /* address of a function → index into names; kept when syms is freed */
};

/* A mapping of a dso in a process, used to open the right file. */
struct dso_site {
	int32_t pid; /* 0: unknown */
	uint64_t start, end;
};

/* All dsos of a recording, by index: 0 is "[unknown]"; at most DSO_MAX. */
#define DSO_MAX 0xffff
/*
 * Memory limit of the symbol tables of all files; beyond it the least recently used one is freed.
 */
#define DSOS_MEM_MAX (32u << 20)

struct dsos {
	struct dso **dsos;
	uint32_t cnt;
	size_t cap;
	uint32_t *unused; /* indexes that dsos__sweep() has freed */
	uint32_t unused_cnt;
	uint32_t sweep_at; /* number of dsos from which on a sweep frees all that are unused */
	uint64_t keep_ns; /* how long it keeps the others */
	uint64_t swept_ns; /* time of the last one */
	struct u64map by_key; /* hash of a dso's identity → its index */
	struct roots roots;
	/* index of the root below which files are looked for, whatever their inodes; 0: none */
	uint8_t symfs;
	struct texts names; /* printed names of functions */
	int fds_left; /* number of further files that may be held open */
	bool with_data; /* name variables, too */
	bool raw_names; /* do not demangle */
	bool inlines, lines; /* read DWARF; also its source positions */
	bool offline; /* the recorded processes are not processes of this machine */
	size_t mem_sz, mem_max;
	struct ahead *ahead; /* NULL: symbols are read only on demand */
	bool some_want_ahead;
	size_t ahead_left; /* bytes that may still be read ahead; atomic */
	/* evicted: number of symbol tables that were dropped to be read again */
	uint64_t clock, evicted;
	uint64_t jit_read_cnt; /* number of times that maps of JIT compilers were read */
};

/* 0 or -ENOMEM. */
int dsos__init(struct dsos *dsos);
void dsos__free(struct dsos *dsos);
/*
 * Finds or creates the dso of a mapping; path and identity are copied. A file that our own root
 * does not show under that path (in a container, or deleted) is opened now, while the process
 * lives. Returns its index, or 0 ("[unknown]") if memory or indexes are used up.
 */
uint32_t dsos__intern(struct dsos *dsos, const struct dso *like, const struct dso_site *site);
/* Would dsos__intern() find it, without a look at the file? */
bool dsos__knows(const struct dsos *dsos, const struct dso *like);
/*
 * An address in the dso was sampled: opens the file now, since it may be deleted later. Up to a
 * quarter of RLIMIT_NOFILE (at most 256) files are held open; further ones are opened again by
 * path.
 */
void dsos__want(struct dsos *dsos, uint32_t idx, const struct dso_site *site);

/*
 * Is there something to free, or half a minute gone? To mark what is in use costs a look at each
 * mapping of each process.
 */
bool dsos__is_sweep_due(const struct dsos *dsos);
/*
 * Frees dsos with a 0 in `used` that have been unused for a minute (all of them if there are many),
 * for others to have their indexes: a file that was deleted takes space as long as it is open.
 * Texts of dsos__find(), dsos__kept() and dsos__printed() are freed once they take much memory: no
 * text of before may be used afterwards. Returns whether there was something to free.
 */
bool dsos__sweep(struct dsos *dsos, const uint8_t *used);

/*
 * The dump of a DSO_DUMP, opened and read at the first call, below symfs if that is set; that of a
 * process that runs is read again when it has grown. NULL: it cannot be read.
 */
const struct jit_dump *dsos__dump(struct dsos *dsos, uint32_t idx);
/*
 * Replaces a byte of JIT-compiled code of a process that runs by that of the dump that its compiler
 * writes. false: it has none there.
 */
bool dsos__to_dump(struct dsos *dsos, uint32_t *idx, uint64_t *file_off);
/* True if the file is no longer available: checks whether it was written to since it was mapped. */
bool dso__check_lost(struct dso *dso);
/* Likewise, unless the file was checked in the last 10 ms: for what is asked for each address. */
bool dso__check_lost_lately(struct dso *dso);
/* Likewise, unless the file was checked since that time (CLOCK_REALTIME). */
bool dso__check_lost_since(struct dso *dso, int64_t real_ns);

/* Starts reading the symbols of a file that is held open. */
void dsos__read_ahead(struct dsos *dsos, struct dso *dso);
/*
 * Announces a later lookup of the functions at this byte: the slow part is read ahead, in batches.
 */
void dsos__will_name(struct dsos *dsos, uint32_t idx, uint64_t file_off);
/* Starts reading the batch now, however small it is. */
void dsos__go_ahead(struct dsos *dsos);
/*
 * Finds the function at byte file_off of the dso, demangled; reads its symbols the first time.
 * Returns the same pointer until dsos__sweep(), up to which it is valid. NULL if there is none;
 * *off is set to the offset in the function, in bytes.
 */
const char *dsos__find(struct dsos *dsos, uint32_t idx, uint64_t file_off, uint64_t *off);
/* The size in bytes of the function that dsos__find() finds in the dso itself. 0: there is none. */
uint64_t dsos__size(struct dsos *dsos, uint32_t idx, uint64_t file_off);
/*
 * The origin of the names that dsos__find() finds there, as a letter: 'd' the file itself, 'b' its
 * debug file, 'j' a JIT compiler, '!' none.
 */
char dsos__origin(struct dsos *dsos, uint32_t idx, uint64_t file_off);
/*
 * After dsos__find() has found no function at byte file_off: its offset in the function that the
 * file's frame information describes there, in bytes. 0: unknown.
 */
uint64_t dsos__func_off(struct dsos *dsos, uint32_t idx, uint64_t file_off);
/*
 * Converts a file offset to the file's own virtual address, once its symbols are read; false: not
 * mapped.
 */
bool dsos__vaddr(const struct dsos *dsos, uint32_t idx, uint64_t file_off, uint64_t *vaddr);
/* Inlined functions were looked up: counts the memory that it took, and keeps to the limit. */
void dsos__looked_up(struct dsos *dsos, uint32_t idx);
/* Reads the file again: the process that had a part of it has ended. */
void dsos__read_again(struct dsos *dsos, uint32_t idx);
/* Interns a text: returns the same pointer until dsos__sweep(). NULL: no memory. */
const char *dsos__kept(struct dsos *dsos, const char *text);
/* Interns the printed form of a name, or the name if it has none, or names are not demangled. */
const char *dsos__printed(struct dsos *dsos, const char *name, const char *printed);
/* Opens the file for reading; the caller closes it. -1: it is not a file, or it is lost. */
int dsos__open_file(const struct dsos *dsos, uint32_t idx);
/* The image of our vDSO and its size, if the dso is the vDSO; else NULL. */
char *dsos__vdso(const struct dsos *dsos, uint32_t idx, size_t *sz);
/* Build id of the file, which is read if necessary; NULL: it has none, or the file is lost. */
const struct sym_build_id *dsos__build_id(struct dsos *dsos, uint32_t idx);

#endif
