// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dso_load.h"

#include <stdlib.h>

#include "sym/debug_file.h"
#include "sym/gopclntab.h"
#include "sym/mini_debug.h"
#include "sym/plt.h"
#include "util/array.h"

int dso_load__open_debug(const struct elf_file *file, const char *path, int root_fd)
{
	int fd = debug_file__open(file, path, root_fd);

	return fd < 0 && root_fd >= 0 ? debug_file__open(file, path, -1) : fd;
}

/*
 * Adds the names of stripped functions: from the debug file, or else from .gnu_debugdata and, in a
 * program written in Go, from its own table.
 */
static int add_stripped(struct dso_load *load, const struct elf_file *file)
{
	struct elf_image img = { .fd = load->debug_fd };
	bool from_debug = false;
	struct elf_file debug;
	int err = 0;

	if (img.fd < 0)
		img.fd = load->new_debug_fd = dso_load__open_debug(file, load->path, load->root_fd);
	if (img.fd >= 0 && !elf_file__open(&debug, &img)) {
		load->debug_has_dwarf = debug.has_dwarf;
		from_debug = !file->has_symtab && debug.has_symtab;
		if (from_debug)
			err = elf_syms__add_debug(&load->syms, &debug, NAMES_DEBUG);
		elf_file__close(&debug);
	}
	if (!file->has_symtab && !from_debug)
		err = mini_debug__add(&load->syms, file);
	if (!err && !file->has_symtab && !from_debug)
		err = gopclntab__add(&load->syms, file);
	return err;
}

/* Reads the DWARF from whichever of the two files has it. */
static void open_inlines(struct dso_load *load)
{
	int debug_fd = load->debug_fd >= 0 ? load->debug_fd : load->new_debug_fd;

	if (load->has_dwarf)
		load->inlines = inlines__open(load->img.fd, load->want_lines);
	else if (load->debug_has_dwarf && debug_fd >= 0)
		load->inlines = inlines__open(debug_fd, load->want_lines);
}

size_t dso_load__want(struct dso_load *load, uint64_t file_off)
{
	size_t waiting;

	pthread_mutex_lock(&load->lock);
	/* Without memory it is read on demand. */
	if (!array__reserve((void **)&load->wanted, &load->wanted_cap, load->wanted_cnt + 1,
			    sizeof(*load->wanted)))
		load->wanted[load->wanted_cnt++] = file_off;
	waiting = load->wanted_cnt;
	pthread_mutex_unlock(&load->lock);
	return waiting;
}

void dso_load__free_wanted(struct dso_load *load)
{
	free(load->wanted);
	load->wanted = NULL;
	load->wanted_cnt = load->wanted_cap = 0;
}

static void read_wanted(struct dso_load *load)
{
	struct inline_frame frame;
	uint64_t *wanted, vaddr;
	size_t cnt, i;

	pthread_mutex_lock(&load->lock);
	wanted = load->wanted;
	cnt = load->wanted_cnt;
	load->wanted = NULL;
	load->wanted_cnt = load->wanted_cap = 0;
	pthread_mutex_unlock(&load->lock);
	for (i = 0; i < cnt && load->inlines; i++)
		if (elf_syms__to_vaddr(&load->syms, wanted[i], &vaddr))
			inlines__find(load->inlines, vaddr, INLINES_AHEAD, &frame, 1);
	free(wanted);
}

static void read_file(struct dso_load *load)
{
	struct elf_file file;
	size_t sz;
	int err;

	if ((load->budget && !__atomic_load_n(load->budget, __ATOMIC_RELAXED)) ||
	    elf_file__open(&file, &load->img))
		return;
	load->build_id = file.build_id;
	load->has_dwarf = file.has_dwarf;
	err = elf_syms__add_file(&load->syms, &file);
	if (!err && load->path && !(file.has_symtab && file.has_dwarf))
		err = add_stripped(load, &file);
	if (!err)
		plt__add(&load->syms, &file);
	elf_syms__finish(&load->syms, &file);
	elf_syms__take_segments(&load->syms, &file);
	elf_file__close(&file);
	if (load->want_inlines && load->img.fd >= 0)
		open_inlines(load);
	load->is_done = true;
	if (!load->budget)
		return;
	sz = elf_syms__mem_sz(&load->syms) + inlines__mem_sz(load->inlines);
	/* Only this thread reduces the budget. */
	*load->budget -= sz < *load->budget ? sz : *load->budget;
}

void dso_load__run(struct ahead_job *job)
{
	struct dso_load *load = (struct dso_load *)job;

	job->frees_much = !load->was_run;
	if (!load->was_run)
		read_file(load);
	load->was_run = true;
	read_wanted(load);
}
