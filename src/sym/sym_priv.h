/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Shared by the files of sym.h: sym.c, sym_maps.c and sym_forget.c track processes, sym_name.c
 * names places.
 */
#ifndef BPFPERF_SYM_SYM_PRIV_H
#define BPFPERF_SYM_SYM_PRIV_H

#include "lang/codes.h"
#include "sym/dso.h"
#include "sym/kallsyms.h"
#include "sym/ksyms.h"
#include "sym/procs.h"
#include "sym/sym.h"

/* A place: the dso's index in the upper bits, the offset in it below. */
#define PLACE_OFF_BITS 48
#define PLACE_OFF_MASK ((1ULL << PLACE_OFF_BITS) - 1)

struct sym {
	struct sym_options options;
	struct kallsyms kernel;
	struct ksyms ksyms;
	struct maps *kernel_maps; /* recorded mappings of kernel code; NULL: none */
	struct maps *kernel_files; /* likewise, of modules, by path; with options.kernel_paths */
	struct dsos dsos;
	struct procs procs;
	int64_t begin_real_ns; /* CLOCK_REALTIME when it was created */
	bool knows_kernel; /* sym__set_recorded_kernel() was called */
	struct sym_build_id kernel_id; /* length 0: unknown, or not asked for yet */
	struct codes codes;
	uint32_t code_dso; /* that of codes; 0: none was met yet */
	uint64_t now_ns; /* sym__set_time() */
	bool has_dump; /* of a JIT compiler: places depend on now_ns */
	void (*on_dump)(void *ctx, int32_t pid); /* sym__tell_dumps(); NULL: nothing is told */
	void *on_dump_ctx;
	uint32_t jit_cnt; /* number of processes with a JIT compiler */
};

/* NULL: no memory. A process without a record so far is read from /proc now, if it still runs. */
struct proc *sym__proc(struct sym *sym, int32_t pid);
/* Adds the mapping to the process's, and its file to the files that were met. */
void sym__insert_map(struct sym *sym, struct proc *proc, const struct sym_map *map);
/* Adds the mappings of a running process, which /proc tells. 0 or -errno. */
int sym__read_maps(struct sym *sym, struct proc *proc);
/* Inserts those that waited; before proc->maps, proc->program or its JIT compiler are looked at. */
void sym__settle_maps(struct sym *sym, struct proc *proc);
/* The dso of interpreted functions, created at the first call. */
uint32_t sym__code_dso(struct sym *sym);

/* A JIT compiler maps its dump, so that its path is known. */
void sym__note_dump(struct sym *sym, struct proc *proc, const struct sym_map *map,
		    const struct dso_site *site);
/*
 * Finds code of a JIT compiler in a recording by its dump. 0: it is none, or is not in it. The dump
 * of a process that runs is read when its functions are named.
 */
uint64_t sym__place_in_dump(struct sym *sym, const struct proc *proc, const struct map *map,
			    uint64_t addr);

#endif
