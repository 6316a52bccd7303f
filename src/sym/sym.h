/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Address → name. Fed with the process events of the recording (which process mapped
 * what, forked, called exec, ended), so that a process is still named after
 * its exit; reads files and kallsyms lazily, caches per file.
 *
 * A user address means something only in its process and at its time. Both
 * are gone once it is a *place*: a file and an offset in it. Profiles are
 * keyed by places, so that they survive exec and exit, and the same function
 * is the same in every process.
 */
#ifndef BPFPERF_SYM_SYM_H
#define BPFPERF_SYM_SYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/build_id.h"
#include "util/strbuf.h"

struct sym;

struct sym_result {
	const char *name; /* function, demangled; NULL where only the file is known */
	/* "[kernel.kallsyms]", "[nf_tables]", "[vdso]", path of the file, or "[unknown]" */
	const char *module;
	uint64_t off; /* bytes into the function, or into the file (name == NULL) */
};

/* One of the functions that a single address is in: a function, and what was inlined into it. */
struct sym_frame {
	const char *name; /* as sym_result's */
	const char *module;
	uint64_t off; /* as sym_result's; of an inlined function: into the one that holds it */
	const char *file; /* source file and line of this address in this function; NULL: unknown */
	uint32_t line; /* 0: unknown */
	bool is_inlined; /* into the next frame */
};

/* Frames of one address at most; deeper inlining loses its outer inlined functions. */
#define SYM_FRAMES_MAX 32

/* A mapping, as in its record. */
struct sym_map {
	uint64_t time_ns; /* CLOCK_MONOTONIC; 0: now. A file younger than this is another one */
	uint64_t addr, len, pgoff; /* bytes; pgoff is the file offset of addr */
	uint32_t maj, min; /* device */
	uint64_t ino; /* 0: no file */
	const char *path; /* copied */
	bool is_data; /* not executable: it has a path, but no functions */
	/* Identifies the file in place of device and inode; NULL where the recording has none. */
	const struct sym_build_id *build_id;
};

/* Kernel code that came or went (BPF programs), as in its record. */
struct sym_ksymbol {
	uint64_t addr;
	uint32_t len; /* bytes */
	bool is_gone;
	const char *name; /* copied */
};

struct sym_options {
	bool inlines; /* sym__frames() gives what was inlined, where there is DWARF */
	bool lines; /* with inlines: source files and lines too */
	bool raw_names; /* as the linker knows them, not demangled */
	/*
	 * With inlines: names are those of binutils' addr2line, where it knows a line, which perf
	 * prints: plain ones without scopes, and for the function that holds the others that of the
	 * DWARF, which makes it one of the inlined where it is not the symbol's.
	 */
	bool as_addr2line;
	/*
	 * The samples come from a file: their processes are not this machine's, so only the files
	 * are looked for here, by their paths and identity. A mapping without a build-id is taken
	 * to be as old as the recording, since its clock may be of another boot.
	 */
	bool offline;
	int64_t recorded_real_ns; /* with offline: CLOCK_REALTIME of its end; 0: now */
	size_t mem_max; /* bytes of symbol tables and DWARF in memory; 0: 32 MiB */
};

struct sym_stats {
	size_t mem_sz; /* symbol tables and DWARF in memory, without the kernel's (6 MB) */
	uint64_t evicted; /* of files, dropped to keep to it, and read again when needed */
};

/* NULL and errno ENOMEM. Reads nothing yet. */
struct sym *sym__new(void);
void sym__free(struct sym *sym);
/* Before anything is named; without it all options are off. */
void sym__configure(struct sym *sym, const struct sym_options *options);

/*
 * Maps of a process that is there before the recording: reads /proc/PID/maps. -errno where it is
 * gone.
 */
int sym__add_process(struct sym *sym, int32_t pid);
/*
 * Every process of /proc, about 50 us each. A process that is met without this is read when it is
 * met.
 */
int sym__add_all_processes(struct sym *sym);

/*
 * Process events, in time order. pid is the thread group's: events of single threads are not
 * for here. exec begins with no mappings; exit keeps them for samples that come late.
 */
void sym__on_mmap(struct sym *sym, int32_t pid, const struct sym_map *map);
void sym__on_fork(struct sym *sym, int32_t pid, int32_t parent_pid);
void sym__on_exec(struct sym *sym, int32_t pid);
void sym__on_exit(struct sym *sym, int32_t pid);

void sym__on_ksymbol(struct sym *sym, const struct sym_ksymbol *ksymbol);
/*
 * Offline: the kernel of the recording, its build-id (NULL: unknown) and where its _text was (as
 * pgoff of the mapping "[kernel.kallsyms]_text" has it; 0: as now). Of another kernel
 * nothing is named.
 */
void sym__set_recorded_kernel(struct sym *sym, const struct sym_build_id *id, uint64_t text);
/* Process events were lost: reads the mappings of all that are known or live again. */
void sym__on_lost(struct sym *sym);

/* The place of a kernel address at this point of the stream: for most, the address. */
uint64_t sym__kernel_place(struct sym *sym, uint64_t addr);
/* The place of a user address at this point of the stream. Opens the file, reads no symbols. */
uint64_t sym__place(struct sym *sym, int32_t pid, uint64_t addr);

/*
 * This user place will be given to sym__frames() when the recording is over: what is slow of that
 * done in a thread, once many wait or sym__go_ahead() is called. To be said once of each place.
 */
void sym__will_name(struct sym *sym, uint64_t place);
void sym__go_ahead(struct sym *sym);

/*
 * Names one place: the function that is there, or its file. Strings are owned by sym and live as
 * long as it does. Results are stable: the same function gives the same pointers.
 */
void sym__kernel(struct sym *sym, uint64_t place, struct sym_result *res);
void sym__name(struct sym *sym, uint64_t place, struct sym_result *res);
/*
 * All functions of one place, innermost first: those that were inlined, by the file's DWARF, then
 * the one sym__name() gives. At most `max` (SYM_FRAMES_MAX are enough); how many, at least one.
 */
size_t sym__frames(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frames,
		   size_t max);
/* The function itself, without what was inlined and without a source line: no DWARF is read. */
void sym__function(struct sym *sym, bool is_kernel, uint64_t place, struct sym_frame *frame);
/* Identity of the file of a user place; NULL: it has none, or cannot be read. Lives as sym does. */
const struct sym_build_id *sym__build_id(struct sym *sym, uint64_t place);
/* The offset of a user place in its file. */
uint64_t sym__file_off(uint64_t place);
/* The number of its file: small, the same for all places in it; 0: none. */
uint32_t sym__file_idx(uint64_t place);
/*
 * Opens the file of a user place for reading; the caller closes it. -1: it has none, or it is lost.
 */
int sym__open_file(struct sym *sym, uint64_t place);
/*
 * The image of the vDSO, where the place is in it (its own, which is this machine's): NULL: it is
 * not.
 */
char *sym__vdso(struct sym *sym, uint64_t place, size_t *sz);
/* sym__place() and sym__name() in one. */
void sym__user(struct sym *sym, int32_t pid, uint64_t addr, struct sym_result *res);

/*
 * The name that profiles print: the function's name, "[libfoo.so+0x1234]" where only the file is
 * known, "[unknown]". Control characters are escaped.
 */
void sym_result__put(const struct sym_result *res, struct strbuf *sb);
void sym__stats(const struct sym *sym, struct sym_stats *stats);

#endif
