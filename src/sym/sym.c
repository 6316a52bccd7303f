// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "sym/sym.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/proc_walk.h"
#include "lang/runtimes.h"
#include "sym/maps.h"
#include "sym/sym_priv.h"
#include "util/mono.h"
#include "util/path.h"

struct sym *sym__new(void)
{
	struct sym *sym = calloc(1, sizeof(*sym));

	if (sym && dsos__init(&sym->dsos)) {
		free(sym);
		sym = NULL;
	}
	if (!sym) {
		errno = ENOMEM;
		return NULL;
	}
	sym->begin_real_ns = (int64_t)real_ns();
	sym->dsos.ahead = sym->kernel.ahead = ahead__new();
	return sym;
}

void sym__free(struct sym *sym)
{
	if (!sym)
		return;
	procs__free(&sym->procs);
	dsos__free(&sym->dsos);
	ksyms__free(&sym->ksyms);
	kallsyms__free(&sym->kernel);
	maps__put(sym->kernel_maps);
	maps__put(sym->kernel_files);
	codes__free(&sym->codes);
	free(sym);
}

void sym__configure(struct sym *sym, const struct sym_options *options)
{
	sym->options = *options;
	sym->dsos.raw_names = options->raw_names;
	sym->dsos.with_data = options->data;
	sym->dsos.inlines = options->inlines;
	sym->dsos.lines = options->lines;
	sym->dsos.offline = options->offline;
	if (options->symfs)
		sym->dsos.symfs = roots__open_dir(&sym->dsos.roots, options->symfs);
	sym->kernel.path = options->kallsyms;
	sym->kernel.vmlinux = options->vmlinux;
	sym->kernel.is_given = options->kallsyms || options->vmlinux;
	if (options->no_kernel)
		sym->kernel.foreign = true;
	if (options->mem_max) {
		sym->dsos.mem_max = options->mem_max;
		sym->dsos.ahead_left = options->mem_max / 2;
	}
}

int sym__add_process(struct sym *sym, int32_t pid)
{
	struct proc *proc = procs__set(&sym->procs, pid, maps__new());

	return proc ? sym__read_maps(sym, proc) : -ENOMEM;
}

static int add_process(void *ctx, pid_t pid)
{
	/* A process that has exited has no mappings. */
	sym__add_process(ctx, pid);
	return 0;
}

int sym__add_all_processes(struct sym *sym)
{
	return proc_walk__processes(add_process, sym);
}

struct proc *sym__proc(struct sym *sym, int32_t pid)
{
	struct proc *proc = procs__find(&sym->procs, pid);

	if (!proc && sym->options.offline) {
		proc = procs__set(&sym->procs, pid, maps__new());
	} else if (!proc) {
		sym__add_process(sym, pid);
		proc = procs__find(&sym->procs, pid);
	}
	return proc;
}

/* NULL: no memory. */
static struct proc *settled_proc(struct sym *sym, int32_t pid)
{
	struct proc *proc = sym__proc(sym, pid);

	if (proc)
		sym__settle_maps(sym, proc);
	return proc;
}

static const struct runtime *runtime_of(const struct sym *sym, const struct proc *proc)
{
	const struct runtime *runtime = NULL;
	struct maps_iter iter = { 0 };
	const struct map *map;

	while (!runtime && (map = maps__next(proc->maps, &iter)))
		runtime = runtimes__of_file(sym->dsos.dsos[map->dso]->path);
	return runtime;
}

void sym__each_unnamed(const struct sym *sym,
		       void (*fn)(void *ctx, const struct runtime *runtime, int32_t pid,
				  uint64_t cnt),
		       void *ctx)
{
	uint32_t i;

	for (i = 0; i < sym->dsos.cnt; i++) {
		const struct dso *dso = sym->dsos.dsos[i];

		if (dso->runtime && dso->unnamed)
			fn(ctx, dso->runtime, dso->pid, dso->unnamed);
	}
}

/* Returns the dso of JIT-compiled code in this process, created at the first call. */
static uint32_t jit_of(struct sym *sym, struct proc *proc)
{
	struct dso like = { .kind = DSO_JIT,
			    .path = "[anon]",
			    .pid = proc->pid,
			    .mapped_real_ns = sym->begin_real_ns };
	struct dso_site site = { .pid = proc->pid };

	if (proc->jit)
		return proc->jit;
	/* Each process that reuses a pid gets its own. */
	like.ino = ++sym->jit_cnt;
	like.jit_parent = proc->jit_parent;
	like.runtime = runtime_of(sym, proc);
	like.jit_dump = sym->options.offline ? 0 : proc->dump;
	proc->jit = dsos__intern(&sym->dsos, &like, &site);
	if (proc->jit)
		dsos__want(&sym->dsos, proc->jit, &site);
	return proc->jit;
}

static bool has_anon(const struct sym *sym, const struct maps *maps)
{
	struct maps_iter iter = { 0 };
	const struct map *map;

	while ((map = maps__next(maps, &iter)))
		if (sym->dsos.dsos[map->dso]->kind == DSO_ANON)
			return true;
	return false;
}

/* Gives a child its parent's JIT map, whether or not the parent was sampled until now. */
static uint32_t jit_for_child(struct sym *sym, struct proc *parent)
{
	if (parent->jit || has_anon(sym, parent->maps))
		return jit_of(sym, parent);
	return parent->jit_parent;
}

void sym__on_fork(struct sym *sym, int32_t pid, int32_t parent_pid)
{
	struct proc *parent, *child;
	struct maps *maps;
	uint32_t jit, program, dump;

	if (pid == parent_pid)
		return;
	parent = settled_proc(sym, parent_pid);
	maps = parent ? maps__get(parent->maps) : maps__new();
	jit = parent ? jit_for_child(sym, parent) : 0;
	program = parent ? parent->program : 0;
	dump = parent ? parent->dump : 0;
	child = procs__set(&sym->procs, pid, maps);
	if (!child)
		return;
	child->jit_parent = jit;
	child->program = program;
	child->dump = dump;
}

void sym__on_exec(struct sym *sym, int32_t pid)
{
	procs__set(&sym->procs, pid, maps__new());
}

void sym__on_exit(struct sym *sym, int32_t pid)
{
	procs__end(&sym->procs, pid);
}

void sym__on_ksymbol(struct sym *sym, const struct sym_ksymbol *k)
{
	if (k->is_gone)
		ksyms__remove(&sym->ksyms, k->addr, k->len, k->name);
	else
		ksyms__add(&sym->ksyms, k->addr, k->len, k->name);
}

void sym__set_recorded_kernel(struct sym *sym, const struct recorded_kernel *kernel)
{
	sym->knows_kernel = true;
	sym->kernel_id = kernel->id ? *kernel->id : (struct sym_build_id){ .len = 0 };
	kallsyms__set_recorded(&sym->kernel, kernel);
}

bool sym__knows_kernel(const struct sym *sym)
{
	return sym->knows_kernel;
}

void sym__each_split_missing(const struct sym *sym,
			     void (*fn)(void *ctx, const char *path, const char *missing),
			     void *ctx)
{
	uint32_t i;

	for (i = 0; i < sym->dsos.cnt; i++)
		if (sym->dsos.dsos[i] && sym->dsos.dsos[i]->missing)
			fn(ctx, sym->dsos.dsos[i]->path, sym->dsos.dsos[i]->missing);
}

/* "/lib/modules/…/nf-nat.ko.xz" is "[nf_nat]", "[kernel.kallsyms]_text" without its symbol. */
static char *kernel_dso_name(const char *path)
{
	const char *base = path__base(path), *dot;
	char *name, *p;

	if (*base == '[')
		return strndup(base, strcspn(base, "]") + 1);
	dot = strstr(base, ".ko");
	if (!dot)
		return strdup(path);
	if (asprintf(&name, "[%.*s]", (int)(dot - base), base) < 0)
		return NULL;
	for (p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

/* Without memory the addresses have no file. */
static void insert_kernel_map(struct sym *sym, struct maps **maps, const struct sym_map *map,
			      const char *path)
{
	const struct dso like = { .kind = DSO_OTHER, .path = (char *)path };
	struct dso_site site = { .pid = 0 };
	struct map m = { .start = map->addr, .end = map->addr + map->len };

	if (m.end < m.start)
		m.end = UINT64_MAX;
	if (!*maps)
		*maps = maps__new();
	if (!*maps)
		return;
	m.dso = dsos__intern(&sym->dsos, &like, &site);
	maps__insert(maps, &m, MAPS_RECORDED_MAX);
}

void sym__on_kernel_mmap(struct sym *sym, const struct sym_map *map)
{
	char *name = kernel_dso_name(map->path);

	if (name)
		insert_kernel_map(sym, &sym->kernel_maps, map, name);
	free(name);
	if (sym->options.kernel_paths && map->path[0] == '/')
		insert_kernel_map(sym, &sym->kernel_files, map, map->path);
}

const char *sym__kernel_path(const struct sym *sym, uint64_t place, const char *module)
{
	const struct map *map;

	if (!sym->options.kernel_paths)
		return NULL;
	if (!strcmp(module, "[kernel.kallsyms]"))
		return sym->options.vmlinux;
	map = sym->kernel_files ? maps__find(sym->kernel_files, place) : NULL;
	return map ? sym->dsos.dsos[map->dso]->path : NULL;
}

void sym__on_lost(struct sym *sym)
{
	if (!sym->options.offline)
		sym__add_all_processes(sym);
}

uint64_t sym__kernel_place(struct sym *sym, uint64_t addr)
{
	kallsyms__read_ahead(&sym->kernel);
	return ksyms__place(&sym->ksyms, addr);
}

struct codes *sym__codes(struct sym *sym)
{
	return &sym->codes;
}

static uint64_t place_of_code(struct sym *sym, uint64_t word)
{
	return (uint64_t)sym__code_dso(sym) << PLACE_OFF_BITS | codes__place(&sym->codes, word);
}

void sym__set_time(struct sym *sym, uint64_t time_ns)
{
	/* A function may have come to the place of another since. */
	sym->procs.change_cnt += sym->has_dump && time_ns != sym->now_ns;
	sym->now_ns = time_ns;
}

uint64_t sym__place(struct sym *sym, int32_t pid, uint64_t addr)
{
	uint64_t in_dump;
	struct dso_site site = { .pid = pid };
	const struct map *map;
	struct proc *proc;
	uint32_t dso;

	if (addr & SYM_CODE && codes__are_known(&sym->codes))
		return place_of_code(sym, addr);
	proc = settled_proc(sym, pid);
	map = proc && proc->maps ? maps__find(proc->maps, addr) : NULL;
	in_dump = proc ? sym__place_in_dump(sym, proc, map, addr) : 0;
	if (in_dump)
		return in_dump;
	if (!map)
		return addr & PLACE_OFF_MASK;
	site.start = map->start;
	site.end = map->end;
	dsos__want(&sym->dsos, map->dso, &site);
	dso = sym->dsos.dsos[map->dso]->kind == DSO_ANON ? jit_of(sym, proc) : map->dso;
	if (dso != map->dso)
		return (uint64_t)dso << PLACE_OFF_BITS | (addr & PLACE_OFF_MASK);
	return (uint64_t)dso << PLACE_OFF_BITS |
	       ((addr - map->start + map->pgoff) & PLACE_OFF_MASK);
}

uint64_t sym__change_cnt(const struct sym *sym)
{
	return sym->procs.change_cnt;
}

uint64_t sym__program(struct sym *sym, int32_t pid)
{
	struct proc *proc = settled_proc(sym, pid);

	return proc ? (uint64_t)proc->program << PLACE_OFF_BITS : 0;
}

void sym__stats(const struct sym *sym, struct sym_stats *stats)
{
	stats->mem_sz = sym->dsos.mem_sz;
	stats->evicted = sym->dsos.evicted;
	stats->jit_read_cnt = sym->dsos.jit_read_cnt;
}

void sym__mapping(struct sym *sym, bool is_kernel, int32_t pid, uint64_t addr,
		  struct sym_mapping *mapping)
{
	struct proc *proc = is_kernel ? NULL : settled_proc(sym, pid);
	const struct maps *maps = is_kernel ? sym->kernel_maps : proc ? proc->maps : NULL;
	const struct map *map = maps ? maps__find(maps, addr) : NULL;
	uint64_t bpf_sz = is_kernel ? ksyms__size(&sym->ksyms, ksyms__place(&sym->ksyms, addr)) : 0;

	*mapping = (struct sym_mapping){ .sz = 0 };
	if (map) {
		mapping->sz = map->end - map->start;
		mapping->is_shared = map->is_shared;
		mapping->is_own = map->is_own;
	}
	if (bpf_sz)
		mapping->sz = bpf_sz;
}
