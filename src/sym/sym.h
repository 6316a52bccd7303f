/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Address → name. It receives the process events of the recording (mmap, fork, exec, exit), so that
 * a process can still be symbolized after its exit; it reads files and kallsyms lazily and caches
 * them.
 *
 * A user address has a meaning only in its process and at its time. It is therefore converted to a
 * *place*: a file and an offset in it. Profiles are keyed by places, so they survive exec and exit,
 * and a function has the same key in every process.
 */
#ifndef BPFPERF_SYM_SYM_H
#define BPFPERF_SYM_SYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/build_id.h"
#include "sym/named.h"
#include "util/strbuf.h"

struct recorded_kernel;
struct codes;
struct jit_dump;
struct runtime;
struct sym;

/* A mapping, as in its record. */
struct sym_map {
	uint64_t time_ns; /* CLOCK_MONOTONIC; 0: now. A file younger than this is a different one */
	uint64_t addr, len, pgoff; /* bytes; pgoff is the file offset of addr */
	uint32_t maj, min; /* device */
	uint64_t ino; /* 0: no file */
	const char *path; /* copied */
	bool is_data; /* not executable: it has a path, but no functions */
	bool is_shared; /* data of a file that processes share */
	bool is_own; /* memory of the process alone, without a file */
	/* Identifies the file instead of device and inode; NULL if the recording has none. */
	const struct sym_build_id *build_id;
};

/* Kernel code that was loaded or unloaded (BPF programs), as in its record. */
struct sym_ksymbol {
	uint64_t addr;
	uint32_t len; /* bytes */
	bool is_gone;
	const char *name; /* copied */
};

struct sym_options {
	bool inlines; /* sym__frames() returns inlined functions, if there is DWARF */
	bool lines; /* with inlines: also source files and lines */
	bool data; /* name variables, too */
	bool raw_names; /* linker names, not demangled */
	/*
	 * With inlines: if a source line is known, use the names of binutils' addr2line, like perf:
	 * plain names without scopes; for the enclosing function the name in the DWARF, which
	 * counts as inlined if it differs from the symbol's.
	 */
	bool as_addr2line;
	/*
	 * The samples come from a file: their processes are not processes of this machine, so only
	 * files are looked up here, by path and identity. A mapping without a build id is assumed
	 * to be as old as the recording, since its clock may be that of another boot.
	 */
	bool offline;
	/* Offline: files with the functions of the recorded kernel; NULL: not given. */
	const char *kallsyms, *vmlinux;
	/* Offline: files are looked for below this directory alone; NULL: not given. */
	const char *symfs;
	bool kernel_paths; /* Offline: modules are known by the paths of their files, too */
	bool no_kernel; /* the kernel's functions are not looked up */
	int64_t recorded_real_ns; /* with offline: CLOCK_REALTIME of the recording's end; 0: now */
	size_t mem_max; /* limit of memory for symbol tables and DWARF, in bytes; 0: 32 MiB */
};

struct sym_stats {
	size_t mem_sz; /* memory of symbol tables and DWARF, without the kernel's (6 MB) */
	/* number of files' tables dropped to keep the limit, and read again on demand */
	uint64_t evicted;
	uint64_t jit_read_cnt; /* number of times that maps of JIT compilers were read */
};

/* NULL and errno ENOMEM. Reads no files yet. */
struct sym *sym__new(void);
void sym__free(struct sym *sym);
/* Call before the first lookup; by default all options are off. */
void sym__configure(struct sym *sym, const struct sym_options *options);

/*
 * Reads the mappings of a process that is older than the recording from /proc/PID/maps. -errno if
 * it has exited.
 */
int sym__add_process(struct sym *sym, int32_t pid);
/*
 * Reads every process in /proc, about 50 us each. Without this call a process is read at its first
 * address.
 */
int sym__add_all_processes(struct sym *sym);

/*
 * Process events, in time order. pid is that of the thread group: events of single threads must not
 * be passed. exec begins with no mappings; exit keeps them for samples that come late.
 */
void sym__on_mmap(struct sym *sym, int32_t pid, const struct sym_map *map);
void sym__on_fork(struct sym *sym, int32_t pid, int32_t parent_pid);
void sym__on_exec(struct sym *sym, int32_t pid);
void sym__on_exit(struct sym *sym, int32_t pid);

void sym__on_ksymbol(struct sym *sym, const struct sym_ksymbol *ksymbol);
/*
 * Offline: the kernel of the recording (sym/kallsyms.h). Addresses of another kernel are not named.
 */
void sym__set_recorded_kernel(struct sym *sym, const struct recorded_kernel *kernel);
/* Returns whether sym__set_recorded_kernel() was called. */
bool sym__knows_kernel(const struct sym *sym);
/* Offline: kernel code that the recording has as a mapping, by the name of its file or module. */
void sym__on_kernel_mmap(struct sym *sym, const struct sym_map *map);
/* Process events were lost: reads the mappings of all known and all running processes again. */
void sym__on_lost(struct sym *sym);

/*
 * Offline: the time of the record that is being read, by CLOCK_MONOTONIC; 0: unknown. Of functions
 * that a JIT compiler wrote to one address one after the other (sym/jit_dump.h) it is the one of
 * this time.
 */
void sym__set_time(struct sym *sym, uint64_t time_ns);

/*
 * Live: fn is called for each process that is known to have mapped the dump of its JIT compiler,
 * and for those of which that becomes known later; NULL: no more.
 */
void sym__tell_dumps(struct sym *sym, void (*fn)(void *ctx, int32_t pid), void *ctx);

/* Bit of a user address that is no address, but a frame of an interpreter. */
#define SYM_CODE (1ull << 61)
/* The functions of interpreters, for definitions to be added. */
struct codes *sym__codes(struct sym *sym);

/*
 * The file that the functions of a kernel place are of, by their module: --vmlinux, or that of
 * the module. NULL: unknown, or not asked for (options.kernel_paths).
 */
const char *sym__kernel_path(const struct sym *sym, uint64_t place, const char *module);
/* The place of a kernel address at this point of the stream: for most, the address. */
uint64_t sym__kernel_place(struct sym *sym, uint64_t addr);
/*
 * The place of a user address, or of a frame of an interpreter, at this point of the stream. Opens
 * the file, but reads no symbols.
 */
uint64_t sym__place(struct sym *sym, int32_t pid, uint64_t addr);
/* Counts the changes after which sym__place() may have another result, but for SYM_CODE. */
uint64_t sym__change_cnt(const struct sym *sym);

/*
 * Announces that this user place will be passed to sym__frames() at the end of the recording: a
 * thread does the slow part, once many are waiting or sym__go_ahead() is called. Call it once for
 * each place.
 */
void sym__will_name(struct sym *sym, uint64_t place);
void sym__will_name_kernel(struct sym *sym, uint64_t place); /* likewise, of a kernel place */
void sym__go_ahead(struct sym *sym);

/*
 * Names one place: its function, or its file. Strings are owned by sym; they are valid, and the
 * same for a function, until sym__forget().
 */
void sym__kernel(struct sym *sym, uint64_t place, struct sym_result *res);
void sym__name(struct sym *sym, uint64_t place, struct sym_result *res);
/*
 * Finds all functions at one place, innermost first: inlined ones, from the file's DWARF, then the
 * function of sym__name(). At most `max` (SYM_FRAMES_MAX suffices); returns their number, at least
 * one.
 */
size_t sym__frames(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frames,
		   size_t max);
/* Finds the function alone, without inlined functions or a source line: does not read DWARF. */
void sym__function(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frame);
/*
 * The origin of the names at a place, as a letter: of the kernel 'k' (kallsyms) or 'v' (vmlinux),
 * of a program 'd' (the file itself), 'b' (its debug file), 'j' (a JIT compiler or interpreter),
 * '!' (none).
 */
char sym__origin(struct sym *sym, bool is_kernel, uint64_t place);
/* The size in bytes of the function that sym__function() finds at a place. 0: unknown. */
uint64_t sym__size(struct sym *sym, bool is_kernel, uint64_t place);
struct sym_mapping {
	uint64_t sz; /* bytes; 0: unknown */
	bool is_shared, is_own; /* as in struct sym_map */
};
/*
 * Finds the mapping that has the address at this point of the stream; of a kernel address in a
 * recording the code of the kernel, of a module or of a BPF program. All 0: there is none.
 */
void sym__mapping(struct sym *sym, bool is_kernel, int32_t pid, uint64_t addr,
		  struct sym_mapping *mapping);
/*
 * Build id of the file of a user place; NULL: it has none, or cannot be read. Valid as long as sym.
 */
const struct sym_build_id *sym__build_id(struct sym *sym, uint64_t place);
/*
 * Build id of the kernel: that of the recording, or live the running one's; NULL: unknown. Valid as
 * long as sym.
 */
const struct sym_build_id *sym__kernel_build_id(struct sym *sym);
/* The offset of a user place in its file. */
uint64_t sym__file_off(uint64_t place);
/* That offset as perf prints it: of an interpreted function the line. */
uint64_t sym__printed_off(const struct sym *sym, uint64_t place);
/*
 * Converts a user place to the address that the linker has given it. Reads the file's symbols;
 * false: the file cannot be read, or no segment has the place.
 */
bool sym__vaddr(struct sym *sym, uint64_t place, uint64_t *vaddr);
/* A small number that identifies the file of the place; 0: none. */
uint32_t sym__file_idx(uint64_t place);
/*
 * Opens the file of a user place for reading; the caller closes it. -1: it has none, or it is lost.
 */
int sym__open_file(struct sym *sym, uint64_t place);
/* The path or name of the file of a user place, as in sym_result.module; valid likewise. */
const char *sym__path(const struct sym *sym, uint64_t place);
/*
 * The program that the process runs, as a place: the first file that it mapped as code after its
 * exec. 0: unknown.
 */
uint64_t sym__program(struct sym *sym, int32_t pid);
/*
 * Offline: the dump of the process's JIT compiler, which it has mapped before (sym/jit_dump.h), and
 * a place in it, of its first byte. NULL: there is none, or it cannot be read. Valid as long as
 * sym.
 */
const struct jit_dump *sym__jit_dump(struct sym *sym, int32_t pid, uint64_t *file);
/* The image of the vDSO, if the place is in the vDSO of this machine; else NULL. */
char *sym__vdso(struct sym *sym, uint64_t place, size_t *sz);
/* Combines sym__place() and sym__name(). */
void sym__user(struct sym *sym, int32_t pid, uint64_t addr, struct sym_result *res);

/*
 * Calls fn for each process of a known runtime, if its compiled code had no name at some look-ups.
 */
void sym__each_unnamed(const struct sym *sym,
		       void (*fn)(void *ctx, const struct runtime *runtime, int32_t pid,
				  uint64_t cnt),
		       void *ctx);

/*
 * Calls fn for each file of which split DWARF could not be read that was asked for; missing: which,
 * as the end of a sentence.
 */
void sym__each_split_missing(const struct sym *sym,
			     void (*fn)(void *ctx, const char *path, const char *missing),
			     void *ctx);

/*
 * For runs that do not end: forgets files that no process has mapped, and kernel code that is gone.
 * No place and no text of before may be used afterwards.
 */
void sym__forget(struct sym *sym);

void sym__stats(const struct sym *sym, struct sym_stats *stats);

#endif
