/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Has all that is needed of one file read by readers: its functions, their DWARF. */
#ifndef BPFPERF_SYM_DSO_LOAD_H
#define BPFPERF_SYM_DSO_LOAD_H

#include <pthread.h>

#include "sym/ahead.h"
#include "sym/elf_syms.h"
#include "sym/inlines.h"
#include "sym/read_elf.h"

struct dso_load {
	struct ahead_job job; /* first: runs dso_load__run() */
	/* Input, not owned. */
	struct elf_image img;
	const char *path;
	int root_fd; /* root of the tree in which it was found; -1: ours */
	int debug_fd; /* the debug file if it is already open, or -1 */
	bool want_inlines; /* also read its DWARF */
	bool want_lines;
	bool want_data; /* also variables */
	size_t *budget; /* bytes that may still be read ahead; NULL: no limit */
	/* File offsets that will be named: dso_load__want(). */
	pthread_mutex_t lock; /* protects the next two members */
	uint64_t *wanted;
	size_t wanted_cnt, wanted_cap;
	/* Result, owned by the caller. */
	bool was_run;
	bool is_done; /* false: the budget was used up */
	struct elf_syms syms;
	struct sym_build_id build_id;
	struct inlines *inlines; /* NULL: none, or not requested */
	/* functions by frame information; read if one of the offsets has no symbol */
	struct symtab fdes;
	bool fdes_read;
	int new_debug_fd; /* opened by the load, or -1 */
};

/*
 * Reads the symbols the first time, and the inlined functions at the offsets requested so far; for
 * those without a symbol, what else tells of functions.
 * Accesses only its dso_load, so it can run in a thread.
 */
void dso_load__run(struct ahead_job *job);
/*
 * Adds an offset; returns the number of waiting ones. May be called by another thread at any time;
 * queue the job after it.
 */
size_t dso_load__want(struct dso_load *load, uint64_t file_off);
/* Frees the offsets added by dso_load__want(). */
void dso_load__free_wanted(struct dso_load *load);
/* Opens the debug file of the file with these heads: in its own tree, then in ours. -1: none. */
int dso_load__open_debug(enum reader_purpose purpose, const struct elf_heads *heads,
			 const char *path, int root_fd);

#endif
