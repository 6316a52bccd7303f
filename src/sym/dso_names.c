// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Finds names in the symbols of a file, and reads these ahead. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/files.h"
#include "sym/dso.h"
#include "sym/dso_image.h"
#include "sym/dso_name.h"
#include "sym/dso_load.h"
#include "sym/fdes.h"
#include "sym/read_elf.h"
#include "util/mono.h"

/* Waking the thread costs more than reading the inlined functions at an address or two. */
#define AHEAD_AT_ONCE 64

/* Moves the result of a load into the dso. */
static void take_load(struct dsos *dsos, struct dso *dso, struct dso_load *load)
{
	const int fds[] = { load->img.fd,
			    load->debug_fd >= 0 ? load->debug_fd : load->new_debug_fd };

	dso->file_uid = reader__owner_of(fds, 2);
	dso->build_id = load->build_id;
	dso->syms = load->syms;
	dso->inlines = load->inlines;
	dso->fdes = load->fdes;
	dso->fdes_read = load->fdes_read;
	/* Names are checked when they are read. */
	if (dso->fdes_read && dso__check_lost(dso))
		symtab__free(&dso->fdes);
	if (load->new_debug_fd < 0)
		return;
	if (dsos->fds_left && dso->debug_fd < 0) {
		dsos->fds_left--;
		dso->debug_fd = load->new_debug_fd;
	} else {
		close(load->new_debug_fd);
	}
}

static void prepare_load(const struct dsos *dsos, const struct dso *dso, struct dso_load *load)
{
	*load = (struct dso_load){
		.job.fn = dso_load__run,
		.path = dso->kind == DSO_FILE ? dso->path : NULL,
		.root_fd = dsos->roots.roots[dso->root].fd,
		.debug_fd = dso->debug_fd,
		.new_debug_fd = -1,
		.want_inlines = dsos->inlines && dso->kind == DSO_FILE,
		.want_lines = dsos->lines,
		.want_data = dsos->with_data,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
}

void dsos__read_ahead(struct dsos *dsos, struct dso *dso)
{
	/* A file that is not held open would have to be opened twice. */
	if (dso->kind != DSO_FILE || dso->fd < 0 || dso->read || dso->ahead)
		return;
	dso->ahead = malloc(sizeof(*dso->ahead));
	if (!dso->ahead)
		return;
	prepare_load(dsos, dso, dso->ahead);
	dso->ahead->img.fd = dso->fd;
	dso->ahead->budget = &dsos->ahead_left;
	ahead__queue(dsos->ahead, &dso->ahead->job);
}

void dsos__will_name(struct dsos *dsos, uint32_t idx, uint64_t file_off)
{
	struct dso *dso = dsos->dsos[idx];
	uint64_t vaddr;

	dso_name__want(dso, file_off);
	if (!dso->ahead && dso->inlines && elf_syms__to_vaddr(&dso->syms, file_off, &vaddr))
		inlines__want(dso->inlines, vaddr);
	if (!dso->ahead || dso__check_lost_lately(dso))
		return;
	if (dso_load__want(dso->ahead, file_off) >= AHEAD_AT_ONCE)
		ahead__queue(dsos->ahead, &dso->ahead->job);
	else
		dso->wants_ahead = dsos->some_want_ahead = true;
}

void dsos__go_ahead(struct dsos *dsos)
{
	uint32_t i;

	for (i = 0; dsos->some_want_ahead && i < dsos->cnt; i++) {
		struct dso *dso = dsos->dsos[i];

		if (dso->wants_ahead && dso->ahead && !dso__check_lost(dso))
			ahead__queue(dsos->ahead, &dso->ahead->job);
		dso->wants_ahead = false;
	}
	dsos->some_want_ahead = false;
}

/* Passes on what was announced after the thread had last read. */
static void take_wanted(struct dso *dso, const struct dso_load *load)
{
	uint64_t vaddr;
	size_t i;

	for (i = 0; dso->inlines && i < load->wanted_cnt; i++)
		if (elf_syms__to_vaddr(&dso->syms, load->wanted[i], &vaddr))
			inlines__want(dso->inlines, vaddr);
}

static bool take_ahead(struct dsos *dsos, struct dso *dso)
{
	struct dso_load *load = dso->ahead;
	bool is_done;

	if (!load)
		return false;
	ahead__finish(dsos->ahead, &load->job);
	is_done = load->is_done;
	if (is_done) {
		take_load(dsos, dso, load);
		take_wanted(dso, load);
	}
	dso_load__free_wanted(load);
	free(load);
	dso->ahead = NULL;
	return is_done;
}

static void read_elf(struct dsos *dsos, struct dso *dso)
{
	struct elf_image img;
	struct dso_load load;

	if (take_ahead(dsos, dso))
		return;
	img = dso_image__get(dsos, dso);
	prepare_load(dsos, dso, &load);
	load.img = img;
	if (img.fd >= 0 || img.mem)
		dso_load__run(&load.job);
	take_load(dsos, dso, &load);
	dso_image__put(dso, &img);
}

static void read_jit(struct dsos *dsos, struct dso *dso)
{
	uint64_t begin_ns = mono_ns();
	struct stat st;

	/* A compiler may create its map after its code was first sampled. */
	if (dso->fd < 0 && dsos->fds_left && !dsos->offline) {
		dso->fd = jit_map__open(dso->pid);
		if (dso->fd < 0)
			dso->fd = jit_map__open_final(&dso->owner, dsos->roots.roots[dso->root].fd,
						      dso->mapped_real_ns);
		dsos->fds_left -= dso->fd >= 0;
	}
	if (dso->fd < 0 || fstat(dso->fd, &st))
		return;
	dso->file_uid = st.st_uid;
	read_elf__jit(READER_NAMES, dso->fd, (uint64_t)st.st_size, &dso->syms);
	growing__was_read(&dso->growing, (uint64_t)st.st_size, begin_ns);
	dsos->jit_read_cnt++;
}

static size_t fdes_sz(const struct dso *dso)
{
	return dso->fdes.cap * sizeof(*dso->fdes.entries);
}

static void drop_syms(struct dsos *dsos, struct dso *dso)
{
	dsos->mem_sz -= dso->mem_sz;
	dso->mem_sz = 0;
	elf_syms__free(&dso->syms);
	symtab__free(&dso->fdes);
	inlines__close(dso->inlines);
	dso->inlines = NULL;
	dso->inlines_sz = 0;
	dso->read = dso->fdes_read = false;
}

/* Do tables of other users' files take more than half of the memory? */
static bool is_others_too_much(const struct dsos *dsos)
{
	size_t sz = 0;
	uint32_t i;

	for (i = 0; i < dsos->cnt; i++)
		if (!reader__is_trusted(dsos->dsos[i]->file_uid))
			sz += dsos->dsos[i]->mem_sz;
	return sz > dsos->mem_max / 2;
}

/*
 * Makes room by dropping the least recently used tables: of other users' files, as long as these
 * have more than their half, so that they do not displace all others'.
 */
static void evict(struct dsos *dsos, const struct dso *keep)
{
	while (dsos->mem_sz > dsos->mem_max) {
		bool of_others = is_others_too_much(dsos);
		struct dso *oldest = NULL;
		uint32_t i;

		for (i = 0; i < dsos->cnt; i++) {
			struct dso *dso = dsos->dsos[i];

			if (dso == keep || !dso->mem_sz ||
			    (of_others && reader__is_trusted(dso->file_uid)))
				continue;
			if (!oldest || dso->used_at < oldest->used_at)
				oldest = dso;
		}
		if (!oldest)
			return;
		drop_syms(dsos, oldest);
		oldest->was_evicted = true;
		dsos->evicted++;
	}
}

static void read_syms(struct dsos *dsos, struct dso *dso)
{
	uint64_t begin_ns = mono_ns();

	drop_syms(dsos, dso);
	dso->read = true;
	if (dso->kind == DSO_JIT)
		read_jit(dsos, dso);
	else if (dso->kind == DSO_DUMP && dso->dump)
		jit_dump__syms(dso->dump, &dso->syms);
	else if (dso->kind == DSO_FILE || dso->kind == DSO_VDSO)
		read_elf(dsos, dso);
	dso->inlines_sz = inlines__mem_sz(dso->inlines);
	dso->mem_sz = elf_syms__mem_sz(&dso->syms) + dso->inlines_sz + fdes_sz(dso);
	dsos->mem_sz += dso->mem_sz;
	/* Files that displace each other again and again cost their owner's time. */
	if (dso->was_evicted)
		reader__charge(dso->file_uid, mono_ns() - begin_ns);
	evict(dsos, dso);
}

/* The sentence outlives the DWARF, which may be dropped for others'. */
static void keep_missing(struct dso *dso)
{
	const char *missing = inlines__missing(dso->inlines);

	if (!missing || (dso->missing && !strcmp(dso->missing, missing)))
		return;
	free(dso->missing);
	dso->missing = strdup(missing);
}

void dsos__looked_up(struct dsos *dsos, uint32_t idx)
{
	struct dso *dso = dsos->dsos[idx];
	size_t sz = inlines__mem_sz(dso->inlines);

	keep_missing(dso);
	if (sz == dso->inlines_sz)
		return;
	dso->mem_sz += sz - dso->inlines_sz;
	dsos->mem_sz += sz - dso->inlines_sz;
	dso->inlines_sz = sz;
	evict(dsos, dso);
}

void dsos__read_again(struct dsos *dsos, uint32_t idx)
{
	read_syms(dsos, dsos->dsos[idx]);
}

static struct symtab_entry *find_jit(struct dsos *dsos, struct dso *dso, uint64_t addr)
{
	struct symtab_entry *e = symtab__find(&dso->syms.tab, addr);

	dso->unnamed += !e;
	if (e || (dso->fd >= 0 && !growing__is_to_read(&dso->growing, dso->fd)))
		return e;
	/* Looking for a map once is enough, except in a view that runs for long. */
	if (dso->fd < 0 && dso->growing.read_sz++ % 64)
		return NULL;
	u64map__free(&dso->named);
	read_syms(dsos, dso);
	e = symtab__find(&dso->syms.tab, addr);
	dso->unnamed -= e != NULL;
	return e;
}

const char *dsos__kept(struct dsos *dsos, const char *text)
{
	uint32_t idx = texts__add(&dsos->names, text, strlen(text));

	return idx == TEXTS_NONE ? NULL : texts__get(&dsos->names, idx);
}

const char *dsos__printed(struct dsos *dsos, const char *name, const char *printed)
{
	return dsos__kept(dsos, printed && !dsos->raw_names ? printed : name);
}

bool dsos__vaddr(const struct dsos *dsos, uint32_t idx, uint64_t file_off, uint64_t *vaddr)
{
	return elf_syms__to_vaddr(&dsos->dsos[idx]->syms, file_off, vaddr);
}

static struct symtab_entry *find_entry(struct dsos *dsos, struct dso *dso, uint64_t file_off,
				       uint64_t *vaddr)
{
	dso->used_at = ++dsos->clock;
	if (!dso->read && dso->lost)
		return NULL;
	if (!dso->read)
		read_syms(dsos, dso);
	*vaddr = file_off;
	if (dso->kind == DSO_JIT)
		return find_jit(dsos, dso, file_off);
	if (dso->kind == DSO_DUMP)
		return symtab__find(&dso->syms.tab, file_off);
	if (!elf_syms__to_vaddr(&dso->syms, file_off, vaddr))
		return NULL;
	return symtab__find(&dso->syms.tab, *vaddr);
}

const char *dsos__find(struct dsos *dsos, uint32_t idx, uint64_t file_off, uint64_t *off)
{
	struct symtab_entry *e = NULL;
	const char *name;
	struct dso *dso;
	uint64_t vaddr;

	/* The parent's compiler wrote the code that a process inherited by fork. */
	do {
		dso = dsos->dsos[idx];
		if (dso->kind == DSO_OTHER || dso->kind == DSO_ANON)
			return NULL;
		if (dsos__to_dump(dsos, &idx, &file_off))
			dso = dsos->dsos[idx];
		e = find_entry(dsos, dso, file_off, &vaddr);
		idx = dso->jit_parent;
	} while (!e && idx);
	name = e ? dso_name__of(dsos, dso, e) : NULL;
	if (name)
		*off = vaddr - e->addr;
	return name;
}

uint64_t dsos__size(struct dsos *dsos, uint32_t idx, uint64_t file_off)
{
	struct symtab_entry *e = NULL;
	struct dso *dso;
	uint64_t vaddr;

	dsos__to_dump(dsos, &idx, &file_off);
	dso = dsos->dsos[idx];
	if (dso->kind != DSO_OTHER && dso->kind != DSO_ANON)
		e = find_entry(dsos, dso, file_off, &vaddr);
	return e ? e->sz : 0;
}

char dsos__origin(struct dsos *dsos, uint32_t idx, uint64_t file_off)
{
	struct dso *dso;
	uint64_t vaddr;

	dsos__to_dump(dsos, &idx, &file_off);
	dso = dsos->dsos[idx];
	if (dso->kind == DSO_OTHER || dso->kind == DSO_ANON)
		return '!';
	if (dso->kind == DSO_JIT || dso->kind == DSO_DUMP || dso->kind == DSO_CODE)
		return 'j';
	find_entry(dsos, dso, file_off, &vaddr);
	return dso->syms.names[NAMES_DEBUG].sz ? 'b' : dso->syms.tab.cnt ? 'd' : '!';
}

/* Without memory there are fewer functions. */
static void read_fdes_of(struct dso *dso, const struct elf_image *img)
{
	struct elf_file file;

	if (img->fd >= 0) {
		read_elf__fdes(READER_NAMES, img->fd, &dso->fdes);
	} else if (img->mem && !elf_file__open(&file, img)) {
		fdes__read(&dso->fdes, &file);
		elf_file__close(&file);
	}
}

static void read_fdes(struct dsos *dsos, struct dso *dso)
{
	struct elf_image img = dso_image__get(dsos, dso);

	dso->fdes_read = true;
	read_fdes_of(dso, &img);
	dso_image__put(dso, &img);
	/* The file is checked after it was read, as for names. */
	if (dso__check_lost(dso))
		symtab__free(&dso->fdes);
	dso->mem_sz += fdes_sz(dso);
	dsos->mem_sz += fdes_sz(dso);
	evict(dsos, dso);
}

uint64_t dsos__func_off(struct dsos *dsos, uint32_t idx, uint64_t file_off)
{
	struct dso *dso = dsos->dsos[idx];
	const struct symtab_entry *e;
	uint64_t vaddr;

	if ((dso->kind != DSO_FILE && dso->kind != DSO_VDSO) || dso->lost ||
	    !elf_syms__to_vaddr(&dso->syms, file_off, &vaddr))
		return 0;
	if (!dso->fdes_read)
		read_fdes(dsos, dso);
	e = symtab__find(&dso->fdes, vaddr);
	if (!e || vaddr - e->addr > file_off)
		return 0;
	return vaddr - e->addr;
}

const struct sym_build_id *dsos__build_id(struct dsos *dsos, uint32_t idx)
{
	struct dso *dso = dsos->dsos[idx];

	if (dso->kind != DSO_FILE && dso->kind != DSO_VDSO)
		return NULL;
	if (dso->want_id.len)
		return &dso->want_id;
	if (!dso->read && !dso->lost) {
		read_syms(dsos, dso);
		dso__check_lost(dso);
	}
	return dso->build_id.len && !dso__check_lost_lately(dso) ? &dso->build_id : NULL;
}
