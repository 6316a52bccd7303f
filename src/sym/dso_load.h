/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* Reading all that names one file's functions: the file, its debug file, or what it carries. */
#ifndef BPFPERF_SYM_DSO_LOAD_H
#define BPFPERF_SYM_DSO_LOAD_H

#include <pthread.h>

#include "sym/ahead.h"
#include "sym/elf_syms.h"
#include "sym/inlines.h"

struct dso_load {
	struct ahead_job job; /* first: runs dso_load__run() */
	/* The input; none of it is owned. */
	struct elf_image img;
	const char *path;
	int root_fd; /* of the tree it was found in; -1: ours */
	int debug_fd; /* the debug file, where it is open already, or -1 */
	bool want_inlines; /* its DWARF too */
	bool want_lines;
	size_t *budget; /* bytes that may still be read ahead of being asked for; NULL: no limit */
	/* Bytes of the file whose inlined functions will be asked for: dso_load__want(). */
	pthread_mutex_t lock; /* of the two below */
	uint64_t *wanted;
	size_t wanted_cnt, wanted_cap;
	/* The result; the caller owns it. */
	bool was_run;
	bool is_done; /* false: the budget was used up, or it is no ELF file */
	struct elf_syms syms;
	struct sym_build_id build_id;
	bool has_dwarf, debug_has_dwarf;
	struct inlines *inlines; /* NULL: none, or not wanted */
	int new_debug_fd; /* opened here, or -1 */
};

/*
 * Fills what was found, the first time, and reads what was inlined where it is wanted by then.
 * Touches nothing but its dso_load, so that it may run in a thread.
 */
void dso_load__run(struct ahead_job *job);
/* How many wait now. By another thread at any time; the job is to be queued after it. */
size_t dso_load__want(struct dso_load *load, uint64_t file_off);
/* Frees what dso_load__want() kept. */
void dso_load__free_wanted(struct dso_load *load);
/* Opens the debug file of an open file: in its own tree, then in ours. -1: none. */
int dso_load__open_debug(const struct elf_file *file, const char *path, int root_fd);

#endif
