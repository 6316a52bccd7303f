// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/dso_load.h"

#include <stdlib.h>
#include <unistd.h>

#include "sym/debug_file.h"
#include "sym/file_syms.h"
#include "util/array.h"

int dso_load__open_debug(enum reader_purpose purpose, const struct elf_heads *heads,
			 const char *path, int root_fd)
{
	int fd = debug_file__open(purpose, heads, path, root_fd, false);

	return fd < 0 && root_fd >= 0 ? debug_file__open(purpose, heads, path, -1, false) : fd;
}

/* Calls of the thread that reads ahead do not delay those that are needed now. */
static enum reader_purpose purpose_of(const struct dso_load *load)
{
	return load->job.is_ahead ? READER_AHEAD : READER_NAMES;
}

/* Has the DWARF read from whichever of the two files has it; else the tables of a Go program. */
static void open_inlines(struct dso_load *load, const struct elf_heads *heads, int debug_fd,
			 const struct elf_heads *debug)
{
	const struct elf_heads *of = heads->has_dwarf || !debug->has_dwarf ? heads : debug;
	struct inlines_file file = { .path = load->path, .root_fd = load->root_fd };

	if (!of->has_dwarf && !heads->has_go)
		return;
	file.fd = of == debug ? debug_fd : load->img.fd;
	file.alt_fd = debug_file__open_alt(purpose_of(load), file.fd, of);
	load->inlines = inlines__open(purpose_of(load), &file, load->want_lines);
	if (file.alt_fd >= 0)
		close(file.alt_fd);
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

/* A thread that cannot wait for ahead.h reduces the budget at the same time. */
static void take_budget(size_t *budget, size_t sz)
{
	size_t left = __atomic_load_n(budget, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(budget, &left, left - (sz < left ? sz : left), false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* For the names of functions without a symbol, if one of them is wanted. Costs a request a file. */
static void read_fdes(struct dso_load *load, const uint64_t *vaddrs, size_t cnt)
{
	size_t i;

	for (i = 0; i < cnt && symtab__find(&load->syms.tab, vaddrs[i]); i++)
		;
	if (i == cnt || load->fdes_read || load->img.fd < 0)
		return;
	/* Then it is read when its names are shown, and the limit of memory is looked at. */
	if (load->budget && !__atomic_load_n(load->budget, __ATOMIC_RELAXED))
		return;
	load->fdes_read = true;
	read_elf__fdes(purpose_of(load), load->img.fd, &load->fdes);
	if (load->budget)
		take_budget(load->budget, load->fdes.cap * sizeof(*load->fdes.entries));
}

static void read_wanted(struct dso_load *load)
{
	size_t cnt, known = 0, i;
	uint64_t *wanted;

	pthread_mutex_lock(&load->lock);
	wanted = load->wanted;
	cnt = load->wanted_cnt;
	load->wanted = NULL;
	load->wanted_cnt = load->wanted_cap = 0;
	pthread_mutex_unlock(&load->lock);
	for (i = 0; i < cnt; i++)
		known += elf_syms__to_vaddr(&load->syms, wanted[i], &wanted[known]);
	read_fdes(load, wanted, known);
	if (known && load->inlines)
		inlines__read(load->inlines, wanted, known);
	free(wanted);
}

/* The vDSO is the kernel's: no user can have written to it. */
static int read_memory(struct dso_load *load)
{
	struct elf_file file;
	int err = elf_file__open(&file, &load->img);

	if (err)
		return err;
	load->build_id = file.build_id;
	elf_file__close(&file);
	return file_syms__read(&load->syms, &load->img, -1, 0);
}

/* Has the file's heads read, its debug file found, and its functions and DWARF read. */
static int read_descriptor(struct dso_load *load)
{
	struct elf_heads heads, debug = { .debuglink = "" };
	bool is_stripped;
	int err = read_elf__heads(purpose_of(load), load->img.fd, &heads), fd = load->debug_fd;

	if (err)
		return err;
	load->build_id = heads.build_id;
	is_stripped = load->path && !(heads.has_symtab && heads.has_dwarf);
	if (is_stripped && fd < 0)
		fd = load->new_debug_fd =
			dso_load__open_debug(purpose_of(load), &heads, load->path, load->root_fd);
	if (is_stripped && fd >= 0 && read_elf__heads(purpose_of(load), fd, &debug))
		debug = (struct elf_heads){ .debuglink = "" };
	err = read_elf__syms(purpose_of(load), load->img.fd, is_stripped ? fd : -1,
			     (is_stripped ? ELF_SYMS_STRIPPED : 0) |
				     (load->want_data ? ELF_SYMS_DATA : 0),
			     &load->syms);
	if (!err && load->want_inlines)
		open_inlines(load, &heads, fd, &debug);
	return err;
}

static void read_file(struct dso_load *load)
{
	int err;

	if (load->budget && !__atomic_load_n(load->budget, __ATOMIC_RELAXED))
		return;
	err = load->img.fd < 0 ? read_memory(load) : read_descriptor(load);
	/* A second attempt would cost as much, and end as this one. */
	load->is_done = true;
	if (!load->budget || err)
		return;
	take_budget(load->budget, elf_syms__mem_sz(&load->syms) + inlines__mem_sz(load->inlines));
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
